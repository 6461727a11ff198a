import { z } from 'zod'
import type { ContentItem } from '../agent/content-item.ts'
import { isDataUri } from '../agent/data-uri.ts'
import type { Message } from '../agent/message.ts'
import { AppError } from '../errors.ts'
import { requireScope } from './access.ts'
import type { RequestContext } from './context.ts'
import { invalid } from './errors.ts'
import { CACHING, refused, withoutEffect } from './parameters.ts'

const FILE_BY_ID = 'give the file_id of a file that was uploaded to /v1/files, or its bytes as base64 in file_data'

/** Of a message. */
export const MAX_PARTS = 1_000

/** Of a request: each is stored, fetched or looked up. */
const MAX_FILES = 64

const fileShape = {
  file_id: z.string().min(1).optional(),
  /** A data URI, or base64. */
  file_data: z.string().min(1).optional(),
  filename: z.string().optional(),
}
const inputFileSchema = z.strictObject({
  ...fileShape,
  file_url: z.string().optional(),
  detail: z.string().nullish(),
  prompt_cache_breakpoint: withoutEffect(z.unknown(), CACHING),
})

/** A model's server looks at it, not this one: a file that was uploaded here is unknown there. */
const imageUrlSchema = z
  .string({ error: 'give the image as an http(s) URL or a data URI' })
  .regex(/^(?:https?:\/\/|data:image\/)/i, 'give the image as an http(s) URL or a data URI')

/** A part of a message's content, in the words of either surface. */
const partSchema = z.discriminatedUnion('type', [
  z.object({ type: z.enum(['input_text', 'output_text', 'text']), text: z.string() }),
  z.object({ type: z.literal('refusal'), refusal: z.string() }),
  inputFileSchema.extend({ type: z.literal('input_file') }),
  z.object({
    type: z.literal('input_image'),
    image_url: imageUrlSchema,
    detail: z.string().nullish(),
    file_id: refused("an image is looked at by the model's server, which has none of the files here; give image_url"),
  }),
  z.object({
    type: z.literal('image_url'),
    image_url: z.object({ url: imageUrlSchema, detail: z.string().nullish() }),
  }),
  z.strictObject({
    type: z.literal('file'),
    file: z.strictObject(fileShape),
    prompt_cache_breakpoint: withoutEffect(z.unknown(), CACHING),
  }),
])

export const contentSchema = z.union([z.string(), z.array(partSchema).max(MAX_PARTS)])

export type Content = z.output<typeof contentSchema>
export type Part = Exclude<Content, string>[number]

/** The text alone, where there is nothing else; a file is an item that names its id. */
export function toContent(content: Content): Message['content'] {
  if (typeof content === 'string') return content
  const items = content.map(toItem)
  return items.every(item => 'text' in item) ? items.map(({ text }) => text).join('\n') : items
}

function toItem(part: Part): ContentItem {
  if ('text' in part) return { text: part.text }
  if ('refusal' in part) return { text: part.refusal }
  if ('image_url' in part) {
    const { image_url: image } = part
    return typeof image === 'string' ? { image } : { image: image.url }
  }
  return { file: ('file' in part ? part.file : part).file_id! } // takeFiles gave it one
}

/**
 * The contents with every file of them taken in, one after another, so that their parts name files by id, and every image
 * looked up that a model's server is to fetch. Throws before anything is taken in where there are too many. `imageOf` says
 * what the client calls the image of a part.
 */
export async function takeFiles(
  c: RequestContext,
  contents: readonly Content[],
  imageOf: (part: number) => string = () => 'image_url',
): Promise<readonly Content[]> {
  const files = contents.flatMap(content => (typeof content === 'string' ? [] : content.filter(isOfBytes)))
  if (files.length > MAX_FILES) throw invalid(`A request brings at most ${MAX_FILES} files and images.`)
  const taken: Content[] = []
  for (const content of contents) {
    if (typeof content === 'string') taken.push(content)
    else {
      const parts: Part[] = []
      for (const [at, part] of content.entries()) parts.push(await takePart(c, part, imageOf(at)))
      taken.push(parts)
    }
  }
  return taken
}

/** The content without its files and images, to count what it says. */
export function withoutFiles(content: Content): Content {
  return typeof content === 'string' ? content : content.filter(part => !isOfBytes(part))
}

function isOfBytes({ type }: Part): boolean {
  return type === 'input_file' || type === 'file' || type === 'input_image' || type === 'image_url'
}

async function takePart(c: RequestContext, part: Part, image: string): Promise<Part> {
  switch (part.type) {
    case 'input_file':
      return { type: part.type, file_id: await takeFile(c, part) }
    case 'file':
      return { type: part.type, file: { file_id: await takeFile(c, part.file) } }
    case 'input_image':
      return { ...part, image_url: await takeImage(c, part.image_url, image) }
    case 'image_url':
      return { ...part, image_url: { ...part.image_url, url: await takeImage(c, part.image_url.url, image) } }
    default:
      return part
  }
}

/** Throws what a client can mend: another address, or the image itself. */
async function takeImage(c: RequestContext, url: string, name: string): Promise<string> {
  if (isDataUri(url)) return url
  try {
    return await c.get('passim').inlineFiles.publicAddress(url, c.get('signal'))
  } catch (error) {
    if (!(error instanceof AppError) || error.code === 'cancelled' || error.code === 'timeout') throw error
    throw invalid(`The image cannot be handed on: ${error.message} Or give it as a data URI.`, name)
  }
}

async function takeFile(c: RequestContext, { file_id: id, file_data, file_url, filename }: GivenFile): Promise<string> {
  if (id !== undefined) return id
  if (file_data === undefined && file_url === undefined) throw invalid(`A file is missing: ${FILE_BY_ID}.`, 'file_id')
  requireScope(c, 'write', 'Files that a message brings are stored and indexed to be answered from.')
  const { inlineFiles } = c.get('passim')
  const { signal } = c.var
  const file =
    file_data === undefined
      ? await inlineFiles.fromUrl(file_url!, filename, signal) // one of the two is there
      : await inlineFiles.fromData(file_data, filename, signal)
  return file.id
}

type GivenFile = Omit<z.output<typeof inputFileSchema>, 'detail'>

/** Ids of the files that a conversation has brought, once each. */
export function fileIdsOf(messages: readonly Message[]): readonly string[] {
  const items = messages.flatMap(({ content }) => (typeof content === 'string' ? [] : content))
  return [...new Set(items.flatMap(item => ('file' in item ? [item.file] : [])))]
}
