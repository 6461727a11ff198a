/**
 * What upkeep of a large table takes by its size: its words are indexed, a twentieth is added, and the files of both are put together, each
 * in a process of its own, some 75 MiB of it for tsx, with the partitions and the environment that upkeep gives it. Vectors are synthetic.
 * usage: npx tsx bench/upkeep-memory.ts [PASSAGES 50000]...       (Linux)
 */
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { availableParallelism, cpus, tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { connect } from '@lancedb/lancedb'
import type { IndexRow } from '../src/ingest/store/chunk-index.ts'
import { LanceIndex } from '../src/search/lance/lance-index.ts'
import { LanceTables } from '../src/search/lance/lance-tables.ts'
import { LITTLE_MEMORY } from '../src/search/lance/large-table-upkeep.ts'
import { TableFolder } from '../src/search/lance/table-place.ts'
import { compactTable } from '../src/search/lance/table-upkeep.ts'
import { choosePartitionBytes } from '../src/search/lance/word-partitions.ts'
import { Analyzer } from '../src/text/analyzer.ts'
import { SyntheticEmbedder } from './synthetic-embedder.ts'
import { zipfText } from './zipf-text.ts'

const SENTENCES = 11
const EACH = 1_000
const ADDED_SHARE = 0.05
const MEMORY_BYTES = 2 ** 30
const TABLE = { id: 'vs_bench', dimensions: 384 }
const SELF = fileURLToPath(import.meta.url)

const [first = '50000', ...rest] = process.argv.slice(2)
if (first === 'add') await add(rest[0]!, Number(rest[1]), Number(rest[2]))
else if (first === 'upkeep') await upkeep(rest[0]!)
else await compare([first, ...rest].map(Number))

async function compare(sizes: readonly number[]): Promise<void> {
  const day = new Date().toISOString().slice(0, 10)
  console.log(
    `${cpus()[0]?.model}, ${availableParallelism()} cores, Node ${process.version}, ${day}`,
  )
  for (const passages of sizes) {
    const folder = await mkdtemp(path.join(tmpdir(), 'passim-upkeep-'))
    const mebibytes = Math.round(choosePartitionBytes(passages, MEMORY_BYTES) / 2 ** 20)
    const environment = {
      ...LITTLE_MEMORY,
      LANCE_FTS_PARTITION_SIZE: String(mebibytes),
      TMPDIR: folder,
    }
    await step(['add', folder, '1', String(passages)], environment)
    const built = await step(['upkeep', folder], environment)
    await step(['add', folder, String(passages), String(passages * ADDED_SHARE)], environment)
    const added = await step(['upkeep', folder], environment)
    const together = await step(['upkeep', folder], environment)
    console.log(
      `${passages} passages, partitions of ${mebibytes} MiB: to build ${built}; to add a twentieth ${added}; to put files together ${together}`,
    )
    await rm(folder, { recursive: true })
  }
}

async function step(
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<string> {
  const env = { PATH: process.env.PATH, ...environment }
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--import', 'tsx', SELF, ...args],
    { env },
  )
  return stdout.trim()
}

/** Under versions from `version` on. */
async function add(folder: string, version: number, passages: number): Promise<void> {
  const tables = new LanceTables(new TableFolder(folder), 'bench')
  const index = new LanceIndex(tables, new Analyzer(), [])
  const embedder = new SyntheticEmbedder()
  for (let from = 0; from < passages; from += EACH) {
    const texts = Array.from({ length: Math.min(EACH, passages - from) }, (_, at) => {
      const { isChinese, sentences } = zipfText(version * 10 + from + at, SENTENCES)
      return sentences.join(isChinese ? '' : ' ')
    })
    const vectors = await embedder.embed(texts)
    await index.add(
      TABLE,
      texts.map((text, ordinal) =>
        rowOf(text, vectors[ordinal]!, { version: version + from / EACH, ordinal }),
      ), // as many
    )
  }
  await tables.close()
}

function rowOf(
  text: string,
  vector: Float32Array,
  at: Pick<IndexRow, 'version' | 'ordinal'>,
): IndexRow {
  const place = {
    charStart: 0,
    charEnd: text.length,
    headings: [],
    context: '',
    tokens: 300,
    name: `${at.version}.txt`,
  }
  return { ...at, chunkId: `${at.version}-${at.ordinal}`, text, ...place, vector }
}

/** As the process of upkeep does it. */
async function upkeep(folder: string): Promise<void> {
  const connection = await connect(new TableFolder(folder).uri)
  const [name = ''] = await connection.tableNames()
  const table = await connection.openTable(name)
  await compactTable(table)
  const { user, system } = process.cpuUsage()
  const peak = /VmHWM:\s+(\d+)/.exec(await readFile('/proc/self/status', 'utf8'))?.[1]
  console.log(
    `${Math.round(Number(peak) / 1024)} MiB and ${((user + system) / 1e6).toFixed(1)} s of CPU`,
  )
  process.exit()
}
