import { channel } from 'node:diagnostics_channel'
import type { ChatModel, ModelEvent, ModelRequest } from '../agent/model.ts'
import type { ObservedStep } from '../agent/observed.ts'
import type { Query } from '../search/searcher.ts'
import type { Stage } from '../search/stage.ts'

/** A piece of what a request spent its time with. It tells nothing of what was asked or found. */
export type Work = {
  readonly name: string
  /** Unix milliseconds. */
  readonly startedAt: number
  readonly failed: boolean
  readonly attributes: Readonly<Record<string, string | number>>
}

/** Hears of each `Work` once it is done, where it was done; costs nothing while nobody listens. */
export const workChannel = channel('passim:work')

/** Returns a stage that publishes an event for what the earlier stages of a search did. */
export function traceStages(toName: (query: Query) => string): Stage {
  return async (query, find) => {
    const tell = begin(toName(query))
    try {
      const hits = await find(query.limit)
      tell({ 'passim.search.hits': hits.length })
      return hits
    } catch (error) {
      tell({}, true)
      throw error
    }
  }
}

/** A model whose calls are told, each attempt by itself, by OpenTelemetry's names for generative models. */
export class ToldModel implements ChatModel {
  readonly id: string
  readonly #inner: ChatModel

  constructor(inner: ChatModel) {
    this.id = inner.id
    this.#inner = inner
  }

  async *stream(request: ModelRequest, signal?: AbortSignal): AsyncGenerator<ModelEvent> {
    const attributes: Record<string, string | number> = {
      'gen_ai.operation.name': 'chat',
      'gen_ai.request.model': this.id,
    }
    const tell = begin(`chat ${this.id}`)
    let isDone = false
    try {
      for await (const event of this.#inner.stream(request, signal)) {
        if (event.type === 'usage') {
          attributes['gen_ai.usage.input_tokens'] = event.usage.promptTokens
          attributes['gen_ai.usage.output_tokens'] = event.usage.completionTokens
        }
        if (event.type === 'finish') isDone = true
        yield event
      }
    } finally {
      tell(attributes, !isDone)
    }
  }
}

/** Tells each call of a tool that an agent made, by OpenTelemetry's names. */
export function tellTool(step: ObservedStep): void {
  const isFailed = step.type === 'error' && step.kind === 'tool'
  if (!workChannel.hasSubscribers || !(isFailed || step.type === 'tool-end')) return
  const name = step.type === 'error' ? step.of : step.tool
  const attributes = { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': name }
  const startedAt = performance.timeOrigin + performance.now() - step.ms
  workChannel.publish({
    name: `execute_tool ${name}`,
    startedAt,
    failed: isFailed,
    attributes,
  } satisfies Work)
}

function begin(name: string) {
  const startedAt = performance.timeOrigin + performance.now()
  return (attributes: Work['attributes'], failed = false) => {
    if (workChannel.hasSubscribers)
      workChannel.publish({ name, startedAt, failed, attributes } satisfies Work)
  }
}
