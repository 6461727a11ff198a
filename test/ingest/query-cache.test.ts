import { expect, test } from 'vitest'
import type { EmbeddingRole } from '../../src/ingest/embed/embedder.ts'
import { QueryCache } from '../../src/ingest/embed/query-cache.ts'
import { HashingEmbedder } from '../fakes/hashing-embedder.ts'

/** Answers once it is opened. */
class HeldEmbedder extends HashingEmbedder {
  open = () => {}
  readonly #opened = new Promise<void>(resolve => {
    this.open = resolve
  })

  override async embed(texts: readonly string[], role: EmbeddingRole, signal?: AbortSignal) {
    const vectors = await super.embed(texts, role, signal)
    await this.#opened
    signal?.throwIfAborted()
    return vectors
  }
}

const WORDS = Array.from({ length: 24 }, (_, at) => `word ${at}`)
const asked = (embedder: HashingEmbedder) => embedder.calls.map(({ texts }) => texts)

test('queries that are not known are asked for in one call, each once', async () => {
  const embedder = new HashingEmbedder()
  const cache = new QueryCache(embedder)
  const vectors = await cache.embed([...WORDS, 'word 0'], 'query')
  expect(vectors).toEqual(await new HashingEmbedder().embed([...WORDS, 'word 0'], 'query'))
  expect(await cache.embed(['word 3', 'tea', 'word 2'], 'query')).toHaveLength(3)
  await cache.embed(['tea', 'word 23'], 'query')
  expect(asked(embedder)).toEqual([WORDS, ['tea']])
})
test('what is under way is not asked for again', async () => {
  const embedder = new HeldEmbedder()
  const cache = new QueryCache(embedder)
  const first = cache.embed(['tea', 'railway'], 'query')
  const second = cache.embed(['railway', 'hill'], 'query')
  embedder.open()
  expect((await second)[0]).toBe((await first)[1])
  expect(asked(embedder)).toEqual([['tea', 'railway'], ['hill']])
})
test("somebody else's aborted request is asked for again, in one call", async () => {
  const embedder = new HeldEmbedder()
  const cache = new QueryCache(embedder)
  const aborted = new AbortController()
  const first = cache.embed(['tea', 'railway'], 'query', aborted.signal)
  const second = cache.embed(['railway', 'tea'], 'query')
  aborted.abort(new Error('stopped'))
  embedder.open()
  await expect(first).rejects.toThrow('stopped')
  expect(await second).toEqual(await new HashingEmbedder().embed(['railway', 'tea'], 'query'))
  expect(asked(embedder)).toEqual([
    ['tea', 'railway'],
    ['tea', 'railway'],
  ])
})
test('what failed is not kept', async () => {
  const embedder = new HashingEmbedder()
  const cache = new QueryCache(embedder)
  await expect(cache.embed(WORDS, 'query', AbortSignal.abort())).rejects.toThrow()
  expect(await cache.embed(WORDS, 'query')).toHaveLength(24)
})
