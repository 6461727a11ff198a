import type { ToolCall, ToolCallDelta } from '../../agent/model.ts'

/** A call as chat completions write it. */
export function callJson({ id, name, arguments: text }: ToolCall) {
  return { id, type: 'function', function: { name, arguments: text } }
}

/** The calls of a streamed completion: their arguments as they are written, and at the end what was not told on the way. */
export class CallChunks {
  readonly #functions: ReadonlySet<string>
  /** Ids of the calls that were begun; their places are their indexes. */
  readonly #begun: string[] = []

  /** Calls of these functions are shown; others are our own. */
  constructor(functions: ReadonlySet<string>) {
    this.#functions = functions
  }

  /** The entries of `tool_calls` for a piece of a call. */
  *write({ id, name, text }: ToolCallDelta): Iterable<object> {
    if (!this.#functions.has(name)) return
    if (!this.#begun.includes(id)) yield this.#begin({ id, name, arguments: '' })
    yield { index: this.#begun.indexOf(id), function: { arguments: text } }
  }

  /** Those of the calls that were not written piece by piece. */
  *rest(calls: readonly ToolCall[]): Iterable<object> {
    for (const call of calls) if (!this.#begun.includes(call.id)) yield this.#begin(call)
  }

  #begin(call: ToolCall): object {
    return { index: this.#begun.push(call.id) - 1, ...callJson(call) }
  }
}
