import { channel } from 'node:diagnostics_channel'
import type { ChatModel, ModelEvent, ModelRequest } from '../agent/model.ts'
import type { ObservedStep } from '../agent/observed.ts'
import type { Hit, Query, Searcher } from '../search/searcher.ts'
import type { Stage } from '../search/stage.ts'

export type Work = {
  readonly name: string
  readonly startedAt: number
  readonly failed: boolean
  readonly attributes: Readonly<Record<string, string | number>>
}

/** Publishes each `Work` when it is done; free without listeners. */
export const workChannel = channel('passim:work')

export type Found = {
  readonly query: Pick<Query, 'text' | 'collectionIds'>
  readonly hits: readonly Hit[]
}

/** Publishes each question and what each search returns; free without listeners. */
export const foundChannel = channel('passim:found')

export const resultChannel = channel('passim:result')

export function publishQuestion(text: string, collectionIds: readonly string[]): void {
  if (!foundChannel.hasSubscribers) return
  foundChannel.publish({ query: { text, collectionIds }, hits: [] } satisfies Found)
}

export function publishHits(inner: Searcher): Searcher {
  return {
    async search(query, signal) {
      const hits = await inner.search(query, signal)
      if (foundChannel.hasSubscribers) foundChannel.publish({ query, hits } satisfies Found)
      return hits
    },
  }
}

export function traceStages(toName: (query: Query) => string): Stage {
  return async (query, find) => {
    const endSpan = startWork(toName(query))
    try {
      const hits = await find(query.limit)
      endSpan({ 'passim.search.hits': hits.length })
      return hits
    } catch (error) {
      endSpan({}, true)
      throw error
    }
  }
}

/** Traces each attempt of a model call, with OpenTelemetry's names for generative models. */
export class TracedModel implements ChatModel {
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
    const endSpan = startWork(`chat ${this.id}`)
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
      endSpan(attributes, !isDone)
    }
  }
}

/** Traces each tool call, with OpenTelemetry's names. */
export function traceTool(step: ObservedStep): void {
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

function startWork(name: string) {
  const startedAt = performance.timeOrigin + performance.now()
  return (attributes: Work['attributes'], failed = false) => {
    if (workChannel.hasSubscribers)
      workChannel.publish({ name, startedAt, failed, attributes } satisfies Work)
  }
}
