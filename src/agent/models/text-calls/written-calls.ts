import type { ChatModel, ModelEvent, ModelRequest, ToolCall, ToolDefinition } from '../../model.ts'
import { parseCallBody } from './call-body.ts'
import { TagReader } from './nous-template.ts'
import type { TextOrCall } from './text-calls.ts'

/**
 * Reads calls in text although the model got tools, whose format the server may not know. Text
 * that names no tool remains text.
 */
export class WrittenCallModel implements ChatModel {
  readonly id: string
  readonly #inner: ChatModel

  constructor(inner: ChatModel) {
    this.id = inner.id
    this.#inner = inner
  }

  async *stream(request: ModelRequest, signal?: AbortSignal): AsyncIterable<ModelEvent> {
    const events = this.#inner.stream(request, signal)
    if (request.tools.length === 0) return yield* events
    const reader = new AnswerReader(request.tools)
    for await (const event of events) yield* reader.push(event)
  }
}

/** Holds written calls until the end: the server may report the same. */
class AnswerReader {
  readonly #tools: readonly ToolDefinition[]
  #tags: TagReader
  #written: ToolCall[] = []
  #hasOwnCalls = false

  constructor(tools: readonly ToolDefinition[]) {
    this.#tools = tools
    this.#tags = this.#start()
  }

  *push(event: ModelEvent): Iterable<ModelEvent> {
    switch (event.type) {
      case 'text-delta':
        return yield* this.#read(this.#tags.push(event.text))
      case 'text-as-reasoning':
        this.#tags = this.#start()
        this.#written = []
        break
      case 'tool-call':
        this.#hasOwnCalls = true
        break
      case 'finish':
        yield* this.#read(this.#tags.end())
        return yield* this.#end(event)
    }
    yield event
  }

  #start(): TagReader {
    return new TagReader((text, id) => readOfferedCall(text, id, this.#tools))
  }

  *#read(pieces: Iterable<TextOrCall>): Iterable<ModelEvent> {
    for (const piece of pieces) {
      if (piece.type === 'tool-call') this.#written.push(piece.call)
      else yield piece
    }
  }

  *#end(finish: Extract<ModelEvent, { type: 'finish' }>): Iterable<ModelEvent> {
    const calls = this.#hasOwnCalls ? [] : this.#written
    for (const call of calls) yield { type: 'tool-call', call }
    yield calls.length > 0 && finish.reason === 'stop'
      ? { ...finish, reason: 'tool-calls' }
      : finish
  }
}

function readOfferedCall(
  text: string,
  id: string,
  tools: readonly ToolDefinition[],
): ToolCall | undefined {
  const call = parseCallBody(text, tools)
  return call && tools.some(({ name }) => name === call.name) ? { id, ...call } : undefined
}
