import type { AgentResult, getCutReason } from '../agent/event.ts'
import { type Message, type ReasoningOrigin, textContent } from '../agent/message.ts'
import type { Citation } from '../answer/citations/citation.ts'
import { replaceHalfCharacters } from './stored-json.ts'

/** So that a title fits one line of a list. */
const MAX_TITLE_CHARS = 80

/** A passage that a search found, as it is kept with the conversation. */
export type FoundPassage = {
  readonly documentId: string
  readonly fileId?: string
  readonly name: string
  readonly score: number
  /** Absent in items that were stored before confidence was recorded. */
  readonly confidence?: number
  readonly attributes: Readonly<Record<string, string | number | boolean>>
}

/** Why a run came to its end without an answer, and what was done about it. */
export type StatusCode =
  | 'stopped'
  | 'failed'
  | 'interrupted'
  | 'resumed'
  | 'limit'
  | 'credits'
  | 'expired'
  | 'approval'
  | 'revoked'
  | 'warning'
  | 'superseded'

/** What lies in a document, with the id of its file when it was said: the document may be gone when it is read again. */
export type Filed<Thing> = Thing & { readonly fileId?: string }

/** Of an answer, what its text does not say. */
export type AnswerFacts = Pick<AgentResult, 'abstained' | 'mode' | 'warnings' | 'usage'> & {
  readonly unsupported?: readonly string[]
  readonly unconfirmed?: readonly string[]
  readonly incomplete?: NonNullable<ReturnType<typeof getCutReason>>
  readonly citations: readonly Filed<Citation>[]
  readonly toolCitations?: AgentResult['toolCitations']
}

/** What an item of a conversation says. */
export type ItemContent =
  | {
      readonly kind: 'message'
      readonly role: 'user' | 'assistant' | 'system' | 'developer'
      readonly content: Message['content']
      /** It was cut short. */
      readonly isIncomplete?: boolean
      readonly answer?: AnswerFacts
      /** A face's own facts, as ids that a client gave; carried along, read by that face only. */
      readonly extra?: Readonly<Record<string, unknown>>
    }
  | {
      readonly kind: 'reasoning'
      readonly text: string
      /** Origin to which it is returned with the message or call after it. */
      readonly origin?: ReasoningOrigin
    }
  | { readonly kind: 'search'; readonly query: string; readonly results: readonly FoundPassage[] }
  | {
      readonly kind: 'call'
      readonly callId: string
      readonly name: string
      readonly arguments: string
      /** Origin with the server's seal of the call. */
      readonly origin?: ReasoningOrigin
      /** By its tool, it may be made again where nobody knows how it ended. */
      readonly mayRepeat?: true
      /** The client runs it, and sends its result; else it was run here. */
      readonly isCallers?: boolean
    }
  | {
      readonly kind: 'result'
      readonly callId: string
      readonly name?: string
      readonly content: Message['content']
      readonly isCallers?: boolean
    }
  | {
      readonly kind: 'status'
      readonly code: StatusCode
      readonly message: string
      readonly extra?: Readonly<Record<string, unknown>>
    }

/** An item with the id that it shall have; a new one is made where it says none. */
export type NewItem = ItemContent & { readonly id?: string | undefined }

/** One entry of a conversation. It is never changed: a correction is a new one. */
export type Item = ItemContent & {
  readonly id: string
  /** In its conversation, from 1. */
  readonly number: number
  /** Of the turn that it belongs to, from 1; 0 before the first question. */
  readonly turn: number
  /** In milliseconds. */
  readonly createdAt: number
}

const PREFIXES = {
  message: 'msg_',
  reasoning: 'rs_',
  search: 'fs_',
  call: 'fc_',
  result: 'fco_',
  status: 'st_',
} as const

/** How the id of an item of this kind begins. */
export function getItemPrefix(kind: ItemContent['kind']): string {
  return PREFIXES[kind]
}

/**
 * The conversation as a model is told of it. Of what was called here only the answers that came of it are told, for
 * the tools may be others by now; `calls` keeps them, for a turn that goes on.
 */
