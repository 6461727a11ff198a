import type { Dirent } from 'node:fs'
import { readdir, readFile, realpath, stat } from 'node:fs/promises'
import path from 'node:path'
import ignore, { type Ignore } from 'ignore'
import { AppError, type Failure, reasonOf, toAppError } from '../../../errors.ts'

/** A file that was found, a place that could not be read, or one that is left out and why. */
export type Found = { readonly path: string; readonly error?: Failure; readonly left?: Failure }

export type WalkOptions = {
  /** Only files that match one of these globs (.gitignore syntax, relative to the folder); all when empty. */
  readonly include?: readonly string[] | undefined
  readonly exclude?: readonly string[] | undefined
  /** A folder that is never looked into from outside: the home of the store. In it, what the store keeps there is left out. */
  readonly without?: string | undefined
  /** Told of every folder that is looked into. */
  readonly onFolder?: ((folder: string) => void) | undefined
  readonly signal?: AbortSignal | undefined
}

/** Files whose patterns keep others out of an index. */
export const IGNORE_FILES = ['.gitignore', '.passimignore']

/** Never documents, whatever an ignore file says. */
const ALWAYS_IGNORED = ['.git/', ...IGNORE_FILES]

/** What a PATH of a command is. Throws `not_found`, or `forbidden_source` where it may not be read. */
export async function kindOf(source: string): Promise<'file' | 'folder'> {
  const found = await stat(source).catch((error: unknown) => {
    const { code } = toAppError(error)
    if (code === 'not_found')
      throw new AppError(code, `There is no file or folder ${source}. Check the path.`)
    throw unreadable(source, error)
  })
  if (found.isDirectory()) return 'folder'
  if (found.isFile()) return 'file'
  throw new AppError('unsupported_format', `${source} is neither a file nor a folder.`)
}

/** The files under a folder in the order of their names; hidden ones are left out, ignore files hold, links out of the folder are told and not followed. */
export async function* walk(folder: string, options: WalkOptions): AsyncGenerator<Found> {
  const include = options.include?.length ? ignore().add([...options.include]) : undefined
  const exclude = ignore().add([...ALWAYS_IGNORED, ...(options.exclude ?? [])])
  const root = await realpath(folder).catch((error: unknown) => {
    throw unreadable(folder, error)
  })
  const rules: Rules = {
    isWanted: relative => include?.ignores(relative) ?? true,
    layers: [{ base: '', rules: exclude }],
    without: options.without && (await realpath(options.without).catch(() => undefined)),
  }
  yield* walkFolder({ folder, relative: '', root }, rules, options)
}

type Place = { readonly folder: string; readonly relative: string; readonly root: string }

/** Ignore files of nested folders, outermost first, each judging paths relative to its own folder. */
type Layer = { readonly base: string; readonly rules: Ignore }
type Rules = {
  readonly isWanted: (relative: string) => boolean
  readonly layers: readonly Layer[]
  readonly without?: string | undefined
}

async function* walkFolder(
  place: Place,
  outer: Rules,
  options: WalkOptions,
): AsyncGenerator<Found> {
  options.signal?.throwIfAborted()
  options.onFolder?.(place.folder)
  let entries: readonly Dirent[]
  let own: readonly Layer[]
  try {
    entries = await readdir(place.folder, { withFileTypes: true })
    own = await layersOf(place, entries)
  } catch (error) {
    const { code, message } = unreadable(place.folder, error)
    yield { path: place.folder, error: { code, message } }
    return
  }
  const rules = { ...outer, layers: [...outer.layers, ...own] }
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const found = {
      path: path.join(place.folder, entry.name),
      relative: place.relative + entry.name,
    }
    const kind = await wantedKind(entry, found, place.root, rules)
    const inner = { folder: found.path, relative: `${found.relative}/`, root: place.root }
    const real = path.join(place.root, found.relative)
    if (rules.without !== undefined && (real === rules.without || isOwnFile(rules.without, real)))
      continue
    if (kind === 'folder') yield* walkFolder(inner, rules, options)
    if (kind === 'file') yield { path: found.path }
    if (kind === 'outside') yield outside(found.path)
  }
}

