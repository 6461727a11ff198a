import type { AgentResult, getCutReason } from '../agent/event.ts'
import { type Message, type ReasoningOrigin, textContent } from '../agent/message.ts'
import type { Citation } from '../answer/citations/citation.ts'
import { replaceHalfCharacters } from './stored-json.ts'

/** Title length, so that it fits one line of a list. */
const MAX_TITLE_CHARS = 80

export type FoundPassage = {
  readonly documentId: string
  readonly fileId?: string
  readonly name: string
  readonly score: number
  readonly confidence?: number
  readonly attributes: Readonly<Record<string, string | number | boolean>>
}

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

/** A reference with its file's id, because the document may be gone later. */
export type Filed<Thing> = Thing & { readonly fileId?: string }

/** Verdict of a reader on an answer. */
export type Judgement = { readonly rating: 'good' | 'bad'; readonly reason?: string }

export type AnswerFacts = Pick<AgentResult, 'abstained' | 'mode' | 'warnings' | 'usage'> & {
  readonly unsupported?: readonly string[]
  readonly unconfirmed?: readonly string[]
  readonly incomplete?: NonNullable<ReturnType<typeof getCutReason>>
  readonly citations: readonly Filed<Citation>[]
  readonly toolCitations?: AgentResult['toolCitations']
  readonly judgement?: Judgement
}

export type ItemContent =
  | {
      readonly kind: 'message'
      readonly role: 'user' | 'assistant' | 'system' | 'developer'
      readonly content: Message['content']
      readonly isIncomplete?: boolean
      readonly answer?: AnswerFacts
      /** Data of a face, stored unread. */
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
      readonly mayRepeat?: true
      /** True if the client runs it. */
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

export type NewItem = ItemContent & { readonly id?: string | undefined }

/** Immutable entry but for its judgement; corrections are new items. */
export type Item = ItemContent & {
  readonly id: string
  /** From 1 within its conversation. */
  readonly number: number
  /** From 1; 0 before the first question. */
  readonly turn: number
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

export function getItemPrefix(kind: ItemContent['kind']): string {
  return PREFIXES[kind]
}

/** Omits calls made here, because tools may have changed; `calls` keeps them for a running turn. */
export function toMessages(
  items: readonly Item[],
  { calls = 'callers' }: { readonly calls?: 'callers' | 'all' } = {},
): readonly Message[] {
  const withdrawn = findWithdrawn(items)
  let thought: Thought | undefined
  return items.flatMap(item => {
    const visible = withdrawn.has(item.id) ? undefined : toMessage(item, calls)
    const isAnswer = visible?.role === 'assistant' || item.kind === 'call'
    const message = visible && isAnswer ? addThought(visible, thought) : visible
    if (item.kind === 'reasoning') thought = withdrawn.has(item.id) ? undefined : item
    else thought = undefined
    return message ?? []
  })
}

type Thought = Extract<Item, { kind: 'reasoning' }>

/** Adds preceding thoughts, unless they lack an origin. */
function addThought(message: Message, thought: Thought | undefined): Message {
  if (!thought?.origin) return message
  const origin = { ...message.reasoningOrigin, ...thought.origin }
  return { ...message, reasoningContent: thought.text, reasoningOrigin: origin }
}

/** Leaves invalid JSON as text. */
export function parseArguments(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

export function filterCurrentItems(items: readonly Item[]): readonly Item[] {
  const replaced = findSuperseded(items)
  return items.filter(({ turn }) => !isSuperseded(turn, replaced))
}

/** Turns from `first` to before `end`, which replaces them. */
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

export function toSupersedingStatus(turn: number, messageId: string): NewItem {
  const message = 'This question replaces the one named here and everything after it.'
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

export function toTitle(question: MessageContent): string {
  const text = replaceHalfCharacters(textContent(question)).replace(/\s+/g, ' ').trim()
  if (text.length <= MAX_TITLE_CHARS) return text
  return `${text.slice(0, MAX_TITLE_CHARS - 1).replace(/[\ud800-\udbff]$/, '')}…` // never half a surrogate pair
}

export function withdrawContent(item: Item): object {
  if (item.kind === 'message') return { role: item.role, content: '' }
  if (item.kind === 'call')
    return { callId: item.callId, name: item.name, arguments: '{}', isCallers: item.isCallers }
  if (item.kind === 'result')
    return { callId: item.callId, name: item.name, content: '', isCallers: item.isCallers }
  return item.kind === 'search' ? { query: '', results: [] } : { text: '' }
}

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
