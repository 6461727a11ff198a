import { type FSWatcher, watch } from 'node:fs'
import { stat } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { toFailure } from '../../../errors.ts'
import { IGNORE_FILES, walk } from './walk.ts'

export type FolderWatchOptions = {
  readonly settleMs: number
  readonly compareMs: number
  readonly except?: string | undefined
  readonly onProblem: (message: string) => void
}

type Changed = ((source: string) => boolean) | undefined

/** Below the system's limit, so that other programs can watch; comparisons find further changes. */
const MAX_FOLDERS = 10_000
/** Protects memory; beyond it everything is compared. */
const MAX_CHANGES = 10_000
/** Bounded, so that files that keep changing are compared, too. */
const MAX_SETTLING = 10

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

  /** Call it before a comparison, so that no change is missed. */
  async refresh(signal?: AbortSignal): Promise<void> {
    const folders = new Set<string>()
    for (const root of this.#roots)
      for await (const folder of listFolders(root, signal)) folders.add(folder)
    for (const [folder, watcher] of this.#watchers) {
      if (folders.has(folder)) continue
      watcher.close()
      this.#watchers.delete(folder)
    }
    for (const folder of folders) if (!this.#watchers.has(folder)) this.#watch(folder)
  }

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

  /** Drops watches, which would stay with the old folder of a name. */
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

/** Omits ignored folders. Yields the folder of a file. */
async function* listFolders(root: string, signal?: AbortSignal): AsyncGenerator<string> {
  const isFolder = await stat(root).then(
    found => found.isDirectory(),
    () => false, // missing, but its parent is watched
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
