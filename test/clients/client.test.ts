import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import openapiTS, { astToString } from 'openapi-typescript'
import ts from 'typescript'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createClient, PassimError } from '../../client/index.ts'
import { hashParts } from '../../src/system/digest.ts'
import { type Running, startServer } from '../server/running.ts'
import { type Description, selectOwnRoutes } from './own-routes.ts'

const run = promisify(execFile)
const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const CLIENT = path.join(ROOT, 'client/index.ts')
const QUESTION = { question: 'What is the notice period?', collections: ['papers'] }

let server: Running
let folder: string

beforeAll(async () => {
  server = await startServer()
  folder = await mkdtemp(path.join(tmpdir(), 'passim-client-'))
  await server.passim.documents.put({
    ...{ id: 'contract', collection: 'papers', text: 'The notice period is six weeks.' },
  })
})
afterAll(async () => {
  await server.close()
  await rm(folder, { recursive: true, force: true })
})

/** After a change of the description: `npx vitest run --mode full test/clients/client.test.ts -u` writes the types anew. */
test('the types of the client are those of the description', async () => {
  const committed = path.join(ROOT, 'test/server/openapi.json')
  const description = JSON.parse(await readFile(committed, 'utf8')) as Description // compared with the service by another test
  const own = JSON.stringify(selectOwnRoutes(description))
  const types = astToString(await openapiTS(own))
  const digest = `// Digest of the description, which a shorter test compares: ${hashParts(own)}\n`
  await expect(types + digest).toMatchFileSnapshot('../../client/api.ts')
})

test('the example of its README runs', async () => {
  const readme = await readFile(path.join(ROOT, 'client/README.md'), 'utf8')
  const [, example = ''] = /```ts\n(.*?)```/s.exec(readme) ?? []
  const file = path.join(folder, 'example.mts')
  const own = example
    .replace("'passim/client'", JSON.stringify(pathToFileURL(CLIENT).href))
    .replace('http://127.0.0.1:7700', server.url)
  await writeFile(file, own)
  const { stdout } = await run(process.execPath, ['--import', 'tsx', file], { cwd: ROOT })
  expect(stdout.split('\n')).toEqual([
    'id:contract The notice period is six weeks.',
    ...["In the documents' own words:", 'The notice period is six weeks. [1] 1'],
    ...['1', ''],
  ])
})

test('a browser can load it: nothing of Node is in it, and it is small', async () => {
  const { outputFiles, metafile } = await build({
    ...{ entryPoints: [CLIENT], bundle: true, write: false, metafile: true, minify: true },
    ...{ platform: 'browser', format: 'esm' },
  })
  expect(Object.values(metafile.inputs).flatMap(({ imports }) => imports)).toEqual([
    expect.objectContaining({ original: './server-events.ts' }),
  ])
  const [{ text } = { text: '' }] = outputFiles
  expect(text).not.toMatch(/\b(?:process|Buffer|require)\b/)
  expect(text.length).toBeLessThan(8_000)
})

const CHUNKS = `'/api/documents/{id}/chunks', { path: { id: 'a' }`
const RIGHT = [
  `await passim.request('get', ${CHUNKS}, query: { limit: 1 } })`,
  `(await passim.request('get', ${CHUNKS} })).chunks[0]?.note`,
  `await passim.request('patch', '/api/documents/{id}/chunks/{chunkId}', {
    path: { id: 'a', chunkId: 'b' }, body: { note: 'c' } })`,
]
const WRONG = [
  `await passim.request('post', ${CHUNKS} })`,
  `await passim.request('get', '/api/documents/{id}/chunks', {})`,
  `await passim.request('get', ${CHUNKS}, query: { limit: 'x' } })`,
  `(await passim.request('get', ${CHUNKS} })).chunks[0]?.notes`,
  `await passim.ask({ query: 'x' })`,
]

