/**
 * What a query costs, in time and in CPU of the whole process, beside bare LanceDB on the same table in the same run.
 * Texts are generated, vectors synthetic: the embedding of a question (about 5 ms) is in neither side.
 * usage: npx tsx bench/query-cost.ts [CHUNKS 10000] [QUERIES 200] [HOME a new folder; one that is there is used again]
 */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { availableParallelism, cpus, tmpdir } from 'node:os'
import path from 'node:path'
import { connect, MatchQuery, Operator, type Table } from '@lancedb/lancedb'
import type { SearchOptions } from '../src/app/search-documents.ts'
import { open } from '../src/app.ts'
import { Analyzer } from '../src/search/analyzer.ts'
import { liftedQuery } from '../src/search/lifted-vector.ts'
import { percentile } from '../src/search/metrics.ts'
import { SyntheticEmbedder } from './synthetic-embedder.ts'
import { zipfQuery, zipfText } from './zipf-text.ts'

const [chunks = '10000', queries = '200', given] = process.argv.slice(2)
const CHUNKS_PER_FILE = 50
const SENTENCES_PER_CHUNK = 11

const folder = given ?? (await mkdtemp(path.join(tmpdir(), 'passim-query-cost-')))
const embedder = new SyntheticEmbedder()
const passim = await open({ home: path.join(folder, 'home'), environment: {}, embedder })
console.log(
  `${cpus()[0]?.model}, ${availableParallelism()} cores, Node ${process.version}, ${new Date().toISOString().slice(0, 10)}`,
)
await index()
const texts = Array.from({ length: Number(queries) }, (_, seed) => zipfQuery(seed, 4 + (seed % 5)))
const vectors = (await embedder.embed(texts)).map(vector => liftedQuery({ vector, baselines: new Map() }))
const table = await bareTable()
for (const clients of [1, 8]) {
  console.log(`${clients} ${clients === 1 ? 'client' : 'clients'}`)
  const bare = await compareBare(clients)
  await measure('keyword', bare.keyword, clients, { mode: 'keyword' })
  await measure('vector', bare.vector, clients, { mode: 'vector' })
  await measure('hybrid', bare.both, clients, { mode: 'hybrid' })
  await measure('hybrid in 10 documents', bare.both, clients, { mode: 'hybrid', documents: someDocuments() })
}
console.log(`peak memory ${Math.round(process.resourceUsage().maxRSS / 1024)} MiB`)
await passim.close()
if (!given) await rm(folder, { recursive: true })

async function index(): Promise<void> {
  const docs = path.join(folder, 'docs')
  await mkdir(docs, { recursive: true })
  for (let seed = 0; seed < Number(chunks) / CHUNKS_PER_FILE; seed++) {
    const { isChinese, sentences } = zipfText(seed, CHUNKS_PER_FILE * SENTENCES_PER_CHUNK)
    const text = sentences.join(isChinese ? '' : ' ').replace(/((?:[^.。]+[.。]){4})/g, '$1\n\n')
    await writeFile(path.join(docs, `${seed}.txt`), text)
  }
  const { totals, seconds } = await passim.index([docs])
  console.log(`${totals.indexed} files, ${totals.chunks} chunks indexed in ${seconds.toFixed(1)} s`)
}

async function bareTable(): Promise<Table> {
  const [collection] = passim.scope.collections()
  const connection = await connect(path.join(folder, 'home', 'index'))
  const name = (await connection.tableNames()).find(one => one.startsWith(collection!.id))
  return await connection.openTable(name ?? '')
}

function someDocuments(): readonly string[] {
  const [collection] = passim.scope.collections()
  return passim
    .list(collection!)
    .slice(0, 10)
    .map(document => document.id)
}

type Cost = { readonly p50: number; readonly cpuMs: number }

/** The same terms and vectors on the same table, without anything of ours around them: ten rows each, or 100 of both. */
async function compareBare(clients: number): Promise<{ keyword: Cost; vector: Cost; both: Cost }> {
  const analyzer = new Analyzer()
  const keyword = (at: number, limit: number) => {
    const match = new MatchQuery(analyzer.queryTerms(texts[at]!).join(' '), 'terms', { operator: Operator.Or })
    return table.query().fullTextSearch(match).select(['key', '_score']).limit(limit).toArray()
  }
  const vector = (at: number, limit: number) =>
    table.query().nearestTo(vectors[at]!).distanceType('dot').select(['key', '_distance']).limit(limit).toArray()
  return {
    keyword: await cost('bare keyword leg', clients, at => keyword(at, 10)),
    vector: await cost('bare vector leg', clients, at => vector(at, 10)),
    both: await cost('bare legs together, 100 each', clients, at => Promise.all([keyword(at, 100), vector(at, 100)])),
  }
}

async function measure(
  name: string,
  bare: Cost,
  clients: number,
  options: Omit<SearchOptions, 'query'>,
): Promise<void> {
  const { p50, cpuMs } = await cost(name, clients, at => passim.search({ query: texts[at]!, ...options }))
  console.log(
    `    ${(cpuMs / bare.cpuMs).toFixed(2)} times the CPU of bare, ${(p50 / bare.p50).toFixed(2)} times its p50`,
  )
}

async function cost(name: string, clients: number, ask: (at: number) => Promise<unknown>): Promise<Cost> {
  for (let at = 0; at < Math.min(20, texts.length); at++) await ask(at)
  const times: number[] = []
  const before = process.cpuUsage()
  let next = 0
  const client = async () => {
    for (let at = next++; at < texts.length; at = next++) {
      const started = performance.now()
      await ask(at)
      times.push(performance.now() - started)
    }
  }
  await Promise.all(Array.from({ length: clients }, client))
  const { user, system } = process.cpuUsage(before)
  const cpuMs = (user + system) / 1000 / texts.length
  const [p50, p95] = [percentile(times, 0.5), percentile(times, 0.95)]
  console.log(`  ${name}: p50 ${p50.toFixed(1)} ms, p95 ${p95.toFixed(1)} ms, CPU ${cpuMs.toFixed(1)} ms`)
  return { p50, cpuMs }
}
