import { randomUUID } from 'node:crypto'
import { AppError } from '../errors.ts'
import type { ChatModel, ModelEvent, ModelRequest, Usage } from './model.ts'
import { type Tool, wrapTool } from './tool.ts'

/** Both carry the call's id. */
export type ObservedStep = { readonly id: string } & (
  | { readonly type: 'model-start'; readonly model: string; readonly request: ModelRequest }
  | {
      readonly type: 'model-end'
      readonly model: string
      readonly ms: number
      readonly usage?: Usage | undefined
    }
  | { readonly type: 'tool-start'; readonly tool: string; readonly args: unknown }
  | {
      readonly type: 'tool-end'
      readonly tool: string
      readonly ms: number
      readonly result: unknown
    }
  | {
      readonly type: 'error'
      readonly kind: 'model' | 'tool'
      readonly of: string
      readonly ms: number
      readonly error: unknown
    }
)

export type Observe = (step: ObservedStep) => void

export class ObservedModel implements ChatModel {
  readonly id: string
  readonly maxInputTokens: number | undefined
  readonly #inner: ChatModel
  readonly #observe: Observe

  constructor(inner: ChatModel, observe: Observe) {
    this.id = inner.id
    this.maxInputTokens = inner.maxInputTokens
    this.#inner = inner
    this.#observe = observe
  }

  async *stream(request: ModelRequest, signal?: AbortSignal): AsyncIterable<ModelEvent> {
    const started = performance.now()
    const [id, model] = [randomUUID(), this.id]
    let usage: Usage | undefined
    const fail = (error: unknown) =>
      this.#observe({
        id,
        type: 'error',
        kind: 'model',
        of: model,
        ms: performance.now() - started,
        error,
      })
    let isOver = false
    this.#observe({ id, type: 'model-start', model, request })
    try {
      for await (const event of this.#inner.stream(request, signal)) {
        if (event.type === 'usage') usage = event.usage
        yield event
      }
      isOver = true
      this.#observe({ id, type: 'model-end', model, ms: performance.now() - started, usage })
    } catch (error) {
      isOver = true
      fail(error)
      throw error
    } finally {
      if (!isOver) fail(new AppError('cancelled', 'Its answer was abandoned before it ended.'))
    }
  }
}

export function observeTool(tool: Tool, observe: Observe): Tool {
  return wrapTool(tool, async (args, signal, run) => {
    const id = randomUUID()
    const started = performance.now()
    observe({ id, type: 'tool-start', tool: tool.name, args })
    try {
      const result = await tool.call(args, signal, run)
      observe({ id, type: 'tool-end', tool: tool.name, ms: performance.now() - started, result })
      return result
    } catch (error) {
      observe({
        id,
        type: 'error',
        kind: 'tool',
        of: tool.name,
        ms: performance.now() - started,
        error,
      })
      throw error
    }
  })
}