test('a wrong path, parameter or field does not compile', async () => {
  const start = `import { createClient } from ${JSON.stringify(CLIENT)}; const passim = createClient();`
  const files = await Promise.all(
    [RIGHT.join(';\n'), ...WRONG].map(async (calls, index) => {
      const file = path.join(folder, `types-${index}.mts`)
      await writeFile(file, `${start}\n${calls}\n`)
      return file
    }),
  )
  const program = ts.createProgram(files, {
    ...{ target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.NodeNext, noEmit: true },
    ...{ moduleResolution: ts.ModuleResolutionKind.NodeNext, allowImportingTsExtensions: true },
    ...{ lib: ['lib.es2023.d.ts', 'lib.dom.d.ts'], types: [], strict: true },
  })
  const found = ts.getPreEmitDiagnostics(program)
  const wrong = new Set(found.map(({ file }) => file?.fileName))
  expect(files.filter(file => !wrong.has(file))).toEqual(files.slice(0, 1))
}, 120_000)

test('errors have the status and code of the service', async () => {
  const passim = createClient({ url: server.url })
  const failed = passim.search({ query: 'x', collections: ['none'] })
  await expect(failed).rejects.toBeInstanceOf(PassimError)
  await expect(failed).rejects.toMatchObject({ status: 404, code: 'not_found' })
})

test('events of the store and of a job arrive', async () => {
  const passim = createClient({ url: server.url })
  for await (const { type } of passim.events({ after: 'oldest', types: ['document.completed'] })) {
    expect(type).toBe('document.completed')
    break
  }
  const { jobs } = await passim.request('get', '/api/jobs', {})
  const states: string[] = []
  for await (const { state } of passim.jobEvents(jobs[0]?.id ?? '')) states.push(state)
  expect(states.at(-1)).toBe('completed')
})

/** Forwards to the service; cuts the first answer to a POST after its first event. */
async function startCuttingProxy() {
  const paths: string[] = []
  let isCut = false
  const forward = async (path: string, body: Buffer, method: string, response: ServerResponse) => {
    paths.push(`${method} ${path}`)
    const headers = { 'content-type': 'application/json' }
    const sent = method === 'POST' ? { method, headers, body: new Uint8Array(body) } : { method }
    const answer = await fetch(`${server.url}${path}`, sent)
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' })
    for await (const piece of answer.body ?? []) {
      if (method === 'POST' && !isCut) {
        isCut = true
        response.write(piece.subarray(0, Buffer.from(piece).indexOf('\n\n') + 2))
        setTimeout(() => response.destroy(), 20)
        return
      }
      response.write(piece)
    }
    response.end()
  }
  const proxy = createServer(async (request, response) => {
    const pieces: Buffer[] = []
    for await (const piece of request) pieces.push(piece)
    await forward(request.url ?? '', Buffer.concat(pieces), request.method ?? '', response)
  }).listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const address = proxy.address()
  const port = typeof address === 'object' ? address?.port : 0
  return { url: `http://127.0.0.1:${port}`, paths, close: () => proxy.close() }
}

test('an answer in a conversation continues where its stream was cut, and another one ends', async () => {
  const proxy = await startCuttingProxy()
  try {
    const passim = createClient({ url: proxy.url })
    const ids: string[] = []
    let answer: string | undefined
    for await (const { id, event, data } of passim.askEvents({
      ...QUESTION,
      conversation: 'new',
    })) {
      ids.push(id)
      if (event === 'answer') answer = data.answer
    }
    expect(answer).toContain('six weeks')
    expect(new Set(ids).size).toBe(ids.length)
    expect(proxy.paths.map(path => path.replace(/conv_\w+|\d+$/g, 'x'))).toEqual([
      'POST /api/ask',
      'GET /api/conversations/x/events?after=x',
    ])
  } finally {
    proxy.close()
  }
  const cutting = await startCuttingProxy()
  try {
    const events = createClient({ url: cutting.url }).askEvents(QUESTION)
    const reading = (async () => {
      for await (const _ of events);
    })()
    await expect(reading).rejects.toMatchObject({ code: 'cut' })
  } finally {
    cutting.close()
  }
})

test('a signal ends a stream', async () => {
  const stopping = new AbortController()
  const reading = (async () => {
    const { signal } = stopping
    for await (const _ of createClient({ url: server.url }).events({ signal }));
  })()
  setTimeout(() => stopping.abort(new Error('enough')), 100)
  await expect(reading).rejects.toThrow('enough')
})
