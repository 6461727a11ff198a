import { createReadStream } from 'node:fs'
import { TimeSlices } from './time-slices.ts'

const HEAD_BYTES = 4
const MARK_BITS = 20
/** Multiplicative hashing (Knuth 1973). */
const HASH_FACTOR = 0x9e3779b1
/** Between two slices, so that requests are not delayed. */
const STEP_BYTES = 64 * 1024

type Pattern<Owner> = { readonly bytes: Buffer; readonly owner: Owner }

export class ByteScan<Owner> {
  readonly #marks = new Uint8Array(2 ** MARK_BITS)
  readonly #byHead = new Map<number, Pattern<Owner>[]>()
  #longest = HEAD_BYTES

  add(bytes: Buffer, owner: Owner): void {
    if (bytes.length < HEAD_BYTES) return
    const head = bytes.readUInt32LE(0)
    this.#marks[hash(head)] = 1
    this.#byHead.set(head, [...(this.#byHead.get(head) ?? []), { bytes, owner }])
    this.#longest = Math.max(this.#longest, bytes.length)
  }

  async scanFile(
    file: string,
    signal?: AbortSignal,
  ): Promise<{ readonly bytes: number; readonly found: ReadonlySet<Owner> }> {
    const found = new Set<Owner>()
    const slices = new TimeSlices({ signal })
    let bytes = 0
    let rest = Buffer.alloc(0)
    for await (const piece of createReadStream(file, { highWaterMark: STEP_BYTES, signal })) {
      bytes += piece.length
      const block = Buffer.concat([rest, piece])
      this.#scanBlock(block, found)
      rest = block.subarray(Math.max(0, block.length - this.#longest + 1))
      if (slices.isOver) await slices.next()
    }
    return { bytes, found }
  }

  #scanBlock(block: Buffer, found: Set<Owner>): void {
    let head = 0
    for (let end = 1; end <= block.length; end++) {
      head = ((head >>> 8) | ((block[end - 1] ?? 0) << 24)) >>> 0
      const offset = end - HEAD_BYTES
      if (offset < 0 || this.#marks[hash(head)] === 0) continue
      for (const { bytes, owner } of this.#byHead.get(head) ?? [])
        if (block.subarray(offset, offset + bytes.length).equals(bytes)) found.add(owner)
    }
  }
}

function hash(head: number): number {
  return Math.imul(head, HASH_FACTOR) >>> (32 - MARK_BITS)
}
