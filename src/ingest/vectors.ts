import { createReadStream, statSync } from 'node:fs'
import { open, rename, stat } from 'node:fs/promises'
import path from 'node:path'
import { reserveSpace } from './disk.ts'

/**
 * The vectors of a document's chunks on disk: little-endian float32, `dimensions` a chunk, in order. Appended while
 * embedding, under a name of its own until it is complete, so that a killed run goes on where it stopped.
 */
export class StoredVectors {
  readonly #path: string
  readonly #partial: string
  readonly #vectorBytes: number

  /** `owner` keeps two documents with the same content from appending to one file. */
  constructor(file: string, dimensions: number, owner: string) {
    this.#path = file
    this.#partial = `${file}.${owner}.partial`
    this.#vectorBytes = dimensions * 4
  }

  /** All of so many are there. */
  holds(total: number): boolean {
    return statSync(this.#path, { throwIfNoEntry: false })?.size === total * this.#vectorBytes
  }

  /** How many an earlier run wrote before it was stopped. */
  async count(): Promise<number> {
    const { size } = await stat(this.#partial).catch(() => ({ size: 0 }))
    return Math.floor(size / this.#vectorBytes)
  }

  /** Put vectors after the first `from`. */
  async append(from: number, vectors: readonly Float32Array[]): Promise<void> {
    await reserveSpace(path.dirname(this.#path), vectors.length * this.#vectorBytes)
    const file = await open(this.#partial, from === 0 ? 'w' : 'r+')
    try {
      const bytes = Buffer.concat(
        vectors.map(vector => Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength)),
      )
      await file.write(bytes, 0, bytes.length, from * this.#vectorBytes)
      await file.datasync() // by their number it is judged how far the work is
    } finally {
      await file.close()
    }
  }

  /** All vectors are there: give the file its name. */
  async finish(): Promise<void> {
    await rename(this.#partial, this.#path)
  }

  async *vectors(): AsyncGenerator<Float32Array> {
    let rest = Buffer.alloc(0)
    for await (const piece of createReadStream(this.#path) as AsyncIterable<Buffer>) {
      rest = Buffer.concat([rest, piece])
      let at = 0
      for (; at + this.#vectorBytes <= rest.length; at += this.#vectorBytes) {
        yield new Float32Array(new Uint8Array(rest.subarray(at, at + this.#vectorBytes)).buffer)
      }
      rest = rest.subarray(at)
    }
  }
}
