import { mkdir, readFile, realpath, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { AppError } from '../errors.ts'
import { digestOf } from '../ingest/digest.ts'

type Note = { readonly home: string; readonly mountPoint: string }

/**
 * Remembers, outside of the stores, which lie on a disk that has to be mounted: where such a disk is away, its folder is
 * there and empty, and would be taken for a first run. Of stores on the root disk nothing is noted.
 */
export class StorePlaces {
  readonly #folder: string

  constructor(stateHome: string) {
    this.#folder = path.join(stateHome, 'stores')
  }

  /** To be asked before a store is made. Throws `not_found` where the disk is away that one was on. */
  async requireMounted(home: string): Promise<void> {
    const note = await this.#read(home)
    if (!note || note.mountPoint === (await mountPointOf(await nearest(home)))) return
    throw new AppError(
      'not_found',
      `The store ${home} lies on the disk mounted at ${note.mountPoint}, which is not mounted now. Mount it, or name another ` +
        `store with --home or PASSIM_HOME. To begin a new one here, remove ${this.#file(home)}.`,
      { subject: 'store' },
    )
  }

  /** To be told of a store that is open. */
  async note(home: string): Promise<void> {
    const mountPoint = await mountPointOf(await realpath(home))
    const known = await this.#read(home)
    const isOnRootDisk = mountPoint === path.parse(mountPoint).root
    if (isOnRootDisk ? known === undefined : known?.mountPoint === mountPoint) return
    try {
      if (isOnRootDisk) return await rm(this.#file(home), { force: true })
      await mkdir(this.#folder, { recursive: true, mode: 0o700 })
      await writeFile(this.#file(home), JSON.stringify({ home, mountPoint } satisfies Note))
    } catch {
      // A home that takes no notes, as a service's may be, is no reason not to work: only this check is missed.
    }
  }

  async #read(home: string): Promise<Note | undefined> {
    try {
      return JSON.parse(await readFile(this.#file(home), 'utf8')) as Note // our own file
    } catch {
      return undefined // none, or one that a crash cut off: it is written again
    }
  }

  #file(home: string): string {
    return path.join(this.#folder, `${digestOf(home)}.json`)
  }
}

/** The folder that the disk of a folder is mounted at. */
async function mountPointOf(folder: string): Promise<string> {
  const parent = path.dirname(folder)
  if (parent === folder || (await stat(parent)).dev !== (await stat(folder)).dev) return folder
  return await mountPointOf(parent)
}

/** The folder, or the first one above it that is there. */
async function nearest(folder: string): Promise<string> {
  try {
    return await realpath(folder)
  } catch {
    return await nearest(path.dirname(folder)) // the root is always there
  }
}
