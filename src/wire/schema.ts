import { z } from 'zod'

/** JSON that a schema describes. Readonly, so that encoders may return what they only read. */
export type Json<Schema extends z.ZodType> = DeepReadonly<z.output<Schema>>

type DeepReadonly<Value> = Value extends object
  ? { readonly [Key in keyof Value]: DeepReadonly<Value[Key]> }
  : Value

export const unixSeconds = z.int().describe('Time in Unix seconds.')

/** Times under `/api` and of `--json`. */
export const time = z.iso.datetime().describe('Time in RFC 3339, in UTC.')

const TIMES = [
  'at',
  'createdAt',
  'deletedAt',
  'expiresAt',
  'finishedAt',
  'indexedAt',
  'lastUsedAt',
  'nextAt',
  'revokedAt',
  'startedAt',
  'updatedAt',
  'usedAt',
] as const
const TIME_NAMES: ReadonlySet<PropertyKey> = new Set(TIMES)

type WithTimes<Value> = {
  readonly [Name in keyof Value]: Name extends (typeof TIMES)[number]
    ? Exclude<Value[Name], number> | string
    : Value[Name]
}

export function isTimeName(name: string): boolean {
  return TIME_NAMES.has(name)
}

/** Writes the times of an object, which are Unix milliseconds, for a face. */
export function writeTimes<Value extends object>(value: Value): WithTimes<Value>
export function writeTimes(value: object): object {
  const entries = Object.entries(value).map(([name, field]) =>
    isTimeName(name) && typeof field === 'number'
      ? [name, new Date(field).toISOString()]
      : [name, field],
  )
  return Object.fromEntries(entries)
}

/** Ends every list under `/api`. */
export const pageEnd = {
  hasMore: z.boolean().describe('True if there are more after this page.'),
  last: z.string().optional().describe('Value of `after` for the next page.'),
}

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