/** Undefined for what is hidden, ignored, or neither file nor folder nor a link to one. */
async function wantedKind(
  entry: Dirent,
  { path: fullPath, relative }: { readonly path: string; readonly relative: string },
  root: string,
  { layers, isWanted }: Rules,
): Promise<Kind | undefined> {
  const kind = entry.name.startsWith('.') ? undefined : await kindOfEntry(entry, fullPath, root)
  if (kind === 'folder') return isIgnored(`${relative}/`, layers) ? undefined : kind
  return kind && !isIgnored(relative, layers) && isWanted(relative) ? kind : undefined
}

/** Throws for one that is there and cannot be read: without it, files would be indexed that are not to be. */
async function layersOf(place: Place, entries: readonly Dirent[]): Promise<readonly Layer[]> {
  const names = IGNORE_FILES.filter(name =>
    entries.some(entry => entry.name === name && entry.isFile()),
  )
  const texts = await Promise.all(names.map(name => readIfThere(path.join(place.folder, name))))
  return texts
    .filter(text => text !== undefined)
    .map(text => ({ base: place.relative, rules: ignore().add(text) }))
}

/** A file may go while its folder is looked into. */
async function readIfThere(file: string): Promise<string | undefined> {
  return await readFile(file, 'utf8').catch((error: unknown) => {
    if (toAppError(error).code === 'not_found') return undefined
    throw unreadable(file, error)
  })
}

/** The innermost layer that says something decides, as in git. */
function isIgnored(relative: string, layers: readonly Layer[]): boolean {
  let isIgnored = false
  for (const { base, rules } of layers) {
    const verdict = rules.test(relative.slice(base.length))
    if (verdict.ignored) isIgnored = true
    if (verdict.unignored) isIgnored = false
  }
  return isIgnored
}

/**
 * A link to a file inside the folder is that file; one to a folder inside is passed over, since its files are found
 * there; one that leads out of the folder, or nowhere, is not followed.
 */
async function kindOfEntry(
  entry: Dirent,
  fullPath: string,
  root: string,
): Promise<Kind | undefined> {
  if (entry.isFile()) return 'file'
  if (entry.isDirectory()) return 'folder'
  if (!entry.isSymbolicLink()) return undefined
  const target = await realpath(fullPath).catch(() => undefined)
  if (target !== root && !target?.startsWith(root + path.sep)) return 'outside'
  const found = await stat(target).catch(() => undefined) // gone meanwhile
  return found?.isFile() ? 'file' : undefined
}

type Kind = 'file' | 'folder' | 'outside'

function outside(link: string): Found {
  const message = `${link} is a link out of the folder, or to nothing, and is not followed. Name its target to index it.`
  return { path: link, left: { code: 'forbidden_source', message } }
}

/** `forbidden_source` where it was the source itself that could not be read. */
export function isUnreadable(source: string, error: unknown): boolean {
  const isOfSource = error instanceof Error && (error as NodeJS.ErrnoException).path === source // Node's errors of files name them
  return isOfSource && toAppError(error).code === 'forbidden_source'
}

/** Says which, and what to do. */
export function unreadable(source: string, error: unknown): AppError {
  if (error instanceof AppError) return error
  const { code } = toAppError(error)
  return new AppError(code, `Cannot read ${source}: ${reasonOf(error)}. Check its permissions.`, {
    cause: error,
  })
}

/** What a store keeps in its home, which may hold other files too. */
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

/** Databases, with their logs. */
const DATABASES = /^(catalog|server)\.db(-wal|-shm|-journal)?$/

/** Whether a path is, or lies in, what a store keeps in its home; both as they really are, links resolved. */
function isOwnFile(home: string, file: string): boolean {
  if (!file.startsWith(home + path.sep)) return false
  const [first = ''] = file.slice(home.length + 1).split(path.sep, 1)
  return OWN.includes(first) || DATABASES.test(first)
}

/** The same for any path; false for what is not there. */
export async function liesInStore(home: string, file: string): Promise<boolean> {
  const [realHome, realFile] = await Promise.all(
    [home, file].map(one => realpath(one).catch(() => undefined)),
  )
  return realHome !== undefined && realFile !== undefined && isOwnFile(realHome, realFile)
}
