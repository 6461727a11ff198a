import { RecentMap } from '../../system/recent-map.ts'
import { encodingThread } from './encoding-thread.ts'
import type { TextTokens } from './text-tokens.ts'

const VOCABULARY = 'o200k_base'

const EXACT = /^(?:openai\/)?(?:gpt-4o|gpt-4\.[15]|gpt-5|o[134]\b|chatgpt-4o)/

/** Margin for other vocabularies, so that estimates are not too low. */
const MARGIN = 1.1

/** UTF-16 units with cached counts; protects memory; each step counts again. */
const MAX_REMEMBERED_CHARS = 8 * 2 ** 20

export class O200kTokens implements TextTokens {
  readonly id: string
  readonly #margin: number
  readonly #counts = new RecentMap<string, number>(MAX_REMEMBERED_CHARS, (_, { length }) => length)

  constructor(model: string) {
    this.#margin = EXACT.test(model) ? 1 : MARGIN
    this.id = `o200k@${this.#margin}`
  }

  async count(text: string, signal?: AbortSignal): Promise<number> {
    const cached = this.#counts.get(text) ?? (await encodingThread.count(VOCABULARY, text, signal))
    if (text.length <= MAX_REMEMBERED_CHARS) this.#counts.set(text, cached)
    return Math.ceil(cached * this.#margin)
  }

  async cutHead(text: string, maxTokens: number, signal?: AbortSignal): Promise<string> {
    return await this.#cut('head', text, maxTokens, signal)
  }

  async cutTail(text: string, maxTokens: number, signal?: AbortSignal): Promise<string> {
    return await this.#cut('tail', text, maxTokens, signal)
  }

  async #cut(
    kind: 'head' | 'tail',
    text: string,
    maxTokens: number,
    signal?: AbortSignal,
  ): Promise<string> {
    const scaledMax = Math.max(0, Math.floor(maxTokens / this.#margin))
    return await encodingThread.cut(VOCABULARY, { kind, text, maxTokens: scaledMax }, signal)
  }
}
