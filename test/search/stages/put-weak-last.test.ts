import { expect, test } from 'vitest'
import { runInOrder, type Stage } from '../../../src/search/stage.ts'
import { putWeakLast } from '../../../src/search/stages/put-last.ts'
import { MemorySearcher } from '../../fakes/memory-searcher.ts'

const query = { text: 'tea', collectionIds: [], limit: 3 }
const memory = new MemorySearcher(
  Array.from({ length: 4 }, (_, at) => ({ name: `${at}.txt`, text: `tea ${'x '.repeat(at)}` })),
)

async function check(weak: readonly string[], expected: readonly string[], limit = 4) {
  const find: Stage = async one =>
    (await memory.search(one)).map(hit => ({ ...hit, weak: weak.includes(hit.name) }))
  const hits = await runInOrder([find, putWeakLast]).search({ ...query, limit })
  expect(hits.map(({ name }) => name)).toEqual(expected)
  expect(hits.map(({ score }) => score)).toEqual(
    hits.map(({ score }) => score).toSorted((a, b) => b - a),
  )
}

const [first = '', second = '', third = '', fourth = ''] = (
  await memory.search({ ...query, limit: 4 })
).map(hit => hit.name)

test('weak hits come after the others, each in their order', () =>
  check([first, third], [second, fourth, first, third]))
test('the only hit of a search is not weak if another one is not', () =>
  check([first, second], [third], 1))
test('where all are weak nothing changes', () =>
  check([first, second, third, fourth], [first, second, third, fourth]))
