import { effect, type Signal, signal } from '@preact/signals'
import { events, isOnline, json, Refusal, type StreamEvent, Unreachable } from '../connection.ts'
import { stores } from '../documents/stores.ts'
import { t } from '../preferences.ts'
import { go, href } from '../route.ts'
import { hideSource } from '../source/shown-source.ts'
import { type Told, toldOf } from '../told.tsx'
import { after, newTurn, restored, type StoredTurn, type Turn, wasInterrupted } from './turn.ts'

/** A conversation in the list of all. */
export type ConversationEntry = {
  readonly id: string
  readonly title: string
  readonly updated_at: number
}

/** The conversation that is on the page now; it goes on while another view is shown. */
export const turns = signal<readonly Signal<Turn>[]>([])
export const conversationId = signal<string | undefined>(undefined)
export const isAsking = signal(false)
/** Names of the collections to be asked; none is the default one. */
export const askedCollections = signal<readonly string[]>([])
/** False where the service keeps no conversations; undefined until that is known. */
export const keepsConversations = signal<boolean | undefined>(undefined)
export const conversations = signal<readonly ConversationEntry[]>([])
export const hasMoreConversations = signal(false)
export const hasEarlierTurns = signal(false)

const PAGE_SIZE = 50
/** A stream that broke off is taken up again so often. */
const MAX_RESUMES = 20

let running: AbortController | undefined

/** An empty conversation, with no source beside it. */
export function startAnew(): void {
  leave()
  hideSource()
  turns.value = []
  conversationId.value = undefined
  hasEarlierTurns.value = false
  go('ask')
}

/** The conversation on the page is another's; what runs goes on at the service. */
function leave(): void {
  running?.abort()
  running = undefined
  isAsking.value = false
}

export async function ask(question: string): Promise<void> {
  const turn = signal(newTurn(question))
  turns.value = [...turns.value, turn]
  await follow(turn, signal => askedEvents(question, signal))
  if (keepsConversations.value) void listConversations()
}

async function* askedEvents(question: string, signal: AbortSignal): AsyncGenerator<StreamEvent> {
  if (keepsConversations.value === undefined) await listConversations()
  const collections = askedCollections.value
  const asked = { question, stream: true, ...(collections.length > 0 && { collections }) }
  try {
    const conversation = keepsConversations.value
      ? { conversation: conversationId.value ?? 'new' }
      : {}
    yield* events('/api/ask', { method: 'POST', body: { ...asked, ...conversation }, signal })
  } catch (error) {
    const isKeptFrom = error instanceof Refusal && error.status === 403 && keepsConversations.value
    if (!isKeptFrom) throw error
    keepsConversations.value = false // the key may read only: it asks, and nothing is kept
    yield* events('/api/ask', { method: 'POST', body: asked, signal })
  }
}

/** See a turn through to its end, by however many streams. */
async function follow(
  turn: Signal<Turn>,
  begin: (stop: AbortSignal) => AsyncGenerator<StreamEvent>,
): Promise<void> {
  const controller = new AbortController()
  running = controller
  isAsking.value = true
  try {
    await seeThrough(turn, begin, controller.signal)
  } catch (error) {
    if (!controller.signal.aborted)
      turn.value = { ...turn.value, state: 'failed', problem: problemOf(error) }
  } finally {
    if (running === controller) {
      running = undefined
      isAsking.value = false
    }
    if (turn.value.state === 'asking') turn.value = { ...turn.value, state: 'stopped' }
  }
}

async function seeThrough(
  turn: Signal<Turn>,
  begin: (stop: AbortSignal) => AsyncGenerator<StreamEvent>,
  stop: AbortSignal,
): Promise<void> {
  const life = { isSpent: false }
  let source = begin(stop)
  for (let lost = 0; ; ) {
    const { seen } = turn.value
    const error = await taken(turn, source)
    const { state, canGoOn } = turn.value
    const isCut = state === 'failed' && canGoOn && !life.isSpent
    if (!error && !isCut && state !== 'asking') return
    if (turn.value.seen !== seen) lost = 0
    const id = conversationId.value
    if (!id || !keepsConversations.value || (error && !isLost(error)) || ++lost > MAX_RESUMES) {
      throw error ?? new Unreachable(t().ask.interrupted)
    }
    await untilOnline(stop)
    source = takenUp(id, turn, { stop, life })
  }
}

