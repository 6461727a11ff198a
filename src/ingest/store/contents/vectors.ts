import { closeSync, createReadStream, openSync, readSync, statSync } from 'node:fs'
import { type FileHandle, open, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { reserveSpace } from '../../../system/disk.ts'

/** Size of an ordinal or a count. */
const NUMBER_BYTES = 4

/**
 * Little-endian float32: one vector per chunk, then those of further windows, each after its
 * chunk's ordinal (unsigned, 32 bits), and their count.
 */
export class StoredVectors {
  readonly #path: string
  readonly #partial: string
  readonly #partialWindows: string
  readonly #vectorBytes: number
  readonly #recordBytes: number
  #windowBytes: number | undefined

  /** `owner` separates the partial files of equal documents. */
  constructor(file: string, dimensions: number, owner: string) {
    this.#path = file
    this.#partial = `${file}.${owner}.partial`
    this.#partialWindows = `${file}.${owner}.windows.partial`
    this.#vectorBytes = dimensions * 4
    this.#recordBytes = NUMBER_BYTES + this.#vectorBytes
  }

  /** `isDivided` also requires windows. */
  hasVectors(total: number, isDivided = false): boolean {
    const size = statSync(this.#path, { throwIfNoEntry: false })?.size
    if (size === undefined) return false
    const more = size - total * this.#vectorBytes
    if (more === 0) return !isDivided
    const windows = (more - NUMBER_BYTES) / this.#recordBytes
    return windows >= 0 && this.#readLastNumber(size) === windows
  }

  /** Counts the chunks of a stopped run. */
  async count(): Promise<number> {
    return Math.floor((await readSize(this.#partial)) / this.#vectorBytes)
  }

  /** Windows go first, because `count` counts the chunks. */
  async append(from: number, chunks: readonly (readonly Float32Array[])[]): Promise<void> {
    const records = chunks.flatMap(([, ...rest], index) =>
      rest.map(vector => toRecord(from + index, vector)),
    )
    const windows = Buffer.concat(records)
    const bytes = Buffer.concat(chunks.flatMap(([first]) => (first ? [toBytes(first)] : [])))
    reserveSpace(path.dirname(this.#path), bytes.length + windows.length)
    this.#windowBytes = from === 0 ? 0 : (this.#windowBytes ?? (await this.#countWindowBytes(from)))
    if (windows.length > 0) await write(this.#partialWindows, this.#windowBytes, windows)
    this.#windowBytes += windows.length
    await write(this.#partial, from * this.#vectorBytes, bytes)
  }

  async finish(total: number, isDivided: boolean): Promise<void> {
    const windowBytes = this.#windowBytes ?? (await this.#countWindowBytes(total))
    const file = await open(this.#partial, 'r+')
    try {
      await file.truncate(total * this.#vectorBytes) // a stopped run may have written more
      if (isDivided || windowBytes > 0) await this.#appendWindows(file, total, windowBytes)
    } finally {
      await file.close()
    }
    await rename(this.#partial, this.#path)
    await rm(this.#partialWindows, { force: true })
  }

  async *readVectors(total: number): AsyncGenerator<readonly Float32Array[]> {
    const end = total * this.#vectorBytes
    const windows = readWindows(
      readPieces(this.#path, { start: end, end: this.#findWindowsEnd(), bytes: this.#recordBytes }),
    )
    try {
      let next = await windows.next()
      let ordinal = 0
      for await (const piece of readPieces(this.#path, {
        start: 0,
        end,
        bytes: this.#vectorBytes,
      })) {
        const own = [toVector(piece)]
        for (; !next.done && next.value.ordinal === ordinal; next = await windows.next())
          own.push(next.value.vector)
        yield own
        ordinal++
      }
    } finally {
      await windows.return(undefined)
    }
  }

  /** Returns whether all vectors have length 1 or 0, unlike damaged bytes. */
  async areSound(total: number): Promise<boolean> {
    for await (const windows of this.readVectors(total)) if (!windows.every(isUnit)) return false
    return true
  }

  async #appendWindows(file: FileHandle, total: number, bytes: number): Promise<void> {
    let offset = total * this.#vectorBytes
    for await (const piece of readPieces(this.#partialWindows, {
      start: 0,
      end: bytes,
      bytes: this.#recordBytes,
    })) {
      await file.write(piece, 0, piece.length, offset)
      offset += piece.length
    }
    const count = Buffer.alloc(NUMBER_BYTES)
    count.writeUInt32LE(bytes / this.#recordBytes)
    await file.write(count, 0, count.length, offset)
    await file.datasync()
  }

  /** Counts those of the first `chunks`: a stopped run may have written more. */
  async #countWindowBytes(chunks: number): Promise<number> {
    const bytes = this.#recordBytes
    const end = await readSize(this.#partialWindows)
    let usedBytes = 0
    for await (const { ordinal } of readWindows(
      readPieces(this.#partialWindows, { start: 0, end, bytes }),
    )) {
      if (ordinal >= chunks) break
      usedBytes += bytes
    }
    return usedBytes
  }

  #readLastNumber(size: number): number {
    const file = openSync(this.#path, 'r')
    try {
      const bytes = Buffer.alloc(NUMBER_BYTES)
      readSync(file, bytes, 0, NUMBER_BYTES, size - NUMBER_BYTES)
      return bytes.readUInt32LE()
    } finally {
      closeSync(file)
    }
  }

  #findWindowsEnd(): number {
    return statSync(this.#path).size - NUMBER_BYTES
  }
}

type Window = { readonly ordinal: number; readonly vector: Float32Array }

async function* readWindows(records: AsyncIterable<Buffer>): AsyncGenerator<Window> {
  for await (const record of records) {
    yield { ordinal: record.readUInt32LE(), vector: toVector(record.subarray(NUMBER_BYTES)) }
  }
}

type Part = { readonly start: number; readonly end: number; readonly bytes: number }

async function* readPieces(file: string, { start, end, bytes }: Part): AsyncGenerator<Buffer> {
  if (end <= start) return
  let rest = Buffer.alloc(0)
  const stream: AsyncIterable<Buffer> = createReadStream(file, { start, end: end - 1 })
  for await (const read of stream) {
    rest = Buffer.concat([rest, read])
    let offset = 0
    for (; offset + bytes <= rest.length; offset += bytes)
      yield rest.subarray(offset, offset + bytes)
    rest = rest.subarray(offset)
  }
}

function toVector(bytes: Buffer): Float32Array {
  return new Float32Array(new Uint8Array(bytes).buffer)
}

function toBytes(vector: Float32Array): Buffer {
  return Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength)
}

function toRecord(ordinal: number, vector: Float32Array): Buffer {
  const number = Buffer.alloc(NUMBER_BYTES)
  number.writeUInt32LE(ordinal)
  return Buffer.concat([number, toBytes(vector)])
}

async function write(file: string, offset: number, bytes: Buffer): Promise<void> {
  const handle = await open(file, offset === 0 ? 'w' : 'r+')
  try {
    await handle.write(bytes, 0, bytes.length, offset)
    await handle.datasync()
  } finally {
    await handle.close()
  }
}

async function readSize(file: string): Promise<number> {
  const { size } = await stat(file).catch(() => ({ size: 0 }))
  return size
}

/** Rounding error of a sum of squared float32 values, so that only unit vectors pass. */
const TOLERANCE = 1e-3

function isUnit(vector: Float32Array): boolean {
  const square = vector.reduce((sum, value) => sum + value * value, 0)
  return square === 0 || Math.abs(square - 1) < TOLERANCE
}
