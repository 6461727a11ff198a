import { z } from 'zod'
import type { ContentItem, Message } from '../../agent/message.ts'
import { CACHING, markRefused, markWithoutEffect, PARTS_SERVED } from '../http/parameters.ts'

/** Parts of a message; protects the parser. */
export const MAX_PARTS = 1_000

const TYPE = 'Kind of the part: text, refusal, file or image.'
const IMAGE = 'Image as an http(s) URL or a data URI.'
const DETAIL = 'No effect: the server of the model decides the resolution.'

const fileShape = {
  file_id: z.string().min(1).optional().describe('Id of a file uploaded to `/v1/files` before.'),
  file_data: z
    .string()
    .min(1)
    .optional()
    .describe('Bytes of the file in base64, or as a data URI.'),
  filename: z.string().optional().describe('Name of the file in `file_data`, with its extension.'),
}
const inputFileSchema = z.strictObject({
  ...fileShape,
  file_url: z
    .string()
    .optional()
    .describe('Address of the file, beginning with http:// or https://.'),
  detail: z.string().nullish().describe(DETAIL),
  prompt_cache_breakpoint: markWithoutEffect(z.unknown(), CACHING),
})

/** Excludes files stored here: the model's server fetches images. */
const imageUrlSchema = z
  .string({ error: 'give the image as an http(s) URL or a data URI' })
  .regex(/^(?:https?:\/\/|data:image\/)/i, 'give the image as an http(s) URL or a data URI')

const partSchema = z.discriminatedUnion(
  'type',
  [
    z.object({
      type: z.enum(['input_text', 'output_text', 'text']).describe(TYPE),
      text: z.string().describe('Text of this part of the message.'),
    }),
    z.object({
      type: z.literal('refusal').describe(TYPE),
      refusal: z.string().describe('Text in which an earlier answer refused.'),
    }),
    inputFileSchema.extend({ type: z.literal('input_file').describe(TYPE) }),
    z.object({
      type: z.literal('input_image').describe(TYPE),
      image_url: imageUrlSchema.describe(IMAGE),
      detail: z.string().nullish().describe(DETAIL),
      file_id: markRefused(
        "the model's server fetches images and cannot read files stored here; send image_url",
      ),
    }),
    z.object({
      type: z.literal('image_url').describe(TYPE),
      image_url: z
        .object({
          url: imageUrlSchema.describe(IMAGE),
          detail: z.string().nullish().describe(DETAIL),
        })
        .describe('Address of the image, for the chat model.'),
    }),
    z.strictObject({
      type: z.literal('file').describe(TYPE),
      file: z.strictObject(fileShape).describe('File by its id, or its bytes and name.'),
      prompt_cache_breakpoint: markWithoutEffect(z.unknown(), CACHING),
    }),
  ],
  { error: PARTS_SERVED },
)

export const contentSchema = z.union([z.string(), z.array(partSchema).max(MAX_PARTS)])

export type Content = z.output<typeof contentSchema>
export type Part = Exclude<Content, string>[number]

/** Returns plain text if there is nothing else. */
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
  return { file: ('file' in part ? part.file : part).file_id! }
}

export function isFileOrImage({ type }: Part): boolean {
  return type === 'input_file' || type === 'file' || type === 'input_image' || type === 'image_url'
}
