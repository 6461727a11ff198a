import { existsSync, renameSync } from 'node:fs'
import { readdir, rm } from 'node:fs/promises'
import path from 'node:path'
import { AppError } from '../../errors.ts'
import { Leases } from '../../ingest/store/catalog/lease.ts'
import type { Catalog } from '../../ingest/store/catalog.ts'
import { ContentStore, ORIGINAL, PAGE_PICTURES } from '../../ingest/store/contents/content.ts'
import { Files } from '../../ingest/store/contents/files.ts'
import { digestFile } from '../../system/digest.ts'
import {
  createTemporaryName,
  isAbandoned,
  isTemporary,
  makePrivateFile,
  syncFile,
  syncFolder,
} from '../../system/disk.ts'
import { BackupFile } from './backup-file.ts'
import { openCatalog } from './store.ts'

/** The catalog's name in a backup, and in a home. */
export const CATALOG = 'catalog.db'

/** How the names of the files end that SQLite makes for one. */
const DATABASE_FILES = ['', '-wal', '-shm', '-journal']

/** How the name of a backup ends that is being written. */
const UNFINISHED = '.passim-export'

export type BackupOptions = {
  readonly signal?: AbortSignal | undefined
  /** Contents done, of how many; when a backup is imported, pieces of it. */
  readonly onProgress?: ((done: number, total: number) => void) | undefined
}

export type BackupSummary = {
  readonly file: string
  readonly contents: number
  /** Contents that the catalog names and whose original is not there, or damaged and so left out: `passim verify` names them. */
  readonly missing: number
}

type Backed = { readonly catalog: Catalog; readonly content: ContentStore }

/**
 * Write catalog and contents to one file while others work with the store. Contents first, for they never change; then
 * the catalog as it is at one moment, and what came meanwhile: again, until all that the catalog names is there.
 */
export async function exportStore(
  store: Backed,
  file: string,
  options: BackupOptions,
): Promise<BackupSummary> {
  if (existsSync(file))
    throw new AppError('conflict', `The file ${file} is there already. Name another.`)
  const folder = path.dirname(path.resolve(file))
  if (!existsSync(folder))
    throw new AppError(
      'not_found',
      `There is no folder ${folder} to write a backup to. Make it first.`,
    )
  await removeUnfinished(folder)
  const temporary = createTemporaryName(`${file}${UNFINISHED}`)
  const snapshot = createTemporaryName(`${file}.catalog${UNFINISHED}`)
  try {
    const summary = await writeBackup(store, temporary, snapshot, options)
    await syncFile(temporary)
    renameSync(temporary, file)
    await syncFolder(folder)
    return { file, ...summary }
  } finally {
    for (const one of [temporary, snapshot]) await removeDatabase(one)
  }
}

/** What a process left in the folder that was killed while it wrote a backup there. */
async function removeUnfinished(folder: string): Promise<void> {
  const own = (await readdir(folder)).filter(name => name.includes(`${UNFINISHED}.`))
  const databases = own.filter(name => name.endsWith('.tmp'))
  for (const name of databases.filter(isAbandoned)) await removeDatabase(path.join(folder, name))
}

async function writeBackup(
  { catalog, content }: Backed,
  temporary: string,
  snapshot: string,
  options: BackupOptions,
) {
  const backup = BackupFile.create(temporary)
  try {
    const added = new Set<string>()
    const damaged = new Set<string>()
    let wanted: readonly string[] = await content.list()
    for (;;) {
      await addContents(backup, content, wanted, { added, damaged }, options)
      const tried = new Set(wanted)
      await removeDatabase(snapshot)
      const named = await namedIn(catalog, snapshot)
      wanted = [...named].filter(sha256 => !added.has(sha256) && !damaged.has(sha256))
      if (wanted.some(sha256 => !tried.has(sha256))) continue // it came meanwhile
      const taken = [...added, ...damaged]
      for (const sha256 of taken)
        if (!named.has(sha256)) backup.removeFolder(placeOf(content, sha256))
      await backup.add(CATALOG, snapshot, options.signal)
      const missing = wanted.length + [...damaged].filter(sha256 => named.has(sha256)).length
      return { contents: named.size - missing, missing }
    }
  } finally {
    backup.close()
  }
}

async function addContents(
  backup: BackupFile,
  content: ContentStore,
  wanted: readonly string[],
  { added, damaged }: { readonly added: Set<string>; readonly damaged: Set<string> },
  { signal, onProgress }: BackupOptions,
): Promise<void> {
  for (const [index, sha256] of wanted.entries()) {
    const outcome = await addContent(backup, content, sha256, signal)
    if (outcome === 'whole') added.add(sha256)
    if (outcome === 'damaged') damaged.add(sha256)
    onProgress?.(index + 1, wanted.length)
  }
}

/**
 * Gone when it is not there, or was removed meanwhile. Of one whose original is damaged, what was made of it is taken alone:
 * an import refuses bytes that are not what was stored.
 */
async function addContent(
  backup: BackupFile,
  content: ContentStore,
  sha256: string,
  signal?: AbortSignal,
): Promise<'whole' | 'damaged' | 'gone'> {
  let isDamaged = false
  try {
    await content.download(sha256, 'all', signal)
    const folder = content.folder(sha256)
    const entries = await readdir(folder, { recursive: true, withFileTypes: true })
    const files = entries
      .filter(entry => entry.isFile())
      .map(entry => path.join(entry.parentPath, entry.name))
    for (const file of files) {
      const name = path.relative(folder, file).split(path.sep).join('/')
      const isBad = name === ORIGINAL && (await digestFile(file, signal)) !== sha256
      if (isBad) isDamaged = true
      else if (!isTemporary(name) && !name.startsWith(`${PAGE_PICTURES}/`))
        await backup.add(`${placeOf(content, sha256)}/${name}`, file, signal)
    }
    if (await content.has(sha256)) return isDamaged ? 'damaged' : 'whole'
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error // a system error has a code
  }
  backup.removeFolder(placeOf(content, sha256))
  return 'gone'
}

/** The folder of a content, in a backup as in a home. */
function placeOf(content: ContentStore, sha256: string): string {
  return path.relative(content.home, content.folder(sha256)).split(path.sep).join('/')
}

/** What a copy of the catalog, made just now, names; nobody holds a lease in it. */
async function namedIn(catalog: Catalog, snapshot: string): Promise<ReadonlySet<string>> {
  makePrivateFile(snapshot)
  await catalog.copyTo(snapshot)
  const copy = await openCatalog(snapshot)
  try {
    await new Leases(copy).forgetAll()
    await copy.emptyLogIntoFile()
    return new Set(await new Files(copy, new ContentStore(path.dirname(snapshot))).contents())
  } finally {
    await copy.close()
  }
}

/** With what SQLite keeps beside it. */
export async function removeDatabase(file: string): Promise<void> {
  for (const end of DATABASE_FILES) await rm(`${file}${end}`, { force: true })
}
