import type { Message, ReasoningOrigin } from '../../message.ts'
import type { ChatModel, ModelEvent, ModelRequest } from '../../model.ts'
import { mergeConfigs } from '../generate-config.ts'

export interface CallTemplate {
  readonly stop: readonly string[]
  /** Name in `ReasoningOrigin.fields` for thoughts that the template writes. */
  readonly thoughtField?: string
  write(request: ModelRequest, server: string): readonly Message[]
  createReader(request: ModelRequest): CallReader
}

export interface CallReader {
  push(text: string): Iterable<TextOrCall>
  /** Returns held text; cut calls carry a problem. */
  end(): Iterable<TextOrCall>
}

export type TextOrCall = Extract<
  ModelEvent,
  { type: 'text-delta' | 'reasoning-delta' | 'tool-call' }
>

export class TextCallModel implements ChatModel {
  readonly id: string
  readonly #inner: ChatModel
  readonly #template: CallTemplate
  readonly #server: string

  constructor(inner: ChatModel, template: CallTemplate, server: string = inner.id) {
    this.id = inner.id
    this.#inner = inner
    this.#template = template
    this.#server = server
  }

  async *stream(request: ModelRequest, signal?: AbortSignal): AsyncIterable<ModelEvent> {
    if (!needsTools(request)) return yield* this.#inner.stream(request, signal)
    const config = mergeConfigs(request.config, { stop: this.#template.stop })
    const messages = this.#template.write(request, this.#server)
    const written = this.#inner.stream({ messages, tools: [], toolChoice: 'none', config }, signal)
    yield* this.#readCalls(written, request)
  }

  async *#readCalls(
    events: AsyncIterable<ModelEvent>,
    request: ModelRequest,
  ): AsyncIterable<ModelEvent> {
    const { thoughtField } = this.#template
    let reader = this.#template.createReader(request)
    let hasCall = false
    let hasThoughts = false
    for await (const event of events) {
      if (event.type === 'text-as-reasoning')
        [reader, hasCall] = [this.#template.createReader(request), false]
      for (const piece of readPieces(event, reader)) {
        hasCall ||= piece.type === 'tool-call'
        hasThoughts ||= piece !== event && piece.type === 'reasoning-delta'
        const fields = thoughtField && hasThoughts ? [thoughtField] : []
        yield piece.type === 'finish'
          ? toFinish(piece, hasCall, { server: this.#server, fields })
          : piece
      }
    }
  }
}

type Finish = Extract<ModelEvent, { type: 'finish' }>

function toFinish(finish: Finish, hasCall: boolean, thoughts: ReasoningOrigin): Finish {
  const { reason, reasoningOrigin: own } = finish
  const origin = own ? { ...own, fields: [...own.fields, ...thoughts.fields] } : thoughts
  return {
    ...finish,
    ...(hasCall && reason === 'stop' && { reason: 'tool-calls' }),
    ...((own || thoughts.fields.length > 0) && { reasoningOrigin: origin }),
  }
}

function* readPieces(event: ModelEvent, reader: CallReader): Iterable<ModelEvent> {
  if (event.type === 'text-delta') return yield* reader.push(event.text)
  if (event.type === 'finish') yield* reader.end()
  yield event
}

function needsTools({ tools, messages }: ModelRequest): boolean {
  return (
    tools.length > 0 ||
    messages.some(message => message.functionCall || message.role === 'function')
  )
}
