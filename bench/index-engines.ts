/**
 * What hybrid search finds in Weaviate of what it finds in LanceDB, over the same chunks, and what a question costs: CPU of this process,
 * and of the server. Generated chunks with vectors as of a multilingual model.
 * usage: PASSIM_TEST_WEAVIATE=http://127.0.0.1:8080 npx tsx bench/index-engines.ts SERVER_PID [CHUNKS 10000] [QUERIES 200]
 */
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { availableParallelism, cpus, tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ChunkIndex, IndexRow } from '../src/ingest/chunk-index.ts'
import type { Found, Indexes } from '../src/search/index-reader.ts'
import { LanceIndex } from '../src/search/lance/lance-index.ts'
import { LanceIndexes } from '../src/search/lance/lance-indexes.ts'
import { LanceTables } from '../src/search/lance/lance-tables.ts'
import { TableFolder } from '../src/search/lance/table-place.ts'
import { WeaviateIndex } from '../src/search/weaviate/weaviate-index.ts'
import { WeaviateIndexes } from '../src/search/weaviate/weaviate-indexes.ts'
import { WeaviateTables } from '../src/search/weaviate/weaviate-tables.ts'
import { Analyzer } from '../src/text/analyzer.ts'
import { TestWeaviate, weaviateUrl } from '../test/fakes/weaviate.ts'
import { SyntheticEmbedder } from './synthetic-embedder.ts'
import { zipfQuery, zipfText } from './zipf-text.ts'

const [server = 0, chunks = 10_000, queries = 200] = process.argv.slice(2).map(Number)
if (!weaviateUrl) throw new Error('Say by PASSIM_TEST_WEAVIATE where the Weaviate is.')
const TABLE = { id: 'vs_1', dimensions: 384 }
const ROUNDS = 3
const BATCH = 1_000
const SHOWN = 10
/** Weaviate writes what it holds in memory to its disk when nothing came for a minute; before that it misses rows. */
const FLUSHED_MS = 75_000
/** Of the clock in /proc/PID/stat. */
const TICKS_A_SECOND = 100

type Engine = { readonly name: string; readonly index: ChunkIndex; readonly indexes: Indexes }
type Found10 = {
  readonly words: readonly string[]
  readonly near: readonly string[]
  readonly scores: readonly number[]
}

const analyzer = new Analyzer()
const embedder = new SyntheticEmbedder()
const folder = await mkdtemp(path.join(tmpdir(), 'passim-engines-'))
const weaviate = new TestWeaviate(weaviateUrl)
const tables = new LanceTables(new TableFolder(folder), 'bench')
const classes = new WeaviateTables(weaviate.client, { storeId: weaviate.storeId, analyzerId: analyzer.id, replicas: 1 })
const engines: readonly Engine[] = [
  {
    name: 'LanceDB',
    index: new LanceIndex(tables, analyzer, [], { upkeepProcessRows: chunks * 2 }),
    indexes: new LanceIndexes(tables, async () => ''),
  },
  {
    name: 'Weaviate',
    index: new WeaviateIndex(classes, { analyzer, statistics: [], countedChunks: async () => 0 }),
    indexes: new WeaviateIndexes(classes, async () => ''),
  },
]
console.log(`${cpus()[0]?.model}, ${availableParallelism()} cores, Node ${process.version}, ${chunks} chunks`)
const rows = await Promise.all(Array.from({ length: chunks }, (_, at) => row(at)))
const asked = await Promise.all(Array.from({ length: queries }, (_, at) => question(at)))

for (const engine of engines) console.log(`${engine.name} written: ${told(await costOf(() => write(engine)))}`)
await sleep(FLUSHED_MS)
const [first = [], second = []] = [await run(engines[0]!), await run(engines[1]!)] // two engines, and warm from here on
compare(first, second)
for (let round = 0; round < ROUNDS; round++) {
  for (const engine of engines) {
    const cost = await costOf(() => run(engine))
    console.log(`${engine.name}: ${told({ own: cost.own / queries, server: cost.server / queries })} a question`)
  }
}
await weaviate.remove()
await rm(folder, { recursive: true })
process.exit()

async function write({ index }: Engine): Promise<void> {
  for (let start = 0; start < chunks; start += BATCH) await index.add(TABLE, rows.slice(start, start + BATCH))
  await index.upkeep(TABLE)
}

async function row(number: number): Promise<IndexRow> {
  const text = zipfText(number, 6).sentences.join(' ')
  const [vector] = await embedder.embed([text])
  const place = { charStart: 0, charEnd: text.length, headings: [], context: '', tokens: 100, name: '' }
  const [version, ordinal] = [1 + Math.floor(number / 5), number % 5]
  return { version, ordinal, chunkId: `chunk_${number}`, text, ...place, vector: vector! }
}

async function question(number: number) {
  const text = zipfQuery(number, 4)
  const [vector] = await embedder.embed([text])
  return { terms: analyzer.queryTerms(text), vector: vector! }
}

/** Asks as hybrid search does. */
async function run({ indexes }: Engine): Promise<readonly Found10[]> {
  const found: Found10[] = []
  const reader = (await indexes.open(TABLE.id))!
  for (const { terms, vector } of asked) {
    const words = await reader.keyword(terms, 100, {})
    const near = await reader.vector({ vector, baselines: new Map() }, 100, {})
    const places = async (some: readonly Found[]) =>
      (await reader.candidates(some.slice(0, SHOWN))).map(({ version, ordinal }) => `${version}-${ordinal}`)
    found.push({
      words: await places(words),
      near: await places(near),
      scores: words.slice(0, SHOWN).map(({ score }) => score),
    })
  }
  return found
}

function compare(one: readonly Found10[], other: readonly Found10[]): void {
  const overlap = (part: 'words' | 'near') => {
    const shares = one.map((found, at) => {
      const there = new Set(other[at]![part])
      return found[part].filter(place => there.has(place)).length / Math.max(found[part].length, 1)
    })
    return (shares.reduce((sum, share) => sum + share, 0) / shares.length).toFixed(4)
  }
  const gaps = one.flatMap(({ scores }, at) =>
    scores.map((score, rank) => Math.abs(1 - other[at]!.scores[rank]! / score)),
  )
  const worst = Math.max(...gaps).toExponential(1)
  console.log(
    `of the best ${SHOWN} of LanceDB Weaviate has ${overlap('words')} by words, ${overlap('near')} by vectors; BM25 differs by ${worst} at most`,
  )
}

type Cost = { readonly own: number; readonly server: number }

/** CPU in milliseconds. */
async function costOf(work: () => Promise<unknown>): Promise<Cost> {
  const [own, before] = [process.cpuUsage(), serverMs()]
  await work()
  const { user, system } = process.cpuUsage(own)
  return { own: (user + system) / 1_000, server: serverMs() - before }
}

function serverMs(): number {
  if (!server) return Number.NaN
  const fields = readFileSync(`/proc/${server}/stat`, 'utf8').split(') ')[1]!.split(' ') // after the name
  return ((Number(fields[11]) + Number(fields[12])) * 1_000) / TICKS_A_SECOND
}

function told({ own, server }: Cost): string {
  return `${own.toFixed(2)} ms of CPU here, ${server.toFixed(2)} ms in the server of Weaviate`
}
