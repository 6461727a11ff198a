import { closeSync, createReadStream, openSync, readSync, statSync } from 'node:fs'
import { type FileHandle, open, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { reserveSpace } from '../../../system/disk.ts'

/** Bytes of a chunk's number before the vector of a further window, and of their count at the end. */
const NUMBER_BYTES = 4

/**
 * The vectors of a document's chunks on disk: little-endian float32, `dimensions` a chunk, in order. Where chunks may be
 * longer than the model reads at once, there follow the vectors of their further windows, each after the number of its chunk
 * (unsigned, 32 bits), and how many these are. Appended while embedding, under names of its own until it is complete, so
 * that a killed run goes on where it stopped.
 */
export class StoredVectors {
  readonly #path: string
  readonly #partial: string
  readonly #partialWindows: string
  readonly #vectorBytes: number
  readonly #recordBytes: number
  /** Of the further windows of the chunks that are written. */
  #windowBytes: number | undefined

  /** `owner` keeps two documents with the same content from appending to one file. */
  constructor(file: string, dimensions: number, owner: string) {
    this.#path = file
    this.#partial = `${file}.${owner}.partial`
    this.#partialWindows = `${file}.${owner}.windows.partial`
    this.#vectorBytes = dimensions * 4
    this.#recordBytes = NUMBER_BYTES + this.#vectorBytes
  }

  /** All of so many chunks are there; with `isDivided`, as of chunks that may have several windows. */
  holds(total: number, isDivided = false): boolean {
    const size = statSync(this.#path, { throwIfNoEntry: false })?.size
    if (size === undefined) return false
    const more = size - total * this.#vectorBytes
    if (more === 0) return !isDivided
    const windows = (more - NUMBER_BYTES) / this.#recordBytes
    return windows >= 0 && this.#lastNumber(size) === windows
  }

  /** How many chunks an earlier run wrote before it was stopped. */
  async count(): Promise<number> {
    return Math.floor((await sizeOf(this.#partial)) / this.#vectorBytes)
  }

  /** Put the vectors of chunks after the first `from`, those of each in order. By their number it is judged how far the work is. */
  async append(from: number, chunks: readonly (readonly Float32Array[])[]): Promise<void> {
    const records = chunks.flatMap(([, ...rest], at) =>
      rest.map(vector => recordOf(from + at, vector)),
    )
    const [windows, bytes] = [
      Buffer.concat(records),
      Buffer.concat(chunks.map(([first]) => bytesOf(first!))),
    ] // one at least
    reserveSpace(path.dirname(this.#path), bytes.length + windows.length)
    this.#windowBytes = from === 0 ? 0 : (this.#windowBytes ?? (await this.#windowBytesOf(from)))
    if (windows.length > 0) await write(this.#partialWindows, this.#windowBytes, windows)
    this.#windowBytes += windows.length
    await write(this.#partial, from * this.#vectorBytes, bytes)
  }

  /** The vectors of so many chunks are there: give the file its name. Further windows that were appended are kept in any case. */
  async finish(total: number, isDivided: boolean): Promise<void> {
    const windowBytes = this.#windowBytes ?? (await this.#windowBytesOf(total))
    const file = await open(this.#partial, 'r+')
    try {
      await file.truncate(total * this.#vectorBytes) // a run may have been stopped below
      if (isDivided || windowBytes > 0) await this.#appendWindows(file, total, windowBytes)
    } finally {
      await file.close()
    }
    await rename(this.#partial, this.#path)
    await rm(this.#partialWindows, { force: true })
  }

  /** Those of each of so many chunks: one, or one for each window. */
  async *vectors(total: number): AsyncGenerator<readonly Float32Array[]> {
    const end = total * this.#vectorBytes
    const windows = windowsOf(
      pieces(this.#path, { start: end, end: this.#windowsEnd(), bytes: this.#recordBytes }),
    )
    try {
      let next = await windows.next()
      let ordinal = 0
      for await (const piece of pieces(this.#path, { start: 0, end, bytes: this.#vectorBytes })) {
        const own = [vectorOf(piece)]
        for (; !next.done && next.value.ordinal === ordinal; next = await windows.next())
          own.push(next.value.vector)
        yield own
        ordinal++
      }
    } finally {
      await windows.return(undefined)
    }
  }

  /** Whether all are as embedders give them: of length 1, or of nothing but zeros. Bytes that changed by themselves rarely leave them so. */
  async areSound(total: number): Promise<boolean> {
    for await (const windows of this.vectors(total)) if (!windows.every(isUnit)) return false
    return true
  }

  async #appendWindows(file: FileHandle, total: number, bytes: number): Promise<void> {
    let at = total * this.#vectorBytes
    for await (const piece of pieces(this.#partialWindows, {
      start: 0,
      end: bytes,
      bytes: this.#recordBytes,
    })) {
      await file.write(piece, 0, piece.length, at)
      at += piece.length
    }
    const count = Buffer.alloc(NUMBER_BYTES)
    count.writeUInt32LE(bytes / this.#recordBytes)
    await file.write(count, 0, count.length, at)
    await file.datasync()
  }

  /** Bytes of the windows of the first `chunks`: a run that was stopped may have written those of more. */
  async #windowBytesOf(chunks: number): Promise<number> {
    const bytes = this.#recordBytes
    const end = await sizeOf(this.#partialWindows)
    let whole = 0
    for await (const { ordinal } of windowsOf(
      pieces(this.#partialWindows, { start: 0, end, bytes }),
    )) {
      if (ordinal >= chunks) break
      whole += bytes
    }
    return whole
  }

  #lastNumber(size: number): number {
    const file = openSync(this.#path, 'r')
    try {
      const bytes = Buffer.alloc(NUMBER_BYTES)
      readSync(file, bytes, 0, NUMBER_BYTES, size - NUMBER_BYTES)
      return bytes.readUInt32LE()
    } finally {
      closeSync(file)
    }
  }

  /** Without their count. */
  #windowsEnd(): number {
    return statSync(this.#path).size - NUMBER_BYTES
  }
}

type Window = { readonly ordinal: number; readonly vector: Float32Array }

async function* windowsOf(records: AsyncIterable<Buffer>): AsyncGenerator<Window> {
  for await (const record of records) {
    yield { ordinal: record.readUInt32LE(), vector: vectorOf(record.subarray(NUMBER_BYTES)) }
  }
}

type Part = { readonly start: number; readonly end: number; readonly bytes: number }

/** A part of a file in pieces of so many bytes. */
async function* pieces(file: string, { start, end, bytes }: Part): AsyncGenerator<Buffer> {
  if (end <= start) return
  let rest = Buffer.alloc(0)
  for await (const read of createReadStream(file, {
    start,
    end: end - 1,
  }) as AsyncIterable<Buffer>) {
    rest = Buffer.concat([rest, read])
    let at = 0
    for (; at + bytes <= rest.length; at += bytes) yield rest.subarray(at, at + bytes)
    rest = rest.subarray(at)
  }
}

function vectorOf(bytes: Buffer): Float32Array {
  return new Float32Array(new Uint8Array(bytes).buffer)
}

function bytesOf(vector: Float32Array): Buffer {
  return Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength)
}

function recordOf(ordinal: number, vector: Float32Array): Buffer {
  const number = Buffer.alloc(NUMBER_BYTES)
  number.writeUInt32LE(ordinal)
  return Buffer.concat([number, bytesOf(vector)])
}

async function write(file: string, at: number, bytes: Buffer): Promise<void> {
  const handle = await open(file, at === 0 ? 'w' : 'r+')
  try {
    await handle.write(bytes, 0, bytes.length, at)
    await handle.datasync()
  } finally {
    await handle.close()
  }
}

async function sizeOf(file: string): Promise<number> {
  const { size } = await stat(file).catch(() => ({ size: 0 }))
  return size
}

/** Sums of float32 are this near. */
const TOLERANCE = 1e-3

function isUnit(vector: Float32Array): boolean {
  const square = vector.reduce((sum, value) => sum + value * value, 0)
  return square === 0 || Math.abs(square - 1) < TOLERANCE
}
