import type { AgentEvent } from '../agent/event.ts'
import { EventWriter } from '../conversations/event-writer.ts'
import { withFiles } from '../conversations/filed-events.ts'
import { Guard, Interruption } from '../conversations/guard.ts'
import type { ConversationHooks } from '../conversations/hooks.ts'
import type { Item, NewItem } from '../conversations/items.ts'
import type { InterruptedTurn } from '../conversations/resuming.ts'
import {
  type Ending,
  endedBy,
  failedBy,
  interruptedBy,
  STOPPED,
} from '../conversations/run-ending.ts'
import type { Run, RunRequest } from '../conversations/runs.ts'
import type { AppError, Failure } from '../errors.ts'
import type { Statements } from '../ingest/store/catalog.ts'
import type { Store } from './stores/store.ts'

/** A question that is asked, and how it is answered. */
export type NewTurn = {
  /** Of the run, as `newId` makes it. */
  readonly id: string
  /** Undefined for an answer that belongs to no conversation. */
  readonly conversationId?: string | undefined
  readonly question: string
  /** What it adds to the conversation before it is answered. */
  readonly items: readonly NewItem[]
  readonly request: RunRequest
  /** The run that it goes on from, which has to be the last one. */
  readonly resumes?: string
  /** Throws what goes wrong. */
  readonly events: (signal: AbortSignal) => AsyncIterable<AgentEvent>
  /** What may be read of a failure afterwards; who runs the service is told of the rest here. */
  readonly failureOf: (error: unknown) => Failure
  /** Told of every event before it can be read, and of the end, so that nobody hears of what is not kept. */
  readonly onEvent?: (event: AgentEvent, at: number) => void
  /** Done in the transaction that completes the run. */
  readonly onComplete?: (inside: Statements) => Promise<void>
  /** `isWithdrawn`: a guardrail took something of it back. */
  readonly onEnd?: (run: Run, isWithdrawn: boolean) => Promise<void>
  /** Who asks, for the hooks; and whether they may still do so. */
  readonly asker?: Asker | undefined
  /** Calls that the run makes first, and that are to be paid for. */
  readonly pending?: InterruptedTurn['unpaid']
  /** An item as it is to be kept, where a face adds to what it shows. */
  readonly toItem?: ((item: NewItem) => NewItem) | undefined
}

/** Calls `end` once a key is revoked. Returns a function that unregisters it. */
export type WhenRevoked = (end: (reason: AppError) => void) => () => void

/** Who asks, as the hooks are told; with a key that is not valid any more a run does not go on. */
export type Asker = {
  readonly tenant: string
  readonly key?: string | undefined
  readonly isAdmitted: () => Promise<boolean>
  readonly whenRevoked?: WhenRevoked | undefined
}

export const OPERATOR: Asker = { tenant: 'default', isAdmitted: async () => true }

type TurnWorkParts = {
  readonly store: Store
  readonly hooks: ConversationHooks
  /** The user wants the run stopped. */
  readonly isStopping: (runId: string) => boolean
  /** Brings a run to its end that came to no answer. */
  readonly conclude: (runId: string, ending: Ending) => Promise<void>
  /** Told when there is more of a run to read. */
  readonly onWritten: (runId: string) => void
}

/** Writes down what happens in a turn while it is answered, as far as the hooks allow it. */
export class TurnWork {
  readonly #parts: TurnWorkParts
  readonly #store: Store

  constructor(parts: TurnWorkParts) {
    this.#parts = parts
    this.#store = parts.store
  }

  /** Until the answer is whole, or the run has come to its end otherwise. */
  async work(run: Run, turn: NewTurn, signal: AbortSignal): Promise<void> {
    const writer = this.#writer(run, turn)
    const revoked = new AbortController()
    const forget = turn.asker?.whenRevoked?.(reason => revoked.abort(reason))
    const stop = AbortSignal.any([signal, writer.ended, revoked.signal])
    const guard = this.#guard(run, turn, stop)
    let isWithdrawn = false
    try {
      if (guard) await writer.addItems(await guard.begin(await this.#itemsOf(run, turn)))
      for await (const given of turn.events(stop)) {
        const filed = await withFiles(given, this.#store.library)
        const event = guard ? await guard.allow(filed) : filed
        const items = writer.itemsOf(event)
        const seen = guard ? await guard.look(items) : items
        const at = Date.now()
        turn.onEvent?.(event, at)
        await writer.add(event, seen, at)
      }
      await writer.finish(turn.onComplete)
    } catch (error) {
      isWithdrawn = error instanceof Interruption && error.code === 'revoked'
      const ended = revoked.signal.aborted && !signal.aborted ? createExpiry(guard) : error
      await this.#fail(run, turn, ended, { signal, writer })
    } finally {
      forget?.()
      writer.close()
      const ended = await this.#store.runs.find(run.id)
      if (ended) await turn.onEnd?.(ended, isWithdrawn)
      this.#parts.onWritten(run.id)
    }
  }

  /** Undefined where nobody is to be asked. */
  #guard(
    { conversationId, turn }: Run,
    { asker = OPERATOR, pending = [], request }: NewTurn,
    signal: AbortSignal,
  ) {
    if (conversationId === undefined) return undefined
    const { tenant, key, isAdmitted } = asker
    const callersTools = new Set(request.callersTools)
    const owner = { conversation: conversationId, tenant, key }
    return new Guard({
      hooks: this.#parts.hooks,
      owner,
      turn,
      isAdmitted,
      pending,
      callersTools,
      signal,
    })
  }

  /** What the turn brought. */
  async #itemsOf({ conversationId }: Run, { items }: NewTurn): Promise<readonly Item[]> {
    const limit = items.length
    const last = await this.#store.conversations.items(conversationId!, { limit, order: 'desc' }) // only turns of conversations are guarded
    return last.filter(item => item.kind !== 'status').toReversed()
  }

  #writer(run: Run, { toItem, request: { callersTools } }: NewTurn): EventWriter {
    return new EventWriter({
      ...{ run, catalog: this.#store.catalog, toItem, callersTools },
      onWritten: () => this.#parts.onWritten(run.id),
    })
  }

  async #fail(
    run: Run,
    turn: NewTurn,
    error: unknown,
    { signal, writer }: { signal: AbortSignal; writer: EventWriter },
  ): Promise<void> {
    if (error instanceof Interruption) await writer.addItems(error.items)
    await writer.cut()
    const { conclude } = this.#parts
    if (this.#parts.isStopping(run.id)) await conclude(run.id, STOPPED)
    else if (error instanceof Interruption) await conclude(run.id, interruptedBy(error))
    else
      await conclude(
        run.id,
        signal.aborted ? endedBy(signal.reason) : failedBy(turn.failureOf(error)),
      )
  }
}

/** Creates the interruption of a run whose key was revoked. */
function createExpiry(guard: Guard | undefined): Interruption {
  return guard?.expire() ?? new Interruption('expired', {})
}
