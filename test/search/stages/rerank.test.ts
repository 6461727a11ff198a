import { expect, test } from 'vitest'
import { SentenceReranker, splitPieces } from '../../../src/search/rerankers/sentence-reranker.ts'
import { SentenceVectors } from '../../../src/search/rerankers/sentence-vectors.ts'
import type { Hit, Searcher } from '../../../src/search/searcher.ts'
import { runInOrder } from '../../../src/search/stage.ts'
import { type RerankOptions, rerank } from '../../../src/search/stages/rerank.ts'
import { HashingEmbedder } from '../../fakes/hashing-embedder.ts'
import { MemorySearcher } from '../../fakes/memory-searcher.ts'

const DOCUMENTS = [
  {
    name: 'harbour.txt',
    text: 'The harbour is deep. Ships of all nations anchor in it, and the harbour fee is paid at the harbour.',
  },
  {
    name: 'fees.txt',
    text: 'Rooms are let by the week, to members and guests of the club alike. A harbour fee is due on Monday morning.',
  },
]
const query = { text: 'harbour fee', collectionIds: ['default'], limit: 5 }

/** The searcher's hits in the order that the scores give. */
function reranked(
  searcher: Searcher,
  scoreOf: (hit: Hit) => number,
  options: RerankOptions = { depth: 2, weight: 1 },
) {
  const reranker = { scoreHits: async (_query: string, hits: readonly Hit[]) => hits.map(scoreOf) }
  return runInOrder([one => searcher.search(one), rerank(reranker, options)])
}

const names = (hits: readonly Hit[]) => hits.map(hit => hit.name)
const memory = new MemorySearcher(DOCUMENTS)

test('the reranker decides as far as its weight goes', async () => {
  const found = names(await memory.search(query))
  const turned = (hit: Hit) => -hit.score
  expect(names(await reranked(memory, turned).search(query))).toEqual(found.toReversed())
  expect(names(await reranked(memory, turned, { depth: 2, weight: 0.2 }).search(query))).toEqual(
    found,
  )
})

test('scores that hardly differ decide as much less', async () => {
  const found = names(await memory.search(query))
  const nearly = (hit: Hit) => (hit.name === found[1] ? 0.51 : 0.5)
  const options = { depth: 2, weight: 0.6 }
  expect(names(await reranked(memory, nearly, options).search(query))).toEqual(found.toReversed())
  expect(
    names(await reranked(memory, nearly, { ...options, minRange: 0.05 }).search(query)),
  ).toEqual(found)
})

test('a hit below those looked at can come up when fewer are asked for', async () => {
  const [, second] = await memory.search(query)
  const found = await reranked(memory, hit => (hit.chunkId === second!.chunkId ? 1 : 0)).search({
    ...query,
    limit: 1,
  })
  expect(names(found)).toEqual([second!.name])
})

test('hits beyond the depth keep their order, scored below the others', async () => {
  const many = new MemorySearcher(
    Array.from({ length: 5 }, (_, at) => ({ name: `${at}.txt`, text: `tea ${'x '.repeat(at)}` })),
  )
  const tea = { ...query, text: 'tea' }
  const found = await reranked(many, hit => -hit.score).search(tea)
  expect(names(found)).toEqual(['1.txt', '0.txt', '2.txt', '3.txt', '4.txt'])
  expect(found.map(hit => hit.score)).toEqual(found.map(hit => hit.score).toSorted((a, b) => b - a))
})

test('nothing found stays nothing', async () => {
  expect(await reranked(memory, () => 1).search({ ...query, text: 'zebra' })).toEqual([])
})

test('a passage is as good as its best sentence', async () => {
  const embedder = new HashingEmbedder()
  const reranker = new SentenceReranker(
    embedder,
    new SentenceVectors(embedder, async () => undefined),
  )
  const hits = await memory.search(query)
  const scores = await reranker.scoreHits('A harbour fee is due on Monday morning.', hits)
  expect(names(hits)[scores.indexOf(Math.max(...scores))]).toBe('fees.txt')
})

test('a sentence is read under the title and headings of its passage', async () => {
  const embedder = new HashingEmbedder()
  const reranker = new SentenceReranker(
    embedder,
    new SentenceVectors(embedder, async () => undefined),
  )
  const text = 'A fee is due on Monday morning, and paid to the master in his office.'
  const [hit] = await memory.search(query)
  const hits = ['Mooring', 'Parking'].map(context => ({ ...hit!, context, text }))
  const [mooring = 0, parking = 0] = await reranker.scoreHits('mooring fee', hits)
  expect(mooring).toBeGreaterThan(parking)
})

test('a passage is looked at in a few pieces that cover it, however it is punctuated', () => {
  for (const text of ['a. '.repeat(500).trim(), '短句。'.repeat(300), 'one two three']) {
    const pieces = splitPieces(text)
    expect(pieces.length).toBeLessThanOrEqual(8)
    expect(pieces.join('').replace(/\s/g, '')).toBe(text.replace(/\s/g, ''))
  }
})

test.each([
  ['dead', () => Promise.reject(new Error('connection refused')), 'connection refused'],
  ['late', () => new Promise<readonly number[]>(() => {}), 'longer than 50 ms'],
])(
  'a %s reranker leaves the hits in their order, and they say so',
  async (_name, scores, reason) => {
    const found = await memory.search(query)
    const options = { depth: 2, weight: 1, timeMs: 50 }
    const searcher = runInOrder([one => memory.search(one), rerank({ scoreHits: scores }, options)])
    const hits = await searcher.search(query)
    expect(hits.map(hit => [hit.chunkId, hit.score])).toEqual(
      found.map(hit => [hit.chunkId, hit.score]),
    )
    for (const hit of hits) expect(hit.notReranked).toContain(reason)
  },
)
test('a search that is given up is no failure of the reranker', async () => {
  const controller = new AbortController()
  const scores = async () => {
    controller.abort(new Error('enough'))
    throw new Error('connection reset')
  }
  const options = { depth: 2, weight: 1, timeMs: 60_000 }
  const searcher = runInOrder([one => memory.search(one), rerank({ scoreHits: scores }, options)])
  await expect(searcher.search(query, controller.signal)).rejects.toThrow('enough')
})
