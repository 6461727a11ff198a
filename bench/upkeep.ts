/**
 * What upkeep does to disk and to search: an index that was brought in order, then many small additions, every tenth of them
 * removed again, as documents that come and change one by one. Keyword search is timed in order, out of order, while upkeep
 * runs in this process, and after it; disk after each, and when the files that it replaced are gone. Vectors are synthetic.
 * usage: npx tsx bench/upkeep.ts [PASSAGES 10000] [ADDITIONS 200] [PASSAGES_EACH 20]
 */
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { availableParallelism, cpus, tmpdir } from 'node:os'
import path from 'node:path'
import type { IndexRow } from '../src/ingest/chunk-index.ts'
import { percentile } from '../src/search/evaluation/metrics.ts'
import { LanceIndex } from '../src/search/lance/lance-index.ts'
import { LanceIndexes } from '../src/search/lance/lance-indexes.ts'
import { LanceTables } from '../src/search/lance/lance-tables.ts'
import { TableFolder } from '../src/search/lance/table-place.ts'
import { Analyzer } from '../src/text/analyzer.ts'
import { SyntheticEmbedder } from './synthetic-embedder.ts'
import { zipfQuery, zipfText } from './zipf-text.ts'

const [passages = 10_000, additions = 200, each = 20] = process.argv.slice(2).map(Number)
const SENTENCES = 11
const QUESTIONS = 300
const TABLE = { id: 'vs_bench', dimensions: 384 }

console.log(
  `${cpus()[0]?.model}, ${availableParallelism()} cores, Node ${process.version}, ${new Date().toISOString().slice(0, 10)}`,
)
const folder = await mkdtemp(path.join(tmpdir(), 'passim-upkeep-'))
const tables = new LanceTables(new TableFolder(folder), 'bench')
const embedder = new SyntheticEmbedder()
const analyzer = new Analyzer()
const index = new LanceIndex(tables, analyzer, [])
let changes = 0
const indexes = new LanceIndexes(tables, async () => String(changes))

let version = 1
for (; version <= passages / 1_000; version++) await add(version, 1_000)
await index.upkeep(TABLE)
await tell(`${passages} passages in order`)
for (let addition = 0; addition < additions; addition++, version++) {
  await add(version, each)
  if (addition % 10 === 9) await index.remove(TABLE, [version - 5])
}
await tell(`${additions} additions of ${each}, every tenth removed again`)
const started = performance.now()
let isRunning = true
const upkeep = index.upkeep(TABLE).finally(() => (isRunning = false))
const meanwhile: number[] = []
while (isRunning) meanwhile.push(await ask(meanwhile.length))
await upkeep
changes++
const seconds = (performance.now() - started) / 1000
console.log(`upkeep: ${seconds.toFixed(1)} s; ${shown(meanwhile)} for ${meanwhile.length} questions meanwhile`)
await tell('after upkeep')
const table = (await tables.find(TABLE.id))!
await table.optimize({ cleanupOlderThan: new Date() })
changes++
await tell('when the files that it replaced are gone, a minute later')
await tables.close()
await rm(folder, { recursive: true })

async function add(number: number, count: number): Promise<void> {
  const texts = Array.from({ length: count }, (_, ordinal) => {
    const { isChinese, sentences } = zipfText(number * 10_000 + ordinal, SENTENCES)
    return sentences.join(isChinese ? '' : ' ')
  })
  const vectors = await embedder.embed(texts)
  const rows = texts.map((text, ordinal): IndexRow => {
    const place = { charStart: 0, charEnd: text.length, headings: [], context: '', tokens: 300, name: `${number}.txt` }
    return {
      version: number,
      ordinal,
      chunkId: `${number}-${ordinal}`,
      text,
      ...place,
      vector: vectors[ordinal]!,
    } // as many
  })
  await index.add(TABLE, rows)
  changes++
}

async function ask(at: number): Promise<number> {
  const started = performance.now()
  const reader = await indexes.open(TABLE.id)
  const found = await reader!.keyword(analyzer.queryTerms(zipfQuery(at % QUESTIONS, 6)), 10, {}) // written above
  await reader!.candidates(found)
  return performance.now() - started
}

async function tell(what: string): Promise<void> {
  for (let at = 0; at < QUESTIONS; at++) await ask(at)
  const times: number[] = []
  const before = process.cpuUsage()
  for (let at = 0; at < QUESTIONS; at++) times.push(await ask(at))
  const { user, system } = process.cpuUsage(before)
  const cpuMs = (user + system) / 1000 / QUESTIONS
  const mebibytes = (await bytesIn(folder)) / 2 ** 20
  console.log(`${what}: ${mebibytes.toFixed(0)} MiB; ${shown(times)}, CPU ${cpuMs.toFixed(1)} ms`)
}

function shown(times: readonly number[]): string {
  return `p50 ${percentile(times, 0.5).toFixed(1)} ms, p95 ${percentile(times, 0.95).toFixed(1)} ms`
}

async function bytesIn(where: string): Promise<number> {
  const entries = await readdir(where, { recursive: true, withFileTypes: true })
  const sizes = entries.filter(entry => entry.isFile()).map(entry => stat(path.join(entry.parentPath, entry.name)))
  return (await Promise.all(sizes)).reduce((sum, { size }) => sum + size, 0)
}