export function toMessages(
  items: readonly Item[],
  { calls = 'callers' }: { readonly calls?: 'callers' | 'all' } = {},
): readonly Message[] {
  const withdrawn = findWithdrawn(items)
  let thought: Thought | undefined
  return items.flatMap(item => {
    const told = withdrawn.has(item.id) ? undefined : toMessage(item, calls)
    const isAnswer = told?.role === 'assistant' || item.kind === 'call'
    const message = told && isAnswer ? addThought(told, thought) : told
    if (item.kind === 'reasoning') thought = withdrawn.has(item.id) ? undefined : item
    else thought = undefined
    return message ?? []
  })
}

type Thought = Extract<Item, { kind: 'reasoning' }>

/** Adds the thoughts before a message or call to it. Thoughts without an origin are only shown, never sent back. */
function addThought(message: Message, thought: Thought | undefined): Message {
  if (!thought?.origin) return message
  const origin = { ...message.reasoningOrigin, ...thought.origin }
  return { ...message, reasoningContent: thought.text, reasoningOrigin: origin }
}

/** Returns the arguments of a call as JSON states them; text that is no JSON as the model wrote it. */
export function parseArguments(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** The items without the turns that a later one takes the place of. */
export function filterCurrentItems(items: readonly Item[]): readonly Item[] {
  const replaced = findSuperseded(items)
  return items.filter(({ turn }) => !isSuperseded(turn, replaced))
}

/** Turns from `first` on, without `end`, whose place that takes. */
export type Superseded = { readonly first: number; readonly end: number }

export function findSuperseded(items: readonly Item[]): readonly Superseded[] {
  return items.flatMap(item =>
    item.kind === 'status' && item.code === 'superseded'
      ? [{ first: Number(item.extra?.from), end: item.turn }]
      : [],
  )
}

export function isSuperseded(turn: number, replaced: readonly Superseded[]): boolean {
  return replaced.some(({ first, end }) => first <= turn && turn < end)
}

/** Says that its turn takes the place of those from `turn` on, which begins with this item. */
export function toSupersedingStatus(turn: number, messageId: string): NewItem {
  const message =
    'This question takes the place of the one named here, and of what came after that.'
  return {
    kind: 'status',
    code: 'superseded',
    message,
    extra: { from: turn, message_id: messageId },
  }
}

type MessageContent = Extract<ItemContent, { kind: 'message' }>

export function isQuestion(content: ItemContent): content is MessageContent {
  return content.kind === 'message' && content.role === 'user'
}

/** Returns the beginning of a question, to name its conversation. */
export function toTitle(question: MessageContent): string {
  const text = replaceHalfCharacters(textContent(question)).replace(/\s+/g, ' ').trim()
  if (text.length <= MAX_TITLE_CHARS) return text
  return `${text.slice(0, MAX_TITLE_CHARS - 1).replace(/[\ud800-\udbff]$/, '')}…` // never half a character
}

/** Returns what is stored of an item that a guardrail withdrew: its kind, without what it said. */
export function withdrawContent(item: Item): object {
  if (item.kind === 'message') return { role: item.role, content: '' }
  if (item.kind === 'call')
    return { callId: item.callId, name: item.name, arguments: '{}', isCallers: item.isCallers }
  if (item.kind === 'result')
    return { callId: item.callId, name: item.name, content: '', isCallers: item.isCallers }
  return item.kind === 'search' ? { query: '', results: [] } : { text: '' }
}

/** Ids of what a guardrail took back, which nobody is shown or told any more. */
export function findWithdrawn(items: readonly Item[]): ReadonlySet<unknown> {
  return new Set(
    items.flatMap(item =>
      item.kind === 'status' && item.code === 'revoked' ? [item.extra?.revoked_message_id] : [],
    ),
  )
}

function toMessage(item: Item, calls: 'callers' | 'all'): Message | undefined {
  if (item.kind === 'message') {
    return { role: item.role === 'developer' ? 'system' : item.role, content: item.content }
  }
  if (item.kind !== 'call' && item.kind !== 'result') return undefined
  if (!item.isCallers && calls === 'callers') return undefined
  if (item.kind === 'call') {
    const { name, callId: functionId, arguments: text, origin } = item
    const seal = origin && { reasoningOrigin: origin }
    return {
      role: 'assistant',
      content: '',
      functionCall: { name, arguments: text },
      functionId,
      ...seal,
    }
  }
  return {
    role: 'function',
    functionId: item.callId,
    content: item.content,
    ...(item.name && { name: item.name }),
  }
}
