import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Passim } from '../../../src/app/passim.ts'
import { listRepeated, splitByCounts } from '../../../src/search/lance/repeated-terms.ts'
import { Sandbox } from '../../fakes/store.ts'

let sandbox: Sandbox
let passim: Passim
beforeAll(async () => {
  sandbox = await Sandbox.make()
  passim = await sandbox.open()
  const folder = await sandbox.write({
    'both.txt': 'The kestrel nests beside the quarry.',
    'kestrel.txt': 'One kestrel is grey.',
    'quarry.txt': 'One quarry is closed, and the quarry is deep.',
  })
  await passim.index([folder])
})
afterAll(() => sandbox.remove())

const score = async (query: string) =>
  new Map((await passim.search({ query, mode: 'keyword' })).map(hit => [hit.name, hit.score]))

test('the layers of a query have each term as often as the query', () => {
  const terms = [...'aaaaabbcccd']
  const sums = new Map<string, number>()
  for (const { terms: some, factor } of splitByCounts(terms))
    for (const term of some) sums.set(term, factor + (sums.get(term) ?? 0))
  expect(Object.fromEntries(sums)).toEqual({ a: 5, b: 2, c: 3, d: 1 })
  expect(listRepeated(terms)).toEqual(['a', 'b', 'c'])
})

test('a repeated term counts repeatedly in a query of thousands of words', async () => {
  const kestrel = await score('kestrel')
  const quarry = await score('quarry')
  const found = await score(`${'kestrel '.repeat(2_001)}${'quarry '.repeat(3)}`)
  expect([...found.keys()]).toEqual(['kestrel.txt', 'both.txt', 'quarry.txt'])
  for (const [name, sum] of found)
    expect(sum).toBeCloseTo(2_001 * (kestrel.get(name) ?? 0) + 3 * (quarry.get(name) ?? 0), 0)
})