/** What kept a stream from its end. */
async function taken(turn: Signal<Turn>, stream: AsyncGenerator<StreamEvent>): Promise<unknown> {
  try {
    await take(turn, stream)
    return undefined
  } catch (error) {
    return error
  }
}

function isLost(error: unknown): boolean {
  return error instanceof Unreachable || (error instanceof Refusal && error.status >= 500)
}

async function take(turn: Signal<Turn>, stream: AsyncGenerator<StreamEvent>): Promise<void> {
  for await (const event of stream) {
    if (event.event === 'start') begun(event)
    turn.value = after(turn.value, event)
  }
}

/** The place in the address bar names the conversation from its first answer on, so that a reload finds it. */
function begun({ data }: StreamEvent): void {
  const { conversation } = data as { conversation?: string } // of the service
  if (!conversation || conversation === conversationId.value) return
  conversationId.value = conversation
  history.replaceState(null, '', href('ask', conversation))
}

type Following = {
  readonly stop: AbortSignal
  /** Whose process ended is gone on with once: a question that ends every process is left alone. */
  readonly life: { isSpent: boolean }
}

/** Go on with a turn whose stream was lost, as the service says that it stands by now. */
async function* takenUp(
  id: string,
  turn: Signal<Turn>,
  { stop, life }: Following,
): AsyncGenerator<StreamEvent> {
  const { number = nextNumber(turn), question } = turn.value
  const { turns: found } = await json<StoredConversation>(
    `${placeOf(id)}?limit=1&before=${number + 1}`,
    {
      signal: stop,
    },
  )
  const stored = found.find(one => one.turn === number && one.question === question)
  if (!stored) throw new Error(t().ask.interrupted) // it never arrived
  if (stored.status === 'in_progress') return yield* resumed(id, turn, stop)
  if (!wasInterrupted(stored.error) || life.isSpent) {
    turn.value = restored(stored)
    return
  }
  life.isSpent = true
  yield* goneOn(id, turn, stop)
}

/** That a turn will have of which nothing was heard yet. */
function nextNumber(turn: Signal<Turn>): number {
  return (
    1 + Math.max(0, ...turns.value.filter(one => one !== turn).map(one => one.peek().number ?? 0))
  )
}

/** From the last event that was seen; where none were numbered, from the beginning. */
function resumed(id: string, turn: Signal<Turn>, signal: AbortSignal): AsyncGenerator<StreamEvent> {
  const { seen } = turn.value
  if (seen === undefined) turn.value = { ...newTurn(turn.value.question) }
  return events(`${placeOf(id)}/events?after=${encodeURIComponent(seen ?? '0')}`, { signal })
}

/** The answer is said anew from where its last call was answered. */
function goneOn(id: string, turn: Signal<Turn>, signal: AbortSignal): AsyncGenerator<StreamEvent> {
  const { question, number, seen } = turn.value
  turn.value = {
    ...newTurn(question),
    ...(number !== undefined && { number }),
    ...(seen !== undefined && { seen }),
  }
  return events(`${placeOf(id)}/resume`, { method: 'POST', body: { stream: true }, signal })
}

/** Go on with an answer that was stopped or broke off. */
export async function goOn(turn: Signal<Turn>): Promise<void> {
  const id = conversationId.value
  if (id) await follow(turn, signal => goneOn(id, turn, signal))
}

async function untilOnline(stop: AbortSignal): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const end = effect(() => {
      if (isOnline.value) queueMicrotask(settle)
    })
    const settle = () => {
      end()
      resolve()
    }
    stop.addEventListener('abort', () => {
      end()
      reject(stop.reason)
    })
  })
}

