import { constants, inflateSync } from 'node:zlib'
import { getItem } from '../../../../../system/items.ts'

/** Bounded, so that a damaged dictionary costs little. */
const MAX_TEXT = 1024 * 1024
/** Before `obj`, so that the search back is short. */
const MAX_HEADER = 24
/** Limit of the format. */
const MAX_OBJECTS = 1_000_000
const MAX_NUMBER = 8_388_607

/** Protects memory from bombs. */
const MAX_UNPACKED = 64 * 1024 * 1024
const STREAM = 'stream'
const END = 'endstream'
/** Bounded, so that the search is short. */
const MAX_SPACE = 32

export function findLooseObjects(bytes: Buffer): ReadonlyMap<number, LooseObject> {
  const objects = new Map<number, LooseObject>()
  const packed = new PackedObjects()
  const ends = new StreamEnds(bytes)
  for (let offset = bytes.indexOf('obj'); offset >= 0 && objects.size < MAX_OBJECTS; ) {
    const header = findHeader(bytes, offset)
    if (!header) {
      offset = bytes.indexOf('obj', offset + 3)
      continue
    }
    const { text, stream, end } = findBody(bytes, offset + 3, ends)
    keep(objects, { ...header, text, isComplete: end >= 0 })
    if (stream) for (const object of packed.unpackObjects(text, stream)) keep(objects, object)
    offset = end < 0 ? -1 : bytes.indexOf('obj', end + 6)
  }
  return objects
}

export function findReferences(text: string): number[] {
  return [...text.matchAll(/(?<!\d)(\d{1,10})\s+\d{1,5}\s+R/g)].map(match => Number(match[1]))
}

function keep(objects: Map<number, LooseObject>, object: LooseObject): void {
  const isPossible = object.number > 0 && object.number <= MAX_NUMBER
  if (!isPossible || (!object.isComplete && objects.get(object.number)?.isComplete)) return
  objects.delete(object.number)
  objects.set(object.number, object)
}

function findHeader(bytes: Buffer, offset: number) {
  const before = bytes.toString('latin1', Math.max(0, offset - MAX_HEADER), offset)
  const match = /(?<!\d)(\d{1,10})\s+(\d{1,5})\s+$/.exec(before)
  if (!match) return undefined
  return {
    number: Number(match[1]),
    generation: Number(match[2]),
    offset: offset - match[0].length,
  }
}

function findBody(
  bytes: Buffer,
  from: number,
  ends: StreamEnds,
): { text: string; stream?: Buffer; end: number } {
  const end = bytes.indexOf('endobj', from)
  const last = end < 0 ? bytes.length : end
  const found = streamAfter(bytes, from, last)
  const text = bytes.toString('latin1', from, Math.min(found?.word ?? last, from + MAX_TEXT))
  if (!found) return { text, end }
  const streamEnd = ends.findStreamEnd(text, found.start)
  const stream = bytes.subarray(found.start, streamEnd < 0 ? last : streamEnd)
  return { text, stream, end: bytes.indexOf('endobj', found.start + stream.length) }
}

class PackedObjects {
  #room = MAX_UNPACKED

  unpackObjects(dictionary: string, stream: Buffer): LooseObject[] {
    if (!/\/Type\s*\/ObjStm\b/.test(dictionary) || /\/DecodeParms\b/.test(dictionary)) return []
    const count = Number(/\/N\s+(\d+)/.exec(dictionary)?.[1] ?? 0)
    const first = Number(/\/First\s+(\d+)/.exec(dictionary)?.[1] ?? 0)
    const content = unpackStream(dictionary, stream, this.#room)
    if (!content || !count || !first) return []
    this.#room -= content.length
    return listPlaces(content, count, first).map(({ number, start, end }) => {
      return {
        number,
        generation: 0,
        offset: undefined,
        text: content.slice(start, end),
        isComplete: true,
      }
    })
  }
}

function listPlaces(content: string, count: number, first: number) {
  const numbers = content.slice(0, first).trim().split(/\s+/).map(Number)
  return Array.from({ length: Math.min(count, numbers.length >> 1) }, (_, index) => ({
    number: getItem(numbers, index * 2),
    start: first + getItem(numbers, index * 2 + 1),
  }))
    .sort((a, b) => a.start - b.start)
    .map(({ number, start }, index, places) => ({
      number,
      start,
      end: places[index + 1]?.start ?? content.length,
    }))
    .filter(({ start, end }) => start < end && end <= content.length)
}

function unpackStream(
  dictionary: string,
  packed: Buffer,
  maxOutputLength: number,
): string | undefined {
  if (maxOutputLength <= 0) return undefined
  if (!/\/Filter\b/.test(dictionary)) return packed.toString('latin1', 0, maxOutputLength)
  if (!/\/Filter\s*\[?\s*\/FlateDecode\s*\]?/.test(dictionary)) return undefined
  try {
    return inflateSync(packed, { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength }).toString(
      'latin1',
    )
  } catch (error) {
    if (isBadStream(error)) return undefined // its objects count as missing
    throw error
  }
}

/** zlib refuses a stream that is damaged, encrypted, or inflates beyond the limit. */
function isBadStream(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return code.startsWith('Z_') || code === 'ERR_BUFFER_TOO_LARGE'
}

class StreamEnds {
  readonly #bytes: Buffer
  readonly #next = new Map<string, number>()

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  findStreamEnd(dictionary: string, start: number): number {
    const length = Number(
      /\/Length\s+(\d{1,10})(?!\d|\s+\d+\s+R)/.exec(dictionary)?.[1] ?? Number.NaN,
    )
    if (start + length <= this.#bytes.length && this.#isEnd(start + length)) return start + length
    const isAttached = this.#bytes.toString('latin1', start, start + 5) === '%PDF-'
    const from = isAttached ? this.#find('%%EOF', start) : start
    return from < 0 ? this.#bytes.length : this.#find(END, from)
  }

  #isEnd(offset: number): boolean {
    return /^\s*endstream/.test(this.#bytes.toString('latin1', offset, offset + MAX_SPACE))
  }

  #find(word: string, from: number): number {
    const cached = this.#next.get(word)
    if (cached !== undefined && (cached < 0 || cached >= from)) return cached
    const found = this.#bytes.indexOf(word, from)
    this.#next.set(word, found)
    return found
  }
}

function streamAfter(
  bytes: Buffer,
  from: number,
  to: number,
): { word: number; start: number } | undefined {
  for (
    let offset = bytes.indexOf(STREAM, from);
    offset >= 0 && offset < to;
    offset = bytes.indexOf(STREAM, offset + STREAM.length)
  ) {
    const before = bytes.toString('latin1', Math.max(from, offset - MAX_SPACE), offset)
    const after = /^[ \t]*(\r\n?|\n)/.exec(
      bytes.toString('latin1', offset + STREAM.length, offset + MAX_SPACE),
    )
    if (after && />>\s*$/.test(before))
      return { word: offset, start: offset + STREAM.length + after[0].length }
  }
  return undefined
}

export type LooseObject = {
  readonly number: number
  readonly generation: number
  readonly offset: number | undefined
  readonly text: string
  readonly isComplete: boolean
}
