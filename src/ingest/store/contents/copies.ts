import { existsSync, renameSync } from 'node:fs'
import { readdir, rm, stat } from 'node:fs/promises'
import path from 'node:path'

/** Copies that were used or written to so lately are left: somebody may be reading them. */
const KEEP_MS = 10 * 60 * 1000

/** Room is made down to this share of the bound, so that not every copy has to make some. */
const FILL = 0.9

/** How much of the bound may come before it is looked at again. */
const LOOK_SHARE = 1 / 20

type CopiesOptions = {
  readonly maxBytes: number
  /** Contents of which there are copies, with their folders. */
  readonly list: () => Promise<readonly Copy[]>
  /** Whether a content lies elsewhere, too, whole. */
  readonly isElsewhere: (sha256: string) => Promise<boolean>
  /** A new name to move a folder to before it is deleted, so that nobody finds half of it. */
  readonly trash: () => string
}

type Copy = { readonly sha256: string; readonly folder: string }
type Measured = Copy & { readonly bytes: number; readonly usedMs: number }

/** Keeps the copies on this machine's disk within a bound: those that were used longest ago make room. */
export class Copies {
  readonly #options: CopiesOptions
  #come = Number.POSITIVE_INFINITY
  #making: Promise<void> | undefined

  constructor(options: CopiesOptions) {
    this.#options = options
  }

  /** So many bytes have come. */
  async grow(bytes: number): Promise<void> {
    this.#come += bytes
    if (this.#come < this.#options.maxBytes * LOOK_SHARE) return
    this.#come = 0
    this.#making ??= this.#makeRoom().finally(() => {
      this.#making = undefined
    })
    await this.#making
  }

  async #makeRoom(): Promise<void> {
    const { list, maxBytes, isElsewhere, trash } = this.#options
    const all = (await Promise.all((await list()).map(measure))).toSorted(
      (a, b) => a.usedMs - b.usedMs,
    )
    let total = all.reduce((sum, { bytes }) => sum + bytes, 0)
    if (total <= maxBytes) return
    for (const { sha256, folder, bytes, usedMs } of all) {
      if (total <= maxBytes * FILL || usedMs > Date.now() - KEEP_MS) return
      if (!(await isElsewhere(sha256)) || !existsSync(folder)) continue
      const gone = trash()
      renameSync(folder, gone)
      await rm(gone, { recursive: true, force: true })
      total -= bytes
    }
  }
}

async function measure({ sha256, folder }: Copy): Promise<Measured> {
  let [bytes, usedMs] = [0, 0]
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []) // removed meanwhile
  const files = [folder, ...entries.map(entry => path.join(entry.parentPath, entry.name))]
  for (const file of files) {
    const known = await stat(file).catch(() => undefined) // as above
    bytes += known?.isFile() ? known.size : 0
    usedMs = Math.max(usedMs, known?.mtimeMs ?? 0)
  }
  return { sha256, folder, bytes, usedMs }
}
