import type { Item, NewItem } from '../../conversations/items.ts'
import type { Run, RunEvent, RunRequest } from '../../conversations/runs.ts'
import { TurnItems } from '../../conversations/turn-items.ts'
import type { ThreadEventJson } from '../../wire/thread.ts'
import type { RequestContext } from '../http/context.ts'
import type { SentEvent } from '../http/event-stream.ts'
import { toThreadMessage } from './thread-messages.ts'

type ThreadStream = {
  readonly threadId: string
  readonly after: number
  /** Undefined before the first question. */
  readonly run: Run | undefined
}

export async function* streamThread(
  c: RequestContext,
  { threadId, after, run }: ThreadStream,
): AsyncGenerator<SentEvent> {
  let last = after
  const flush = async function* (end?: NewItem): AsyncGenerator<SentEvent> {
    let isAtEnd = false
    for await (const item of readMessagesAfter(c, threadId, last)) {
      if (isAtEnd && item.kind !== 'status') return // pieces of the following ones were not sent yet
      last = item.number
      yield {
        id: item.id,
        event: 'message',
        data: await toThreadMessage(c, threadId, item),
      }
      isAtEnd ||= end !== undefined && isSame(item, end)
    }
  }
  yield* flush()
  if (run?.status !== 'in_progress') return
  const pieces = new Pieces(run.id, await c.var.passim.conversationService.runs.findRequest(run.id))
  let from = run.firstEvent - 1
  for await (const { event, number } of c.var.passim.conversationService.runs.readEvents(run)) {
    pieces.push(event)
    from = number
  }
  if (pieces.openPiece) yield toDelta(threadId, pieces.openPiece)
  for await (const { event } of c.var.passim.conversationService.readEvents(
    run.id,
    from,
    c.var.signal,
  )) {
    const { end, piece } = pieces.push(event)
    if (end) yield* flush(end)
    if (piece) yield toDelta(threadId, piece)
  }
  yield* flush()
}

type Piece = { readonly type: 'plain' | 'reasoning'; readonly text: string }

function toDelta(threadId: string, piece: Piece): SentEvent {
  const delta: ThreadEventJson = { thread_id: threadId, ...piece }
  return { event: 'delta', data: delta }
}

/** Ignores ids of calls and results, which the table assigns. */
function isSame(item: Item, made: NewItem): boolean {
  if (made.id !== undefined) return item.id === made.id
  return (
    'callId' in item && 'callId' in made && item.kind === made.kind && item.callId === made.callId
  )
}

export async function* readMessagesAfter(
  c: RequestContext,
  threadId: string,
  after: number,
): AsyncGenerator<Item> {
  const { conversations } = c.var.passim
  const withdrawn = await conversations.findWithdrawn(threadId)
  for await (const item of conversations.readItems(threadId, { after, order: 'asc' }))
    if (!withdrawn.has(item.id)) yield item
}

class Pieces {
  readonly #items: TurnItems
  openPiece: Piece | undefined

  constructor(runId: string, { callersTools }: RunRequest) {
    this.#items = new TurnItems({ runId, callersTools: new Set(callersTools) })
  }

  push(event: RunEvent): {
    readonly end?: NewItem
    readonly piece?: Piece
  } {
    if (event.type === 'start' || event.type === 'stopped' || event.type === 'failed') return {}
    const end = this.#items.push(event).at(-1)
    if (end) this.openPiece = undefined
    if (event.type === 'text-as-reasoning') this.openPiece = { type: 'reasoning', text: event.text }
    const type =
      event.type === 'text-delta'
        ? 'plain'
        : event.type === 'reasoning-delta'
          ? 'reasoning'
          : undefined
    if (!type) return { end }
    const { text } = event as { readonly text: string }
    this.openPiece = {
      type,
      text: (this.openPiece?.type === type ? this.openPiece.text : '') + text,
    }
    return { end, piece: { type, text } }
  }
}
