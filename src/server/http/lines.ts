import type { RequestContext } from './context.ts'
import { createRefusal } from './errors.ts'
import { MAX_BODY_BYTES } from './input.ts'

export const LINES_TYPE = 'application/x-ndjson'

const LINES_TYPES = /^application\/(?:x-ndjson|ndjson|jsonl|x-jsonlines)\s*(?:;|$)/i

const NEWLINE = 0x0a

export type BodyLine = {
  /** From 1. */
  readonly line: number
  readonly bytes: Buffer | Error
}

export function hasLines(c: RequestContext): boolean {
  return LINES_TYPES.test(c.req.header('content-type') ?? '')
}

/** Skips blank lines. Bounds memory by one line: the rest of a longer one is discarded. */
export async function* readLines(body: AsyncIterable<Uint8Array>): AsyncGenerator<BodyLine> {
  const open = new OpenLine()
  for await (const chunk of body) {
    let start = 0
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      open.add(chunk.subarray(start, end))
      yield* open.end()
      start = end + 1
    }
    open.add(chunk.subarray(start))
  }
  yield* open.end()
}

class OpenLine {
  #number = 1
  #pieces: Uint8Array[] = []
  #bytes = 0

  add(piece: Uint8Array): void {
    this.#bytes += piece.length
    if (this.#bytes <= MAX_BODY_BYTES) this.#pieces.push(piece)
    else this.#pieces = []
  }

  *end(): Iterable<BodyLine> {
    const bytes = this.#bytes > MAX_BODY_BYTES ? this.#refuse() : Buffer.concat(this.#pieces)
    const line = this.#number++
    this.#pieces = []
    this.#bytes = 0
    if (bytes instanceof Error || bytes.toString('latin1').trim() !== '') yield { line, bytes }
  }

  #refuse(): Error {
    const message = `The line is larger than ${MAX_BODY_BYTES} bytes. Send such a document as a file.`
    return createRefusal({ status: 413, code: 'too_large', message })
  }
}
