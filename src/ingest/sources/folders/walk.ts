import { readFile, realpath, stat } from 'node:fs/promises'
import path from 'node:path'
import ignore, { type Ignore } from 'ignore'
import { localizable, withMessage } from '../../../errors/localizable.ts'
import { AppError, type Failure, getReason, toAppError } from '../../../errors.ts'
import {
  describeMisnamed,
  type FolderEntry,
  isMaybeMisnamed,
  MISNAMED_ADVICE,
  readFolder,
  toBytes,
} from './misnamed.ts'

/** A file, an unreadable place (`error`), or one that is left out (`skipped`). */
export type Found = { readonly path: string; readonly error?: Failure; readonly skipped?: Failure }

export type WalkOptions = {
  /** Globs (.gitignore syntax, relative to the folder). Default: all. */
  readonly include?: readonly string[]
  readonly exclude?: readonly string[]
  /** Home of the store: never entered from outside; inside, its own files are left out. */
  readonly without?: string
  readonly onFolder?: (folder: string) => void
  readonly signal?: AbortSignal
}

export const IGNORE_FILES = ['.gitignore', '.passimignore']

/** Excluded whatever an ignore file says. */
const ALWAYS_IGNORED = ['.git/', ...IGNORE_FILES]

/** Throws `not_found` or `forbidden_source`. */
export async function findSourceKind(source: string): Promise<'file' | 'folder'> {
  const found = await stat(toBytes(source) ?? source).catch((error: unknown) => {
    const { code } = toAppError(error)
    if (code === 'not_found' && isMaybeMisnamed(source))
      throw new AppError(code, describeMisnamed(source), { advice: MISNAMED_ADVICE })
    if (code === 'not_found')
      throw new AppError(code, localizable`There is no file or folder ${source}. Check the path.`)
    throw createUnreadableError(source, error)
  })
  if (found.isDirectory()) return 'folder'
  if (found.isFile()) return 'file'
  throw new AppError('unsupported_format', localizable`${source} is neither a file nor a folder.`)
}

/** Orders files by name. Omits hidden and ignored ones. Reports links out of the folder. */
export async function* walk(folder: string, options: WalkOptions): AsyncGenerator<Found> {
  const include = options.include?.length ? ignore().add([...options.include]) : undefined
  const exclude = ignore().add([...ALWAYS_IGNORED, ...(options.exclude ?? [])])
  const root = await realpath(toBytes(folder) ?? folder).catch((error: unknown) => {
    throw createUnreadableError(folder, error)
  })
  const rules: Rules = {
    isIncluded: relative => include?.ignores(relative) ?? true,
    layers: [{ base: '', rules: exclude }],
    without: options.without && (await realpath(options.without).catch(() => undefined)),
  }
  yield* walkFolder({ folder, relative: '', root }, rules, options)
}

type Place = { readonly folder: string; readonly relative: string; readonly root: string }

type Layer = { readonly base: string; readonly rules: Ignore }
type Rules = {
  readonly isIncluded: (relative: string) => boolean
  readonly layers: readonly Layer[]
  readonly without?: string
}

async function* walkFolder(
  place: Place,
  outer: Rules,
  options: WalkOptions,
): AsyncGenerator<Found> {
  options.signal?.throwIfAborted()
  options.onFolder?.(place.folder)
  let entries: readonly FolderEntry[]
  let own: readonly Layer[]
  try {
    entries = await readFolder(place.folder)
    own = await readLayers(place, entries)
  } catch (error) {
    const { code, message } = createUnreadableError(place.folder, error)
    yield { path: place.folder, error: withMessage({ code }, message) }
    return
  }
  const rules = { ...outer, layers: [...outer.layers, ...own] }
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const found = {
      path: path.join(place.folder, entry.name),
      relative: place.relative + entry.name,
    }
    const kind = await findKind(entry, found, place.root, rules)
    const inner = { folder: found.path, relative: `${found.relative}/`, root: place.root }
    const real = path.join(place.root, found.relative)
    if (rules.without !== undefined && (real === rules.without || isOwnFile(rules.without, real)))
      continue
    if (kind === 'folder') yield* walkFolder(inner, rules, options)
    if (kind === 'file') yield { path: found.path }
    if (kind === 'outside') yield createOutsideLink(found.path)
    if (kind === 'special') yield createSpecialFile(found.path)
  }
}

