import { expect, test } from 'vitest'
import { Confidence } from '../../../src/search/confidence.ts'
import { ConfidenceReranker } from '../../../src/search/rerankers/confidence-reranker.ts'
import type { Hit } from '../../../src/search/searcher.ts'
import { Analyzer } from '../../../src/text/analyzer.ts'

const TEXTS = [
  'Hotels cost at most 120 euros.',
  'A taxi to the station is paid.',
  'The museum opens at nine.',
]

/** Scores of the texts, of which cosines say as little as those of models do. */
async function score(query: string, cosines = [0.83, 0.82, 0.84]): Promise<readonly number[]> {
  const hits = TEXTS.map(text => ({ text, context: '' }) as Hit) // nothing else is looked at
  return await new ConfidenceReranker(
    { scoreHits: async () => cosines },
    new Confidence(new Analyzer()),
  ).scoreHits(query, hits)
}

test('half tells what answers from what does not, whatever the other texts are', async () => {
  const [first = 0, ...others] = await score('What do hotels cost?')
  expect(first).toBeGreaterThan(0.5)
  expect(Math.max(...others)).toBeLessThan(0.5)
  expect(Math.max(...(await score('xyzzy plugh')))).toBeLessThan(0.5)
})
test('of texts that are equally likely the nearer one comes first', async () => {
  const scores = await score('xyzzy plugh')
  expect(scores.indexOf(Math.max(...scores))).toBe(2)
})
