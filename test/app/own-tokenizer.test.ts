import { afterEach, beforeEach, expect, test } from 'vitest'
import { HashingEmbedder } from '../fakes/hashing-embedder.ts'
import { Sandbox } from '../fakes/store.ts'
import { wordCounter } from '../fakes/word-counter.ts'

let sandbox: Sandbox
beforeEach(async () => {
  sandbox = await Sandbox.make()
})
afterEach(() => sandbox.remove())

const settings = { chunking: { tokens: 20, overlap: 0 } }
const SENTENCES = Array.from({ length: 30 }, (_, at) => `Antidisestablishmentarian number ${at}.`)
const TEXT = SENTENCES.join(' ')

test('chunks are counted by a tokenizer of the caller, and made anew with another one', async () => {
  const file = await sandbox.write({ 'a.txt': TEXT })
  const own = await sandbox.open({ settings, tokenCounter: wordCounter })
  await own.index([file])
  const { chunks } = await own.chunks.list('a.txt')
  expect(chunks.map(({ tokens }) => tokens)).toEqual(Array(5).fill(18))
  expect(chunks.map(({ text }) => wordCounter.count(text))).toEqual(Array(5).fill(18))
  await sandbox.close()
  const usual = await sandbox.open({ settings })
  await usual.index([file])
  expect((await usual.chunks.list('a.txt')).chunks.length).toBeGreaterThan(5)
})

test('a chunk beyond the limit of the embedder has windows, whatever that tokenizer says', async () => {
  const fact =
    'The lighthouse keeper paints the northern gallery every seventh winter with whale oil.'
  const words = Array.from({ length: 200 }, (_, at) => `w${at}${at % 12 === 11 ? '.' : ''}`)
  const passim = await sandbox.open({
    embedder: new HashingEmbedder({ maxTokens: 110 }),
    tokenCounter: { id: 'one@1', count: () => 1 },
    settings: { chunking: { tokens: 4_096, overlap: 0 } },
  })
  const folder = await sandbox.write({
    'long.txt': `${words.join(' ')}. ${fact}`,
    'near.txt': 'The lighthouse keeper sails home in winter.',
  })
  await passim.index([folder])
  expect((await passim.chunks.list('long.txt')).chunks).toHaveLength(1)
  const hits = await passim.search({ query: fact, mode: 'vector' })
  expect(hits.map(({ name }) => name)).toEqual(['long.txt', 'near.txt'])
})
