import { AppError } from '../errors.ts'
import type { AgentEvent, AgentResult } from './event.ts'

/**
 * Starts when read; each reader gets all events and failures. Breaking out aborts the run unless
 * another reader is attached.
 */
export class AgentRun<Output = unknown> {
  readonly #source: AsyncGenerator<AgentEvent>
  readonly #events: AgentEvent[] = []
  #pulling: Promise<boolean> | undefined
  #failure: { readonly error: unknown } | undefined
  #readers = 0
  #isConsumed = false

  constructor(source: AsyncGenerator<AgentEvent>) {
    this.#source = source
  }

  get events(): AsyncGenerator<AgentEvent> {
    return this.#read()
  }

  /** Retains no events. Throws `conflict` if there is another reader. */
  get onlyEvents(): AsyncGenerator<AgentEvent> {
    if (this.#readers > 0 || this.#events.length > 0 || this.#isConsumed) throw createReadConflict()
    this.#isConsumed = true
    return this.#source
  }

  get textStream(): AsyncGenerator<string> {
    return streamText(this.#read())
  }

  get result(): Promise<AgentResult<Output>> {
    return readResult(this.#read()) as Promise<AgentResult<Output>>
  }

  async *#read(): AsyncGenerator<AgentEvent> {
    if (this.#isConsumed) throw createReadConflict()
    this.#readers++
    try {
      for (let index = 0; index < this.#events.length || (await this.#pull()); index++)
        yield this.#events[index]!
    } finally {
      if (--this.#readers === 0) await this.#source.return(undefined)
    }
  }

  #pull(): Promise<boolean> {
    this.#pulling ??= this.#pullNext().finally(() => {
      this.#pulling = undefined
    })
    return this.#pulling
  }

  async #pullNext(): Promise<boolean> {
    if (this.#failure) throw this.#failure.error
    try {
      const { done, value } = await this.#source.next()
      if (!done) this.#events.push(value)
      return !done
    } catch (error) {
      this.#failure = { error }
      throw error
    }
  }
}

function createReadConflict(): AppError {
  return new AppError(
    'conflict',
    'This run already has a reader. A run whose events are read by onlyEvents cannot have another one.',
  )
}

async function* streamText(events: AsyncIterable<AgentEvent>): AsyncGenerator<string> {
  for await (const event of events) if (event.type === 'text-delta') yield event.text
}

/** Throws `cancelled` if there is no result. */
export async function readResult(events: AsyncIterable<AgentEvent>): Promise<AgentResult> {
  for await (const event of events) if (event.type === 'finish') return event.result
  throw new AppError(
    'cancelled',
    'The run was abandoned before it ended. Read its events to the end, or ask again.',
  )
}
