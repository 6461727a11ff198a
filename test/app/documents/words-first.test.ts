import { expect, test } from 'vitest'
import { WordsFirst } from '../../../src/app/documents/words-first.ts'
import type { Collection } from '../../../src/ingest/store/catalog/collections.ts'

const COLLECTION: Collection = {
  id: 'vs_1',
  name: 'files',
  embedderId: 'none',
  dimensions: 0,
  tableId: 'vs_1',
  chunking: { tokens: 100, overlap: 0 },
  hidden: true,
  epoch: 0,
  metadata: {},
  createdAt: 0,
  usedAt: 0,
}

const countTimers = () => process.getActiveResourcesInfo().filter(name => name === 'Timeout').length

test('no timer outlives the run, so that a command ends with its answer', async () => {
  const wordsFirst = new WordsFirst({ drain: async () => true }, () => {})
  const before = countTimers()
  await wordsFirst.index(COLLECTION, ['doc_1'])
  await wordsFirst.close()
  expect(countTimers()).toBe(before)
})
