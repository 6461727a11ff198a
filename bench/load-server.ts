import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { serve as serveBare } from '@hono/node-server'
import { Hono } from 'hono'
import { open } from '../src/app.ts'
import { builtinParsers } from '../src/index.ts'
import type { Parser } from '../src/ingest/parse/parser.ts'
import { serve } from '../src/server.ts'
import { oneStore } from '../test/fakes/one-store.ts'
import { SyntheticEmbedder } from './synthetic-embedder.ts'
import { zipfText } from './zipf-text.ts'

/** Short ones share a chunk of 100 tokens. */
const PARAGRAPHS_A_FILE = 500
const CHUNKS_A_FILE = 340

/** Where the parent finds what is served: the service, a bare Hono app that answers as much, and a job without end. */
export type Serving = {
  readonly url: string
  readonly bareUrl: string
  readonly jobId: string
  readonly chunks: number
}

/** What the parent sends: an answer of `process.memoryUsage`, or of `searchHere`. */
export type Wish = 'collect' | { readonly queries: readonly string[]; readonly clients: number }

/** CPU of this process, in seconds, for what the parent asked without HTTP. */
export type SearchedHere = { readonly cpuSeconds: number }

const [folder = '', chunks = '0'] = process.argv.slice(2)
const hangingParser: Parser = {
  id: 'hang@1',
  mediaTypes: ['application/x-hang'],
  recognizes: ({ name }) => (name.endsWith('.hang') ? 'application/x-hang' : undefined),
  async *parse(_, signal) {
    await new Promise(resolve => signal?.addEventListener('abort', resolve))
  },
}

const passim = await open({
  home: path.join(folder, 'home'),
  environment: {},
  embedder: new SyntheticEmbedder(),
  parsers: [...builtinParsers, hangingParser],
  settings: {
    chunking: { tokens: 100, overlap: 0 },
    parsing: { timeMs: 3_600_000 },
    server: { port: 0, maxUploadBytes: 4 * 2 ** 30 },
  },
})
await passim.index([await writeFiles(Number(chunks))])
const hits = await passim.search({ query: 'ba', limit: 10 })
const { server: settings } = passim.settings
const service = await serve(oneStore(passim), { settings })
const bare = new Hono().post('/api/search', async c => {
  const { query } = await c.req.json<{ query: string }>()
  return c.json({ query, hits })
})
const listening = serveBare(
  { fetch: bare.fetch, port: 0, hostname: settings.host, overrideGlobalObjects: false },
  ({ port }) => void announce(port),
)
process.on('message', async (wish: Wish) => {
  if (wish !== 'collect') return process.send?.(await searchHere(wish))
  globalThis.gc?.()
  process.send?.(process.memoryUsage())
})
process.once('disconnect', async () => {
  listening.close()
  await service.close()
  await passim.close()
  process.exit()
})

/** The same searches in the library, by so many clients at a time. */
async function searchHere({ queries, clients }: Exclude<Wish, 'collect'>): Promise<SearchedHere> {
  const before = process.cpuUsage()
  const waiting = queries.values()
  const client = async () => {
    for (const query of waiting) await passim.search({ query, limit: 10 })
  }
  await Promise.all(Array.from({ length: clients }, client))
  const { user, system } = process.cpuUsage(before)
  return { cpuSeconds: (user + system) / 1e6 }
}

async function announce(port: number): Promise<void> {
  await writeFile(path.join(folder, 'a.hang'), 'x')
  passim.index([path.join(folder, 'a.hang')], { collection: 'hanging' }).catch(() => {}) // it ends with the bench
  const hanging = async () =>
    (await passim.jobs.list(undefined, 1000)).find(job => job.state === 'running')
  while (!(await hanging())) await new Promise(resolve => setTimeout(resolve, 20))
  process.send?.({
    url: service.url,
    bareUrl: `http://${settings.host}:${port}`,
    jobId: (await hanging())?.id,
    chunks: (await passim.list(await passim.scope.findCollection('default'))).reduce(
      (sum, document) => sum + document.chunks,
      0,
    ),
  })
}

async function writeFiles(count: number): Promise<string> {
  const docs = path.join(folder, 'docs')
  if (existsSync(docs)) return docs
  await mkdir(docs, { recursive: true })
  for (let file = 0; file * CHUNKS_A_FILE < count; file++) {
    const { sentences } = zipfText(file, PARAGRAPHS_A_FILE * 2)
    const paragraphs = Array.from({ length: PARAGRAPHS_A_FILE }, (_, at) =>
      sentences.slice(2 * at, 2 * at + 2).join(' '),
    )
    await writeFile(path.join(docs, `${file}.txt`), paragraphs.join('\n\n'))
  }
  return docs
}
