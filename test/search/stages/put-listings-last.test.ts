import { expect, test } from 'vitest'
import type { Hit } from '../../../src/search/searcher.ts'
import { runInOrder, type Stage } from '../../../src/search/stage.ts'
import { putListingsLast } from '../../../src/search/stages/put-last.ts'
import { MemorySearcher } from '../../fakes/memory-searcher.ts'

const query = { text: 'tea', collectionIds: ['default'], limit: 3 }
const memory = new MemorySearcher(
  Array.from({ length: 6 }, (_, at) => ({ name: `${at}.txt`, text: `tea ${'x '.repeat(at)}` })),
)

/** The documents of the memory searcher as hits, some of them changed. */
function searching(changes: Readonly<Record<string, Partial<Hit>>>) {
  const asked: number[] = []
  const find: Stage = async one => {
    asked.push(one.limit)
    return (await memory.search(one)).map(hit => ({ ...hit, ...changes[hit.name] }))
  }
  return { asked, searcher: runInOrder([find, putListingsLast]) }
}

async function check(
  changes: Readonly<Record<string, Partial<Hit>>>,
  expected: readonly string[],
  limit = 3,
) {
  const { searcher } = searching(changes)
  const hits = await searcher.search({ ...query, limit })
  expect(hits.map(({ name }) => name)).toEqual(expected)
  expect(hits.map(hit => hit.score)).toEqual(hits.map(hit => hit.score).toSorted((a, b) => b - a))
}

const plain = (await memory.search({ ...query, limit: 6 })).map(({ name }) => name)
const [first = '', second = '', third = '', fourth = ''] = plain
const LISTING = { isListing: true as const }

test('a listing gives way to text', () => check({ [first]: LISTING }, [second, third, fourth]))
test('it comes after the last of them where there is room', () =>
  check({ [first]: LISTING }, [...plain.slice(1), first], 6))
test('weak text does not come before it', () => {
  const weak = Object.fromEntries(plain.slice(2).map(name => [name, { weak: true }]))
  return check({ [first]: LISTING, ...weak }, [second, first, third])
})
test('where everything else is weak it keeps its place', () => {
  const weak = Object.fromEntries(plain.map(name => [name, { weak: true }]))
  return check({ ...weak, [second]: LISTING }, [first, second, third])
})
test('without listings it asks once', async () => {
  const { searcher, asked } = searching({})
  await searcher.search(query)
  expect(asked).toEqual([3])
})