function problemOf(error: unknown): Told {
  const isNothingThere =
    error instanceof Refusal && error.status === 404 && stores.value?.length === 0
  return isNothingThere
    ? { message: t().ask.nothingThere }
    : (toldOf(error) ?? { message: t().ask.interrupted })
}

export async function stop(): Promise<void> {
  const id = conversationId.value
  if (id && keepsConversations.value) {
    await json(`/api/conversations/${encodeURIComponent(id)}/stop`, {
      method: 'POST',
      body: {},
    }).catch(() => {})
  }
  running?.abort()
}

/** Show a conversation that the service keeps; what runs in it is followed. */
export async function openConversation(id: string, signal?: AbortSignal): Promise<void> {
  if (id === conversationId.value) return
  leave()
  const found = await readTurns(id, undefined, signal)
  keepsConversations.value = true
  conversationId.value = id
  turns.value = found.turns
  hasEarlierTurns.value = found.hasMore
  const last = turns.value.at(-1)
  if (last?.value.state === 'asking') void resumeLast(id, last)
}

type StoredConversation = { readonly turns: readonly StoredTurn[]; readonly has_more: boolean }

/** A page of turns, the last ones or those before a turn; of long turns the service gives fewer at a time, so it is asked on. */
async function readTurns(id: string, before: number | undefined, signal?: AbortSignal) {
  const found: StoredTurn[] = []
  for (let first = before; ; first = found[0]?.turn) {
    const earlier = first === undefined ? '' : `&before=${first}`
    const count = found.filter(isCurrent).length
    const place = `${placeOf(id)}?limit=${PAGE_SIZE - count}${earlier}`
    const page = await json<StoredConversation>(place, { signal })
    found.unshift(...page.turns)
    const hasMore = page.has_more && page.turns.length > 0
    const shown = found.filter(isCurrent)
    if (!hasMore || shown.length >= PAGE_SIZE) {
      return { turns: shown.map(stored => signalOf(restored(stored))), hasMore }
    }
  }
}

/** No later turn takes its place. */
function isCurrent({ superseded = false }: StoredTurn): boolean {
  return !superseded
}

function signalOf(turn: Turn): Signal<Turn> {
  return signal(turn)
}

async function resumeLast(id: string, turn: Signal<Turn>): Promise<void> {
  turn.value = { ...newTurn(turn.value.question) }
  await follow(turn, signal => resumed(id, turn, signal))
}

export async function showEarlier(): Promise<void> {
  const id = conversationId.value
  const first = turns.value[0]?.value.number
  if (!id || first === undefined) return
  const found = await readTurns(id, first)
  if (conversationId.value !== id) return
  turns.value = [...found.turns, ...turns.value]
  hasEarlierTurns.value = found.hasMore
}

/** The newest conversations, or those after the ones that are shown. */
export async function listConversations({ more = false } = {}): Promise<void> {
  const after = more ? conversations.value.at(-1)?.id : undefined
  try {
    const found = await json<{ data: readonly ConversationEntry[]; has_more?: boolean }>(
      `/api/conversations?limit=${PAGE_SIZE}${after ? `&after=${encodeURIComponent(after)}` : ''}`,
    )
    keepsConversations.value = true
    conversations.value = more ? [...conversations.value, ...found.data] : found.data
    hasMoreConversations.value = found.has_more ?? false
  } catch (error) {
    if (error instanceof Refusal && error.status === 404) keepsConversations.value = false
    else if (!(error instanceof Unreachable)) throw error
  }
}

export async function renameConversation(id: string, title: string): Promise<void> {
  await json(placeOf(id), { method: 'PATCH', body: { title } })
  await listConversations()
}

export async function deleteConversation(id: string): Promise<void> {
  await json(placeOf(id), { method: 'DELETE' })
  if (conversationId.value === id) startAnew()
  await listConversations()
}

function placeOf(id: string): string {
  return `/api/conversations/${encodeURIComponent(id)}`
}
