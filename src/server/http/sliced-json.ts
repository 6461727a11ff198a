import type { RequestContext } from './context.ts'

/** Per write, for which Node reserves three bytes a character until it is sent. */
const SLICE_CHARS = 16 * 1024

/** Encodes like `JSON.stringify`, in pieces. The value must not change until the end. */
export function* encodeJson(value: unknown): Generator<string> {
  if (typeof value === 'string') yield* encodeText(value)
  else if (!isContainer(value) || countChars(value, SLICE_CHARS) < SLICE_CHARS)
    yield JSON.stringify(value) ?? 'null'
  else if (Array.isArray(value)) yield* encodeArray(value)
  else yield* encodeObject(value)
}

/** Answers with JSON that is encoded as the client reads it, if it is long. */
export function streamJson<Json extends object>(c: RequestContext, value: Json): Response {
  if (countChars(value, SLICE_CHARS) < SLICE_CHARS) return c.json(value)
  return c.body(streamPieces(encodeJson(value)), 200, { 'content-type': 'application/json' })
}

/** Encodes pieces as the client reads them. */
export function streamPieces(pieces: Iterable<string>): ReadableStream<Uint8Array> {
  const slices = joinPieces(pieces)
  return new ReadableStream({
    pull: controller => {
      const next = slices.next()
      if (next.done) controller.close()
      else controller.enqueue(Buffer.from(next.value))
    },
  })
}

export function* joinPieces(pieces: Iterable<string>): Generator<string> {
  let slice = ''
  for (const piece of pieces) {
    if (slice !== '' && slice.length + piece.length > SLICE_CHARS) {
      yield slice
      slice = ''
    }
    slice += piece
  }
  yield slice
}

/** Divides a text into slices, never within a surrogate pair. */
export function* sliceText(text: string): Generator<string> {
  for (let start = 0; start < text.length; ) {
    const end = start + SLICE_CHARS
    const isWithinPair = /[\ud800-\udbff]/.test(text.charAt(end - 1)) && end < text.length
    const next = isWithinPair ? end + 1 : end
    yield text.slice(start, next)
    start = next
  }
}

function* encodeText(text: string): Generator<string> {
  yield '"'
  for (const slice of sliceText(text)) yield JSON.stringify(slice).slice(1, -1)
  yield '"'
}

function* encodeArray(values: readonly unknown[]): Generator<string> {
  let before = '['
  for (const value of values) {
    yield before
    yield* encodeJson(value)
    before = ','
  }
  yield ']'
}

function* encodeObject(value: object): Generator<string> {
  let before = '{'
  for (const [name, field] of Object.entries(value)) {
    if (field === undefined) continue
    yield `${before}${JSON.stringify(name)}:`
    yield* encodeJson(field)
    before = ','
  }
  yield before === '{' ? '{}' : '}'
}

/** Plain objects and arrays; others, such as dates, know their own JSON. */
function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !('toJSON' in value)
}

/** Counts characters of texts, and one per field, up to a maximum. */
export function countChars(value: unknown, max: number): number {
  if (typeof value === 'string') return value.length
  if (!isContainer(value)) return 1
  let count = 1
  for (const field of Object.values(value)) {
    if (count >= max) return count
    count += countChars(field, max - count)
  }
  return count
}
