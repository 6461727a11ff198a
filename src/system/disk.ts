import { createHash } from 'node:crypto'
import {
  chmodSync,
  closeSync,
  createWriteStream,
  existsSync,
  fdatasync,
  fsyncSync,
  openSync,
  readdirSync,
  readFileSync,
  statfsSync,
  statSync,
} from 'node:fs'
import { chmod, mkdir, open, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { localizable } from '../errors/localizable.ts'
import { AppError, getSystemCode } from '../errors.ts'
import { formatBytes } from './byte-sizes.ts'
import { createRandomHex } from './digest.ts'
import { isRunning, readProcessStart, startOfThisProcess } from './living-process.ts'

/** Space that stays free, so that the catalog can always finish what it acknowledged. */
const RESERVE_BYTES = 64 * 1024 * 1024

/** Throws `disk_full` if writing `sizeBytes` would use the reserve. */
export function reserveSpace(directory: string, sizeBytes: number): void {
  const { bavail, bsize } = statfsSync(directory)
  const freeBytes = bavail * bsize
  if (freeBytes - sizeBytes >= RESERVE_BYTES) return
  throw new AppError(
    'disk_full',
    localizable`Cannot write ${formatBytes(sizeBytes)} under ${directory}: ${formatBytes(freeBytes)} are free and ${formatBytes(RESERVE_BYTES)} are kept. Free some space and try again.`,
  )
}

/** Returns the maximum size of a file (`ulimit -f`, systemd's `LimitFSIZE`), if reported. */
export function readFileSizeLimit(): number | undefined {
  const file = '/proc/self/limits'
  const [, soft] =
    (existsSync(file) && /^Max file size +(\d+)/m.exec(readFileSync(file, 'latin1'))) || []
  return soft === undefined ? undefined : Number(soft)
}

/**
 * Creates parents, too. Node's recursive mkdir never returns if a folder refuses another, as
 * /proc does.
 */
export async function makeFolder(folder: string, mode?: number): Promise<void> {
  try {
    await makeOne(folder, mode)
  } catch (error) {
    if (getSystemCode(error) !== 'ENOENT') throw error
    const parent = path.dirname(folder)
    if (!existsSync(parent)) await makeFolder(parent) // else it refuses, or another process has just created it
    await makeOne(folder, mode)
  }
}

/** Makes an existing folder readable by its owner only, too. */
export async function makePrivateFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const stats = await stat(folder)
  if ((stats.mode & 0o077) !== 0 && stats.uid === process.getuid?.()) await chmod(folder, 0o700)
}

/** Makes an existing file readable by its owner only, too. */
export function makePrivateFile(file: string): void {
  const stats = statSync(file, { throwIfNoEntry: false })
  if (!stats) closeSync(openSync(file, 'a', 0o600))
  else if ((stats.mode & 0o077) !== 0 && stats.uid === process.getuid?.())
    chmodSync(file, stats.mode & 0o700)
}

/** Accepts an existing folder, as another process may have been quicker. */
async function makeOne(folder: string, mode: number | undefined): Promise<void> {
  try {
    await mkdir(folder, mode)
  } catch (error) {
    if (getSystemCode(error) !== 'EEXIST' || !(await stat(folder)).isDirectory()) throw error
  }
}

const dataSync = promisify(fdatasync)

/** Syncs a written file, so that a power cut does not lose it. */
export async function syncFile(file: string): Promise<void> {
  const opened = openSync(file, process.platform === 'win32' ? 'r+' : 'r') // a copy may be read-only as its source is
  try {
    await dataSync(opened)
  } finally {
    closeSync(opened)
  }
}

/** Syncs the names in a folder, so that a power cut does not undo a rename. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return // cannot open folders, and writes renames through
  const opened = await open(folder, 'r')
  try {
    await opened.sync()
  } finally {
    await opened.close()
  }
}

/** Works inside a transaction. */
export function syncFolderSync(folder: string): void {
  if (process.platform === 'win32') return
  const opened = openSync(folder, 'r')
  try {
    fsyncSync(opened)
  } finally {
    closeSync(opened)
  }
}

/** Leaves nothing if the stream fails. Returns the SHA-256 in hex. */
export async function writeStream(
  target: string,
  bytes: Readable,
  signal?: AbortSignal,
): Promise<string> {
  const hash = createHash('sha256')
  const hashStream = async function* (chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      hash.update(chunk)
      yield chunk
    }
  }
  try {
    await pipeline(bytes, hashStream, createWriteStream(target, { flush: true }), { signal })
    return hash.digest('hex')
  } catch (error) {
    await rm(target, { force: true })
    throw error
  }
}

/** Returns whether a stored name cannot lead out of its folder. */
export function isPlainName(name: string): boolean {
  return (
    name !== '.' &&
    name !== '..' &&
    Buffer.byteLength(name) <= 255 &&
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern refuses them
    /^[^/\\\u0000-\u001f]+$/.test(name)
  )
}

/**
 * Returns a path beside the target, for a rename, with the process, so that leftovers are
 * recognized.
 */
export function createTemporaryName(target: string): string {
  return `${target}.${process.pid}-${startOfThisProcess() ?? ''}-${createRandomHex()}.tmp`
}

/** Returns whether some part of a path is temporary, of any process. */
export function isTemporary(name: string): boolean {
  return /\.\d+-\d*-[0-9a-f]+\.tmp(\/|$)/.test(name)
}

/**
 * Removes files and folders of dead processes. Returns their number. `names` are the folder's,
 * if read.
 */
export async function removeAbandoned(
  folder: string,
  names: readonly string[] = readdirSync(folder),
): Promise<number> {
  const abandoned = names.filter(isAbandoned)
  for (const name of abandoned) await rm(path.join(folder, name), { recursive: true, force: true })
  return abandoned.length
}

/** Compares start times, too: a restarted container often reuses a pid. */
export function isAbandoned(name: string): boolean {
  const [, pid, started] = /\.(\d+)-(\d*)-[0-9a-f]+\.tmp$/.exec(name) ?? []
  if (pid === undefined) return false
  return started ? readProcessStart(Number(pid)) !== started : !isRunning(Number(pid))
}

/** Reads all of a smaller file. */
export async function readHead(path: string, maxBytes: number): Promise<Buffer> {
  const file = await open(path)
  try {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(maxBytes), 0, maxBytes, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}
