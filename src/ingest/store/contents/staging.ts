import { writeFileSync } from 'node:fs'
import { constants, copyFile, mkdir, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { hashBytes, hashFile } from '../../../system/digest.ts'
import { createTemporaryName, reserveSpace, syncFile, writeStream } from '../../../system/disk.ts'

export type StoredBytes = { readonly sha256: string; readonly bytes: number }

export type StagedBytes = StoredBytes & { readonly path: string }

type Put = (staged: StagedBytes, signal?: AbortSignal) => Promise<void>

/** Few, so that uploads share connections without waiting for each other. */
const UPLOADS_AT_ONCE = 8

/** Incoming bytes until their adoption is committed. The next run finds those of a dead process. */
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

  static async open(incoming: string, put?: Put): Promise<Staging> {
    const folder = createTemporaryName(path.join(incoming, 'in'))
    await mkdir(folder)
    return new Staging(folder, put)
  }

  /** Hashes the copy: the file may change meanwhile. */
  async copy(source: string, signal?: AbortSignal): Promise<StagedBytes> {
    const target = this.#next()
    reserveSpace(this.#folder, (await stat(source)).size)
    await copyFile(source, target, constants.COPYFILE_FICLONE)
    this.#unsynced.push(target)
    return await this.#register(target, await hashFile(target, signal))
  }

  async receive(stream: Readable, signal?: AbortSignal): Promise<StagedBytes> {
    const target = this.#next()
    reserveSpace(this.#folder, 0)
    return await this.#register(target, await writeStream(target, stream, signal))
  }

  /** Writes synchronously: the thread pool would cost more. */
  write(bytes: Buffer): StagedBytes {
    const target = this.#next()
    reserveSpace(this.#folder, bytes.length)
    writeFileSync(target, bytes)
    this.#unsynced.push(target)
    const staged = { path: target, sha256: hashBytes(bytes), bytes: bytes.length }
    if (this.#put) this.#unput.push(staged)
    return staged
  }

  /**
   * Call it before the catalog records the files: a power cut could leave empty originals.
   * Uploads shared contents.
   */
  async sync(signal?: AbortSignal): Promise<void> {
    await Promise.all(this.#unsynced.splice(0).map(syncFile))
    const unput = this.#unput.splice(0)
    for (let start = 0; start < unput.length; start += UPLOADS_AT_ONCE) {
      await Promise.all(
        unput.slice(start, start + UPLOADS_AT_ONCE).map(staged => this.#put?.(staged, signal)),
      )
    }
  }

  async close(): Promise<void> {
    await rm(this.#folder, { recursive: true, force: true })
  }

  #next(): string {
    return path.join(this.#folder, String(this.#count++))
  }

  async #register(target: string, sha256: string): Promise<StagedBytes> {
    const staged = { path: target, sha256, bytes: (await stat(target)).size }
    if (this.#put) this.#unput.push(staged)
    return staged
  }
}
