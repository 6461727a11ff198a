/** The steps of bench/scale.ts, each in a process of its own: what it measured is the last line that it prints. */
import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import { connect, Index, MatchQuery, Operator, type Table } from '@lancedb/lancedb'
import type * as arrow from 'apache-arrow'
import type { SearchOptions } from '../src/app/search-documents.ts'
import { open } from '../src/app.ts'
import type { VectorQuery } from '../src/search/index-reader.ts'
import { LanceIndex } from '../src/search/lance/lance-index.ts'
import { LanceReader } from '../src/search/lance/lance-reader.ts'
import { FULL_TEXT } from '../src/search/lance/lance-tables.ts'
import { liftedQuery } from '../src/search/lifted-vector.ts'
import { Analyzer } from '../src/text/analyzer.ts'
import { cpuSecondsOfChildren, residentBytesOfTree } from './process-tree.ts'
import { type Case, type Cost, Rounds } from './rounds.ts'
import { SyntheticEmbedder } from './synthetic-embedder.ts'
import { zipfQuery, zipfText } from './zipf-text.ts'

/** The copy that LanceDB has loaded. */
const { Table: Rows } = createRequire(import.meta.url)('apache-arrow') as typeof arrow // the same exports

export type Indexed = {
  readonly passages: number
  readonly seconds: number
  readonly cpuSeconds: number
  /** CPU while the index was brought in order, part of the above. */
  readonly upkeepSeconds: number
  readonly peakBytes: number
}
/** From the opening of the store to the answer; what the program's own files take is not counted. */
export type First = { readonly ms: number; readonly cpuMs: number; readonly residentBytes: number }
export type Asked = {
  readonly costs: Readonly<Record<string, Cost>>
  readonly residentBytes: number
  readonly recall: number
  readonly bareRecall: number
}

const [name = '', size = '0', folder = ''] = process.argv.slice(2)
const SENTENCES_PER_CHUNK = 11
const MAX_CHUNKS_PER_FILE = 500
const FILES = 20
const RECALL_QUESTIONS = 40
const QUERIES = Array.from({ length: 100 }, (_, seed) => zipfQuery(seed, 4 + (seed % 5)))
const TERMS = new Analyzer()
const embedder = new SyntheticEmbedder()
const home = path.join(folder, 'home')
const bareHome = path.join(folder, 'bare')
const BARE_TABLE = 'rows'

/** Vectors of the bare table are in so many partitions as the root of their number, from so many on. */
const PARTITIONED = 50_000
/** Of them a question looks at this share: with less its recall is below ours. */
const BARE_PROBES = 0.1
/** Batches of the table that are copied in one go. */
const BATCHES_A_WRITE = 16

let probes: number | undefined
const STEPS: Readonly<Record<string, () => Promise<unknown>>> = {
  index,
  'bare-index': bareIndex,
  first,
  'bare-first': bareFirst,
  ask,
}
const said = await STEPS[name]!() // scale.ts names those above
console.log(JSON.stringify(said))
process.exit()

async function index(): Promise<Indexed> {
  const docs = await writeDocuments()
  let [upkeepSeconds, peakBytes] = [0, 0]
  const { upkeep } = LanceIndex.prototype
  LanceIndex.prototype.upkeep = async function (...args) {
    const before = cpuSeconds()
    await upkeep.apply(this, args)
    upkeepSeconds += cpuSeconds() - before
  }
  const passim = await openStore()
  const timer = setInterval(() => (peakBytes = Math.max(peakBytes, residentBytesOfTree(process.pid))), 500)
  const [started, before] = [performance.now(), cpuSeconds()]
  await passim.index([docs])
  const seconds = (performance.now() - started) / 1000
  const [collection] = await passim.scope.collections()
  const passages = (await passim.list(collection!)).reduce((sum, document) => sum + document.chunks, 0) // just made
  await passim.close()
  clearInterval(timer)
  return { passages, seconds, cpuSeconds: cpuSeconds() - before, upkeepSeconds, peakBytes }
}

