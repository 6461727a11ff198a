import { type FSWatcher, watch } from 'node:fs'
import { stat } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { toFailure } from '../../../errors.ts'
import { IGNORE_FILES, walk } from './source.ts'

export type FolderWatchOptions = {
  /** Nothing is told before files have been quiet for so long, in milliseconds. */
  readonly settleMs: number
  /** Everything is looked at again after so long, whether or not something was seen to change, in milliseconds. */
  readonly compareMs: number
  /** A folder whose changes are our own doing. */
  readonly except?: string | undefined
  /** What keeps changes from being seen at once; they are found by the next full comparison. */
  readonly onProblem: (message: string) => void
}

/** Which sources may have changed; undefined for any. */
type Changed = ((source: string) => boolean) | undefined

/** Systems allow only so many; beyond, changes are found by the comparisons. */
const MAX_FOLDERS = 10_000
/** More changes than this are looked for everywhere. */
const MAX_CHANGES = 10_000
/** Files that never come to rest are looked at all the same after so many times `settleMs`. */
const MAX_SETTLING = 10

/** Watches files and folders for changes: a watch on every folder that holds documents or may. */
export class FolderWatch {
  readonly #roots: readonly string[]
  readonly #options: FolderWatchOptions
  readonly #watchers = new Map<string, FSWatcher>()
  #changed = new Set<string>()
  #isEverything = false
  #wake = () => {}
  #hasWarned = false

  constructor(roots: readonly string[], options: FolderWatchOptions) {
    this.#roots = roots
    this.#options = options
  }

  /** Watch the folders that are there now. Before a comparison, so that nothing falls between the two. */
  async refresh(signal?: AbortSignal): Promise<void> {
    const folders = new Set<string>()
    for (const root of this.#roots)
      for await (const folder of foldersOf(root, signal)) folders.add(folder)
    for (const [folder, watcher] of this.#watchers) {
      if (folders.has(folder)) continue
      watcher.close()
      this.#watchers.delete(folder)
    }
    for (const folder of folders) if (!this.#watchers.has(folder)) this.#watch(folder)
  }

  /** Waits until something changed and has come to rest, or until everything is to be looked at again. */
  async next(signal: AbortSignal): Promise<Changed> {
    const isDue = await this.#waitFor(this.#options.compareMs, signal)
    if (isDue) this.#isEverything = true
    else await this.#settle(signal)
    const changed = this.#changed
    const isEverything = this.#isEverything
    this.#changed = new Set()
    this.#isEverything = false
    await this.refresh(signal)
    return isEverything ? undefined : source => isWithin(source, changed)
  }

  close(): void {
    for (const watcher of this.#watchers.values()) watcher.close()
    this.#watchers.clear()
  }

  #watch(folder: string): void {
    try {
      if (this.#watchers.size >= MAX_FOLDERS)
        throw new Error(`there are more than ${MAX_FOLDERS} folders to watch`)
      const watcher = watch(folder, (event, name) => {
        if (event === 'rename' && name !== null) this.#forget(path.join(folder, name))
        this.#note(folder, name)
      })
      watcher.on('error', error => {
        this.#watchers.delete(folder)
        watcher.close()
        this.#note(folder, null)
        this.#warn(`Cannot watch ${folder}: ${toFailure(error).message}.`)
      })
      this.#watchers.set(folder, watcher)
    } catch (error) {
      this.#warn(`Cannot watch ${folder}: ${toFailure(error).message}.`)
    }
  }

  /** What came, went or was renamed is another folder now, though its name be the same: a watch stays with the old one. */
  #forget(place: string): void {
    for (const [folder, watcher] of this.#watchers) {
      if (!isIn(folder, place)) continue
      watcher.close()
      this.#watchers.delete(folder)
    }
  }

  #note(folder: string, name: string | null): void {
    const { except } = this.#options
    const place = path.join(folder, name ?? '')
    if (!this.#roots.some(root => isIn(place, root)) || (except && isIn(place, except))) return
    if (name === null || IGNORE_FILES.includes(name) || this.#changed.size >= MAX_CHANGES)
      this.#isEverything = true
    else this.#changed.add(place)
    this.#wake()
  }

  /** Once is enough: one cause keeps many folders from being watched. */
  #warn(problem: string): void {
    if (this.#hasWarned) return
    this.#hasWarned = true
    const seconds = Math.round(this.#options.compareMs / 1000)
    this.#options.onProblem(`${problem} Changes there are found within ${seconds} s.`)
  }

  async #settle(signal: AbortSignal): Promise<void> {
    for (let rounds = 0; rounds < MAX_SETTLING; rounds++) {
      const before = this.#changed.size
      await sleep(this.#options.settleMs, undefined, { signal })
      if (this.#changed.size === before) return
    }
  }

  /** True when the time is over before anything changed. */
  async #waitFor(ms: number, signal: AbortSignal): Promise<boolean> {
    if (this.#changed.size > 0 || this.#isEverything) return false
    const woken = new AbortController()
    this.#wake = () => woken.abort()
    try {
      await sleep(ms, undefined, { signal: AbortSignal.any([signal, woken.signal]) })
      return true
    } catch {
      signal.throwIfAborted()
      return false
    } finally {
      this.#wake = () => {}
    }
  }
}

/** The folders whose changes matter for a root: those that are not ignored; of a file, the one it lies in. */
async function* foldersOf(root: string, signal?: AbortSignal): AsyncGenerator<string> {
  const isFolder = await stat(root).then(
    found => found.isDirectory(),
    () => false, // not there, or not now: what holds it is watched
  )
  if (!isFolder) {
    yield path.dirname(root)
    return
  }
  yield path.dirname(root)
  const folders: string[] = [root]
  for await (const _ of walk(root, { signal, onFolder: folder => folders.push(folder) }))
    yield* folders.splice(0)
  yield* folders
}

function isIn(place: string, folder: string): boolean {
  return place === folder || place.startsWith(folder + path.sep)
}

/** A folder that came, went or was renamed stands for all that lies in it. */
function isWithin(source: string, changed: ReadonlySet<string>): boolean {
  if (changed.has(source)) return true
  for (
    let folder = path.dirname(source);
    folder !== path.dirname(folder);
    folder = path.dirname(folder)
  ) {
    if (changed.has(folder)) return true
  }
  return false
}
