import type { Tiktoken } from 'tiktoken/lite'
import type { TextTokens } from '../text-tokens.ts'
import { openVocabulary } from './openai-vocabulary.ts'

/** Models whose vocabulary is o200k, so that the count is exact. */
const EXACT = /^(?:openai\/)?(?:gpt-4o|gpt-4\.[15]|gpt-5|o[134]\b|chatgpt-4o)/

/** Other vocabularies take about as many tokens: so many more are allowed for. */
const MARGIN = 1.1

/** OpenAI's vocabulary, which stands in for those of other chat models with a margin. Loaded (0.2 s) when first needed. */
export class O200kTokens implements TextTokens {
  readonly id: string
  readonly #margin: number
  #encoder: Tiktoken | undefined

  constructor(model: string) {
    this.#margin = EXACT.test(model) ? 1 : MARGIN
    this.id = `o200k@${this.#margin}`
  }

  count(text: string): number {
    return Math.ceil(this.#encode(text).length * this.#margin)
  }

  head(text: string, maxTokens: number): string {
    const ids = this.#encode(text)
    return this.#decode(ids.subarray(0, this.#whole(maxTokens)))
  }

  tail(text: string, maxTokens: number): string {
    const ids = this.#encode(text)
    return this.#decode(ids.subarray(Math.max(0, ids.length - this.#whole(maxTokens))))
  }

  /** A margin is kept when cutting, too. */
  #whole(maxTokens: number): number {
    return Math.max(0, Math.floor(maxTokens / this.#margin))
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
