import type { ChatModel, ModelEvent, ModelRequest } from '../model.ts'
import type { TextCache } from '../text-cache.ts'

/** Repeats what the model said to exactly the same request: same model, settings, tools and messages. */
export class CachedModel implements ChatModel {
  readonly id: string
  readonly #inner: ChatModel
  readonly #cache: TextCache
  readonly #place: string

  /** `place` tells models of one name apart: the server's URL, and what else is not in a request. */
  constructor(inner: ChatModel, cache: TextCache, place = '') {
    this.id = inner.id
    this.#inner = inner
    this.#cache = cache
    this.#place = place
  }

  async *stream(request: ModelRequest, signal?: AbortSignal): AsyncIterable<ModelEvent> {
    const key = keyOf(`${this.#place} ${this.id}`, request)
    const kept = await this.#cache.get(key)
    if (kept !== undefined) return yield* JSON.parse(kept) as readonly ModelEvent[] // as written below
    const said: ModelEvent[] = []
    for await (const event of this.#inner.stream(request, signal)) {
      said.push(event)
      yield event
    }
    const end = said.at(-1)
    const isWhole = end?.type === 'finish' && (end.reason === 'stop' || end.reason === 'tool-calls')
    if (isWhole) await this.#cache.set(key, JSON.stringify(said.filter(event => event.type !== 'usage')))
  }
}

function keyOf(id: string, { messages, tools, toolChoice, config = {} }: ModelRequest): string {
  const functions = tools.map(({ name, description, parameters }) => ({ name, description, parameters }))
  return JSON.stringify([id, inOrder(config), functions, toolChoice, messages])
}

/** Settings are the same in whatever order they were written. */
function inOrder(config: object): readonly (readonly [string, unknown])[] {
  return Object.entries(config).toSorted(([a], [b]) => (a < b ? -1 : 1))
}
