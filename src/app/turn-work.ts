import { EventWriter } from '../agent/conversations/event-writer.ts'
import type { ConversationHooks } from '../agent/conversations/hooks.ts'
import type { Item } from '../agent/conversations/items.ts'
import type { Run } from '../agent/conversations/runs.ts'
import { withFiles } from './filed-events.ts'
import { Guard, Interruption } from './guard.ts'
import { type Ending, endedBy, failedBy, interruptedBy, STOPPED } from './run-ending.ts'
import type { Store } from './store.ts'
import { type NewTurn, OPERATOR } from './turn-options.ts'

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
    const stop = AbortSignal.any([signal, writer.ended])
    let isWithdrawn = false
    try {
      const guard = this.#guard(run, turn, stop)
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
      await this.#fail(run, turn, error, { signal, writer })
    } finally {
      writer.close()
      const ended = await this.#store.runs.find(run.id)
      if (ended) await turn.onEnd?.(ended, isWithdrawn)
      this.#parts.onWritten(run.id)
    }
  }

  /** Undefined where nobody is to be asked. */
  #guard({ conversationId, turn }: Run, { asker = OPERATOR, pending = [], request }: NewTurn, signal: AbortSignal) {
    if (conversationId === undefined) return undefined
    const { tenant, key, isAdmitted } = asker
    const callersTools = new Set(request.callersTools)
    const owner = { conversation: conversationId, tenant, key }
    return new Guard({ hooks: this.#parts.hooks, owner, turn, isAdmitted, pending, callersTools, signal })
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
    else await conclude(run.id, signal.aborted ? endedBy(signal.reason) : failedBy(turn.failureOf(error)))
  }
}
