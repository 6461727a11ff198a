import type { ChatModel, ModelEvent, ModelRequest, ToolCall } from '../../src/agent/model.ts'
import { streamByProfile } from './profiled-model.ts'

/** What one call says, or how it fails. */
export type ScriptedAnswer = readonly ModelEvent[] | Error

/** A model that gives one answer a call; the last answers all further calls. */
export class ScriptedChatModel implements ChatModel {
  readonly id: string
  readonly requests: ModelRequest[] = []
  readonly #script: readonly ScriptedAnswer[]

  constructor(script: readonly ScriptedAnswer[], id = 'scripted') {
    this.id = id
    this.#script = script
  }

  async *stream(request: ModelRequest, signal?: AbortSignal): AsyncIterable<ModelEvent> {
    signal?.throwIfAborted()
    const at = this.requests.push(request) - 1
    const answer = this.#script[Math.min(at, this.#script.length - 1)] ?? []
    if (answer instanceof Error) throw answer
    yield* streamByProfile(answer, request, signal)
  }
}

/** A model that answers once, and then says nothing until it is stopped. */
export function thenSilent(answer: readonly ModelEvent[]): ChatModel {
  let isFirst = true
  return {
    id: 'silent',
    async *stream(_request, signal) {
      if (isFirst) yield* answer
      else
        await new Promise((_, reject) =>
          signal?.addEventListener('abort', () => reject(signal.reason)),
        )
      isFirst = false
    },
  }
}

/** The model says these pieces. */
export function says(...pieces: readonly string[]): readonly ModelEvent[] {
  return [
    ...pieces.map(text => ({ type: 'text-delta', text }) as const),
    { type: 'finish', reason: 'stop' },
  ]
}

/** The model calls these tools at once. */
export function calls(...list: readonly ToolCall[]): readonly ModelEvent[] {
  return [
    ...list.map(call => ({ type: 'tool-call', call }) as const),
    { type: 'finish', reason: 'tool-calls' },
  ]
}

export function toolCall(name: string, args = '{}', id = 'c1'): ToolCall {
  return { id, name, arguments: args }
}

export async function collect<Event>(events: AsyncIterable<Event>): Promise<readonly Event[]> {
  const all: Event[] = []
  for await (const event of events) all.push(event)
  return all
}
