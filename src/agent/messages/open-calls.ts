import { createId } from '../../system/digest.ts'
import type { Message } from '../message.ts'
import type { ToolCall } from '../model.ts'

const INTERRUPTED =
  'This call was interrupted: it has no result, and whether anything was done is not known.'

export function listOpenCalls(messages: readonly Message[]): readonly ToolCall[] {
  const start =
    messages.findLastIndex(({ role, functionCall }) => role !== 'function' && !functionCall) + 1
  const turn = messages.slice(start)
  const answered = new Set(
    turn.flatMap(({ role, functionId }) => (role === 'function' ? [functionId] : [])),
  )
  return turn.flatMap(({ functionCall, functionId: id }) =>
    functionCall && id !== undefined && !answered.has(id) ? [{ id, ...functionCall }] : [],
  )
}

/**
 * Pairs calls and results as servers require: adds ids, marks calls without a result as
 * interrupted (unless in `results`), drops orphans.
 */
export function withResults(
  messages: readonly Message[],
  results: readonly Message[],
): readonly Message[] {
  const turns = new PairedTurns(results)
  for (const message of messages) turns.push(message)
  return turns.end()
}

export class WaitingCalls {
  #calls: { readonly original: Message; readonly call: Message }[] = []

  push(original: Message, call = original): void {
    this.#calls.push({ original, call })
  }

  /** Claims by id, or by the tool's name if one of them has no id. */
  claim(result: Message): Message | undefined {
    const isSame = ({ original: { functionId: id } }: { original: Message }) =>
      id && id === result.functionId
    const isNamed = ({ original: { functionId: id, functionCall } }: { original: Message }) =>
      functionCall?.name === result.name && !(id && result.functionId)
    const found = this.#calls.find(isSame) ?? this.#calls.find(isNamed)
    this.#calls = this.#calls.filter(open => open !== found)
    return found?.call
  }

  claimAll(): readonly Message[] {
    const all = this.#calls.map(({ call }) => call)
    this.#calls = []
    return all
  }
}

class PairedTurns {
  readonly #late: readonly Message[]
  readonly #paired: Message[] = []
  readonly #open = new WaitingCalls()

  constructor(late: readonly Message[]) {
    this.#late = late
  }

  push(message: Message): void {
    if (message.role === 'function') {
      this.#answer(message)
      return
    }
    if (!message.functionCall || this.#paired.at(-1)?.role === 'function') this.#close()
    const paired = message.functionCall
      ? { ...message, functionId: message.functionId || createId('call_') }
      : message
    this.#paired.push(paired)
    if (paired.functionCall) this.#open.push(message, paired)
  }

  end(): readonly Message[] {
    this.#close()
    return this.#paired
  }

  #answer(result: Message): void {
    const call = this.#open.claim(result)
    if (call) this.#paired.push({ ...result, functionId: call.functionId })
  }

  #close(): void {
    for (const { functionId, functionCall } of this.#open.claimAll()) {
      const late = this.#late.find(result => result.functionId === functionId)
      const name = functionCall!.name
      this.#paired.push(
        late ?? { role: 'function', name, functionId: functionId, content: INTERRUPTED },
      )
    }
  }
}
