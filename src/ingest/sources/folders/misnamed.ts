import { type Dirent, existsSync } from 'node:fs'
import { type FileHandle, open, readdir } from 'node:fs/promises'
import { type LocalizableMessage, localizable } from '../../../errors/localizable.ts'

/** Node's sign for bytes that are not UTF-8. A path with it opens no such file. */
const REPLACEMENT = '\uFFFD'
const UNPRINTABLE = /[^\x20-\x7e]/g
/** At least one byte above ASCII. */
const ESCAPED = /\\x[89a-f][0-9a-f]/

export type FolderEntry = Pick<Dirent, 'name' | 'isFile' | 'isDirectory' | 'isSymbolicLink'>

/** Names entries that are not UTF-8 by their bytes: `caf\xe9.md`. */
export async function readFolder(folder: string): Promise<readonly FolderEntry[]> {
  const path = toBytes(folder) ?? folder
  const entries = await readdir(path, { withFileTypes: true })
  if (!entries.some(({ name }) => name.includes(REPLACEMENT))) return entries
  const names = new Set(entries.map(({ name }) => name))
  const raw = await readdir(path, { withFileTypes: true, encoding: 'buffer' })
  return raw.map(entry => {
    const escaped = escapeName(entry.name)
    return {
      name: names.has(escaped) ? entry.name.toString() : escaped,
      isFile: () => entry.isFile(),
      isDirectory: () => entry.isDirectory(),
      isSymbolicLink: () => entry.isSymbolicLink(),
    }
  })
}

function escapeName(bytes: Buffer): string {
  const name = bytes.toString()
  if (Buffer.from(name).equals(bytes)) return name
  return bytes
    .toString('latin1')
    .replace(UNPRINTABLE, byte => `\\x${byte.charCodeAt(0).toString(16).padStart(2, '0')}`)
}

export function toBytes(source: string): Buffer | undefined {
  if (!ESCAPED.test(source) || existsSync(source)) return undefined
  const parts = source.split(/\\x([0-9a-f]{2})/)
  return Buffer.concat(
    parts.map((part, index) => Buffer.from(part, index % 2 === 0 ? 'utf8' : 'hex')),
  )
}

/** Linux, which alone has such names here, opens a file by its descriptor's path. */
export async function openMisnamed(source: string): Promise<FileHandle | undefined> {
  const bytes = toBytes(source)
  return bytes && (await open(bytes))
}

export function isMaybeMisnamed(source: string): boolean {
  return source.includes(REPLACEMENT)
}

export function describeMisnamed(source: string): LocalizableMessage {
  return localizable`The name of ${source} is not UTF-8, and lost its bytes. Index its folder, or rename it.`
}

export const MISNAMED_ADVICE = localizable`For all names in a folder, in GBK for example: convmv -r -f GBK -t UTF-8 --notest FOLDER`