async function writeDocuments(): Promise<string> {
  const docs = path.join(folder, 'docs')
  if (existsSync(docs)) return docs
  await mkdir(docs)
  const each = Math.min(MAX_CHUNKS_PER_FILE, Math.ceil(Number(size) / FILES))
  for (let seed = 0; seed * each < Number(size); seed++) {
    const { isChinese, sentences } = zipfText(seed, each * SENTENCES_PER_CHUNK)
    const text = sentences.join(isChinese ? '' : ' ').replace(/((?:[^.。]+[.。]){4})/g, '$1\n\n')
    await writeFile(path.join(docs, `${seed}.txt`), text)
  }
  return docs
}

/**
 * The same rows in a table of their own, with nothing but what a search looks at. Its vectors are in one partition as ours, or in many;
 * its words in one partition, which takes as much memory as they need to build.
 */
async function bareIndex(): Promise<Indexed> {
  let peakBytes = 0
  const timer = setInterval(() => (peakBytes = Math.max(peakBytes, residentBytesOfTree(process.pid))), 500)
  const [started, before] = [performance.now(), cpuSeconds()]
  await mkdir(bareHome, { recursive: true })
  const source = await ownTable()
  const connection = await connect(bareHome)
  const rows = source.query().select(['version', 'terms', 'vector'])
  let table: Table | undefined
  let batches: arrow.RecordBatch[] = []
  const write = async () => {
    const some = new Rows(batches)
    batches = []
    if (table) await table.add(some)
    else table = await connection.createTable(BARE_TABLE, some)
  }
  for await (const batch of rows) {
    batches.push(batch)
    if (batches.length >= BATCHES_A_WRITE) await write()
  }
  if (batches.length > 0) await write()
  if (!table) throw new Error('nothing is indexed')
  const passages = await table.countRows()
  await table.createIndex('terms', { config: Index.fts(FULL_TEXT) })
  await table.createIndex('vector', {
    config: Index.ivfFlat({ distanceType: 'dot', numPartitions: barePartitions(passages) }),
  })
  const seconds = (performance.now() - started) / 1000
  clearInterval(timer)
  return { passages, seconds, cpuSeconds: cpuSeconds() - before, upkeepSeconds: 0, peakBytes }
}

/** As many as have some thousand vectors each: the root of their number is what IVF is mostly used with. */
function barePartitions(passages: number): number {
  return passages < PARTITIONED ? 1 : Math.round(Math.sqrt(passages))
}

async function first(): Promise<First> {
  const before = process.cpuUsage()
  const started = performance.now()
  const passim = await openStore()
  await passim.search({ query: QUERIES[0]! }) // there are some
  return costSince(started, before)
}

async function bareFirst(): Promise<First> {
  const vector = await vectorOf(QUERIES[0]!)
  const before = process.cpuUsage()
  const started = performance.now()
  const table = await bareTable()
  await Promise.all([bareKeyword(table, QUERIES[0]!, 100), bareVector(table, vector, 100)])
  return costSince(started, before)
}

function costSince(started: number, before: NodeJS.CpuUsage): First {
  const { user, system } = process.cpuUsage(before)
  const cpuMs = (user + system) / 1000
  return { ms: performance.now() - started, cpuMs, residentBytes: process.resourceUsage().maxRSS * 1024 }
}

