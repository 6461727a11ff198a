import type { Embedder, EmbeddingRole } from '../embedder.ts'
import { sentences } from '../sentences.ts'
import type { TokenCounter } from '../tokens.ts'

/** The largest chunk with its context. */
const LONGEST_CHUNK = 4096 + 96

/**
 * An embedder around one, for passages longer than it reads: they are embedded in windows that end with sentences, and the
 * mean of their vectors, weighted by tokens, stands for the whole. Everything else passes through.
 */
export class WindowedEmbedder implements Embedder {
  readonly id: string
  readonly dimensions: number
  readonly maxTokens = LONGEST_CHUNK
  readonly #embedder: Embedder
  readonly #counter: () => Promise<TokenCounter>

  /** `counter` counts in the embedder's own tokens. */
  constructor(embedder: Embedder, counter: () => Promise<TokenCounter>) {
    this.id = embedder.id
    this.dimensions = embedder.dimensions
    this.#embedder = embedder
    this.#counter = counter
  }

  async embed(texts: readonly string[], role: EmbeddingRole, signal?: AbortSignal): Promise<readonly Float32Array[]> {
    const counter = await this.#counter()
    const windows = texts.map(text => windowsOf(text, this.#embedder.maxTokens, counter))
    const vectors = await this.#embedder.embed(windows.flat(), role, signal)
    let taken = 0
    return windows.map(parts => {
      const own = vectors.slice(taken, taken + parts.length)
      taken += parts.length
      return own.length === 1 ? own[0]! : meanOf(own, parts.map(counter.count.bind(counter))) // just counted
    })
  }

  close(): Promise<void> {
    return this.#embedder.close()
  }
}

/** Consecutive parts of the text of at most so many tokens; itself where it is short enough. */
function windowsOf(text: string, maxTokens: number, counter: TokenCounter): readonly string[] {
  const fits = (part: string) => counter.count(part) <= maxTokens
  const windows: string[] = []
  let rest = text
  while (!fits(rest)) {
    const ends = sentences(rest).map(({ end }) => end)
    const whole = ends[longest(ends.length, count => fits(rest.slice(0, ends[count - 1]))) - 1]
    const end =
      whole ??
      Math.max(
        1,
        longest(rest.length, length => fits(rest.slice(0, length))),
      )
    windows.push(rest.slice(0, end))
    rest = rest.slice(end)
  }
  return rest.trim() === '' && windows.length > 0 ? windows : [...windows, rest]
}

/** The largest of 0 to `most` that fits, found by halving; 0 fits. */
function longest(most: number, fits: (count: number) => boolean): number {
  let fitting = 0
  let tooLong = most + 1
  while (tooLong - fitting > 1) {
    const middle = (fitting + tooLong) >> 1
    if (fits(middle)) fitting = middle
    else tooLong = middle
  }
  return fitting
}

/** Of unit vectors, a unit vector. */
function meanOf(vectors: readonly Float32Array[], weights: readonly number[]): Float32Array {
  const sum = new Float32Array(vectors[0]!.length) // a mean is of some
  for (const [at, vector] of vectors.entries()) {
    for (let dimension = 0; dimension < sum.length; dimension++) sum[dimension]! += weights[at]! * vector[dimension]! // as many of each
  }
  const norm = Math.hypot(...sum)
  return sum.map(value => value / norm)
}
