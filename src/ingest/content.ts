import { existsSync, mkdirSync, renameSync } from 'node:fs'
import { constants, copyFile, mkdir, readdir, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { digestFile } from './digest.ts'
import { removeAbandoned, reserveSpace, temporaryName, writeStream } from './disk.ts'

/** Bytes in the store: named by what they are. */
export type StoredBytes = { readonly sha256: string; readonly bytes: number }

/** Bytes on their way into the store: whole and synced, but not yet anybody's. */
export type StagedBytes = StoredBytes & { readonly path: string }

/** In a folder of its own, which stays until the adoption is committed: the trace of one that was cut off. */
const STAGED = 'bytes'

/**
 * The store's folder of content: one folder per SHA-256, holding the original bytes and everything derived from them
 * (parsed text, chunks, vectors), so that what is no longer used goes with one removal.
 */
export class ContentStore {
  readonly #root: string
  readonly #incoming: string

  constructor(home: string) {
    this.#root = path.join(home, 'content')
    this.#incoming = path.join(home, 'incoming')
  }

  async prepare(): Promise<void> {
    await mkdir(this.#root, { recursive: true })
    await mkdir(this.#incoming, { recursive: true })
  }

  /** Folder of one content. */
  folder(sha256: string): string {
    return path.join(this.#root, sha256.slice(0, 2), sha256)
  }

  original(sha256: string): string {
    return path.join(this.folder(sha256), 'original')
  }

  has(sha256: string): boolean {
    return existsSync(this.original(sha256))
  }

  /** Copy a file in; the copy is what is hashed, so a file that changes meanwhile does no harm. `use` gets it staged. */
  async stageFile<Result>(
    source: string,
    use: (staged: StagedBytes) => Result | Promise<Result>,
    signal?: AbortSignal,
  ): Promise<Result> {
    return await this.#stage(use, async target => {
      await reserveSpace(this.#incoming, (await stat(source)).size)
      await copyFile(source, target, constants.COPYFILE_FICLONE)
      return await digestFile(target, signal)
    })
  }

  /** Take a stream in, e.g. an upload; nothing is left of one that breaks off. */
  async stageStream<Result>(
    bytes: Readable,
    use: (staged: StagedBytes) => Result | Promise<Result>,
    signal?: AbortSignal,
  ): Promise<Result> {
    return await this.#stage(use, async target => {
      await reserveSpace(this.#incoming, 0)
      return await writeStream(target, bytes, signal)
    })
  }

  /** Make staged bytes the store's. Call inside the transaction that records their use, or they would be swept away. */
  adoptSync({ path: staged, sha256 }: StagedBytes): void {
    if (this.has(sha256)) return
    mkdirSync(this.folder(sha256), { recursive: true })
    renameSync(staged, this.original(sha256))
  }

  /** Move unused content out of sight at once; call inside a transaction. Gives what to delete. */
  discardSync(sha256: string): string | undefined {
    if (!existsSync(this.folder(sha256))) return undefined
    const trash = temporaryName(path.join(this.#incoming, 'trash'))
    renameSync(this.folder(sha256), trash)
    return trash
  }

  /** Remove what was derived from a content, so that it is derived again; the original stays. */
  async clearDerived(sha256: string): Promise<void> {
    const folder = this.folder(sha256)
    for (const name of await readdir(folder)) {
      if (name !== 'original') await rm(path.join(folder, name), { recursive: true, force: true })
    }
  }

  /** Every content there is, by SHA-256. */
  async list(): Promise<readonly string[]> {
    const prefixes = await readdir(this.#root)
    const folders = await Promise.all(prefixes.map(prefix => readdir(path.join(this.#root, prefix))))
    return folders.flat().toSorted()
  }

  /** Remove what processes that are gone were bringing in or throwing away; gives the number of things removed. */
  async sweepIncoming(): Promise<number> {
    return await removeAbandoned(this.#incoming)
  }

  async #stage<Result>(
    use: (staged: StagedBytes) => Result | Promise<Result>,
    /** Gives the SHA-256. */
    fill: (target: string) => Promise<string>,
  ): Promise<Result> {
    const folder = temporaryName(path.join(this.#incoming, 'in'))
    const target = path.join(folder, STAGED)
    await mkdir(folder)
    try {
      const sha256 = await fill(target)
      return await use({ path: target, sha256, bytes: (await stat(target)).size })
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  }
}