async function ask(): Promise<Asked> {
  const passim = await openStore()
  const [own, bare] = [await ownTable(), await bareTable()]
  const vectors = await Promise.all(QUERIES.map(vectorOf))
  const ours = (options: Omit<SearchOptions, 'query'>) => (at: number) =>
    passim.search({ query: QUERIES[at]!, ...options })
  const cases: Readonly<Record<string, Case>> = {
    keyword: ours({ mode: 'keyword' }),
    'bare keyword': at => bareKeyword(bare, QUERIES[at]!, 10),
    vector: ours({ mode: 'vector' }),
    'bare vector': at => bareVector(bare, vectors[at]!, 10),
    hybrid: ours({ mode: 'hybrid' }),
    'bare legs': at => Promise.all([bareKeyword(bare, QUERIES[at]!, 100), bareVector(bare, vectors[at]!, 100)]),
  }
  const rounds = new Rounds(cases, QUERIES.length, 1)
  await rounds.warmUp()
  await rounds.run()
  const residentBytes = process.resourceUsage().maxRSS * 1024
  const recall = await recallOf(passim, own)
  const bareRecall = await bareRecallOf(bare, vectors)
  await passim.close()
  return { costs: Object.fromEntries(rounds.costs), residentBytes, recall, bareRecall }
}

/** Of the ten passages that a look at all vectors finds, those that a search finds; what it asks of the index is noted on the way. */
async function recallOf(passim: Awaited<ReturnType<typeof openStore>>, table: Table): Promise<number> {
  const asked: VectorQuery[] = []
  const { vector } = LanceReader.prototype
  LanceReader.prototype.vector = async function (query, ...rest) {
    asked.push(query)
    return await vector.call(this, query, ...rest)
  }
  let sum = 0
  for (const query of QUERIES.slice(0, RECALL_QUESTIONS)) {
    const hits = await passim.search({ query, mode: 'vector', perSection: 0, fold: false })
    const nearest = table
      .query()
      .nearestTo(liftedQuery(asked.at(-1)!))
      .distanceType('dot')
      .bypassVectorIndex() // it was asked
    const exact = await nearest.select(['chunk_id', '_distance']).limit(10).toArray()
    sum += shareOf(
      exact.map(({ chunk_id }) => chunk_id),
      hits.map(hit => hit.chunkId),
    )
  }
  return sum / RECALL_QUESTIONS
}

async function bareRecallOf(table: Table, vectors: readonly Float32Array[]): Promise<number> {
  let sum = 0
  for (const vector of vectors.slice(0, RECALL_QUESTIONS)) {
    const nearest = table.query().nearestTo(vector).distanceType('dot').bypassVectorIndex()
    const exact = await nearest.select(['_distance']).withRowId().limit(10).toArray()
    const found = await bareVector(table, vector, 10)
    sum += shareOf(
      exact.map(({ _rowid }) => _rowid),
      found.map(({ _rowid }) => _rowid),
    )
  }
  return sum / RECALL_QUESTIONS
}

function shareOf<Item>(wanted: readonly Item[], found: readonly Item[]): number {
  return wanted.filter(one => found.includes(one)).length / Math.max(1, wanted.length)
}

async function openStore() {
  return await open({ home, environment: {}, embedder })
}

async function vectorOf(query: string): Promise<Float32Array> {
  const [vector] = await embedder.embed([query])
  return liftedQuery({ vector: vector!, baselines: new Map() }) // one each
}

async function ownTable(): Promise<Table> {
  const connection = await connect(path.join(home, 'index'))
  const [name = ''] = await connection.tableNames()
  return await connection.openTable(name)
}

async function bareTable(): Promise<Table> {
  return await (await connect(bareHome)).openTable(BARE_TABLE)
}

function bareKeyword(table: Table, query: string, limit: number) {
  const match = new MatchQuery(TERMS.queryTerms(query).join(' '), 'terms', { operator: Operator.Or })
  return table.query().fullTextSearch(match).select(['version', '_score']).limit(limit).toArray()
}

async function bareVector(table: Table, vector: Float32Array, limit: number) {
  probes ??= Math.ceil(barePartitions(await table.countRows()) * BARE_PROBES)
  const nearest = table.query().nearestTo(vector).distanceType('dot').nprobes(probes)
  return await nearest.select(['version', '_distance']).withRowId().limit(limit).toArray()
}

function cpuSeconds(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6 + cpuSecondsOfChildren()
}
