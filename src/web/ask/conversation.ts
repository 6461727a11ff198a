import { computed, effect, type Signal, signal } from '@preact/signals'
import type { StreamedAskEvent } from '../../wire/ask-event.ts'
import type {
  ConversationHeadJson,
  ConversationJson,
  ConversationPageJson,
  TurnJson,
} from '../../wire/conversation.ts'
import { fetchJson, isOnline, Refusal, streamEvents, Unreachable } from '../connection.ts'
import { stores } from '../documents/stores.ts'
import { type Notice, toNotice } from '../notice.tsx'
import { t } from '../preferences.ts'
import { linkTo, openView } from '../route.ts'
import { hideSource } from '../source/shown-source.ts'
import { applyEvent, createTurn, restoreTurn, type Turn, wasInterrupted } from './turn.ts'

/** Turns of the open conversation. They continue while another view is shown. */
export const turns = signal<readonly Signal<Turn>[]>([])
export const conversationId = signal<string | undefined>(undefined)
export const isAsking = signal(false)
/** Empty for the default collection. */
export const selectedCollections = signal<readonly string[]>([])
/** Undefined until the service has answered. */
const keepsConversations = signal<boolean | undefined>(undefined)
export const conversations = signal<readonly ConversationHeadJson[]>([])
export const hasConversationList = computed(
  () =>
    keepsConversations.value === true &&
    (conversations.value.length > 0 || turns.value.length > 0 || soughtTitle.value !== ''),
)
/** Part of the titles to list; empty for all. */
export const soughtTitle = signal('')
export const hasMoreConversations = signal(false)
export const hasEarlierTurns = signal(false)
/** 0 if the operator allows no links to conversations. */
export const sharedLinkDays = signal(0)

/** Turns or conversations per request; protects the page from long first loads. */
const PAGE_SIZE = 50
/** Reconnections without a new event; protects the service from endless retries. */
const MAX_RESUMES = 20

let running: AbortController | undefined

export function startConversation(): void {
  leave()
  hideSource()
  turns.value = []
  conversationId.value = undefined
  hasEarlierTurns.value = false
  openView('ask')
}

function leave(): void {
  running?.abort()
  running = undefined
  isAsking.value = false
}

export async function ask(question: string): Promise<void> {
  const turn = signal(createTurn(question))
  turns.value = [...turns.value, turn]
  await follow(turn, signal => streamAnswer(question, signal))
  if (keepsConversations.value) void listConversations()
}

async function* streamAnswer(
  question: string,
  signal: AbortSignal,
): AsyncGenerator<StreamedAskEvent> {
  if (keepsConversations.value === undefined) await listConversations()
  const collections = selectedCollections.value
  const request = { question, stream: true, ...(collections.length > 0 && { collections }) }
  try {
    const conversation = keepsConversations.value
      ? { conversation: conversationId.value ?? 'new' }
      : {}
    yield* streamEvents('/api/ask', {
      method: 'POST',
      body: { ...request, ...conversation },
      signal,
    })
  } catch (error) {
    const isRefused = error instanceof Refusal && error.status === 403 && keepsConversations.value
    if (!isRefused) throw error
    keepsConversations.value = false // a read-only key asks without a stored conversation
    yield* streamEvents('/api/ask', { method: 'POST', body: request, signal })
  }
}

async function follow(
  turn: Signal<Turn>,
  openStream: (stop: AbortSignal) => AsyncGenerator<StreamedAskEvent>,
): Promise<void> {
  const controller = new AbortController()
  running = controller
  isAsking.value = true
  try {
    await followStreams(turn, openStream, controller.signal)
  } catch (error) {
    if (!controller.signal.aborted)
      turn.value = { ...turn.value, state: 'failed', problem: toProblem(error) }
  } finally {
    if (running === controller) {
      running = undefined
      isAsking.value = false
    }
    if (turn.value.state === 'asking') turn.value = { ...turn.value, state: 'stopped' }
  }
}

