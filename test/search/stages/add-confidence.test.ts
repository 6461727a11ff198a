import { expect, test } from 'vitest'
import { Confidence } from '../../../src/search/confidence.ts'
import type { Hit } from '../../../src/search/searcher.ts'
import { runInOrder } from '../../../src/search/stage.ts'
import { addConfidence } from '../../../src/search/stages/add-confidence.ts'
import { Analyzer } from '../../../src/text/analyzer.ts'
import { MemorySearcher } from '../../fakes/memory-searcher.ts'

const memory = new MemorySearcher([
  { name: 'harbour.txt', text: 'The harbour fee is due on Monday.' },
  { name: 'rooms.txt', text: 'The harbour has rooms.' },
])
const query = { text: 'When is the harbour fee due?', collectionIds: [], limit: 5 }
/** Any two English texts have a cosine of .81. */
const priors = { en: Float32Array.of(0.9, 0) }
const unknown = {
  rarity: { getCounts: async () => undefined },
  collections: { findById: async () => undefined },
}

/** The hits where the best sentences of so many have that cosine. */
async function judged(cosine: number, { depth = 2, known = {} as typeof priors | object } = {}) {
  const reader = {
    measureSimilarity: async (_query: string, hits: readonly Hit[]) => hits.map(() => cosine),
  }
  const confidence = new Confidence(new Analyzer(), known)
  const searcher = runInOrder([
    one => memory.search(one),
    addConfidence({ ...unknown, confidence }, { reader, depth }),
  ])
  return (await searcher.search(query)).map(hit => hit.confidence ?? Number.NaN)
}

test('a hit is the surer the more like the query its best sentence is', async () => {
  const [near = 0] = await judged(0.93, { known: priors })
  const [far = 1] = await judged(0.83, { known: priors })
  expect(near).toBeGreaterThan(far)
})

test('hits whose sentences nobody read are judged by their words', async () => {
  const [first, second] = await judged(0.99, { known: priors, depth: 1 })
  const [byWords, secondByWords] = await judged(0.99)
  expect(first).not.toBe(byWords)
  expect(second).toBe(secondByWords)
})

test('of a model whose usual cosine is not known sentences tell nothing', async () => {
  expect(await judged(0.99)).toEqual(await judged(0.1))
})

test('a weak hit is an unlikely one, also in another language and without a quoted phrase', async () => {
  const confidence = new Confidence(new Analyzer())
  const weak = runInOrder([
    async () => (await memory.search(query)).map(hit => ({ ...hit, weak: true })),
    addConfidence({ ...unknown, confidence }),
  ])
  const asked = [
    { ...query, text: '港口费什么时候交？' },
    {
      ...query,
      wording: { phrases: ['fee is'], excluded: [] },
    },
  ]
  for (const one of asked) {
    const hits = await weak.search({ ...query, ...one })
    expect(hits.length).toBeGreaterThan(0)
    for (const hit of hits) {
      expect(hit.weak).toBe(true)
      expect(hit.confidence).toBeLessThanOrEqual(0.03)
    }
  }
})
