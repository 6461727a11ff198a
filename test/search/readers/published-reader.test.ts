import { expect, test } from 'vitest'
import { SynonymLeg } from '../../../src/search/rank/synonym-leg.ts'
import { PublishedIndexes } from '../../../src/search/readers/published-reader.ts'
import { toSynonymTerm } from '../../../src/search/synonyms/synonyms.ts'
import { Analyzer } from '../../../src/text/analyzer.ts'
import { MemoryIndex } from '../../fakes/memory-index.ts'

const ROWS = 3_000

/** One row a version; higher versions hold more of the words `a b c d`, so they come first. Every tenth is retired. */
async function openReader({ isExcluded }: { isExcluded?: (version: number) => boolean } = {}) {
  const index = new MemoryIndex(new Analyzer())
  const words = ['fox', 'bear', 'wolf', 'lynx']
  const rows = Array.from({ length: ROWS }, (_, version) => {
    const text = words.slice(0, 1 + Math.floor((version * words.length) / ROWS)).join(' ')
    const place = {
      ordinal: 0,
      charStart: 0,
      charEnd: 1,
      headings: [],
      context: '',
      tokens: 1,
    }
    const off = isExcluded?.(version) ? { isExcluded: true as const } : {}
    return { version, chunkId: `chunk_${version}`, text, name: '', ...place, ...off }
  })
  await index.add({ id: 'c', dimensions: 1 }, rows)
  const current = async (numbers: ReadonlySet<number>) =>
    new Set([...numbers].filter(version => version % 10 !== 0))
  const reader = await new PublishedIndexes(index, {
    filterCurrent: current,
    hasPublished: async () => true,
  }).open({
    id: 'c',
    tableId: 'c',
    name: 'papers',
  })
  return Object.assign(
    async (limit: number, versions: readonly number[]) =>
      (await reader!.findByKeyword(words, limit, { versions })).map(found => found.version),
    { reader: reader! },
  )
}

const numbers = (isIn: (version: number) => boolean) =>
  Array.from({ length: ROWS }, (_, at) => at).filter(isIn)

test('of many allowed versions, as many are found as asked for', async () => {
  const find = await openReader()
  const found = await find(
    50,
    numbers(version => version % 2 === 1),
  )
  expect(found).toHaveLength(50)
  expect(found.every(version => version % 2 === 1 && version >= 2250)).toBe(true)
})
test('many allowed versions are found though a thousand others come first', async () => {
  const find = await openReader()
  const found = await find(
    50,
    numbers(version => version < 1_000),
  )
  expect(found).toHaveLength(50)
  expect(found.every(version => version < 1_000 && version >= 750)).toBe(true)
})
test('all that is allowed and published is found when less than asked for', async () => {
  const find = await openReader()
  const allowed = numbers(version => version < 600)
  expect((await find(5_000, allowed)).toSorted((a, b) => a - b)).toEqual(
    allowed.filter(version => version % 10 !== 0),
  )
})
test('chunks that are switched off are replaced by further first chunks', async () => {
  const { reader } = await openReader({ isExcluded: version => version % 3 === 1 })
  const first = await reader.readFirst(6, {})
  expect(first.map(({ version }) => version)).toEqual([2, 3, 5, 6, 8, 9])
})
test('a search that is aborted looks for no further synonym', async () => {
  const analyzer = new Analyzer()
  const index = new MemoryIndex(analyzer)
  await index.add({ id: 'vs_1', dimensions: 0 }, [])
  const controller = new AbortController()
  const reader = await new PublishedIndexes(index, {
    filterCurrent: async numbers => numbers,
    hasPublished: async () => true,
  }).open({ id: 'vs_1', tableId: 'vs_1', name: 'default' }, controller.signal)
  const words = {
    find: async () => {
      controller.abort(new Error('The reader has gone.'))
      return []
    },
    judge: async () => new Map(),
    findTerms: async () => new Map(),
    computeFullScore: async () => undefined,
  }
  const query = {
    text: 'laptop',
    collections: [],
    index: reader!,
    only: {},
    synonyms: [
      {
        written: toSynonymTerm('laptop', analyzer),
        others: [toSynonymTerm('notebook', analyzer)],
      },
    ],
  }
  const leg = new SynonymLeg(words)
  await expect(leg.find(query, 10, controller.signal)).rejects.toThrow('The reader has gone.')
})
