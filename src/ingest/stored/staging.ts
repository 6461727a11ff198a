import { writeFileSync } from 'node:fs'
import { constants, copyFile, mkdir, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { digestBytes, digestFile } from '../digest.ts'
import { reserveSpace, syncFile, temporaryName, writeStream } from '../disk.ts'

/** Bytes in the store: named by what they are. */
export type StoredBytes = { readonly sha256: string; readonly bytes: number }

/** Bytes on their way into the store: whole, but not yet anybody's. */
export type StagedBytes = StoredBytes & { readonly path: string }

/**
 * A folder for bytes on their way into the store. It stays until their adoption is committed: the trace of one that was
 * cut off, by which the next run knows that there may be bytes that nobody names.
 */
export class Staging {
  readonly #folder: string
  #unsynced: string[] = []
  #count = 0

  private constructor(folder: string) {
    this.#folder = folder
  }

  static async open(incoming: string): Promise<Staging> {
    const folder = temporaryName(path.join(incoming, 'in'))
    await mkdir(folder)
    return new Staging(folder)
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
    return { path: target, sha256: digestBytes(bytes), bytes: bytes.length }
  }

  /**
   * Bring what was staged to the disk itself, all at once, before the catalog says that the store has it: an original that a
   * power cut left empty would pass for the document's bytes ever after.
   */
  async sync(): Promise<void> {
    await Promise.all(this.#unsynced.splice(0).map(syncFile))
  }

  /** Remove what was not adopted. */
  async close(): Promise<void> {
    await rm(this.#folder, { recursive: true, force: true })
  }

  #next(): string {
    return path.join(this.#folder, String(this.#count++))
  }

  async #staged(target: string, sha256: string): Promise<StagedBytes> {
    return { path: target, sha256, bytes: (await stat(target)).size }
  }
}
