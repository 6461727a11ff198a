import { writeFileSync } from 'node:fs'
import { constants, copyFile, mkdir, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { digestBytes, digestFile } from '../../../system/digest.ts'
import { reserveSpace, syncFile, temporaryName, writeStream } from '../../../system/disk.ts'

/** Bytes in the store: named by what they are. */
export type StoredBytes = { readonly sha256: string; readonly bytes: number }

/** Bytes on their way into the store: whole, but not yet anybody's. */
export type StagedBytes = StoredBytes & { readonly path: string }

/** Takes staged bytes to where other machines read them. */
type Put = (staged: StagedBytes, signal?: AbortSignal) => Promise<void>

/** Staged bytes that are put at a time. */
const PUT_AT_ONCE = 8

/**
 * A folder for bytes on their way into the store. It stays until their adoption is committed: the trace of one that was
 * cut off, by which the next run knows that there may be bytes that nobody names.
 */
export class Staging {
  readonly #folder: string
  readonly #put: Put | undefined
  #unsynced: string[] = []
  #unput: StagedBytes[] = []
  #count = 0

  private constructor(folder: string, put: Put | undefined) {
    this.#folder = folder
    this.#put = put
  }

  /** `put`: to where other machines read them. */
  static async open(incoming: string, put?: Put): Promise<Staging> {
    const folder = temporaryName(path.join(incoming, 'in'))
    await mkdir(folder)
    return new Staging(folder, put)
  }

  /** A copy of a file; the copy is what is hashed, so a file that changes meanwhile does no harm. */
  async copy(source: string, signal?: AbortSignal): Promise<StagedBytes> {
    const target = this.#next()
    reserveSpace(this.#folder, (await stat(source)).size)
    await copyFile(source, target, constants.COPYFILE_FICLONE)
    this.#unsynced.push(target)
    return await this.#staged(target, await digestFile(target, signal))
  }

  /** What a stream brings, e.g. an upload; nothing is left of one that breaks off. */
  async receive(stream: Readable, signal?: AbortSignal): Promise<StagedBytes> {
    const target = this.#next()
    reserveSpace(this.#folder, 0)
    return await this.#staged(target, await writeStream(target, stream, signal))
  }

  /** Of what is in memory as a whole: the way through the thread pool would cost more than writing it. */
  write(bytes: Buffer): StagedBytes {
    const target = this.#next()
    reserveSpace(this.#folder, bytes.length)
    writeFileSync(target, bytes)
    this.#unsynced.push(target)
    const staged = { path: target, sha256: digestBytes(bytes), bytes: bytes.length }
    if (this.#put) this.#unput.push(staged)
    return staged
  }

  /**
   * Bring what was staged to the disk itself, all at once, before the catalog says that the store has it: an original that a
   * power cut left empty would pass for the document's bytes ever after. Where contents are shared, they are put there too.
   */
  async sync(signal?: AbortSignal): Promise<void> {
    await Promise.all(this.#unsynced.splice(0).map(syncFile))
    const unput = this.#unput.splice(0)
    for (let start = 0; start < unput.length; start += PUT_AT_ONCE) {
      await Promise.all(
        unput.slice(start, start + PUT_AT_ONCE).map(staged => this.#put?.(staged, signal)),
      )
    }
  }

  /** Remove what was not adopted. */
  async close(): Promise<void> {
    await rm(this.#folder, { recursive: true, force: true })
  }

  #next(): string {
    return path.join(this.#folder, String(this.#count++))
  }

  async #staged(target: string, sha256: string): Promise<StagedBytes> {
    const staged = { path: target, sha256, bytes: (await stat(target)).size }
    if (this.#put) this.#unput.push(staged)
    return staged
  }
}
