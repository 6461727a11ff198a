import { z } from 'zod'
import { localizable } from '../../errors/localizable.ts'
import { createInvalid } from './errors.ts'
import { countChars } from './sliced-json.ts'

/** Bounds what waits for a client that does not read; a single item may be larger. */
const MAX_PAGE_CHARS = 1024 * 1024

export function pageSchema({
  limit,
  maxLimit,
}: {
  readonly limit: number
  readonly maxLimit: number
}) {
  return z.object({
    after: z
      .string()
      .optional()
      .describe('Id of the last item of the previous page: return the items after it.'),
    before: z
      .string()
      .optional()
      .describe('Id of the first item of the next page: return the items before it.'),
    limit: z
      .int()
      .min(1)
      .max(maxLimit)
      .default(limit)
      .describe(`Maximum number of items in the answer: 1 to ${maxLimit}. Default: ${limit}.`),
    order: z
      .enum(['asc', 'desc'])
      .default('desc')
      .describe(
        'Sort order by creation time: `asc` (oldest first) or `desc` (newest first, the default).',
      ),
  })
}

type PageQuery = z.output<ReturnType<typeof pageSchema>>

type Page<Shown> = {
  readonly object: 'list'
  readonly data: readonly Shown[]
  /** Empty, because the contract has no null. */
  readonly first_id: string
  readonly last_id: string
  readonly has_more: boolean
}

export async function buildPage<
  Item extends { readonly id: string; readonly createdAt: number },
  Shown,
>(
  items: readonly Item[],
  query: PageQuery,
  show: (item: Item) => Shown | Promise<Shown>,
): Promise<Page<Shown>> {
  const { after, before } = query
  const ordered = items.toSorted(
    query.order === 'asc' ? compareByAge : (a, b) => compareByAge(b, a),
  )
  const start = after === undefined ? 0 : findPosition(ordered, 'after', after) + 1
  const end = before === undefined ? ordered.length : findPosition(ordered, 'before', before)
  return await encodePage(ordered.slice(start, Math.max(start, end)), query, show)
}

/** Encodes items between `after` and `before`; one more than `limit` is enough. */
export async function encodePage<Item extends Listed, Shown>(
  window: readonly Item[],
  { after, before, limit }: PageQuery,
  show: (item: Item) => Shown | Promise<Shown>,
): Promise<Page<Shown>> {
  const isBackward = before !== undefined && after === undefined
  const page = isBackward ? window.slice(-limit) : window.slice(0, limit)
  const encoded = await Promise.all(page.map(show))
  const data = isBackward ? limitBackward(encoded) : limitChars(encoded)
  const sent = isBackward ? page.slice(-data.length) : page.slice(0, data.length)
  return {
    object: 'list',
    data,
    first_id: sent[0]?.id ?? '',
    last_id: sent.at(-1)?.id ?? '',
    has_more: sent.length < window.length,
  }
}

export function listSchema(items: string, limit: number) {
  return z.object({
    after: z
      .string()
      .optional()
      .describe('Value of `last` in the previous answer. Default: start with the first.'),
    limit: z
      .int()
      .min(1)
      .max(1_000)
      .default(limit)
      .describe(`Maximum number of ${items} to return (1 to 1,000, default ${limit}).`),
  })
}

type ListQuery = z.output<ReturnType<typeof listSchema>>

export async function selectPage<Item extends Listed, Shown extends Listed>(
  items: readonly Item[],
  { after, limit }: ListQuery,
  show: (item: Item) => Shown | Promise<Shown>,
) {
  const start = after === undefined ? 0 : findPosition(items, 'after', after) + 1
  const page = limitChars(await Promise.all(items.slice(start, start + limit).map(show)))
  return { page, end: endPage(page, items.length - start) }
}

/** `found` counts the items of the page and, if there are more, one at least of them. */
export function endPage(page: readonly Listed[], found: number) {
  const last = page.at(-1)?.id
  return { hasMore: found > page.length, ...(last !== undefined && { last }) }
}

/** Returns the first items that fit into a page, one at least. */
export function limitChars<Item>(items: readonly Item[]): readonly Item[] {
  let chars = 0
  const end = items.findIndex((item, index) => {
    chars += countChars(item, MAX_PAGE_CHARS)
    return index > 0 && chars > MAX_PAGE_CHARS
  })
  return end < 0 ? items : items.slice(0, end)
}

export function limitBackward<Item>(items: readonly Item[]): readonly Item[] {
  return limitChars(items.toReversed()).toReversed()
}

/** Collects up to `limit` items, fewer if their texts exceed a page. */
export async function collectPage<Shown>(
  items: AsyncIterable<Shown>,
  limit: number,
): Promise<{ readonly data: readonly Shown[]; readonly hasMore: boolean }> {
  const data: Shown[] = []
  let chars = 0
  for await (const item of items) {
    chars += countChars(item, MAX_PAGE_CHARS)
    if (data.length === limit || (data.length > 0 && chars > MAX_PAGE_CHARS))
      return { data, hasMore: true }
    data.push(item)
  }
  return { data, hasMore: false }
}

type Listed = { readonly id: string }

type Aged = Listed & { readonly createdAt: number }

function compareByAge(a: Aged, b: Aged): number {
  return a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1)
}

function findPosition(items: readonly Listed[], param: string, id: string): number {
  const index = items.findIndex(item => item.id === id)
  if (index >= 0) return index
  throw createLostPlace(id, param)
}

export function createLostPlace(id: string, param = 'after'): Error {
  return createInvalid(
    localizable`There is no ${id} in this list: it may have been deleted. List again from the start.`,
    param,
  )
}
