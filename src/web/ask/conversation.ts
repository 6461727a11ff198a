import { effect, type Signal, signal } from '@preact/signals'
import { events, isOnline, json, Refusal, type StreamEvent, Unreachable } from '../connection.ts'
import { sentenceOf } from '../loaded.ts'
import { t } from '../preferences.ts'
import { go, href } from '../route.ts'
import { hideSource } from '../source/shown-source.ts'
import { after, newTurn, restored, type StoredTurn, type Turn } from './turn.ts'

/** A conversation in the list of all. */
export type ConversationEntry = { readonly id: string; readonly title: string; readonly updated_at: number }

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
  await follow(turn, () => askedEvents(question))
  if (keepsConversations.value) void listConversations()
}

async function* askedEvents(question: string): AsyncGenerator<StreamEvent> {
  if (keepsConversations.value === undefined) await listConversations()
  const collections = askedCollections.value
  const asked = { question, stream: true, ...(collections.length > 0 && { collections }) }
  const signal = running?.signal
  try {
    const conversation = keepsConversations.value ? { conversation: conversationId.value ?? 'new' } : {}
    yield* events('/api/ask', { method: 'POST', body: { ...asked, ...conversation }, signal })
  } catch (error) {
    const isKeptFrom = error instanceof Refusal && error.status === 403 && keepsConversations.value
    if (!isKeptFrom) throw error
    keepsConversations.value = false // the key may read only: it asks, and nothing is kept
    yield* events('/api/ask', { method: 'POST', body: asked, signal })
  }
}

/** See a turn through to its end, by however many streams. */
async function follow(turn: Signal<Turn>, begin: () => AsyncGenerator<StreamEvent>): Promise<void> {
  const controller = new AbortController()
  running = controller
  isAsking.value = true
  try {
    await seeThrough(turn, begin, controller.signal)
  } catch (error) {
    if (!controller.signal.aborted) turn.value = { ...turn.value, state: 'failed', problem: problemOf(error) }
  } finally {
    if (running === controller) {
      running = undefined
      isAsking.value = false
    }
    if (turn.value.state === 'asking') turn.value = { ...turn.value, state: 'stopped' }
  }
}

async function seeThrough(turn: Signal<Turn>, begin: () => AsyncGenerator<StreamEvent>, stop: AbortSignal) {
  let source = begin
  for (let attempt = 0; ; attempt++) {
    try {
      await take(turn, source())
      if (turn.value.state !== 'asking') return
      throw new Unreachable(t().ask.interrupted)
    } catch (error) {
      const id = conversationId.value
      const isLost = error instanceof Unreachable || (error instanceof Refusal && error.status >= 500)
      if (!isLost || !id || !keepsConversations.value || attempt >= MAX_RESUMES) throw error
      await untilOnline(stop)
      source = () => resumed(id, turn, stop)
    }
  }
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

/** From the last event that was seen; where none were numbered, from the beginning. */
function resumed(id: string, turn: Signal<Turn>, signal: AbortSignal): AsyncGenerator<StreamEvent> {
  const { seen } = turn.value
  if (seen === undefined) turn.value = { ...newTurn(turn.value.question) }
  const place = `/api/conversations/${encodeURIComponent(id)}/events`
  return events(`${place}?after=${encodeURIComponent(seen ?? '0')}`, { signal })
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

function problemOf(error: unknown): string {
  return error instanceof Unreachable ? t().ask.interrupted : sentenceOf(error)
}

export async function stop(): Promise<void> {
  const id = conversationId.value
  if (id && keepsConversations.value) {
    await json(`/api/conversations/${encodeURIComponent(id)}/stop`, { method: 'POST', body: {} }).catch(() => {})
  }
  running?.abort()
}

/** Show a conversation that the service keeps; what runs in it is followed. */
export async function openConversation(id: string, signal?: AbortSignal): Promise<void> {
  if (id === conversationId.value) return
  leave()
  const found = await json<StoredConversation>(`${placeOf(id)}?limit=${PAGE_SIZE}`, { signal })
  keepsConversations.value = true
  conversationId.value = id
  turns.value = found.turns.map(stored => newSignal(restored(stored)))
  hasEarlierTurns.value = (found.turns[0]?.turn ?? 1) > 1
  const last = turns.value.at(-1)
  if (last?.value.state === 'asking') void resumeLast(id, last)
}

type StoredConversation = { readonly turns: readonly StoredTurn[] }

function newSignal(turn: Turn): Signal<Turn> {
  return signal(turn)
}

async function resumeLast(id: string, turn: Signal<Turn>): Promise<void> {
  turn.value = { ...newTurn(turn.value.question) }
  await follow(turn, () => resumed(id, turn, running?.signal ?? new AbortController().signal))
}

export async function showEarlier(): Promise<void> {
  const id = conversationId.value
  const first = turns.value[0]?.value.number
  if (!id || first === undefined) return
  const found = await json<StoredConversation>(`${placeOf(id)}?before=${first}&limit=${PAGE_SIZE}`)
  turns.value = [...found.turns.map(stored => newSignal(restored(stored))), ...turns.value]
  hasEarlierTurns.value = (found.turns[0]?.turn ?? 1) > 1
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
