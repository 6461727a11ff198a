import type { ChatModel, ModelEvent, ModelRequest } from '../model.ts'
import type { TextTokens } from '../text-tokens.ts'
import { truncateMessages } from '../truncation.ts'

/** Qwen-Agent's. */
const DEFAULT_MAX_INPUT_TOKENS = 58_000

/** Shortens long conversations to what the model takes: `maxInputTokens` of the request's settings, 0 for any length. */
export class TruncatedModel implements ChatModel {
  readonly id: string
  readonly #inner: ChatModel
  readonly #tokens: TextTokens

  constructor(inner: ChatModel, tokens: TextTokens) {
    this.id = inner.id
    this.#inner = inner
    this.#tokens = tokens
  }

  async *stream(request: ModelRequest, signal?: AbortSignal): AsyncIterable<ModelEvent> {
    const { maxInputTokens = DEFAULT_MAX_INPUT_TOKENS } = request.config ?? {}
    if (maxInputTokens <= 0) return yield* this.#inner.stream(request, signal)
    const messages = truncateMessages(request.messages, maxInputTokens, this.#tokens)
    yield* this.#inner.stream({ ...request, messages }, signal)
  }
}
