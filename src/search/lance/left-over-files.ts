import { readdir, readFile, rm, stat } from 'node:fs/promises'
import path from 'node:path'

/** Nobody writes a file for so long without a pause: whoever began this one is gone. */
const ABANDONED_MS = 60 * 60 * 1000

/**
 * Remove what a process left that was killed while it wrote to a table: parts of an index and files of rows that no
 * version of the table names. LanceDB itself keeps them for seven days. Only for who has the collection's writer lease.
 */
export async function removeLeftOvers(tableFolder: string): Promise<void> {
  const indexes = (await namesIn(path.join(tableFolder, '_indices'))).filter(name => /^[\da-f-]{36}$/.test(name))
  const rows = (await namesIn(path.join(tableFolder, 'data'))).filter(name => name.endsWith('.lance'))
  const manifests = await manifestsOf(tableFolder) // after the names: what was committed before is in them
  if (manifests.length === 0) return
  const isNamed = (bytes: Buffer) => manifests.some(manifest => manifest.includes(bytes))
  const leftOver = [
    ...indexes.filter(id => !isNamed(Buffer.from(id.replaceAll('-', ''), 'hex'))).map(id => path.join('_indices', id)),
    ...rows.filter(name => !isNamed(Buffer.from(name))).map(name => path.join('data', name)),
  ]
  for (const name of leftOver) {
    const place = path.join(tableFolder, name)
    if ((await lastWritten(place)) < Date.now() - ABANDONED_MS) await rm(place, { recursive: true, force: true })
  }
}

/** What versions of the table there are, each with the names of its files and, as 16 bytes, the ids of its indexes. */
async function manifestsOf(tableFolder: string): Promise<readonly Buffer[]> {
  const folder = path.join(tableFolder, '_versions')
  const names = (await namesIn(folder)).filter(name => name.endsWith('.manifest'))
  return await Promise.all(names.map(name => readFile(path.join(folder, name))))
}

/** Unix milliseconds at which a file, or anything in a folder, was last written. */
async function lastWritten(place: string): Promise<number> {
  const found = await stat(place)
  if (!found.isDirectory()) return found.mtimeMs
  const inside = await Promise.all((await namesIn(place)).map(name => stat(path.join(place, name))))
  return Math.max(found.mtimeMs, ...inside.map(file => file.mtimeMs))
}

async function namesIn(folder: string): Promise<readonly string[]> {
  return await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [] // a table without an index has no folder for it
    throw error
  })
}
