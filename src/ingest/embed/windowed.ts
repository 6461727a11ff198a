import { splitSentences } from '../../text/sentences.ts'
import type { TokenCounter } from '../chunk/tokens.ts'
import { type EmbeddedChunk, toEmbeddedText } from './embedded-text.ts'
import type { Embedder, EmbeddingRole, PassageEmbedder } from './embedder.ts'

/** The chunker's limit, and the line break after a context. */
const CONTEXT_TOKENS = 96 + 1

export class WindowedEmbedder implements PassageEmbedder {
  readonly id: string
  readonly dimensions: number
  readonly maxTokens: number
  readonly #embedder: Embedder
  readonly #counter: () => Promise<TokenCounter>

  constructor(embedder: Embedder, counter: () => Promise<TokenCounter>) {
    this.id = embedder.id
    this.dimensions = embedder.dimensions
    this.maxTokens = embedder.maxTokens
    this.#embedder = embedder
    this.#counter = counter
  }

  embed(
    texts: readonly string[],
    role: EmbeddingRole,
    signal?: AbortSignal,
  ): Promise<readonly Float32Array[]> {
    return this.#embedder.embed(texts, role, signal)
  }

  async createWindows(chunks: readonly EmbeddedChunk[]): Promise<readonly (readonly string[])[]> {
    const counter = await this.#counter()
    return chunks.map(chunk => {
      if (counter.count(toEmbeddedText(chunk)) <= this.maxTokens) return [toEmbeddedText(chunk)]
      const room = Math.max(
        this.maxTokens >> 1,
        this.maxTokens - counter.count(`${chunk.context}\n`),
      )
      return splitWindows(chunk.text, room, counter).map(text => toEmbeddedText({ ...chunk, text }))
    })
  }

  canDivide(tokens: number): boolean {
    return tokens + CONTEXT_TOKENS > this.maxTokens
  }

  close(): Promise<void> {
    return this.#embedder.close()
  }
}

function splitWindows(text: string, maxTokens: number, counter: TokenCounter): readonly string[] {
  const fits = (part: string) => counter.count(part) <= maxTokens
  const windows: string[] = []
  let rest = text
  while (!fits(rest)) {
    const ends = splitSentences(rest).map(({ end }) => end)
    const sentenceEnd =
      ends[findLongest(ends.length, count => fits(rest.slice(0, ends[count - 1]))) - 1]
    const end =
      sentenceEnd ??
      Math.max(
        1,
        findLongest(rest.length, length => fits(rest.slice(0, length))),
      )
    windows.push(rest.slice(0, end))
    rest = rest.slice(end)
  }
  return rest.trim() === '' && windows.length > 0 ? windows : [...windows, rest]
}

/** Halves the range; 0 fits. */
function findLongest(maxCount: number, fits: (count: number) => boolean): number {
  let fitting = 0
  let tooLong = maxCount + 1
  while (tooLong - fitting > 1) {
    const middle = (fitting + tooLong) >> 1
    if (fits(middle)) fitting = middle
    else tooLong = middle
  }
  return fitting
}
