const NEWLINE = 0x0a

export type Line = {
  readonly line: number
  /** Undefined for a line of more than `maxBytes`. */
  readonly bytes: Buffer | undefined
}

/** Skips blank lines. Bounds memory by one line: the rest of a longer one is discarded. */
export async function* readLines(
  stream: AsyncIterable<Uint8Array>,
  maxBytes: number,
): AsyncGenerator<Line> {
  const open = new OpenLine(maxBytes)
  for await (const chunk of stream) {
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
  readonly #maxBytes: number
  #number = 1
  #pieces: Uint8Array[] = []
  #bytes = 0

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  add(piece: Uint8Array): void {
    this.#bytes += piece.length
    if (this.#bytes <= this.#maxBytes) this.#pieces.push(piece)
    else this.#pieces = []
  }

  *end(): Iterable<Line> {
    const bytes = this.#bytes > this.#maxBytes ? undefined : Buffer.concat(this.#pieces)
    const line = this.#number++
    this.#pieces = []
    this.#bytes = 0
    if (bytes?.toString('latin1').trim() !== '') yield { line, bytes }
  }
}
