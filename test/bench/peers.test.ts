import { mkdtempSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { readSource } from '../../bench/cite-check/document.ts'
import { anythingLlmPeer } from '../../bench/peers/anything-llm.ts'
import { bm25Peer } from '../../bench/peers/bm25.ts'
import { isRefusal, type Peer, withMarkers } from '../../bench/peers/peer.ts'
import { qmdPeer } from '../../bench/peers/qmd.ts'
import { qwenAgentPeer } from '../../bench/peers/qwen-agent.ts'
import { ragflowPeer } from '../../bench/peers/ragflow.ts'
import { responsesPeer } from '../../bench/peers/responses.ts'

const FOLDER = mkdtempSync(path.join(process.env.TMPDIR ?? '/tmp', 'passim-peers-'))
const FILE = path.join(FOLDER, 'en-pool.md')
writeFileSync(FILE, '# Pool\n\nThe pool is 25 metres long.\n')
const SIGNAL = new AbortController().signal

const closing: (() => Promise<void>)[] = []
afterAll(async () => {
  for (const close of closing) await close()
})

describe('a service with /v1/responses', () => {
  const prepared = {
    'POST /files': { id: 'file-1' },
    'POST /vector_stores': { id: 'vs-1' },
    'POST /vector_stores/vs-1/file_batches': { id: 'batch-1', status: 'in_progress' },
    'GET /vector_stores/vs-1/file_batches/batch-1': {
      status: 'completed',
      file_counts: { failed: 0 },
    },
  }
  const answered = (text: string, annotations: readonly object[]) => ({
    output: [
      { type: 'reasoning', id: 'r' },
      {
        type: 'file_search_call',
        results: [{ filename: 'en-pool.md', text: 'The pool is 25 metres long.', score: 0.9 }],
      },
      { type: 'message', content: [{ type: 'output_text', text, annotations }] },
    ],
  })

  test('an annotation cites what was found in its file', async () => {
    const text = 'It is 25 metres long. Bring a towel.'
    const note = { type: 'file_citation', filename: 'en-pool.md', index: 21 }
    const { asked, peer } = await responses({
      ...prepared,
      'POST /responses': answered(text, [note]),
    })
    const answer = await peer.answer('How long is the pool?', SIGNAL)
    expect(answer).toMatchObject({ refused: false, text })
    expect(answer.sentences).toEqual([
      {
        text: 'It is 25 metres long.',
        citations: [{ document: 'en-pool', quote: 'The pool is 25 metres long.' }],
      },
      { text: 'Bring a towel.', citations: [] },
    ])
    expect(asked['POST /responses']).toMatchObject({
      tools: [{ type: 'file_search', vector_store_ids: ['vs-1'] }],
    })
  })
  test('words that the service says it quotes are taken instead', async () => {
    const note = {
      type: 'file_citation',
      filename: 'en-pool.md',
      index: 22,
      quote: '25 metres',
      page: 1,
    }
    const { peer } = await responses({
      ...prepared,
      'POST /responses': answered('It is 25 metres long. [1]', [note]),
    })
    const { sentences } = await peer.answer('How long is the pool?', SIGNAL)
    expect(sentences[0]?.citations).toEqual([{ document: 'en-pool', quote: '25 metres', page: 1 }])
  })
  test('an answer that says that nothing is there is a refusal', async () => {
    const { peer } = await responses({
      ...prepared,
      'POST /responses': answered('The files do not mention its width.', []),
    })
    expect((await peer.answer('How wide is it?', SIGNAL)).refused).toBe(true)
  })
  test('a file that failed is an error', async () => {
    const failed = {
      'GET /vector_stores/vs-1/file_batches/batch-1': {
        status: 'completed',
        file_counts: { failed: 1 },
      },
    }
    await expect(responses({ ...prepared, ...failed })).rejects.toThrow('1 failed')
  })

  const responses = async (routes: Routes) =>
    await prepare(routes, service =>
      responsesPeer({ ...service, name: 'any', model: 'm', pauseMs: 1 }),
    )
})

describe('RAGFlow', () => {
  const routes = {
    'POST /api/v1/datasets': { code: 0, data: { id: 'd' } },
    'POST /api/v1/datasets/d/documents': { code: 0, data: [{ id: 'doc' }] },
    'POST /api/v1/datasets/d/chunks': { code: 0 },
    'GET /api/v1/datasets/d/documents?page_size=100': {
      code: 0,
      data: { docs: [{ name: 'en-pool.md', run: 'DONE' }] },
    },
    'POST /api/v1/chats': { code: 0, data: { id: 'c' } },
    'POST /api/v1/chats/c/completions': {
      code: 0,
      data: {
        answer: 'It is 25 metres long [ID:1]. It is old.',
        reference: {
          chunks: [
            { content: 'Something else.', document_name: 'en-other.md' },
            { content: 'The pool is 25 metres long.', document_name: 'en-pool.md' },
          ],
        },
      },
    },
  }
  test('a marker names one of the chunks', async () => {
    const { peer, asked } = await prepare(routes, service =>
      ragflowPeer({ ...service, pauseMs: 1 }),
    )
    expect((await peer.answer('How long is it?', SIGNAL)).sentences).toEqual([
      {
        text: 'It is 25 metres long.',
        citations: [{ document: 'en-pool', quote: 'The pool is 25 metres long.' }],
      },
      { text: 'It is old.', citations: [] },
    ])
    expect(asked['POST /api/v1/datasets/d/chunks']).toEqual({ document_ids: ['doc'] })
  })
  test('a file that it cannot parse is an error', async () => {
    const failed = { code: 0, data: { docs: [{ name: 'en-pool.md', run: 'FAIL' }] } }
    const broken = { ...routes, 'GET /api/v1/datasets/d/documents?page_size=100': failed }
    await expect(
      prepare(broken, service => ragflowPeer({ ...service, pauseMs: 1 })),
    ).rejects.toThrow('could not parse en-pool.md')
  })
})

describe('AnythingLLM', () => {
  test('every sentence cites every source', async () => {
    const { peer, asked } = await prepare(
      {
        'POST /api/v1/workspace/new': { workspace: { slug: 'w' } },
        'POST /api/v1/document/upload': {
          success: true,
          documents: [{ location: 'custom-documents/en-pool.md-1.json' }],
        },
        'POST /api/v1/workspace/w/update-embeddings': { workspace: { slug: 'w' } },
        'POST /api/v1/workspace/w/chat': {
          textResponse: 'It is long. It has 25 metres.',
          sources: [
            {
              title: 'en-pool.md',
              text: '<document_metadata>\nsourceDocument: en-pool.md\n</document_metadata>\n\nThe pool is 25 metres long.',
            },
          ],
        },
      },
      anythingLlmPeer,
    )
    const { sentences } = await peer.answer('How long is it?', SIGNAL)
    const citations = [{ document: 'en-pool', quote: 'The pool is 25 metres long.' }]
    expect(sentences).toEqual([
      { text: 'It is long.', citations },
      { text: 'It has 25 metres.', citations },
    ])
    expect(asked['POST /api/v1/workspace/w/update-embeddings']).toEqual({
      adds: ['custom-documents/en-pool.md-1.json'],
      deletes: [],
    })
  })
})

describe('programs', () => {
  test('qmd is asked for its best snippet', async () => {
    const found = [
      {
        file: 'qmd://cite-check/en-pool.md',
        score: 0.8,
        snippet: '@@ -1,3 @@\nThe pool is 25 metres long.',
      },
    ]
    const command = program(
      'qmd',
      `process.stdout.write(process.argv.includes('search') ? ${JSON.stringify(JSON.stringify(found))} : '')`,
    )
    const peer = qmdPeer({ command, mode: 'search' })
    await peer.prepare([FILE], SIGNAL)
    expect(await peer.answer('How long is it?', SIGNAL)).toMatchObject({
      confidence: 0.8,
      sentences: [{ citations: [{ document: 'en-pool', quote: 'The pool is 25 metres long.' }] }],
    })
  })
  test('Qwen-Agent answers a line with a line, and says what it could not read', async () => {
    const script = path.join(FOLDER, 'qwen.mjs')
    writeFileSync(
      script,
      `import { createInterface } from 'node:readline'
console.log(JSON.stringify({ read: 1, refused: [{ file: 'a.epub', error: 'no' }] }))
for await (const line of createInterface(process.stdin))
  console.log(JSON.stringify(JSON.parse(line) === 'known' ? [{ file: '/x/en-pool.md', text: 'It is long.', score: 2 }] : []))`,
    )
    const refused: string[] = []
    const peer = qwenAgentPeer({
      python: process.execPath,
      program: script,
      onRefused: file => refused.push(file),
    })
    await peer.prepare([FILE], SIGNAL)
    expect(refused).toEqual(['a.epub'])
    expect((await peer.answer('known', SIGNAL)).sentences[0]).toEqual({
      text: 'It is long.',
      citations: [{ document: 'en-pool', quote: 'It is long.' }],
    })
    expect((await peer.answer('unknown', SIGNAL)).refused).toBe(true)
    await peer.close()
  })
})

describe('what adapters share', () => {
  test('a marker is for the sentence it stands in or behind, and those before it that have none', () => {
    const cite = (marker: string) => [{ document: marker, quote: marker }]
    const cited = withMarkers('One. Two [1]. Three. [2]\n\nFour.', /\s*\[(\d+)\]/g, cite)
    expect(
      cited.map(({ text, citations }) => [text, citations.map(({ quote }) => quote).join()]),
    ).toEqual([
      ['One.', '1'],
      ['Two.', '1'],
      ['Three.', '2'],
      ['Four.', ''],
    ])
  })
  test('a refusal is told by its words where nothing is cited', () => {
    expect(isRefusal('The documents do not contain this information.', 0)).toBe(true)
    expect(isRefusal('文档中未提及该内容。', 0)).toBe(true)
    expect(isRefusal('Dogs are not allowed.', 1)).toBe(false)
    expect(isRefusal('It is 25 m long. On “how wide”: The documents do not say.', 1)).toBe(false)
    expect(isRefusal('The sources do not mention it.', 4)).toBe(true)
    expect(isRefusal('', 0)).toBe(true)
  })
  test('BM25 gives the passage that shares the rarest words', async () => {
    const pool = readSource(
      'en-pool',
      '---\nlanguage: en\nformat: md\ntitle: Pool\n---\n# Pool\nThe pool is 25 metres long.\nThe pool has a slide.\n',
    )
    expect((await bm25Peer([pool]).answer('Is there a slide at the pool?', SIGNAL)).text).toBe(
      'The pool has a slide.',
    )
  })
})

type Routes = Readonly<Record<string, object>>

/** A peer that has taken the file in, on a server that answers each route with its JSON; and what JSON it was sent. */
async function prepare(routes: Routes, make: (service: { url: string }) => Peer) {
  const asked: Record<string, unknown> = {}
  const server = createServer(async (incoming, response) => {
    const route = `${incoming.method} ${incoming.url}`
    const chunks: Buffer[] = []
    for await (const chunk of incoming) chunks.push(chunk as Buffer) // no encoding is set
    if (incoming.headers['content-type'] === 'application/json')
      asked[route] = JSON.parse(Buffer.concat(chunks).toString())
    response.writeHead(routes[route] ? 200 : 404)
    response.end(JSON.stringify(routes[route] ?? { error: route }))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  closing.push(async () => {
    server.closeAllConnections()
    await new Promise(resolve => server.close(resolve))
  })
  const { port } = server.address() as AddressInfo // it listens on a port
  const peer = make({ url: `http://127.0.0.1:${port}` })
  await peer.prepare([FILE], SIGNAL)
  return { peer, asked }
}

/** An executable that runs this JavaScript. */
function program(name: string, script: string): string {
  const file = path.join(FOLDER, name)
  writeFileSync(file, `#!${process.execPath}\n${script}\n`, { mode: 0o755 })
  return file
}
