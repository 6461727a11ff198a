import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { type FileHandle, mkdir, open, rename, rm, rmdir } from 'node:fs/promises'
import path from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { localizable, type Sentence } from '../../errors/localizable.ts'
import { AppError } from '../../errors.ts'
import { Leases } from '../../ingest/store/catalog/lease.ts'
import { SharedPlaces } from '../../ingest/store/catalog/shared-places.ts'
import { ContentStore, ORIGINAL } from '../../ingest/store/contents/content.ts'
import { Files } from '../../ingest/store/contents/files.ts'
import { forgetShared } from '../../ingest/store/contents/shared-contents.ts'
import { isSha256 } from '../../system/digest.ts'
import {
  createTemporaryName,
  isAbandoned,
  isPlainName,
  makeFolder,
  reserveSpace,
  syncFolder,
} from '../../system/disk.ts'
import { parseOwnJson } from '../../system/own-json.ts'
import type { BackupSummary } from '../../wire/backup.ts'
import { type BackupOptions, CATALOG, removeDatabase } from './backup.ts'
import { BackupFile, type Piece } from './backup-file.ts'
import { requireSoundCatalog } from './foreign-catalog.ts'
import { openCatalog, TAKEN_OVER, TAKING_OVER } from './store.ts'

const IMPORTING = 'import'

/** Marks a complete, checked import. */
const IMPORT_RECORD = 'taken.json'

/** Folder depth of content files; protects against crafted names. */
const MAX_DEPTH = 4

export type ImportOptions = BackupOptions & {
  /** Completes the import; repeated if it is killed. */
  readonly finish?: (() => Promise<void>) | undefined
}

/**
 * Extracts and checks a backup beside its place, then moves it, the catalog last. A refused backup
 * leaves the home unchanged; a killed import can be repeated.
 */
export async function importStore(
  home: string,
  file: string,
  options: ImportOptions = {},
): Promise<BackupSummary> {
  const isNewHome = !existsSync(home)
  if (!existsSync(file))
    throw new AppError('not_found', localizable`There is no file ${file}. Check the path.`)
  const backup = BackupFile.open(file)
  try {
    const resumed = await resumeImport(home, backup, options.signal)
    const temporary = createTemporaryName(path.join(home, IMPORTING))
    if (resumed) await rename(resumed, temporary)
    else await extractFiles(backup, home, temporary, options)
    const { contents, missing } = readImportRecord(temporary)
    await options.finish?.()
    await rm(temporary, { recursive: true, force: true })
    return { file, contents, missing }
  } finally {
    backup.close()
    if (isNewHome) await rmdir(home).catch(ignoreFilled)
  }
}

async function extractFiles(
  backup: BackupFile,
  home: string,
  temporary: string,
  options: BackupOptions,
): Promise<void> {
  await makeFolder(home, 0o700)
  try {
    await mkdir(temporary, { mode: 0o700 })
    const extracted = await extractAll(backup, temporary, options)
    const importRecord: ImportRecord = { ...extracted, missing: await checkCatalog(temporary) }
    writeFileSync(path.join(temporary, IMPORT_RECORD), JSON.stringify(importRecord), {
      flush: true,
    })
    options.signal?.throwIfAborted()
    await moveContents(temporary, home)
  } catch (error) {
    await rm(temporary, { recursive: true, force: true })
    throw error
  }
}

async function moveContents(temporary: string, home: string): Promise<void> {
  await new ContentStore(home).replaceWith(path.join(temporary, 'content'))
  try {
    await removeDatabase(path.join(home, CATALOG)) // an old log would be replayed into the new catalog
    await rm(path.join(home, 'index'), { recursive: true, force: true }) // its rows belong to other documents
    renameSync(path.join(temporary, CATALOG), path.join(home, CATALOG))
  } catch (error) {
    await rm(path.join(home, 'content'), { recursive: true, force: true })
    throw error
  }
  await syncFolder(home)
}

/** `catalog`: SHA-256 of the backup's catalog. */
type ImportRecord = Pick<BackupSummary, 'contents' | 'missing'> & { readonly catalog: string }

/**
 * Removes a killed import, or returns it if only `finish` is missing. Throws `conflict` for
 * another store or a running import.
 */
async function resumeImport(
  home: string,
  backup: BackupFile,
  signal?: AbortSignal,
): Promise<string | undefined> {
  const openImports = existsSync(home)
    ? readdirSync(home).filter(name => name.startsWith(`${IMPORTING}.`) && name.endsWith('.tmp'))
    : []
  if (!openImports.every(isAbandoned))
    throw createConflict(
      localizable`Another process is importing into ${home} now. Wait until it ends.`,
    )
  const folders = openImports.map(name => path.join(home, name))
  const content = new ContentStore(home)
  const catalogs = [CATALOG, `${CATALOG}${TAKING_OVER}`, `${CATALOG}${TAKEN_OVER}`] // `finish` may take it over
  if (catalogs.some(name => existsSync(path.join(home, name)))) {
    const done = folders.find(folder => existsSync(path.join(folder, IMPORT_RECORD)))
    if (done && (await isSame(backup, done, signal))) return done
    throw createConflict(localizable`There is a store in ${home} already.`, ANOTHER_HOME)
  }
  // It moved its content here, and was killed before its catalog followed.
  const isHalf = folders.some(
    folder =>
      existsSync(path.join(folder, IMPORT_RECORD)) && !existsSync(path.join(folder, 'content')),
  )
  if (isHalf) await rm(path.join(home, 'content'), { recursive: true, force: true })
  for (const folder of folders) await rm(folder, { recursive: true, force: true })
  if ((await content.list()).length === 0) return undefined
  throw createConflict(localizable`There is content of a store in ${home} already.`, ANOTHER_HOME)
}

