import { existsSync, renameSync } from 'node:fs'
import { readdir, rm } from 'node:fs/promises'
import path from 'node:path'
import { localizable } from '../../errors/localizable.ts'
import { AppError } from '../../errors.ts'
import { Leases } from '../../ingest/store/catalog/lease.ts'
import type { Catalog } from '../../ingest/store/catalog.ts'
import { ContentStore, ORIGINAL, PAGE_PICTURES } from '../../ingest/store/contents/content.ts'
import { Files } from '../../ingest/store/contents/files.ts'
import { hashFile } from '../../system/digest.ts'
import {
  createTemporaryName,
  isAbandoned,
  isTemporary,
  makePrivateFile,
  syncFile,
  syncFolder,
} from '../../system/disk.ts'
import type { BackupSummary } from '../../wire/backup.ts'
import { BackupFile } from './backup-file.ts'
import { openCatalog } from './store.ts'

export const CATALOG = 'catalog.db'

const DATABASE_FILES = ['', '-wal', '-shm', '-journal']

const UNFINISHED = '.passim-export'

export type BackupOptions = {
  readonly signal?: AbortSignal | undefined
  /** Receives contents, on import pieces. */
  readonly onProgress?: ((done: number, total: number) => void) | undefined
}

type Backed = { readonly catalog: Catalog; readonly content: ContentStore }

/** Writes contents, a snapshot of the catalog, and contents added meanwhile. */
export async function exportStore(
  store: Backed,
  file: string,
  options: BackupOptions,
): Promise<BackupSummary> {
  if (existsSync(file))
    throw new AppError(
      'conflict',
      localizable`The file ${file} already exists. Choose another name.`,
    )
  const folder = path.dirname(path.resolve(file))
  if (!existsSync(folder))
    throw new AppError(
      'not_found',
      localizable`There is no folder ${folder} to write a backup to. Create it first.`,
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
    for (const database of [temporary, snapshot]) await removeDatabase(database)
  }
}

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
    let remaining: readonly string[] = await content.list()
    for (;;) {
      await addContents(backup, content, remaining, { added, damaged }, options)
      const tried = new Set(remaining)
      await removeDatabase(snapshot)
      const named = await readNamedContents(catalog, snapshot)
      remaining = [...named].filter(sha256 => !added.has(sha256) && !damaged.has(sha256))
      if (remaining.some(sha256 => !tried.has(sha256))) continue // added meanwhile
      const processed = [...added, ...damaged]
      for (const sha256 of processed)
        if (!named.has(sha256)) backup.removeFolder(getPlace(content, sha256))
      await backup.add(CATALOG, snapshot, options.signal)
      const missing = remaining.length + [...damaged].filter(sha256 => named.has(sha256)).length
      return { contents: named.size - missing, missing }
    }
  } finally {
    backup.close()
  }
}

async function addContents(
  backup: BackupFile,
  content: ContentStore,
  remaining: readonly string[],
  { added, damaged }: { readonly added: Set<string>; readonly damaged: Set<string> },
  { signal, onProgress }: BackupOptions,
): Promise<void> {
  for (const [index, sha256] of remaining.entries()) {
    const outcome = await addContent(backup, content, sha256, signal)
    if (outcome === 'whole') added.add(sha256)
    if (outcome === 'damaged') damaged.add(sha256)
    onProgress?.(index + 1, remaining.length)
  }
}

/** Adds only derived data of damaged originals: an import refuses wrong bytes. */
async function addContent(
  backup: BackupFile,
  content: ContentStore,
  sha256: string,
  signal?: AbortSignal,
): Promise<'whole' | 'damaged' | 'gone'> {
  let isDamaged = false
  try {
    await content.download(sha256, 'all', signal)
    const folder = content.getFolder(sha256)
    const entries = await readdir(folder, { recursive: true, withFileTypes: true })
    const files = entries
      .filter(entry => entry.isFile())
      .map(entry => path.join(entry.parentPath, entry.name))
    for (const file of files) {
      const name = path.relative(folder, file).split(path.sep).join('/')
      const isBad = name === ORIGINAL && (await hashFile(file, signal)) !== sha256
      if (isBad) isDamaged = true
      else if (!isTemporary(name) && !name.startsWith(`${PAGE_PICTURES}/`))
        await backup.add(`${getPlace(content, sha256)}/${name}`, file, signal)
    }
    if (await content.has(sha256)) return isDamaged ? 'damaged' : 'whole'
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error
  }
  backup.removeFolder(getPlace(content, sha256))
  return 'gone'
}

function getPlace(content: ContentStore, sha256: string): string {
  return path.relative(content.home, content.getFolder(sha256)).split(path.sep).join('/')
}

async function readNamedContents(catalog: Catalog, snapshot: string): Promise<ReadonlySet<string>> {
  makePrivateFile(snapshot)
  await catalog.copyTo(snapshot)
  const copy = await openCatalog(snapshot)
  try {
    await new Leases(copy).forgetAll()
    await copy.emptyLogIntoFile()
    return new Set(await new Files(copy, new ContentStore(path.dirname(snapshot))).listContents())
  } finally {
    await copy.close()
  }
}

export async function removeDatabase(file: string): Promise<void> {
  for (const end of DATABASE_FILES) await rm(`${file}${end}`, { force: true })
}
