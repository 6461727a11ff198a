import { mkdir, readdir, readFile, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { localizable } from '../../errors/localizable.ts'
import { AppError } from '../../errors.ts'
import { Child, getChildEntry } from '../../system/child.ts'
import type { TablePlace } from './table-place.ts'
import { ERASE } from './table-upkeep.ts'
import type { UpkeepAnswer } from './upkeep-process.ts'

/** Age of an abandoned temporary file, so that no running writer is disturbed. */
const ABANDONED_MS = 60 * 60 * 1000

/**
 * Limits memory: one partition at a time, few rows per read (8,192 by default: 50 MiB more),
 * and returned buffers, which start at 64 KiB.
 */
export const LITTLE_MEMORY = {
  LANCE_CPU_THREADS: '1',
  LANCE_IO_THREADS: '2',
  LANCE_DEFAULT_BATCH_SIZE: '256',
  LANCE_FTS_NUM_SHARDS: '1',
  LANCE_FTS_WRITE_QUEUE_SIZE: '1',
  LANCE_FTS_POSTING_BATCH_ROWS: '64',
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: '65536',
  MALLOC_MMAP_MAX_: '16384',
  MALLOC_TRIM_THRESHOLD_: '65536',
}

type LargeTable = {
  readonly place: TablePlace
  readonly name: string
  readonly partitionBytes: number
}

/** Runs `compactTable` in a process, which bounds its memory. */
export async function runLargeTableUpkeep(table: LargeTable, signal?: AbortSignal): Promise<void> {
  await runUpkeepProcess(table, [], signal)
}

export async function indexVectorsOfLargeTable(
  table: LargeTable,
  partitions: number,
  signal?: AbortSignal,
): Promise<void> {
  await runUpkeepProcess(table, [String(partitions)], signal)
}

export async function eraseFromLargeTable(table: LargeTable, signal?: AbortSignal): Promise<void> {
  await runUpkeepProcess(table, [ERASE], signal)
}

async function runUpkeepProcess(
  { place, name, partitionBytes }: LargeTable,
  work: readonly string[],
  signal: AbortSignal | undefined,
): Promise<void> {
  signal?.throwIfAborted()
  const folder = place.findFolder(name)
  const temporary = place.chooseScratchFolder(name)
  if (folder !== undefined) await removeLeftOvers(folder)
  await rm(temporary, { recursive: true, force: true }) // left by a killed process
  await mkdir(temporary)
  const partitionMebibytes = String(Math.round(partitionBytes / 2 ** 20))
  const own = { LANCE_FTS_PARTITION_SIZE: partitionMebibytes, TMPDIR: temporary }
  const settings = { ...LITTLE_MEMORY, ...own, ...place.environment }
  const child = new Child(
    getChildEntry('./upkeep-process', import.meta.url),
    [place.uri, name, ...work],
    settings,
  )
  try {
    const answer = await child.awaitAnswer<UpkeepAnswer>(signal)
    if (!answer) throw createDeathError(child)
    if (answer.failure) throw new AppError(answer.failure.code, answer.failure.message)
  } finally {
    await child.ended
    await rm(temporary, { recursive: true, force: true })
  }
}

function createDeathError({ ending, lastWords: cause }: Child): AppError {
  const message = localizable`The process that brings the index in order died (${ending}). Check free memory and disk, and try again.`
  return new AppError('internal', message, { cause })
}

/**
 * Removes files of a killed writer; LanceDB keeps them for seven days. Requires the writer
 * lease.
 */
async function removeLeftOvers(tableFolder: string): Promise<void> {
  const indexes = (await listNames(path.join(tableFolder, '_indices'))).filter(name =>
    /^[\da-f-]{36}$/.test(name),
  )
  const rows = (await listNames(path.join(tableFolder, 'data'))).filter(name =>
    name.endsWith('.lance'),
  )
  const manifests = await readManifests(tableFolder) // read after listing, to include earlier commits
  if (manifests.length === 0) return
  const isNamed = (bytes: Buffer) => manifests.some(manifest => manifest.includes(bytes))
  const leftOver = [
    ...indexes
      .filter(id => !isNamed(Buffer.from(id.replaceAll('-', ''), 'hex')))
      .map(id => path.join('_indices', id)),
    ...rows.filter(name => !isNamed(Buffer.from(name))).map(name => path.join('data', name)),
  ]
  for (const name of leftOver) {
    const place = path.join(tableFolder, name)
    if ((await findLastWrite(place)) < Date.now() - ABANDONED_MS)
      await rm(place, { recursive: true, force: true })
  }
}

/** Returns all manifests, with file names and index ids (16 bytes). */
async function readManifests(tableFolder: string): Promise<readonly Buffer[]> {
  const folder = path.join(tableFolder, '_versions')
  const names = (await listNames(folder)).filter(name => name.endsWith('.manifest'))
  return await Promise.all(names.map(name => readFile(path.join(folder, name))))
}

/** Returns Unix milliseconds of the last write at or below the place. */
async function findLastWrite(place: string): Promise<number> {
  const found = await stat(place)
  if (!found.isDirectory()) return found.mtimeMs
  const inside = await Promise.all(
    (await listNames(place)).map(name => stat(path.join(place, name))),
  )
  return Math.max(found.mtimeMs, ...inside.map(file => file.mtimeMs))
}

async function listNames(folder: string): Promise<readonly string[]> {
  return await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [] // no index, no folder
    throw error
  })
}
