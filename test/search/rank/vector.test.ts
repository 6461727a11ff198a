import { expect, test } from 'vitest'
import { dot } from '../../../src/ingest/embed/vector.ts'
import type { IndexReader, VectorQuery } from '../../../src/search/index-reader.ts'
import type { LanguageMeans, MeanPriors } from '../../../src/search/language-means.ts'
import type { RankQuery } from '../../../src/search/rank/ranker.ts'
import { VectorLeg } from '../../../src/search/rank/vector.ts'
import type { Language } from '../../../src/text/language.ts'

/** First what all texts share, then the language, then a topic. */
const means = new Map<Language, Float32Array>([
  ['zh', Float32Array.of(0.9, 0.2, 0, 0)],
  ['en', Float32Array.of(0.9, -0.2, 0, 0)],
])
const QUESTION = Float32Array.of(0.75, -0.2, 0.15, 0.3)
const ANSWER = Float32Array.of(0.9, -0.2, 0.12, 0)
/** As a note of a few words, or in a third script: far from the mean. */
const NOTE = Float32Array.of(0.72, -0.2, 0, 0.42)

/** Rows 0, 1, 2 and so on with these English texts. */
function openIndex(vectors: readonly Float32Array[]): Partial<IndexReader> {
  const measureLift = ({ vector, baselines }: VectorQuery, row: number) =>
    dot(vector, vectors[row]!) - baselines.get('en')!
  return {
    findNearest: async (query, limit) =>
      vectors
        .map((_, row) => ({ row: BigInt(row), version: 1, score: measureLift(query, row) }))
        .toSorted((a, b) => b.score - a.score)
        .slice(0, limit),
    scoreByVector: async (query, rows) =>
      new Map(rows.map(row => [row, measureLift(query, Number(row))])),
  }
}

function openLeg(queryMeans: MeanPriors = {}): VectorLeg {
  const embedder = { embed: async () => [QUESTION] } as never // all that is asked here
  const languageMeans = { getMeans: async () => means } as unknown as LanguageMeans
  return new VectorLeg(async () => ({ embedder, priors: {}, queryMeans }), languageMeans)
}

function ask(vectors: readonly Float32Array[]): RankQuery {
  const collection = { id: 'c', name: 'c', tableId: 't', embedderId: 'e' }
  const index = openIndex(vectors) as IndexReader // all that is asked here
  return { text: 'where is the backup', collections: [collection], index, only: {} }
}

test('short notes do not hide the passage that answers', async () => {
  const notes = Array.from({ length: 20 }, () => NOTE)
  const found = await openLeg().find(ask([...notes, ANSWER]), 5)
  expect(found[0]?.row).toBe(20n)
})
test('what lies near to every query comes behind the passage that answers', async () => {
  const everywhere = Float32Array.of(0.9, -0.2, 0, 0.3)
  const passage = Float32Array.of(0.9, -0.2, 0.45, 0)
  const rank = async (queryMeans?: MeanPriors) =>
    (await openLeg(queryMeans).find(ask([everywhere, passage]), 2)).map(({ row }) => row)
  expect(await rank()).toEqual([0n, 1n])
  expect(await rank({ en: Float32Array.of(0.8, -0.2, 0, 0.5) })).toEqual([1n, 0n])
})
test('a row has one lift, found or judged', async () => {
  const query = ask([NOTE, ANSWER])
  const leg = openLeg()
  const found = new Map((await leg.find(query, 2)).map(({ row, score }) => [row, score]))
  const judged = await leg.judge(query, [0n, 1n])
  expect([...judged].map(([row, { score }]) => [row, score])).toEqual([...found].toSorted())
})
