import { z } from 'zod'

/** JSON that a schema describes. Readonly, so that encoders may return what they only read. */
export type Json<Schema extends z.ZodType> = DeepReadonly<z.output<Schema>>

type DeepReadonly<Value> = Value extends object
  ? { readonly [Key in keyof Value]: DeepReadonly<Value[Key]> }
  : Value

export const unixSeconds = z.int().describe('Time in Unix seconds.')
export const unixMilliseconds = z.int().describe('Time in Unix milliseconds.')

/** First and last page, in formats that have pages. */
export const pageRange = z
  .tuple([z.int(), z.int()])
  .describe('First and last page, in formats that have pages.')

export const attributesSchema = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]))

export const metadataSchema = z
  .record(z.string(), z.string())
  .describe('Key-value pairs that the caller stored with the object.')

/** Has the form that OpenAI's clients read. */
export function createPageSchema<Item extends z.ZodType>(item: Item) {
  return z.object({
    object: z.literal('list'),
    data: z.array(item),
    first_id: z.string().describe('Id of the first item; empty for an empty page.'),
    last_id: z
      .string()
      .describe('Id of the last item, which is `after` of the next page; empty for an empty page.'),
    has_more: z.boolean().describe('True if there are more items after this page.'),
  })
}

/** Has the form that OpenAI's clients read. */
export function createDeletedSchema<Kind extends string>(object: Kind) {
  return z.object({ id: z.string(), object: z.literal(object), deleted: z.literal(true) })
}
