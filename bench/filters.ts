/**
 * What a filter costs a query, by how many documents meet it: keyword and vector leg over generated chunks, five a
 * document, with random vectors; the documents that meet the filter lie at random among all.
 * usage: npx tsx bench/filters.ts [CHUNKS 100000]
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { availableParallelism, cpus, tmpdir } from 'node:os'
import path from 'node:path'
import type { IndexRow } from '../src/ingest/store/chunk-index.ts'
import { createPseudoRandom } from '../src/search/evaluation/metrics.ts'
import { LanceIndexes } from '../src/search/lance/lance-indexes.ts'
import { FULL_TEXT_INDEX, LanceTables } from '../src/search/lance/lance-tables.ts'
import { buildRowTable } from '../src/search/lance/row-batch.ts'
import { TableFolder } from '../src/search/lance/table-place.ts'
import { PublishedIndexes } from '../src/search/readers/published-reader.ts'
import { Analyzer } from '../src/text/analyzer.ts'
import { generatedText } from './generated-text.ts'

const [chunks = 100_000] = process.argv.slice(2).map(Number)
const CHUNKS_A_DOCUMENT = 5
const DIMENSIONS = 384
const BATCH = 5_000
const ROUNDS = 20
const documents = Math.floor(chunks / CHUNKS_A_DOCUMENT)

console.log(
  `${cpus()[0]?.model}, ${availableParallelism()} cores, Node ${process.version}, ${new Date().toISOString().slice(0, 10)}`,
)
const random = createPseudoRandom(1)
const analyzer = new Analyzer()
const folder = await mkdtemp(path.join(tmpdir(), 'passim-filters-'))
const tables = new LanceTables(new TableFolder(folder), 'bench')
await build()
const filterCurrent = async (numbers: ReadonlySet<number>) => numbers // all are published
const versions = { filterCurrent, hasPublished: async () => true }
const reader = (await new PublishedIndexes(new LanceIndexes(tables, async () => ''), versions).open(
  {
    id: 'c',
    tableId: 'c',
    name: 'bench',
  },
))!
for (const allowed of [undefined, 1, 10, 100, 1_000, 5_000, 10_000, documents].filter(
  n => (n ?? 0) <= documents,
)) {
  const only = allowed === undefined ? undefined : sample(allowed)
  const terms = analyzer.listQueryTerms('growth of the bridge market 年工程')
  const keyword = await cpuMs(() => reader.findByKeyword(terms, 100, { versions: only }))
  const vector = await cpuMs(() =>
    reader.findNearest({ vector: unitVector(), baselines: new Map() }, 100, { versions: only }),
  )
  console.log(
    `${String(allowed ?? 'no filter').padStart(9)} of ${documents} documents: keyword ${keyword} ms, vector ${vector} ms of CPU`,
  )
}
await tables.close()
await rm(folder, { recursive: true })

async function build(): Promise<void> {
  const listTerms = ({ text }: IndexRow) => analyzer.listTerms(text)
  const table = await tables.ensure('c', DIMENSIONS)
  for (let start = 0; start < chunks; start += BATCH) {
    const rows = Array.from({ length: Math.min(BATCH, chunks - start) }, (_, at) => row(start + at))
    await table.add(
      await buildRowTable(rows, { dimensions: DIMENSIONS, listTerms, standBack: async () => {} }),
    )
  }
  await table.optimize()
  console.log(
    `${chunks} chunks, unindexed ${(await table.indexStats(FULL_TEXT_INDEX))?.numUnindexedRows}`,
  )
}

function row(number: number): IndexRow {
  const text = generatedText(number, 60)
  const place = { charStart: 0, charEnd: text.length, headings: [], context: '', tokens: 100 }
  const version = Math.floor(number / CHUNKS_A_DOCUMENT)
  return {
    version,
    ordinal: number % CHUNKS_A_DOCUMENT,
    chunkId: `chunk_${number}`,
    text,
    name: '',
    ...place,
    vector: unitVector(),
  }
}

function unitVector(): Float32Array {
  const vector = Float32Array.from({ length: DIMENSIONS }, () => random() - 0.5)
  const length = Math.hypot(...vector)
  return vector.map(value => value / length)
}

function sample(size: number): readonly number[] {
  const shuffled = Array.from({ length: documents }, (_, version) => [random(), version] as const)
  const chosen = shuffled.toSorted(([a], [b]) => a - b).slice(0, size)
  return chosen.map(([, version]) => version).toSorted((a, b) => a - b)
}

async function cpuMs(query: () => Promise<unknown>): Promise<string> {
  await query()
  const before = process.cpuUsage()
  for (let round = 0; round < ROUNDS; round++) await query()
  const { user, system } = process.cpuUsage(before)
  return ((user + system) / 1000 / ROUNDS).toFixed(1)
}