async function followStreams(
  turn: Signal<Turn>,
  openStream: (stop: AbortSignal) => AsyncGenerator<StreamedAskEvent>,
  stop: AbortSignal,
): Promise<void> {
  const life = { isSpent: false }
  let source = openStream(stop)
  for (let lost = 0; ; ) {
    const { lastEventId: seen } = turn.value
    const error = await catchStreamError(turn, source)
    const { state, canResume: canGoOn } = turn.value
    const isCut = state === 'failed' && canGoOn && !life.isSpent
    if (!error && !isCut && state !== 'asking') return
    if (turn.value.lastEventId !== seen) lost = 0
    const id = conversationId.value
    if (!id || !keepsConversations.value || (error && !isLost(error)) || ++lost > MAX_RESUMES) {
      throw error ?? new Unreachable(t().ask.interrupted)
    }
    await waitUntilOnline(stop)
    source = resumeLostTurn(id, turn, { stop, life })
  }
}

async function catchStreamError(
  turn: Signal<Turn>,
  stream: AsyncGenerator<StreamedAskEvent>,
): Promise<unknown> {
  try {
    await applyEvents(turn, stream)
    return undefined
  } catch (error) {
    return error
  }
}

function isLost(error: unknown): boolean {
  return error instanceof Unreachable || (error instanceof Refusal && error.status >= 500)
}

async function applyEvents(
  turn: Signal<Turn>,
  stream: AsyncGenerator<StreamedAskEvent>,
): Promise<void> {
  for await (const event of stream) {
    if (event.event === 'start') adoptConversation(event.data.conversation)
    turn.value = applyEvent(turn.value, event)
  }
}

/** Puts the new id into the address bar, so that a reload finds it. */
function adoptConversation(conversation: string | undefined): void {
  if (!conversation || conversation === conversationId.value) return
  conversationId.value = conversation
  history.replaceState(null, '', linkTo('ask', conversation))
}

type Following = {
  readonly stop: AbortSignal
  /** An answer whose process died is resumed once, because its question may kill every process. */
  readonly life: { isSpent: boolean }
}

async function* resumeLostTurn(
  id: string,
  turn: Signal<Turn>,
  { stop, life }: Following,
): AsyncGenerator<StreamedAskEvent> {
  const { number = getNextNumber(turn), question } = turn.value
  const { turns: found } = await fetchJson<ConversationJson>(
    `${getConversationPath(id)}?limit=1&before=${number + 1}`,
    {
      signal: stop,
    },
  )
  const stored = found.find(record => record.turn === number && record.question === question)
  if (!stored) throw new Error(t().ask.interrupted) // the question did not reach the service
  if (stored.status === 'in_progress') return yield* streamRemainingEvents(id, turn, stop)
  if (!wasInterrupted(stored.error) || life.isSpent) {
    turn.value = restoreTurn(stored)
    return
  }
  life.isSpent = true
  yield* streamResumedAnswer(id, turn, stop)
}

function getNextNumber(turn: Signal<Turn>): number {
  return (
    1 +
    Math.max(
      0,
      ...turns.value
        .filter(otherTurn => otherTurn !== turn)
        .map(otherTurn => otherTurn.peek().number ?? 0),
    )
  )
}

function streamRemainingEvents(
  id: string,
  turn: Signal<Turn>,
  signal: AbortSignal,
): AsyncGenerator<StreamedAskEvent> {
  const { lastEventId: seen } = turn.value
  if (seen === undefined) turn.value = { ...createTurn(turn.value.question) }
  return streamEvents(
    `${getConversationPath(id)}/events?after=${encodeURIComponent(seen ?? '0')}`,
    { signal },
  )
}

function streamResumedAnswer(
  id: string,
  turn: Signal<Turn>,
  signal: AbortSignal,
): AsyncGenerator<StreamedAskEvent> {
  const { question, number, lastEventId: seen } = turn.value
  turn.value = {
    ...createTurn(question),
    ...(number !== undefined && { number }),
    ...(seen !== undefined && { lastEventId: seen }),
  }
  return streamEvents(`${getConversationPath(id)}/resume`, {
    method: 'POST',
    body: { stream: true },
    signal,
  })
}

