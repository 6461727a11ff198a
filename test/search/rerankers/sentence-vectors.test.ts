import { appendFile, mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { SentenceVectors } from '../../../src/search/rerankers/sentence-vectors.ts'
import { HashingEmbedder } from '../../fakes/hashing-embedder.ts'

const SENTENCES = [
  { documentId: 'a', text: 'Tea grows on hills.' },
  { documentId: 'b', text: 'The railway opened in the spring.' },
  { documentId: 'a', text: 'Tea grows on hills.' },
]

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'passim-sentences-'))
})
afterEach(() => rm(folder, { recursive: true }))

const fileOf = (id: string) => path.join(folder, id)

function open(embedder = new HashingEmbedder()) {
  return { embedder, vectors: new SentenceVectors(embedder, async id => fileOf(id)) }
}

const embedded = (embedder: HashingEmbedder) => embedder.calls.flatMap(call => call.texts)

test('every sentence gets the vector of its text, each text embedded once', async () => {
  const { embedder, vectors } = open()
  const found = await vectors.getVectors(SENTENCES)
  expect(embedded(embedder)).toEqual(['Tea grows on hills.', 'The railway opened in the spring.'])
  expect(found[2]).toEqual(found[0])
  const [exact] = await new HashingEmbedder().embed(['Tea grows on hills.'], 'passage')
  for (const [index, value] of exact!.entries()) expect(found[0]![index]).toBeCloseTo(value, 2)
})

test('what another process worked out is read, and is the same', async () => {
  const first = await open().vectors.getVectors(SENTENCES)
  const { embedder, vectors } = open()
  expect(await vectors.getVectors(SENTENCES)).toEqual(first)
  expect(embedder.calls).toEqual([])
})

test('a file that was cut off is thrown away', async () => {
  const first = await open().vectors.getVectors(SENTENCES)
  await appendFile(fileOf('a'), 'x')
  const { embedder, vectors } = open()
  expect(await vectors.getVectors(SENTENCES)).toEqual(first)
  expect(embedded(embedder)).toEqual(['Tea grows on hills.'])
})

test('a document whose content is gone is answered for, and nothing is left of it', async () => {
  const { vectors, embedder } = open()
  const gone = new SentenceVectors(embedder, async id =>
    id === 'a' ? undefined : path.join(folder, 'gone', id),
  )
  expect(await gone.getVectors(SENTENCES)).toEqual(await vectors.getVectors(SENTENCES))
  await expect(stat(path.join(folder, 'gone'))).rejects.toMatchObject({ code: 'ENOENT' })
})

test('a file does not grow beyond its bound', async () => {
  const { vectors } = open(new HashingEmbedder({ dimensions: 1024 }))
  const many = Array.from({ length: 4_500 }, (_, index) => ({
    documentId: 'a',
    text: `sentence ${index}`,
  }))
  expect(await vectors.getVectors(many)).toHaveLength(many.length)
  expect((await stat(fileOf('a'))).size).toBeLessThan(4.1 * 2 ** 20)
})

test('words of no document are embedded once, and kept in no file', async () => {
  const { embedder, vectors } = open()
  const words = ['tea', 'railway'].map(text => ({ text }))
  const first = await vectors.getVectors(words)
  expect(await vectors.getVectors([...words, { text: 'hill' }])).toEqual([
    ...first,
    expect.any(Float32Array),
  ])
  expect(embedded(embedder)).toEqual(['tea', 'railway', 'hill'])
  expect(await readdir(folder)).toEqual([])
})
test('of very many words, the last ones are known', async () => {
  const { embedder, vectors } = open()
  const words = Array.from({ length: 3_000 }, (_, index) => ({ text: `word ${index}` }))
  await vectors.getVectors(words)
  await vectors.getVectors(words.slice(-1_000))
  expect(embedder.calls).toHaveLength(1)
  await vectors.getVectors(words.slice(0, 1))
  expect(embedder.calls).toHaveLength(2)
})
