/**
 * What partitions of a word index cost by their size: in a copy of a home its words are indexed anew, as upkeep does it, and questions
 * are asked by keyword, then hybrid, then a twentieth of its rows is written again, each in a process of its own, some 75 MiB of it for tsx.
 * usage: npx tsx bench/word-partitions.ts HOME MIB...       (HOME with one collection, as bench/query-cost.ts leaves it; Linux)
 */
import { execFile } from 'node:child_process'
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises'
import { availableParallelism, cpus, tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { connect, Index } from '@lancedb/lancedb'
import { open } from '../src/app.ts'
import { FULL_TEXT, FULL_TEXT_INDEX } from '../src/search/lance/lance-tables.ts'
import { LITTLE_MEMORY } from '../src/search/lance/large-table-upkeep.ts'
import { optimizeTable } from '../src/search/lance/table-upkeep.ts'
import { residentBytesOfTree } from './process-tree.ts'
import { SyntheticEmbedder } from './synthetic-embedder.ts'
import { zipfQuery } from './zipf-text.ts'

const QUERIES = 100
const ADDED_SHARE = 0.05
const MEBIBYTE = 2 ** 20
const SELF = fileURLToPath(import.meta.url)

type Worked = { readonly peakBytes: number; readonly cpuMs: number }
type Built = Worked & { readonly partitions: number }
type Asked = {
  readonly openBytes: number
  readonly firstMs: number
  readonly firstBytes: number
  readonly laterMs: number
  readonly bytes: number
  readonly hybridMs: number
  readonly hybridBytes: number
}

const [first = '', ...rest] = process.argv.slice(2)
if (first === 'build') say(await build(rest[0]!))
else if (first === 'ask') say(await ask(rest[0]!))
else if (first === 'add') say(await add(rest[0]!))
else await compare(first, rest.map(Number))

async function compare(home: string, sizes: readonly number[]): Promise<void> {
  const day = new Date().toISOString().slice(0, 10)
  console.log(`${cpus()[0]?.model}, ${availableParallelism()} cores, Node ${process.version}, ${day}`)
  for (const mebibytes of sizes) {
    const copy = await mkdtemp(path.join(tmpdir(), 'passim-partitions-'))
    await cp(home, copy, { recursive: true })
    const settings = { ...LITTLE_MEMORY, LANCE_FTS_PARTITION_SIZE: String(mebibytes), TMPDIR: copy }
    const built = await step<Built>('build', copy, settings)
    const asked = await step<Asked>('ask', copy, {})
    const added = await step<Worked>('add', copy, settings)
    const inMebibytes = (bytes: number) => `${Math.round(bytes / MEBIBYTE)} MiB`
    console.log(
      `of ${mebibytes} MiB: ${built.partitions} partitions, built in ${inMebibytes(built.peakBytes)} and ${(built.cpuMs / 1000).toFixed(1)} s of CPU; ` +
        `open store ${inMebibytes(asked.openBytes)}; first question ${asked.firstMs.toFixed(0)} ms of CPU and ${inMebibytes(asked.firstBytes)}, ` +
        `later ones ${asked.laterMs.toFixed(1)} ms and ${inMebibytes(asked.bytes)}, hybrid ${asked.hybridMs.toFixed(1)} ms and ${inMebibytes(asked.hybridBytes)}; ` +
        `upkeep with a twentieth of the rows new ${inMebibytes(added.peakBytes)} and ${(added.cpuMs / 1000).toFixed(1)} s`,
    )
    await rm(copy, { recursive: true })
  }
}

async function step<Said>(name: string, home: string, environment: Readonly<Record<string, string>>): Promise<Said> {
  const env = { PATH: process.env.PATH, ...environment }
  const { stdout } = await promisify(execFile)(process.execPath, ['--import', 'tsx', SELF, name, home], { env })
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as Said // its last line
}

async function build(home: string): Promise<Built> {
  const { table, name } = await tableIn(home)
  const worked = await measured(() => table.createIndex('terms', { config: Index.fts(FULL_TEXT), replace: true }))
  const { indexUuid } = (await table.listIndices()).find(index => index.name === FULL_TEXT_INDEX)! // just made
  const files = await readdir(path.join(home, 'index', `${name}.lance`, '_indices', indexUuid!))
  return { ...worked, partitions: files.filter(file => file.endsWith('_tokens.lance')).length }
}

async function add(home: string): Promise<Worked> {
  const { table } = await tableIn(home)
  const rows = await table.query().select(['version']).toArray()
  const versions = rows.map(({ version }) => version as number).toSorted((a, b) => a - b) // our own column
  await table.update({
    where: `version < ${versions[Math.floor(versions.length * ADDED_SHARE)]}`,
    valuesSql: { ordinal: 'ordinal' },
  })
  return await measured(() => optimizeTable(table))
}

async function tableIn(home: string) {
  const connection = await connect(path.join(home, 'index'))
  const [name = ''] = await connection.tableNames()
  return { name, table: await connection.openTable(name) }
}

async function measured(work: () => Promise<unknown>): Promise<Worked> {
  let peakBytes = 0
  const timer = setInterval(() => (peakBytes = Math.max(peakBytes, residentBytesOfTree(process.pid))), 100)
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  clearInterval(timer)
  return { peakBytes, cpuMs: (user + system) / 1000 }
}

async function ask(home: string): Promise<Asked> {
  const passim = await open({ home, environment: {}, embedder: new SyntheticEmbedder() })
  const openBytes = process.memoryUsage().rss
  const cpuMsOf = async (seeds: readonly number[], mode: 'keyword' | 'hybrid' = 'keyword') => {
    const before = process.cpuUsage()
    for (const seed of seeds) await passim.search({ query: zipfQuery(seed, 4 + (seed % 5)), mode })
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1000 / seeds.length
  }
  const firstMs = await cpuMsOf([0])
  const firstBytes = process.memoryUsage().rss
  const seeds = Array.from({ length: QUERIES }, (_, seed) => seed + 1)
  await cpuMsOf(seeds)
  const laterMs = await cpuMsOf(seeds)
  const bytes = process.memoryUsage().rss
  await cpuMsOf(seeds, 'hybrid')
  const hybridMs = await cpuMsOf(seeds, 'hybrid')
  return { openBytes, firstMs, firstBytes, laterMs, bytes, hybridMs, hybridBytes: process.memoryUsage().rss }
}

function say(said: Worked | Asked): void {
  console.log(JSON.stringify(said))
  process.exit()
}
