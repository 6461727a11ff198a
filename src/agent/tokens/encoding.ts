import { createRequire } from 'node:module'
import type { Tiktoken } from 'tiktoken/lite'
import { TimeSlices } from '../../system/time-slices.ts'
import { splitText, type TextPiece } from './text-pieces.ts'

/** `head` and `tail` are the longest ends within `maxTokens`. */
export type EncodingRequest = { readonly vocabulary: VocabularyName } & (
  | { readonly kind: 'count'; readonly text: string }
  | { readonly kind: 'head' | 'tail'; readonly text: string; readonly maxTokens: number }
  | { readonly kind: 'text'; readonly ids: readonly number[] }
)

export type ToEncodingWorker =
  | { readonly type: 'ask'; readonly id: number; readonly request: EncodingRequest }
  | { readonly type: 'cancel'; readonly id: number }

/**
 * Adapts `pat_str`: Unicode white space, and ſ as an s. Differs only for characters newer than
 * Node's Unicode.
 */
const CONTRACTION = String.raw`'(?:[sSſ]|[tT]|[rR][eE]|[vV][eE]|[mM]|[lL][lL]|[dD])`
const UPPER = String.raw`\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}`
const LOWER = String.raw`\p{Ll}\p{Lm}\p{Lo}\p{M}`
const BEFORE = String.raw`[^\r\n\p{L}\p{N}]?`
const SPACE = String.raw`\p{White_Space}`
const BLANKS = [`${SPACE}*[\\r\\n]+`, `${SPACE}+(?!\\P{White_Space})`, `${SPACE}+`]
const listSigns = (end: string) => [
  String.raw`\p{N}{1,3}`,
  String.raw` ?[^${SPACE}\p{L}\p{N}]+[\r\n${end}]*`,
]
const joinPatterns = (...parts: readonly string[]) => new RegExp(parts.join('|'), 'gu')
const WORDS: Readonly<Record<VocabularyName, RegExp>> = {
  o200k_base: joinPatterns(
    `${BEFORE}[${UPPER}]*[${LOWER}]+(?:${CONTRACTION})?`,
    `${BEFORE}[${UPPER}]+[${LOWER}]*(?:${CONTRACTION})?`,
    ...listSigns('/'),
    ...BLANKS,
  ),
  cl100k_base: joinPatterns(CONTRACTION, String.raw`${BEFORE}\p{L}+`, ...listSigns(''), ...BLANKS),
}

/** Words with cached tokens; protects memory. */
const MAX_KNOWN = 50_000
const MAX_KNOWN_CHARS = 24
/** New words of a piece, and pieces in a row with more, so that noise is not learned. */
const MAX_LEARNED = 16
const MAX_STRANGE = 64
/**
 * Characters without words counted exactly, so that noise stays cheap; then one piece in
 * `SAMPLE`.
 */
const EXACT_CHARS = 2 ** 20
const SAMPLE = 4

export class Encoding {
  readonly #vocabulary: Tiktoken
  readonly #words: RegExp
  readonly #cachedCounts = new Map<string, number>()

  constructor(name: VocabularyName) {
    this.#vocabulary = openVocabulary(name)
    this.#words = WORDS[name]
  }

  async answer(request: EncodingRequest, signal: AbortSignal): Promise<number | string> {
    switch (request.kind) {
      case 'count':
        return await this.#count(request.text, signal)
      case 'head':
        return await this.#cutHead(request.text, request.maxTokens, signal)
      case 'tail':
        return await this.#cutTail(request.text, request.maxTokens, signal)
      case 'text':
        return new TextDecoder().decode(this.#vocabulary.decode(Uint32Array.from(request.ids)))
    }
  }

  async #count(text: string, signal: AbortSignal): Promise<number> {
    const slices = new TimeSlices({ signal })
    let count = 0
    let strange = 0
    for (const piece of splitText(text)) {
      if (slices.isOver) await slices.next()
      if (strange < MAX_STRANGE) {
        const counted = this.#countWords(piece.text)
        strange = counted === undefined ? strange + 1 : 0
        count += counted ?? this.#countAtOnce(piece.text)
      } else if (piece.start < EXACT_CHARS) count += this.#countAtOnce(piece.text)
      else if (++strange % SAMPLE === 0) count += SAMPLE * this.#countAtOnce(piece.text)
    }
    return count
  }

  #countAtOnce(text: string): number {
    return this.#vocabulary.encode(text, [], []).length
  }

  /** Returns undefined if encoding is faster, because too many words are new. */
  #countWords(text: string): number | undefined {
    let count = 0
    let learned = 0
    for (const [word] of text.matchAll(this.#words)) {
      const cached = this.#cachedCounts.get(word)
      if (cached === undefined && learned++ === MAX_LEARNED) return undefined
      count += cached ?? this.#learn(word)
    }
    return count
  }

  #learn(word: string): number {
    const length = this.#countAtOnce(word)
    if (this.#cachedCounts.size >= MAX_KNOWN) this.#cachedCounts.clear()
    if (word.length <= MAX_KNOWN_CHARS) this.#cachedCounts.set(word, length)
    return length
  }

  async #cutHead(text: string, maxTokens: number, signal: AbortSignal): Promise<string> {
    let room = maxTokens
    let end = 0
    for await (const { ids, piece } of this.#encodePieces(splitText(text), signal)) {
      if (ids.length > room) return text.slice(0, end) + this.#decodeAtOnce(ids.subarray(0, room))
      room -= ids.length
      end = piece.end
    }
    return text
  }

  async #cutTail(text: string, maxTokens: number, signal: AbortSignal): Promise<string> {
    let room = maxTokens
    let start = text.length
    for await (const { ids, piece } of this.#encodePieces([...splitText(text)].reverse(), signal)) {
      if (ids.length > room)
        return this.#decodeAtOnce(ids.subarray(ids.length - room)) + text.slice(start)
      room -= ids.length
      start = piece.start
    }
    return text
  }

  async *#encodePieces(pieces: Iterable<TextPiece>, signal: AbortSignal) {
    const slices = new TimeSlices({ signal })
    for (const piece of pieces) {
      if (slices.isOver) await slices.next()
      yield { piece, ids: this.#vocabulary.encode(piece.text, [], []) } // control tokens are text
    }
  }

  #decodeAtOnce(ids: Uint32Array): string {
    return new TextDecoder().decode(this.#vocabulary.decode(ids)).replace(/^\uFFFD+|\uFFFD+$/g, '')
  }
}

/** o200k: OpenAI's chat models since 2024; cl100k: its embedding models. */
export type VocabularyName = 'o200k_base' | 'cl100k_base'

/** Takes 0.2 s. */
export function openVocabulary(name: VocabularyName): Tiktoken {
  const require = createRequire(import.meta.url)
  const { Tiktoken }: typeof import('tiktoken/lite') = require('tiktoken/lite')
  const { bpe_ranks, special_tokens, pat_str }: Vocabulary = require(
    `tiktoken/encoders/${name}.json`,
  )
  return new Tiktoken(bpe_ranks, special_tokens, pat_str)
}

type Vocabulary = {
  readonly bpe_ranks: string
  readonly special_tokens: Record<string, number>
  readonly pat_str: string
}
