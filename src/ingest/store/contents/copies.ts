import { existsSync, renameSync } from 'node:fs'
import { readdir, rm, stat } from 'node:fs/promises'
import path from 'node:path'

/** Long, so that nobody loses a copy while reading it. */
const KEEP_MS = 10 * 60 * 1000

/** Share that an eviction leaves, so that not every copy causes one. */
const FILL = 0.9

const LOOK_SHARE = 1 / 20

type CopiesOptions = {
  readonly maxBytes: number
  readonly list: () => Promise<readonly Copy[]>
  readonly isElsewhere: (sha256: string) => Promise<boolean>
  /** Returns a path for a folder before its deletion: nobody finds half of it. */
  readonly trash: () => string
}

type Copy = { readonly sha256: string; readonly folder: string }
type Measured = Copy & { readonly bytes: number; readonly usedMs: number }

/** Bounds the copies on this disk by evicting the least recently used. */
export class Copies {
  readonly #options: CopiesOptions
  #addedBytes = Number.POSITIVE_INFINITY
  #evicting: Promise<void> | undefined

  constructor(options: CopiesOptions) {
    this.#options = options
  }

  async grow(bytes: number): Promise<void> {
    this.#addedBytes += bytes
    if (this.#addedBytes < this.#options.maxBytes * LOOK_SHARE) return
    this.#addedBytes = 0
    this.#evicting ??= this.#evict().finally(() => {
      this.#evicting = undefined
    })
    await this.#evicting
  }

  async #evict(): Promise<void> {
    const { list, maxBytes, isElsewhere, trash } = this.#options
    const all = (await Promise.all((await list()).map(measure))).toSorted(
      (a, b) => a.usedMs - b.usedMs,
    )
    let total = all.reduce((sum, { bytes }) => sum + bytes, 0)
    if (total <= maxBytes) return
    for (const { sha256, folder, bytes, usedMs } of all) {
      if (total <= maxBytes * FILL || usedMs > Date.now() - KEEP_MS) return
      if (!(await isElsewhere(sha256)) || !existsSync(folder)) continue
      const trashed = trash()
      renameSync(folder, trashed)
      await rm(trashed, { recursive: true, force: true })
      total -= bytes
    }
  }
}

async function measure({ sha256, folder }: Copy): Promise<Measured> {
  let bytes = 0
  let usedMs = 0
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  const files = [folder, ...entries.map(entry => path.join(entry.parentPath, entry.name))]
  for (const file of files) {
    const found = await stat(file).catch(() => undefined)
    bytes += found?.isFile() ? found.size : 0
    usedMs = Math.max(usedMs, found?.mtimeMs ?? 0)
  }
  return { sha256, folder, bytes, usedMs }
}