async function findKind(
  entry: FolderEntry,
  { path: fullPath, relative }: { readonly path: string; readonly relative: string },
  root: string,
  { layers, isIncluded }: Rules,
): Promise<Kind | undefined> {
  const kind = entry.name.startsWith('.') ? undefined : await resolveKind(entry, fullPath, root)
  if (kind === 'folder') return isIgnored(`${relative}/`, layers) ? undefined : kind
  return kind && !isIgnored(relative, layers) && isIncluded(relative) ? kind : undefined
}

async function readLayers(
  place: Place,
  entries: readonly FolderEntry[],
): Promise<readonly Layer[]> {
  const names = IGNORE_FILES.filter(name =>
    entries.some(entry => entry.name === name && entry.isFile()),
  )
  const texts = await Promise.all(names.map(name => readIfThere(path.join(place.folder, name))))
  return texts
    .filter(text => text !== undefined)
    .map(text => ({ base: place.relative, rules: ignore().add(text) }))
}

async function readIfThere(file: string): Promise<string | undefined> {
  return await readFile(file, 'utf8').catch((error: unknown) => {
    if (toAppError(error).code === 'not_found') return undefined
    throw createUnreadableError(file, error)
  })
}

/** The innermost matching rule decides, as in git. */
function isIgnored(relative: string, layers: readonly Layer[]): boolean {
  let isIgnored = false
  for (const { base, rules } of layers) {
    const verdict = rules.test(relative.slice(base.length))
    if (verdict.ignored) isIgnored = true
    if (verdict.unignored) isIgnored = false
  }
  return isIgnored
}

async function resolveKind(
  entry: FolderEntry,
  fullPath: string,
  root: string,
): Promise<Kind | undefined> {
  if (entry.isFile()) return 'file'
  if (entry.isDirectory()) return 'folder'
  if (!entry.isSymbolicLink()) return 'special'
  const target = await realpath(fullPath).catch(() => undefined)
  if (target !== root && !target?.startsWith(root + path.sep)) return 'outside'
  const found = await stat(target).catch(() => undefined) // gone meanwhile
  return found?.isFile() ? 'file' : undefined
}

type Kind = 'file' | 'folder' | 'outside' | 'special'

function createSpecialFile(file: string): Found {
  const message = localizable`${file} is not a regular file, such as a pipe or a socket, and is not read.`
  return { path: file, skipped: withMessage({ code: 'unsupported_format' }, message) }
}

function createOutsideLink(link: string): Found {
  const message = localizable`${link} is a link out of the folder, or to nothing, and is not followed. Name its target to index it.`
  return { path: link, skipped: withMessage({ code: 'forbidden_source' }, message) }
}

export function isUnreadable(source: string, error: unknown): boolean {
  const isOfSource = error instanceof Error && 'path' in error && error.path === source
  return isOfSource && toAppError(error).code === 'forbidden_source'
}

export function createUnreadableError(source: string, error: unknown): AppError {
  if (error instanceof AppError) return error
  const { code } = toAppError(error)
  const advice = code === 'not_found' ? 'Check the path.' : 'Check its permissions.'
  return new AppError(code, localizable`Cannot read ${source}: ${getReason(error)}. ${advice}`, {
    cause: error,
  })
}

/** A home may contain other files, too. */
const OWN = [
  'cache',
  'config.yaml',
  'content',
  'incoming',
  'index',
  'storage',
  'tenants',
  'uploads',
]

const DATABASES = /^(catalog|server)\.db(-wal|-shm|-journal)?$/

function isOwnFile(home: string, file: string): boolean {
  if (!file.startsWith(home + path.sep)) return false
  const [first = ''] = file.slice(home.length + 1).split(path.sep, 1)
  return OWN.includes(first) || DATABASES.test(first)
}

/** Returns false if the path is missing. */
export async function liesInStore(home: string, file: string): Promise<boolean> {
  const [realHome, realFile] = await Promise.all(
    [home, file].map(folder => realpath(folder).catch(() => undefined)),
  )
  return realHome !== undefined && realFile !== undefined && isOwnFile(realHome, realFile)
}
