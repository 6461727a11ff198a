/**
 * What a query costs over a table on the disk and over the same in an S3 store: CPU and time, warm, in turns; requests and bytes,
 * the first query and warm. Generated chunks with vectors as of a multilingual model.
 * usage: PASSIM_TEST_S3=http://ID:SECRET@127.0.0.1:28700/BUCKET npx tsx bench/index-places.ts [CHUNKS 20000] [QUERIES 200]
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { availableParallelism, cpus, tmpdir } from 'node:os'
import path from 'node:path'
import type { IndexRow } from '../src/ingest/chunk-index.ts'
import { LanceIndex } from '../src/search/lance/lance-index.ts'
import { LanceIndexes } from '../src/search/lance/lance-indexes.ts'
import { LanceTables } from '../src/search/lance/lance-tables.ts'
import { TableBucket } from '../src/search/lance/table-bucket.ts'
import { TableFolder, type TablePlace } from '../src/search/lance/table-place.ts'
import { Analyzer } from '../src/text/analyzer.ts'
import { s3Place, TestBucket } from '../test/fakes/s3.ts'
import { startProxy } from './proxy.ts'
import { SyntheticEmbedder } from './synthetic-embedder.ts'
import { zipfQuery, zipfText } from './zipf-text.ts'

const [chunks = 20_000, queries = 200] = process.argv.slice(2).map(Number)
if (!s3Place) throw new Error('Say by PASSIM_TEST_S3 where the S3 store is.')
const TABLE = { id: 'vs_1', dimensions: 384 }
const ROUNDS = 5
const BATCH = 2_000

const analyzer = new Analyzer()
const embedder = new SyntheticEmbedder()
const folder = await mkdtemp(path.join(tmpdir(), 'passim-places-'))
const bucket = new TestBucket(s3Place)
await bucket.make()
const counted = await countingProxy(new URL(s3Place.url))
console.log(`${cpus()[0]?.model}, ${availableParallelism()} cores, Node ${process.version}, ${chunks} chunks`)

const scratch = path.join(folder, 'scratch')
const inBucket = (client: TestBucket['client']) => new TableBucket({ client, prefix: bucket.prefix, scratch })
const places: readonly (readonly [string, TablePlace])[] = [
  ['disk', new TableFolder(folder)],
  ['S3', inBucket(bucket.client)],
]
for (const [name, place] of places) await build(name, place)

const readers = await Promise.all(places.map(async ([name, place]) => ({ name, ask: await open(place) })))
for (const { ask } of readers) await run(ask)
for (let round = 0; round < ROUNDS; round++) {
  for (const { name, ask } of readers) {
    const [cpu, started] = [process.cpuUsage(), performance.now()]
    const found = await run(ask)
    const { user, system } = process.cpuUsage(cpu)
    const ms = (performance.now() - started) / queries
    console.log(
      `${name}: ${((user + system) / 1_000 / queries).toFixed(2)} ms of CPU, ${ms.toFixed(2)} ms a query, sum of scores ${found}`,
    )
  }
}

let [files, stored] = [0, 0]
for await (const { sizeBytes } of bucket.blobs.list('')) [files, stored] = [files + 1, stored + sizeBytes]
console.log(`S3: ${files} objects, ${Math.round(stored / chunks)} bytes a chunk`)

const proxied = new TestBucket({ ...s3Place, url: counted.url })
const first = await open(inBucket(proxied.client))
await first(0)
console.log(`S3, the first query: ${counted.take()}`)
for (let query = 0; query < queries; query++) await first(query)
console.log(`S3, ${queries} more: ${counted.take()}`)
for (let query = 0; query < queries; query++) await first(query)
console.log(`S3, the same again: ${counted.take()}`)
await bucket.remove()
await rm(folder, { recursive: true })
process.exit()

async function build(name: string, place: TablePlace): Promise<void> {
  const index = new LanceIndex(new LanceTables(place, 'bench'), analyzer, [], { upkeepProcessRows: chunks * 2 })
  const [cpu, started] = [process.cpuUsage(), performance.now()]
  for (let start = 0; start < chunks; start += BATCH) {
    await index.add(TABLE, await Promise.all(Array.from({ length: BATCH }, (_, at) => row(start + at))))
  }
  await index.upkeep(TABLE)
  const { user, system } = process.cpuUsage(cpu)
  const seconds = (performance.now() - started) / 1_000
  console.log(
    `${name}: written in ${seconds.toFixed(1)} s, ${((user + system) / 1e6).toFixed(1)} s of CPU, generating included`,
  )
}

async function row(number: number): Promise<IndexRow> {
  const text = zipfText(number, 6).sentences.join(' ')
  const [vector] = await embedder.embed([text])
  const place = { charStart: 0, charEnd: text.length, headings: [], context: '', tokens: 100, name: '' }
  return {
    version: Math.floor(number / 5),
    ordinal: number % 5,
    chunkId: `chunk_${number}`,
    text,
    ...place,
    vector: vector!,
  }
}

/** Asks as hybrid search does; gives the sum of what was found, to be compared. */
async function open(place: TablePlace): Promise<(query: number) => Promise<number>> {
  const indexes = new LanceIndexes(new LanceTables(place, 'bench'), async () => '')
  return async query => {
    const reader = (await indexes.open(TABLE.id))!
    const text = zipfQuery(query, 4)
    const [vector] = await embedder.embed([text])
    const words = await reader.keyword(analyzer.queryTerms(text), 100, {})
    const near = await reader.vector({ vector: vector!, baselines: new Map() }, 100, {})
    const shown = await reader.candidates([...words.slice(0, 10), ...near.slice(0, 10)])
    return shown.reduce((sum, { score }) => sum + score, 0)
  }
}

async function run(ask: (query: number) => Promise<number>): Promise<string> {
  let sum = 0
  for (let query = 0; query < queries; query++) sum += await ask(query)
  return sum.toFixed(3)
}

/** Counts requests, and bytes that come back. */
async function countingProxy(server: URL) {
  let [requests, bytes] = [0, 0]
  const port = await startProxy(server, {
    onSent: data => {
      requests += data.toString('latin1').split('\r\nhost:').length - 1
    },
    onAnswered: data => {
      bytes += data.length
    },
  })
  const take = () => {
    const told = `${requests} requests, ${(bytes / 1024).toFixed(0)} KiB`
    requests = bytes = 0
    return told
  }
  return { url: `http://127.0.0.1:${port}`, take }
}
