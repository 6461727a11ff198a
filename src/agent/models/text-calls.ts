import { mergeConfigs } from '../generate-config.ts'
import type { Message } from '../message.ts'
import type { ChatModel, ModelEvent, ModelRequest } from '../model.ts'

/** A way to write tool calls as text, for models that were taught one. */
export interface CallTemplate {
  /** Where the model is to stop. */
  readonly stop: readonly string[]
  /** The conversation with tools, calls and results written as text: only system, user and assistant messages. */
  write(request: ModelRequest): readonly Message[]
  /** Reads the answer to this request. */
  reader(request: ModelRequest): CallReader
}

/** Takes an answer apart while it streams: what is surely text is told at once, a call when it is whole. */
export interface CallReader {
  push(text: string): Iterable<TextOrCall>
  /** What was held back; a call that was cut off is told with its problem. */
  end(): Iterable<TextOrCall>
}

export type TextOrCall = Extract<ModelEvent, { type: 'text-delta' | 'tool-call' }>

/** Gives function calling to a model that only writes: the calls are text by a template, both ways. */
export class TextCallModel implements ChatModel {
  readonly id: string
  readonly #inner: ChatModel
  readonly #template: CallTemplate

  constructor(inner: ChatModel, template: CallTemplate) {
    this.id = inner.id
    this.#inner = inner
    this.#template = template
  }

  async *stream(request: ModelRequest, signal?: AbortSignal): AsyncIterable<ModelEvent> {
    if (!concernsTools(request)) return yield* this.#inner.stream(request, signal)
    const config = mergeConfigs(request.config, { stop: this.#template.stop })
    const messages = this.#template.write(request)
    const written = this.#inner.stream({ messages, tools: [], toolChoice: 'none', config }, signal)
    yield* readCalls(written, this.#template.reader(request))
  }
}

async function* readCalls(events: AsyncIterable<ModelEvent>, reader: CallReader): AsyncIterable<ModelEvent> {
  let hasCall = false
  for await (const event of events) {
    for (const piece of piecesOf(event, reader)) {
      hasCall ||= piece.type === 'tool-call'
      yield piece.type === 'finish' && hasCall && piece.reason === 'stop' ? { ...piece, reason: 'tool-calls' } : piece
    }
  }
}

function* piecesOf(event: ModelEvent, reader: CallReader): Iterable<ModelEvent> {
  if (event.type === 'text-delta') return yield* reader.push(event.text)
  if (event.type === 'finish') yield* reader.end()
  yield event
}

function concernsTools({ tools, messages }: ModelRequest): boolean {
  return tools.length > 0 || messages.some(message => message.functionCall || message.role === 'function')
}
