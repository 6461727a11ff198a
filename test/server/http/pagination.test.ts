import { expect, test } from 'vitest'
import { buildPage, pageSchema } from '../../../src/server/http/pagination.ts'
import { checkTexts } from '../../../src/server/http/query.ts'

/** Five items, `a` the oldest; `b` and `c` of the same millisecond. */
const ITEMS = [
  { id: 'c', createdAt: 2 },
  { id: 'a', createdAt: 1 },
  { id: 'b', createdAt: 2 },
  { id: 'e', createdAt: 4 },
  { id: 'd', createdAt: 3 },
]
const schema = pageSchema({ limit: 20, maxLimit: 100 })

async function check(
  query: Record<string, string>,
  expected: string,
  hasMore = false,
): Promise<void> {
  const page = await buildPage(ITEMS, checkTexts(schema, query), item => item.id)
  expect({ ids: page.data.join(''), hasMore: page.has_more }).toEqual({ ids: expected, hasMore })
  expect([page.first_id, page.last_id]).toEqual([expected.at(0) ?? '', expected.at(-1) ?? ''])
}

test('the newest comes first', async () => await check({}, 'edcba'))
test('or the oldest', async () => await check({ order: 'asc' }, 'abcde'))
test('a page ends at the limit and says that there is more', async () =>
  await check({ limit: '2' }, 'ed', true))
test('the next page begins after the last item', async () =>
  await check({ limit: '2', after: 'd' }, 'cb', true))
test('the last page says that there is no more', async () =>
  await check({ limit: '2', after: 'b' }, 'a'))
test('nothing comes after the last item', async () => await check({ after: 'a' }, ''))
test('the page before an item ends at it', async () =>
  await check({ limit: '2', before: 'b' }, 'dc', true))
test('the first page is reached backwards', async () =>
  await check({ limit: '3', before: 'c' }, 'ed'))
test('both ends may be given', async () => await check({ after: 'e', before: 'b' }, 'dc'))
test('ends in the wrong order hold nothing', async () =>
  await check({ after: 'b', before: 'd' }, ''))
test('an item that is not there is named', async () => {
  await expect(check({ after: 'x' }, '')).rejects.toThrow('x')
})
test('limits are numbers in range', () => {
  for (const limit of ['0', '101', '1.5', 'many', ''])
    expect(schema.safeParse({ limit }).success).toBe(false)
})

test.each([
  [{}, 'edc'],
  [{ after: 'c' }, 'ba'],
  [{ before: 'a' }, 'dcb'],
])('a page of long items has fewer of them than asked for: %j', async (query, expected) => {
  const long = 'x'.repeat(300_000)
  const page = await buildPage(ITEMS, checkTexts(schema, query), ({ id }) => ({ id, long }))
  expect(page.data.map(({ id }) => id).join('')).toBe(expected)
  expect([page.first_id, page.last_id]).toEqual([expected.at(0), expected.at(-1)])
  expect(page.has_more).toBe(expected.length === 3)
})
