import type { Item, NewItem, StatusCode } from '../agent/conversations/items.ts'
import type { Run, RunEvent } from '../agent/conversations/runs.ts'
import { TurnItems } from '../agent/conversations/turn-items.ts'
import type { Failure } from '../errors.ts'
import type { Interruption } from './guard.ts'
import { pendingIn } from './resuming.ts'
import type { Store } from './store.ts'

/** How a run ended that came to no answer. */
export type Ending = {
  readonly status: 'stopped' | 'failed'
  readonly code: StatusCode
  readonly message: string
  readonly failure?: Failure
  readonly extra?: Readonly<Record<string, unknown>>
}

export const STOPPED: Ending = { status: 'stopped', code: 'stopped', message: 'The user stopped the answer.' }

/** Of a process that died. */
export const LEFT_BEHIND: Ending = failedBy({
  code: 'cancelled',
  message: 'The process that made this answer ended before it did. Ask again, or resume it.',
})

export function failedBy(failure: Failure): Ending {
  const code = failure.code === 'cancelled' ? 'interrupted' : 'failed'
  return { status: 'failed', code, message: failure.message, failure }
}

/** Of a run that its process cannot go on with, for this reason. */
export function endedBy(reason: unknown): Ending {
  return failedBy({ code: 'cancelled', message: reason instanceof Error ? reason.message : String(reason) })
}

export function interruptedBy({ code, message, extra }: Interruption): Ending {
  return { status: 'stopped', code, message, extra }
}

/** What a run left undone. */
type LeftOver = { readonly said: readonly NewItem[]; readonly pending: readonly string[] }

const NOTHING: LeftOver = { said: [], pending: [] }

/** Calls that the last run of a turn was to make first. */
function pendingBefore(items: readonly Item[]): readonly string[] {
  const resumed = items.findLast(item => item.kind === 'status' && item.code === 'resumed')
  return resumed?.kind === 'status' ? pendingIn(resumed) : []
}

/** Writes how runs end. */
export class RunEndings {
  readonly #store: Pick<Store, 'conversations' | 'runs' | 'responses'>

  constructor(store: Pick<Store, 'conversations' | 'runs' | 'responses'>) {
    this.#store = store
  }

  /** What was said so far, what stopped it, and that it has ended, within a transaction. */
  write(run: Run, ending: Ending): void {
    const { conversations, runs } = this.#store
    const { id, conversationId } = run
    const { status, code, message, failure, extra } = ending
    if (conversationId !== undefined && conversations.find(conversationId)) {
      const { said, pending } = code === 'revoked' ? NOTHING : this.#leftOf(run, conversationId)
      const cut = said.findLast(item => item.kind === 'message')?.id
      const facts = { ...(cut !== undefined && { message_id: cut }), ...(pending.length > 0 && { pending }), ...extra }
      const status = { kind: 'status', code, message, ...(Object.keys(facts).length > 0 && { extra: facts }) } as const
      conversations.write(conversationId, [...said, status])
    }
    if (code === 'revoked') this.#withdraw(run, extra?.revoked_message_id)
    const told = code === 'stopped' ? {} : { code, message }
    const event = failure ? ({ type: 'failed', failure } as const) : ({ type: 'stopped', ...told } as const)
    runs.addEvents(id, [{ event, at: Date.now() }])
    runs.end(id, status, failure)
  }

  /** What a guardrail took back is in no stream, title or response. */
  #withdraw({ id, conversationId }: Run, itemId: unknown): void {
    const { conversations, runs, responses } = this.#store
    runs.forgetEvents(id)
    responses.withdraw(id)
    if (conversationId !== undefined && typeof itemId === 'string') conversations.withdraw(conversationId, itemId)
  }

  /** The text that had been begun, as what was whole before stands in the conversation; and the calls that had not. */
  #leftOf(run: Run, conversationId: string): LeftOver {
    const callersTools = new Set(this.#store.runs.request(run.id).callersTools)
    const items = new TurnItems({ runId: run.id, callersTools })
    const turnItems = this.#store.conversations.itemsOfTurns(conversationId, run.turn, run.turn)
    const pending = new Set(pendingBefore(turnItems))
    for (const event of this.#eventsOf(run)) {
      if (event.type === 'start' || event.type === 'stopped' || event.type === 'failed') continue
      items.push(event)
      if (event.type === 'tool-call' && !callersTools.has(event.call.name)) pending.add(event.call.id)
      if (event.type === 'tool-start') pending.delete(event.id)
      if (event.type === 'tool-result') pending.delete(event.call.id)
    }
    return { said: items.cut(), pending: [...pending] }
  }

  *#eventsOf({ id, firstEvent }: Run): Iterable<RunEvent> {
    for (let last = firstEvent - 1; ; ) {
      const events = this.#store.runs.eventsAfter(id, last)
      for (const { event } of events) yield event
      if (events.length === 0) return
      last = events.at(-1)!.number // there is one
    }
  }
}