export async function resumeAnswer(turn: Signal<Turn>): Promise<void> {
  const id = conversationId.value
  if (id) await follow(turn, signal => streamResumedAnswer(id, turn, signal))
}

async function waitUntilOnline(stop: AbortSignal): Promise<void> {
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

function toProblem(error: unknown): Notice {
  const isNothingThere =
    error instanceof Refusal && error.status === 404 && stores.value?.length === 0
  return isNothingThere
    ? { message: t().ask.nothingThere }
    : (toNotice(error) ?? { message: t().ask.interrupted })
}

export async function stop(): Promise<void> {
  const id = conversationId.value
  if (id && keepsConversations.value) {
    await fetchJson(`/api/conversations/${encodeURIComponent(id)}/stop`, {
      method: 'POST',
      body: {},
    }).catch(() => {})
  }
  running?.abort()
}

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

/** Reads up to PAGE_SIZE turns, the last ones or those before a turn; fewer if they are long. */
export async function readTurns(id: string, before: number | undefined, signal?: AbortSignal) {
  const found: TurnJson[] = []
  for (let first = before; ; first = found[0]?.turn) {
    const earlier = first === undefined ? '' : `&before=${first}`
    const count = found.filter(isCurrent).length
    const place = `${getConversationPath(id)}?limit=${PAGE_SIZE - count}${earlier}`
    const page = await fetchJson<ConversationJson>(place, { signal })
    found.unshift(...page.turns)
    const hasMore = page.hasMore && page.turns.length > 0
    const current = found.filter(isCurrent)
    if (!hasMore || current.length >= PAGE_SIZE) {
      return { turns: current.map(stored => toSignal(restoreTurn(stored))), hasMore }
    }
  }
}

function isCurrent({ superseded = false }: TurnJson): boolean {
  return !superseded
}

function toSignal(turn: Turn): Signal<Turn> {
  return signal(turn)
}

async function resumeLast(id: string, turn: Signal<Turn>): Promise<void> {
  turn.value = { ...createTurn(turn.value.question) }
  await follow(turn, signal => streamRemainingEvents(id, turn, signal))
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

let lastListed: string | undefined

export async function listConversations({ more = false } = {}): Promise<void> {
  const title = soughtTitle.value
  const filter = { limit: String(PAGE_SIZE), ...(title && { title }) }
  try {
    const [pinned, found] = await Promise.all([
      more ? [] : readConversations({ ...filter, pinned: 'true' }).then(page => page.conversations),
      readConversations({ ...filter, ...(more && lastListed && { after: lastListed }) }),
    ])
    if (title !== soughtTitle.value) return
    keepsConversations.value = true
    sharedLinkDays.value = found.sharedLinkDays
    lastListed = found.conversations.at(-1)?.id
    const first = more ? conversations.value : pinned
    const others = found.conversations.filter(entry => !first.some(({ id }) => id === entry.id))
    conversations.value = [...first, ...others]
    hasMoreConversations.value = found.hasMore
  } catch (error) {
    if (error instanceof Refusal && error.status === 404) keepsConversations.value = false
    else if (!(error instanceof Unreachable)) throw error
  }
}

async function readConversations(query: Record<string, string>): Promise<ConversationPageJson> {
  return await fetchJson(`/api/conversations?${new URLSearchParams(query)}`)
}

export async function updateConversation(
  id: string,
  body: { readonly title?: string; readonly pinned?: boolean },
): Promise<void> {
  await fetchJson(getConversationPath(id), { method: 'PATCH', body })
  await listConversations()
}

/** Loads the turns that are not shown yet, because the printed page has all of them. */
export async function printConversation(): Promise<void> {
  while (hasEarlierTurns.value) await showEarlier()
  requestAnimationFrame(() => print())
}

export async function deleteConversation(id: string): Promise<void> {
  await fetchJson(getConversationPath(id), { method: 'DELETE' })
  if (conversationId.value === id) startConversation()
  await listConversations()
}

export function getConversationPath(id: string): string {
  return `/api/conversations/${encodeURIComponent(id)}`
}
