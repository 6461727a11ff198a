import { AppError } from '../../errors.ts'
import type { Catalog } from '../../ingest/catalog.ts'
import type { AgentEvent } from '../event.ts'
import type { Conversations } from './conversations.ts'
import type { NewItem } from './items.ts'
import type { Run, RunEvent, Runs } from './runs.ts'
import { TurnItems } from './turn-items.ts'

/** What comes within this time is written together: a disk is asked for certainty twenty times a second at most. */
const BATCH_MS = 50

const AT_ONCE: ReadonlySet<AgentEvent['type']> = new Set(['tool-call', 'tool-start', 'tool-result'])

/** How often it is looked whether another process ended a run that says nothing. */
const LOOK_MS = 1_000

type EventWriterOptions = {
  readonly run: Run
  readonly catalog: Catalog
  readonly runs: Runs
  readonly conversations: Conversations
  /** Told when there is more to read. */
  readonly onWritten: () => void
  readonly toItem?: ((item: NewItem) => NewItem) | undefined
  /** Calls of these end the answer: the client runs them. */
  readonly callersTools?: readonly string[] | undefined
}

type Written = { readonly event: RunEvent; readonly at: number }

/** Writes what happens in a run, and the items that come of it, in small batches; each is whole or not there. */
export class EventWriter {
  readonly #options: EventWriterOptions
  readonly #items: TurnItems
  readonly #looking: NodeJS.Timeout
  readonly #ended = new AbortController()
  #events: Written[] = []
  #newItems: NewItem[] = []
  #last: { readonly written: readonly [Written]; readonly items: readonly NewItem[] } | undefined
  #timer: NodeJS.Timeout | undefined
  #writtenAt = 0

  constructor(options: EventWriterOptions) {
    const { run, callersTools } = options
    this.#options = options
    this.#items = new TurnItems({ runId: run.id, callersTools: new Set(callersTools) })
    this.#looking = setInterval(() => this.#attempt(() => this.#requireUnderWay()), LOOK_MS).unref()
  }

  /** Aborts when the run was ended by somebody else, or cannot be written any more. */
  get ended(): AbortSignal {
    return this.#ended.signal
  }

  /** What is whole with this event, to be added with it. */
  itemsOf(event: AgentEvent): readonly NewItem[] {
    const { toItem = same } = this.#options
    return this.#items.push(event).map(toItem)
  }

  /**
   * A call is written before it is made, and that it begins, and its result before anything comes of it; everything else soon. The last event
   * waits for `finish`, so that nobody reads that an answer is whole before all that tells so is written.
   */
  add(event: AgentEvent, items: readonly NewItem[], at: number): void {
    this.#ended.signal.throwIfAborted()
    if (event.type === 'finish') {
      this.#last = { written: [{ event, at }], items }
      return
    }
    this.#events.push({ event, at })
    this.#newItems.push(...items)
    const isDue = performance.now() - this.#writtenAt >= BATCH_MS
    if (isDue || AT_ONCE.has(event.type)) this.#write()
    else this.#timer ??= setTimeout(() => this.#attempt(() => this.#write()), BATCH_MS)
  }

  /** Items that come of no event, at once. */
  addItems(items: readonly NewItem[]): void {
    if (items.length === 0) return
    this.#newItems.push(...items)
    this.#write()
  }

  /** Write the rest, and that the run is complete, and what belongs to that, all or nothing. */
  finish(alongWith?: () => void): void {
    this.close()
    this.#ended.signal.throwIfAborted()
    const { written = [], items = [] } = this.#last ?? {}
    this.#options.catalog.transaction(() => {
      this.#writeBatch([...this.#events, ...written], [...this.#newItems, ...items])
      this.#options.runs.end(this.#options.run.id, 'completed')
      alongWith?.()
    })
  }

  /** Write the rest of a run that came to no answer. */
  cut(): void {
    this.close()
    if (this.#events.length > 0 && !this.#ended.signal.aborted) this.#write()
  }

  close(): void {
    clearTimeout(this.#timer)
    clearInterval(this.#looking)
  }

  #write(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#options.catalog.transaction(() => this.#writeBatch(this.#events, this.#newItems))
    this.#events = []
    this.#newItems = []
    this.#writtenAt = performance.now()
    this.#options.onWritten()
  }

  #writeBatch(events: readonly Written[], items: readonly NewItem[]): void {
    const { run, runs, conversations } = this.#options
    if (!runs.addEvents(run.id, events)) throw this.#endedElsewhere()
    if (run.conversationId !== undefined && items.length > 0) conversations.write(run.conversationId, items)
  }

  #requireUnderWay(): void {
    const { run, runs } = this.#options
    if (!runs.isUnderWay(run.id)) throw this.#endedElsewhere()
  }

  #endedElsewhere(): AppError {
    return new AppError('cancelled', `The run ${this.#options.run.id} was ended meanwhile.`)
  }

  /** What fails where nobody waits for it ends the run. */
  #attempt(work: () => void): void {
    try {
      work()
    } catch (error) {
      this.close()
      this.#ended.abort(error)
    }
  }
}

function same(item: NewItem): NewItem {
  return item
}
