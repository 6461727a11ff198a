import { setImmediate } from 'node:timers/promises'
import type { Tiktoken } from 'tiktoken/lite'
import { Turns } from '../../ingest/turns.ts'
import type { TextTokens } from '../text-tokens.ts'
import { openVocabulary } from './openai-vocabulary.ts'
import { type TextPiece, textPieces } from './text-pieces.ts'

/** Models whose vocabulary is o200k, so that the count is exact. */
const EXACT = /^(?:openai\/)?(?:gpt-4o|gpt-4\.[15]|gpt-5|o[134]\b|chatgpt-4o)/

/** Other vocabularies take about as many tokens: so many more are allowed for. */
const MARGIN = 1.1

/** UTF-16 units of the texts whose counts are remembered: every step of an agent counts the whole conversation again. */
const MAX_REMEMBERED_CHARS = 8 * 2 ** 20

/** OpenAI's vocabulary, which stands in for those of other chat models with a margin. Loaded (0.2 s) when first needed. */
export class O200kTokens implements TextTokens {
  readonly id: string
  readonly #margin: number
  #encoder: Tiktoken | undefined
  /** Number of tokens by text, the one used last at the end. */
  readonly #counts = new Map<string, number>()
  #rememberedChars = 0
  /** Of the texts that are encoded at once, one goes on at a time: all together keep the thread no longer than one does. */
  #lastTurn: Promise<void> = Promise.resolve()

  constructor(model: string) {
    this.#margin = EXACT.test(model) ? 1 : MARGIN
    this.id = `o200k@${this.#margin}`
  }

  async count(text: string, signal?: AbortSignal): Promise<number> {
    const known = this.#counts.get(text) ?? (await this.#countAnew(text, signal))
    this.#remember(text, known)
    return Math.ceil(known * this.#margin)
  }

  async head(text: string, maxTokens: number, signal?: AbortSignal): Promise<string> {
    let room = this.#whole(maxTokens)
    let end = 0
    for await (const { ids, piece } of this.#encoded(textPieces(text), signal)) {
      if (ids.length > room) return text.slice(0, end) + this.#decode(ids.subarray(0, room))
      room -= ids.length
      end = piece.end
    }
    return text
  }

  async tail(text: string, maxTokens: number, signal?: AbortSignal): Promise<string> {
    let room = this.#whole(maxTokens)
    let start = text.length
    for await (const { ids, piece } of this.#encoded([...textPieces(text)].reverse(), signal)) {
      if (ids.length > room) return this.#decode(ids.subarray(ids.length - room)) + text.slice(start)
      room -= ids.length
      start = piece.start
    }
    return text
  }

  /** A margin is kept when cutting, too. */
  #whole(maxTokens: number): number {
    return Math.max(0, Math.floor(maxTokens / this.#margin))
  }

  async #countAnew(text: string, signal?: AbortSignal): Promise<number> {
    let count = 0
    for await (const { ids } of this.#encoded(textPieces(text), signal)) count += ids.length
    return count
  }

  async *#encoded(pieces: Iterable<TextPiece>, signal?: AbortSignal) {
    const turns = new Turns({ signal, standBack: this.#standBack })
    for (const piece of pieces) {
      if (turns.isOver) await turns.next()
      yield { piece, ids: this.#encode(piece.text) }
    }
  }

  readonly #standBack = (): Promise<void> => {
    this.#lastTurn = this.#lastTurn.then(() => setImmediate())
    return this.#lastTurn
  }

  #remember(text: string, count: number): void {
    if (this.#counts.delete(text)) this.#rememberedChars -= text.length
    if (text.length > MAX_REMEMBERED_CHARS) return
    this.#counts.set(text, count)
    this.#rememberedChars += text.length
    for (const oldest of this.#counts.keys()) {
      if (this.#rememberedChars <= MAX_REMEMBERED_CHARS) break
      this.#counts.delete(oldest)
      this.#rememberedChars -= oldest.length
    }
  }

  /** Text that looks like a control token is text. */
  #encode(text: string): Uint32Array {
    this.#encoder ??= openVocabulary('o200k_base')
    return this.#encoder.encode(text, [], [])
  }

  /** A token may be half a character: what is cut through is left out. */
  #decode(ids: Uint32Array): string {
    this.#encoder ??= openVocabulary('o200k_base')
    return new TextDecoder().decode(this.#encoder.decode(ids)).replace(/^\uFFFD+|\uFFFD+$/g, '')
  }
}
