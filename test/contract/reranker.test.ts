import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { json } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Reranker } from '../../src/search/reranker.ts'
import { CrossEncoder } from '../../src/search/rerankers/cross-encoder.ts'
import { RemoteReranker } from '../../src/search/rerankers/remote.ts'
import { SentenceReranker } from '../../src/search/rerankers/sentence-reranker.ts'
import { SentenceVectors } from '../../src/search/rerankers/sentence-vectors.ts'
import { HashingEmbedder } from '../fakes/hashing-embedder.ts'
import { MemorySearcher } from '../fakes/memory-searcher.ts'
import { writeCrossEncoder } from '../fixtures/cross-encoder.ts'

const hits = await new MemorySearcher([
  { name: 'a.txt', text: 'The tea house opens at nine.' },
  { name: 'b.txt', text: 'Green tea is steamed soon after it is picked.' },
]).search({ text: 'tea', collectionIds: [], limit: 5 })
const green = hits.findIndex(hit => hit.name === 'b.txt')

type Opened = { readonly reranker: Reranker; close(): Promise<void> }
type RerankRequest = {
  readonly model: string
  readonly query: string
  readonly documents: readonly string[]
}

/** A `/rerank` server whose scores are the number of words that a document shares with the query; best first, as they answer. */
async function serve(answer = (results: unknown): unknown => ({ results })) {
  const requests: RerankRequest[] = []
  const server: Server = createServer(async (message, response) => {
    const request = (await json(message)) as RerankRequest // what RemoteReranker sends
    requests.push(request)
    const words = request.query.toLowerCase().split(' ')
    const results = request.documents.map((document, index) => ({
      index,
      relevance_score: words.filter(word => document.toLowerCase().includes(word)).length,
    }))
    const sorted = results.toSorted((a, b) => b.relevance_score - a.relevance_score)
    response.writeHead(message.url === '/v1/rerank' ? 200 : 404).end(JSON.stringify(answer(sorted)))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // it listens on a port
  const close = async () => {
    server.closeAllConnections()
    await new Promise(resolve => server.close(resolve))
  }
  return { url: `http://127.0.0.1:${port}/v1`, requests, close }
}

async function openRemote(): Promise<Opened> {
  const { url, close } = await serve()
  return { reranker: new RemoteReranker({ url, name: 'm', timeMs: 60_000 }), close }
}

async function openSentences(): Promise<Opened> {
  const embedder = new HashingEmbedder()
  return {
    reranker: new SentenceReranker(embedder, new SentenceVectors(embedder, async () => undefined)),
    close: async () => {},
  }
}

async function openCrossEncoder(): Promise<Opened> {
  const folder = await mkdtemp(path.join(tmpdir(), 'passim-reranker-'))
  const modelPath = await writeCrossEncoder(folder, { green: 10, steamed: 10, picked: 10, tea: 3 })
  const reranker = new CrossEncoder({ modelPath, idleMs: 60_000 })
  const close = async () => {
    await reranker.close()
    await rm(folder, { recursive: true })
  }
  return { reranker, close }
}

describe.each([
  ['a /rerank server', openRemote],
  ['a local cross-encoder', openCrossEncoder],
  ['best sentences', openSentences],
])('a reranker by %s', (_name, open) => {
  let opened: Opened
  beforeAll(async () => {
    opened = await open()
  })
  afterAll(() => opened.close())

  test('gives a score a hit, the highest to the best answer', async () => {
    const scores = await opened.reranker.scoreHits('green tea steamed', hits)
    expect(scores).toHaveLength(hits.length)
    expect(scores.indexOf(Math.max(...scores))).toBe(green)
  })
  test('has nothing to say of no hits', async () =>
    expect(await opened.reranker.scoreHits('tea', [])).toEqual([]))
  test('stops when it is told to', async () => {
    await expect(
      opened.reranker.scoreHits('tea', hits, AbortSignal.abort(new Error('enough'))),
    ).rejects.toThrow('enough')
  })
})

test('a server gets the context with the text, and is not asked twice', async () => {
  const { url, requests, close } = await serve()
  await new RemoteReranker({ url: `${url}/rerank/`, name: 'm', timeMs: 60_000 }).scoreHits(
    'tea',
    hits,
  )
  expect(requests).toEqual([
    expect.objectContaining({
      model: 'm',
      query: 'tea',
      documents: hits.map(hit => `${hit.context}\n${hit.text}`),
    }),
  ])
  await close()
})
test.each([
  ['an answer that is none', () => ({ data: [] }), /did not return a list of results/],
  [
    'too few scores',
    (results: unknown) => ({ results: (results as unknown[]).slice(1) }),
    /gave 1 scores for 2/,
  ],
])('%s from a server is refused', async (_name, answer, message) => {
  const { url, close } = await serve(answer)
  const reranker = new RemoteReranker({ url, name: 'm', timeMs: 60_000 })
  await expect(reranker.scoreHits('tea', hits)).rejects.toMatchObject({
    code: 'model_unavailable',
    message,
  })
  await close()
})
test('a server that does not know the model is told apart from one that is down', async () => {
  const { url, close } = await serve()
  const score = (url: string) =>
    new RemoteReranker({ url, name: 'm', timeMs: 60_000 }).scoreHits('tea', hits)
  await expect(score(`${url}/elsewhere`)).rejects.toMatchObject({ code: 'model_missing' })
  await close()
  await expect(score(url)).rejects.toMatchObject({ code: 'model_unavailable' })
})
test('a folder without weights is named', async () => {
  const reranker = new CrossEncoder({ modelPath: tmpdir(), idleMs: 0 })
  await expect(reranker.scoreHits('tea', hits)).rejects.toMatchObject({
    code: 'model_unavailable',
    message: expect.stringContaining('onnx/model_quantized.onnx'),
  })
  await reranker.close()
})
test('a model that was closed starts no process any more', async () => {
  const { reranker, close } = await openCrossEncoder()
  await close()
  await expect(reranker.scoreHits('tea', hits)).rejects.toMatchObject({
    message: expect.stringContaining('is closed'),
  })
})
test('passages longer than the model reads are cut', async () => {
  const { reranker, close } = await openCrossEncoder()
  const long = { ...hits[0]!, context: '', text: 'tea '.repeat(2_000) }
  expect(await reranker.scoreHits('tea', [long])).toEqual([1 + 1 + 3 * 510])
  await close()
})
