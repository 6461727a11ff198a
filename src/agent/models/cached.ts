import { parseOwnJson } from '../../system/own-json.ts'
import type { ChatModel, ModelEvent, ModelRequest } from '../model.ts'
import type { TextCache } from './text-cache.ts'

type CachedModelOptions = {
  /** Distinguishes models of one name: server URL and other facts outside of requests. */
  readonly place?: string
  /** Receives cache failures, which do not fail answers. */
  readonly onError?: (error: unknown) => void
}

export class CachedModel implements ChatModel {
  readonly id: string
  readonly #inner: ChatModel
  readonly #cache: TextCache
  readonly #place: string
  readonly #onError: (error: unknown) => void

  constructor(
    inner: ChatModel,
    cache: TextCache,
    { place = '', onError = () => {} }: CachedModelOptions = {},
  ) {
    this.id = inner.id
    this.#inner = inner
    this.#cache = cache
    this.#place = place
    this.#onError = onError
  }

  async *stream(request: ModelRequest, signal?: AbortSignal): AsyncIterable<ModelEvent> {
    const key = createKey(`${this.#place} ${this.id}`, request)
    const cached = await this.#readCached(key)
    if (cached) return yield* cached
    const events: ModelEvent[] = []
    for await (const event of this.#inner.stream(request, signal)) {
      events.push(event)
      yield event
    }
    const end = events.at(-1)
    const isComplete =
      end?.type === 'finish' &&
      !end.warnings &&
      (end.reason === 'stop' || end.reason === 'tool-calls')
    const lasting = events.filter(
      event => event.type !== 'usage' && event.type !== 'tool-call-delta',
    )
    if (isComplete) await this.#cache.set(key, JSON.stringify(lasting)).catch(this.#onError)
  }

  async #readCached(key: string): Promise<readonly ModelEvent[] | undefined> {
    try {
      const cached = await this.#cache.get(key)
      return cached === undefined ? undefined : parseOwnJson<readonly ModelEvent[]>(cached)
    } catch (error) {
      this.#onError(error)
      return undefined
    }
  }
}

function createKey(id: string, { messages, tools, toolChoice, config = {} }: ModelRequest): string {
  const functions = tools.map(
    ({ name, description, parameters, strict, nameForHuman, argsFormat }) => {
      return { name, description, parameters, strict, nameForHuman, argsFormat }
    },
  )
  return JSON.stringify([id, sortEntries(config), functions, toolChoice, messages])
}

function sortEntries(config: object): readonly (readonly [string, unknown])[] {
  return Object.entries(config).toSorted(([a], [b]) => (a < b ? -1 : 1))
}
