import { z } from 'zod'
import type { ContentItem } from '../agent/content-item.ts'
import type { Message } from '../agent/message.ts'

const FILE_BY_ID = 'give the file_id of a file that was uploaded to /v1/files: files come by id only'

const fileReferenceSchema = z.strictObject({ file_id: z.string({ error: FILE_BY_ID }).min(1) })

/** A part of a message's content, in the words of either surface. */
const partSchema = z.discriminatedUnion('type', [
  z.object({ type: z.enum(['input_text', 'output_text', 'text']), text: z.string() }),
  z.object({ type: z.literal('refusal'), refusal: z.string() }),
  z.strictObject({ type: z.literal('input_file'), ...fileReferenceSchema.shape, filename: z.string().optional() }),
  z.strictObject({ type: z.literal('file'), file: fileReferenceSchema.extend({ filename: z.string().optional() }) }),
])

export const contentSchema = z.union([z.string(), z.array(partSchema)])

type Content = z.output<typeof contentSchema>
type Part = Exclude<Content, string>[number]

/** The text alone, where there is nothing else; a file is an item that names its id. */
export function toContent(content: Content): Message['content'] {
  if (typeof content === 'string') return content
  const items = content.map(toItem)
  return items.every(item => 'text' in item) ? items.map(({ text }) => text).join('\n') : items
}

function toItem(part: Part): ContentItem {
  if ('text' in part) return { text: part.text }
  if ('refusal' in part) return { text: part.refusal }
  return { file: 'file_id' in part ? part.file_id : part.file.file_id }
}

/** Ids of the files that a conversation has brought, once each. */
export function fileIdsOf(messages: readonly Message[]): readonly string[] {
  const items = messages.flatMap(({ content }) => (typeof content === 'string' ? [] : content))
  return [...new Set(items.flatMap(item => ('file' in item ? [item.file] : [])))]
}
