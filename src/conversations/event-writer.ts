import type { AgentEvent } from '../agent/event.ts'
import { AppError } from '../errors.ts'
import type { Statements } from '../ingest/store/catalog.ts'
import { Conversations } from './conversations.ts'
import type { NewItem } from './items.ts'
import { type Run, type RunEvent, Runs } from './runs.ts'
import { TurnItems } from './turn-items.ts'

/** What comes within this time is written together: a disk is asked for certainty twenty times a second at most. */
const BATCH_MS = 50

const AT_ONCE: ReadonlySet<AgentEvent['type']> = new Set(['tool-call', 'tool-start', 'tool-result'])

/** How often it is looked whether another process ended a run that says nothing. */
const LOOK_MS = 1_000

type EventWriterOptions = {
  readonly run: Run
  readonly catalog: Statements
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
  readonly #timerOfLooks: NodeJS.Timeout
  #looking: Promise<void> | undefined
  readonly #ended = new AbortController()
  #events: Written[] = []
  #newItems: NewItem[] = []
  #last: { readonly written: readonly [Written]; readonly items: readonly NewItem[] } | undefined
  #timer: NodeJS.Timeout | undefined
  #writtenAt = 0
  /** The last write that was begun: each waits for the one before. */
  #writing: Promise<void> = Promise.resolve()

  constructor(options: EventWriterOptions) {
    const { run, callersTools } = options
    this.#options = options
    this.#items = new TurnItems({ runId: run.id, callersTools: new Set(callersTools) })
    this.#timerOfLooks = setInterval(() => void this.#look(), LOOK_MS).unref()
  }

  /** Aborts when the run was ended by somebody else, or cannot be written any more. */
  get ended(): AbortSignal {
    return this.#ended.signal
  }

  /** What is whole with this event, to be added with it. */
  toItems(event: AgentEvent): readonly NewItem[] {
    const { toItem = keepItem } = this.#options
    return this.#items.push(event).map(toItem)
  }

  /**
   * A call is written before it is made, and that it begins, and its result before anything comes of it; everything else soon. The last event
   * waits for `finish`, so that nobody reads that an answer is whole before all that tells so is written.
   */
  async add(event: AgentEvent, items: readonly NewItem[], at: number): Promise<void> {
    this.#ended.signal.throwIfAborted()
    if (event.type === 'finish') {
      this.#last = { written: [{ event, at }], items }
      return
    }
    this.#events.push({ event, at })
    this.#newItems.push(...items)
    const isDue = performance.now() - this.#writtenAt >= BATCH_MS
    if (isDue || AT_ONCE.has(event.type)) await this.#write()
    else
      this.#timer ??= setTimeout(
        () => void this.#attempt(async () => await this.#write()),
        BATCH_MS,
      )
  }

  /** Items that come of no event, at once. */
  async addItems(items: readonly NewItem[]): Promise<void> {
    if (items.length === 0) return
    this.#newItems.push(...items)
    await this.#write()
  }

  /** Write the rest, and that the run is complete, and what belongs to that, all or nothing. */
  async finish(alongWith?: (inside: Statements) => Promise<void>): Promise<void> {
    this.close()
    await this.#writing
    this.#ended.signal.throwIfAborted()
    const { written = [], items = [] } = this.#last ?? {}
    await this.#options.catalog.transaction(async inside => {
      await this.#writeBatch(inside, [...this.#events, ...written], [...this.#newItems, ...items])
      await new Runs(inside).end(this.#options.run.id, 'completed')
      await alongWith?.(inside)
    })
  }

  /** Write the rest of a run that came to no answer. */
  async cut(): Promise<void> {
    this.close()
    await this.#writing
    if (this.#events.length > 0 && !this.#ended.signal.aborted) await this.#write()
  }

  close(): void {
    clearTimeout(this.#timer)
    clearInterval(this.#timerOfLooks)
  }

  async #write(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const written = this.#writing.then(async () => await this.#writeNext())
    this.#writing = written.catch(() => {}) // told to whoever wrote it
    await written
  }

  /** What is there by now; it stays where it cannot be written. */
  async #writeNext(): Promise<void> {
    const events = this.#events
    const items = this.#newItems
    if (events.length + items.length === 0) return
    this.#events = []
    this.#newItems = []
    try {
      await this.#options.catalog.transaction(
        async inside => await this.#writeBatch(inside, events, items),
      )
    } catch (error) {
      this.#events = [...events, ...this.#events]
      this.#newItems = [...items, ...this.#newItems]
      throw error
    }
    this.#writtenAt = performance.now()
    this.#options.onWritten()
  }

  async #writeBatch(
    inside: Statements,
    events: readonly Written[],
    items: readonly NewItem[],
  ): Promise<void> {
    const { run } = this.#options
    if (!(await new Runs(inside).addEvents(run.id, events))) throw this.#endedElsewhere()
    if (run.conversationId === undefined || items.length === 0) return
    await new Conversations(inside).write(run.conversationId, items)
  }

  /** One look at a time: a catalog that hangs is not asked again and again. */
  #look(): Promise<void> {
    this.#looking ??= this.#attempt(async () => await this.#requireUnderWay()).finally(() => {
      this.#looking = undefined
    })
    return this.#looking
  }

  async #requireUnderWay(): Promise<void> {
    const { run, catalog } = this.#options
    if (!(await new Runs(catalog).isUnderWay(run.id))) throw this.#endedElsewhere()
  }

  #endedElsewhere(): AppError {
    return new AppError('cancelled', `The run ${this.#options.run.id} was ended meanwhile.`)
  }

  /** What fails where nobody waits for it ends the run. */
  async #attempt(work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      this.close()
      this.#ended.abort(error)
    }
  }
}

function keepItem(item: NewItem): NewItem {
  return item
}
