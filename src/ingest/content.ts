import { existsSync, renameSync } from 'node:fs'
import { constants, copyFile, mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { digestFile, newId } from './digest.ts'
import { reserveSpace, writeStream } from './disk.ts'

/** Bytes in the store: named by what they are. */
export type StoredBytes = { readonly sha256: string; readonly bytes: number }

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

  /** Take in a copy of a file; the copy is what is hashed, so a file that changes meanwhile does no harm. */
  async putFile(source: string, signal?: AbortSignal): Promise<StoredBytes> {
    const temporary = this.#incomingName()
    try {
      await reserveSpace(this.#incoming, (await stat(source)).size)
      await copyFile(source, temporary, constants.COPYFILE_FICLONE)
      return await this.#adopt(temporary, signal)
    } finally {
      await rm(temporary, { force: true })
    }
  }

  /** Take in a stream, e.g. an upload. */
  async putStream(bytes: Readable, signal?: AbortSignal): Promise<StoredBytes> {
    const temporary = this.#incomingName()
    try {
      await reserveSpace(this.#incoming, 0)
      await writeStream(temporary, bytes, signal)
      return await this.#adopt(temporary, signal)
    } finally {
      await rm(temporary, { force: true })
    }
  }

  /** Move unused content out of sight at once; call while the catalog's write lock is held. Gives what to delete. */
  discardSync(sha256: string): string | undefined {
    if (!existsSync(this.folder(sha256))) return undefined
    const trash = path.join(this.#incoming, newId('trash-'))
    renameSync(this.folder(sha256), trash)
    return trash
  }

  /** Every content there is, by SHA-256. */
  async *list(): AsyncGenerator<string> {
    for (const prefix of (await readdir(this.#root)).sort()) {
      for (const sha256 of (await readdir(path.join(this.#root, prefix))).sort()) yield sha256
    }
  }

  async #adopt(temporary: string, signal?: AbortSignal): Promise<StoredBytes> {
    const sha256 = await digestFile(temporary, signal)
    const { size } = await stat(temporary)
    if (!this.has(sha256)) {
      await mkdir(this.folder(sha256), { recursive: true })
      await rename(temporary, this.original(sha256))
    }
    return { sha256, bytes: size }
  }

  #incomingName(): string {
    return path.join(this.#incoming, newId('in-'))
  }
}
