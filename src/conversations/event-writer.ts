import type { AgentEvent } from '../agent/event.ts'
import { localizable } from '../errors/localizable.ts'
import { AppError } from '../errors.ts'
import type { Statements } from '../ingest/store/catalog.ts'
import { Conversations } from './conversations.ts'
import type { NewItem } from './items.ts'
import { type Run, type RunEvent, Runs } from './runs.ts'
import { TurnItems } from './turn-items.ts'

/**
 * Time in which events are written together, so that the disk syncs at most twenty times a
 * second.
 */
const BATCH_MS = 50

const AT_ONCE: ReadonlySet<AgentEvent['type']> = new Set(['tool-call', 'tool-start', 'tool-result'])

/**
 * Interval of the check for an end by another process, so that a stop takes effect within a
 * second.
 */
const LOOK_MS = 1_000

type EventWriterOptions = {
  readonly run: Run
  readonly catalog: Statements
  readonly onWritten: () => void
  readonly toItem?: (item: NewItem) => NewItem
  /** Calls end the answer: the client runs them. */
  readonly callersTools?: readonly string[]
}

type Written = { readonly event: RunEvent; readonly at: number }

/** Writes a run's events and items in small atomic batches. */
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
  /** Last started write; each waits for the previous one. */
  #writing: Promise<void> = Promise.resolve()

  constructor(options: EventWriterOptions) {
    const { run, callersTools } = options
    this.#options = options
    this.#items = new TurnItems({ runId: run.id, callersTools: new Set(callersTools) })
    this.#timerOfLooks = setInterval(() => void this.#checkEnd(), LOOK_MS).unref()
  }

  /** Aborts if somebody else ended the run, or it cannot be written. */
  get ended(): AbortSignal {
    return this.#ended.signal
  }

  toItems(event: AgentEvent): readonly NewItem[] {
    const { toItem = keepItem } = this.#options
    return this.#items.push(event).map(toItem)
  }

  /**
   * Writes calls, starts and results at once, other events soon. The last event waits for
   * `finish`.
   */
  async add(event: AgentEvent, items: readonly NewItem[], timeMs: number): Promise<void> {
    this.#ended.signal.throwIfAborted()
    if (event.type === 'finish') {
      this.#last = { written: [{ event, at: timeMs }], items }
      return
    }
    this.#events.push({ event, at: timeMs })
    this.#newItems.push(...items)
    const isDue = performance.now() - this.#writtenAt >= BATCH_MS
    if (isDue || AT_ONCE.has(event.type)) await this.#write()
    else
      this.#timer ??= setTimeout(
        () => void this.#tryWrite(async () => await this.#write()),
        BATCH_MS,
      )
  }

  async addItems(items: readonly NewItem[]): Promise<void> {
    if (items.length === 0) return
    this.#newItems.push(...items)
    await this.#write()
  }

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
    this.#writing = written.catch(() => {}) // reported to its writer
    await written
  }

  /** Keeps the queue on failure. */
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
    if (!(await new Runs(inside).addEvents(run.id, events))) throw this.#createEndedElsewhereError()
    if (run.conversationId === undefined || items.length === 0) return
    await new Conversations(inside).write(run.conversationId, items)
  }

  /** Runs one check at a time, so that a hanging catalog is not flooded. */
  #checkEnd(): Promise<void> {
    this.#looking ??= this.#tryWrite(async () => await this.#requireUnderWay()).finally(() => {
      this.#looking = undefined
    })
    return this.#looking
  }

  async #requireUnderWay(): Promise<void> {
    const { run, catalog } = this.#options
    if (!(await new Runs(catalog).isUnderWay(run.id))) throw this.#createEndedElsewhereError()
  }

  #createEndedElsewhereError(): AppError {
    return new AppError(
      'cancelled',
      localizable`The run ${this.#options.run.id} was ended meanwhile.`,
    )
  }

  async #tryWrite(work: () => Promise<void>): Promise<void> {
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