const ANOTHER_HOME = 'Name a folder without a store with --home or PASSIM_HOME.'

function createConflict(message: Sentence, advice?: string): AppError {
  return new AppError('conflict', message, { subject: 'store', advice })
}

async function isSame(backup: BackupFile, folder: string, signal?: AbortSignal): Promise<boolean> {
  const hash = createHash('sha256')
  for (const { name, bytes } of backup.readPieces()) {
    if (name === CATALOG) hash.update(bytes)
    await setImmediate(undefined, { signal })
  }
  return readImportRecord(folder).catalog === hash.digest('hex')
}

function readImportRecord(folder: string): ImportRecord {
  return parseOwnJson<ImportRecord>(readFileSync(path.join(folder, IMPORT_RECORD), 'utf8'))
}

type Target = {
  readonly name: string
  readonly handle: FileHandle
  readonly hash: ReturnType<typeof createHash>
  end: number
}

/**
 * Returns the number of contents and the catalog's SHA-256. Throws `corrupt` for wrong bytes,
 * wrong pieces, or more bytes than the backup has.
 */
async function extractAll(
  backup: BackupFile,
  target: string,
  { signal, onProgress }: BackupOptions,
): Promise<Pick<ImportRecord, 'contents' | 'catalog'>> {
  await new ContentStore(target).prepare()
  const { lastId, sizeBytes } = backup
  let contents = 0
  let total = 0
  let current: Target | undefined
  try {
    for (const piece of backup.readPieces()) {
      signal?.throwIfAborted()
      if (piece.start === 0) {
        if (current && isOriginal(current.name, await finish(current))) contents++
        current = await createTarget(target, piece.name)
      }
      total += piece.bytes.length
      if (!current || total > sizeBytes) throw createIncomplete(piece.name)
      await append(current, piece, target)
      onProgress?.(piece.id, lastId)
    }
    if (current?.name !== CATALOG) throw createIncomplete(CATALOG)
    return { contents, catalog: await finish(current) }
  } finally {
    await current?.handle.close()
  }
}

async function createTarget(folder: string, name: string): Promise<Target> {
  const file = getTargetPath(folder, name)
  try {
    await mkdir(path.dirname(file), { recursive: true, mode: 0o700 })
    return { name, handle: await open(file, 'wx', 0o600), hash: createHash('sha256'), end: 0 }
  } catch (error) {
    const code = findSystemCode(error)
    throw code === 'EEXIST' || code === 'ENOTDIR' ? createIncomplete(name, error) : error // in the place of another file
  }
}

async function append(
  target: Target,
  { name, start, bytes }: Piece,
  folder: string,
): Promise<void> {
  if (name !== target.name || start !== target.end) throw createIncomplete(name)
  reserveSpace(folder, bytes.length)
  await target.handle.writeFile(bytes)
  target.hash.update(bytes)
  target.end += bytes.length
}

async function finish({ handle, hash }: Target): Promise<string> {
  await handle.sync()
  await handle.close()
  return hash.digest('hex')
}

function isOriginal(name: string, digest: string): boolean {
  const [, , sha256, file, ...rest] = name.split('/')
  if (file !== ORIGINAL || rest.length > 0) return false
  if (digest !== sha256) throw createIncomplete(name)
  return true
}

/** Allows only the catalog and contents: a backup may have any origin. */
function getTargetPath(target: string, name: string): string {
  if (name === CATALOG) return path.join(target, CATALOG)
  const [top, prefix, sha256 = '', ...rest] = name.split('/')
  const isContent = top === 'content' && isSha256(sha256) && prefix === sha256.slice(0, 2)
  const isFile = rest.length >= 1 && rest.length <= MAX_DEPTH && rest.every(isPlainName)
  if (isContent && isFile) return path.join(new ContentStore(target).getFolder(sha256), ...rest)
  throw new AppError(
    'corrupt',
    localizable`The backup holds a file with the name ${JSON.stringify(name)}, which no store has.`,
  )
}

function createIncomplete(name: string, cause?: unknown): AppError {
  const message = localizable`The backup is damaged: ${name} differs from what was stored. Use another backup.`
  return new AppError('corrupt', message, { cause })
}

/** Returns the number of missing contents. Throws why the catalog cannot be used. */
async function checkCatalog(folder: string): Promise<number> {
  await requireSoundCatalog(path.join(folder, CATALOG))
  const catalog = await openCatalog(path.join(folder, CATALOG))
  try {
    await new Leases(catalog).forgetAll() // lease holders are elsewhere
    await new SharedPlaces(catalog).forget()
    await forgetShared(catalog)
    await catalog.emptyLogIntoFile() // after upgrading an older one
    const content = new ContentStore(folder)
    const contents = await new Files(catalog, content).listContents()
    const areThere = await Promise.all(contents.map(sha256 => content.has(sha256)))
    return areThere.filter(isThere => !isThere).length
  } finally {
    await catalog.close()
  }
}

function findSystemCode(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined
}

function ignoreFilled(error: unknown): void {
  const code = findSystemCode(error)
  if (code !== 'ENOTEMPTY' && code !== 'EEXIST' && code !== 'ENOENT') throw error
}
