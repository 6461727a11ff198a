/**
 * What search costs by the size of a collection: indexing, disk, the first question of a process, every mode, memory, and what the
 * nearest neighbours miss; beside bare LanceDB, on a table of its own in the best layout that was found for it, in the same run.
 * Texts are generated, vectors synthetic, so that no model is counted. Each step is a process of its own.
 * usage: npx tsx bench/scale.ts [SIZES 1000,10000,100000] [FOLDER a new folder; what was indexed in it is used again] [SVG]      (Linux)
 */
import { execFile } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { availableParallelism, cpus, tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { scalePlot } from './scale-plot.ts'
import type { Asked, First, Indexed } from './scale-steps.ts'

const [sizes = '1000,10000,100000', given, svg] = process.argv.slice(2)
const STEPS = fileURLToPath(new URL('scale-steps.ts', import.meta.url))
/** As few partitions of words as there can be. */
const BARE_WORDS = { LANCE_FTS_NUM_SHARDS: '1', LANCE_FTS_PARTITION_SIZE: '4096' }

export type Scale = { readonly size: number; readonly diskBytes: number; readonly bareDiskBytes: number } & {
  readonly [Step in keyof Steps]: Steps[Step]
}
type Steps = {
  readonly indexed: Indexed
  readonly bareIndexed: Indexed
  readonly first: First
  readonly bareFirst: First
  readonly asked: Asked
}

const folder = given ?? (await mkdtemp(path.join(tmpdir(), 'passim-scale-')))
console.log(
  `${cpus()[0]?.model}, ${availableParallelism()} cores, Node ${process.version}, ${new Date().toISOString().slice(0, 10)}`,
)
const measured: Scale[] = []
for (const size of sizes.split(',').map(Number)) measured.push(await measure(size))
for (const line of table(measured)) console.log(line)
if (svg) writeFileSync(svg, scalePlot(measured))
if (!given) await rm(folder, { recursive: true })

async function measure(size: number): Promise<Scale> {
  const home = path.join(folder, String(size))
  await mkdir(home, { recursive: true })
  const indexed = await once<Indexed>('index', size, home)
  const bareIndexed = await once<Indexed>('bare-index', size, home)
  const diskBytes = await bytesIn(path.join(home, 'home', 'index'))
  const bareDiskBytes = await bytesIn(path.join(home, 'bare'))
  const first = await step<First>('first', size, home)
  const bareFirst = await step<First>('bare-first', size, home)
  const asked = await step<Asked>('ask', size, home)
  const scale = { size, indexed, bareIndexed, diskBytes, bareDiskBytes, first, bareFirst, asked }
  console.log(JSON.stringify(scale))
  return scale
}

/** What it said when it was run in this folder before. */
async function once<Said>(name: string, size: number, home: string): Promise<Said> {
  const kept = path.join(home, `${name}.json`)
  if (existsSync(kept)) return JSON.parse(readFileSync(kept, 'utf8')) as Said // written below
  const said = await step<Said>(name, size, home)
  writeFileSync(kept, JSON.stringify(said))
  return said
}

async function step<Said>(name: string, size: number, home: string): Promise<Said> {
  const args = ['--import', 'tsx', STEPS, name, String(size), home]
  const env = name === 'bare-index' ? { ...process.env, ...BARE_WORDS } : process.env
  const { stdout } = await promisify(execFile)(process.execPath, args, { maxBuffer: 2 ** 24, env })
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as Said // its last line
}

async function bytesIn(where: string): Promise<number> {
  const entries = await readdir(where, { recursive: true, withFileTypes: true })
  const sizes = entries.filter(entry => entry.isFile()).map(entry => stat(path.join(entry.parentPath, entry.name)))
  return (await Promise.all(sizes)).reduce((sum, { size }) => sum + size, 0)
}

function table(all: readonly Scale[]): readonly string[] {
  const row = (name: string, of: (one: Scale) => string) => `| ${name} | ${all.map(of).join(' | ')} |`
  const mode = (name: string) =>
    row(`${name}, CPU and p50, ms`, ({ asked }) => {
      const cost = asked.costs[name]
      return cost ? `${cost.cpuMs.toFixed(1)}, ${cost.p50.toFixed(1)}` : ''
    })
  const mebibytes = (bytes: number) => (bytes / 2 ** 20).toFixed(0)
  return [
    row('passages', ({ indexed }) => indexed.passages.toLocaleString('en')),
    `|---|${all.map(() => '---|').join('')}`,
    row('indexing, CPU, ms a passage', ({ indexed }) => ((indexed.cpuSeconds * 1000) / indexed.passages).toFixed(2)),
    row('of it upkeep', ({ indexed }) => ((indexed.upkeepSeconds * 1000) / indexed.passages).toFixed(2)),
    row('bare LanceDB, CPU, ms a passage', ({ bareIndexed: one }) =>
      ((one.cpuSeconds * 1000) / one.passages).toFixed(2),
    ),
    row('peak memory of indexing, MiB', ({ indexed }) => mebibytes(indexed.peakBytes)),
    row('index on disk, MiB (bare)', one => `${mebibytes(one.diskBytes)} (${mebibytes(one.bareDiskBytes)})`),
    row(
      'first question of a process, ms, CPU (bare)',
      ({ first, bareFirst }) =>
        `${first.ms.toFixed(0)}, ${first.cpuMs.toFixed(0)} (${bareFirst.ms.toFixed(0)}, ${bareFirst.cpuMs.toFixed(0)})`,
    ),
    row(
      'its memory then, MiB (bare)',
      ({ first, bareFirst }) => `${mebibytes(first.residentBytes)} (${mebibytes(bareFirst.residentBytes)})`,
    ),
    ...['keyword', 'bare keyword', 'vector', 'bare vector', 'hybrid', 'bare legs'].map(mode),
    row('memory after the questions, MiB', ({ asked }) => mebibytes(asked.residentBytes)),
    row('recall@10 of vectors (bare)', ({ asked }) => `${asked.recall.toFixed(3)} (${asked.bareRecall.toFixed(3)})`),
  ]
}
