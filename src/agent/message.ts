import { localizable, type Sentence } from '../errors/localizable.ts'
import { AppError } from '../errors.ts'
import type { FunctionCall } from './messages/function-call.ts'

export const ROLES = ['user', 'assistant', 'system', 'function'] as const

/** `function` carries the result of a tool. */
export type Role = (typeof ROLES)[number]

/** A turn, or a part: parallel calls are one message each. */
export type Message = {
  readonly role: Role
  readonly content: string | readonly ContentItem[]
  readonly name?: string
  readonly functionCall?: FunctionCall
  /** Call that a `function` message answers. */
  readonly functionId?: string
  readonly reasoningContent?: string
  /**
   * Server that `reasoningContent` is returned to, and its form. Without it, thoughts are only
   * shown.
   */
  readonly reasoningOrigin?: ReasoningOrigin
  /** A caller's own facts about the message; carried along, never read. */
  readonly extra?: Readonly<Record<string, unknown>>
}

/** Throws `invalid_input` unless the input ends in a question. */
export function parseMessages(input: string | readonly Message[]): readonly Message[] {
  if (typeof input === 'string') {
    requireQuestion(input)
    return [{ role: 'user', content: input }]
  }
  if (!Array.isArray(input))
    throw new AppError('invalid_input', 'run() takes a question, or a list of messages.')
  for (const message of input) requireMessage(message)
  return input
}

export function requireQuestion(question: string): void {
  if (question.trim() === '')
    throw new AppError(
      'invalid_input',
      'The question is empty: ask something, in at least one word.',
      { about: question },
    )
}

function requireMessage({ role, content }: Message): void {
  const refuse = (what: Sentence) => new AppError('invalid_input', localizable`A message ${what}`)
  if (!ROLES.includes(role)) {
    const there = 'The roles are user, assistant, system, and function for the result of a tool.'
    throw refuse(localizable`has the role ${JSON.stringify(role)}. ${there}`)
  }
  const isContent = typeof content === 'string' || (Array.isArray(content) && content.every(isItem))
  if (!isContent)
    throw refuse(
      localizable`of the role ${role} has content that is neither a text nor a list of ${ITEM_TYPES}.`,
    )
}

function isItem(item: unknown): boolean {
  return typeof item === 'object' && item !== null && ITEM_TYPES.some(type => type in item)
}

export function textContent({ content }: Pick<Message, 'content'>): string {
  if (typeof content === 'string') return content
  return content.flatMap(item => ('text' in item ? [item.text] : [])).join('\n')
}

export function isMultimodal({ content }: Message): boolean {
  return typeof content !== 'string' && content.some(isMedia)
}

export function collectMedia(messages: readonly Message[]): readonly Message[] {
  const content = messages.flatMap(message =>
    typeof message.content === 'string' ? [] : message.content.filter(isMedia),
  )
  return content.length > 0 ? [{ role: 'user', content }] : []
}

export function listMessageFiles(messages: readonly Message[]): readonly string[] {
  const items = messages.flatMap(({ content }) => (typeof content === 'string' ? [] : content))
  return [...new Set(items.flatMap(item => ('file' in item ? [item.file] : [])))]
}

/** Address, optionally with seconds and format. */
type Audio = string | { readonly url: string; readonly duration?: number; readonly format?: string }

/** Content part with exactly one key, its type. Media are URLs, paths or data URIs. */
export type ContentItem =
  | { readonly text: string }
  | { readonly image: string }
  | { readonly file: string }
  | { readonly audio: Audio }
  | { readonly video: string | readonly string[] }

export const ITEM_TYPES = ['text', 'image', 'file', 'audio', 'video'] as const

/** Returns the address or text; the first frame of a video. */
export function getItemValue(item: ContentItem): string {
  if ('text' in item) return item.text
  if ('image' in item) return item.image
  if ('file' in item) return item.file
  if ('audio' in item) return typeof item.audio === 'string' ? item.audio : item.audio.url
  return typeof item.video === 'string' ? item.video : (item.video[0] ?? '')
}

export function isMedia(item: ContentItem): boolean {
  return 'image' in item || 'audio' in item || 'video' in item
}

export function getItemExtension(item: ContentItem): string {
  if ('text' in item) return ''
  const place = getItemValue(item)
  if (place.startsWith('data:'))
    return /^data:[\w.+-]+\/([\w.+-]+)/.exec(place)?.[1]?.toLowerCase() ?? ''
  const bare = /^https?:/i.test(place) ? place.replace(/[?#].*$/, '') : place
  return /\.([^./\\]+)$/.exec(bare)?.[1]?.toLowerCase() ?? ''
}

export type ReasoningOrigin = {
  /** Digest of URL and model. No other server gets the thoughts. */
  readonly server: string
  /** Fields that contained them as text, such as `reasoning_content`. */
  readonly fields: readonly string[]
  /** The fields are a client's, until the server's are known. */
  readonly isFromClient?: true
  /** Structured pieces (`reasoning_details`), some for the server only. */
  readonly details?: readonly unknown[]
  /** Server's field of a call (`extra_content`), such as Gemini's signature. */
  readonly seal?: unknown
}
