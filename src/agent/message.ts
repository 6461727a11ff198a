import { AppError } from '../errors.ts'
import { type ContentItem, ITEM_TYPES, isMedia } from './content-item.ts'
import type { FunctionCall } from './function-call.ts'
import type { ReasoningOrigin } from './reasoning.ts'

export const ROLES = ['user', 'assistant', 'system', 'function'] as const

/** Who speaks. `function` carries the result of a tool. */
export type Role = (typeof ROLES)[number]

/** One turn, or one part of a turn: a model that calls two tools at once leaves two messages, one a call. */
export type Message = {
  readonly role: Role
  readonly content: string | readonly ContentItem[]
  /** The agent that spoke, or the tool that answered. */
  readonly name?: string
  readonly functionCall?: FunctionCall
  /** Ties a `function` message to the call that it answers. */
  readonly functionId?: string
  readonly reasoningContent?: string
  /** Server that `reasoningContent` is returned to, and its form there. Without it, the thoughts are only shown. */
  readonly reasoningOrigin?: ReasoningOrigin
  /** A caller's own facts about the message; carried along, never read. */
  readonly extra?: Readonly<Record<string, unknown>>
}

/** What an agent is asked: a question, or a conversation that ends in one. Throws `invalid_input` for what is neither: programs need no types to call the library. */
export function messagesIn(input: string | readonly Message[]): readonly Message[] {
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
    )
}

function requireMessage({ role, content }: Message): void {
  const refuse = (what: string) => new AppError('invalid_input', `A message ${what}`)
  if (!ROLES.includes(role)) {
    const there = 'There are user, assistant, system, and function for what a tool answered.'
    throw refuse(`has the role ${JSON.stringify(role)}. ${there}`)
  }
  const isContent = typeof content === 'string' || (Array.isArray(content) && content.every(isItem))
  if (!isContent)
    throw refuse(
      `of the role ${role} has as content neither a text nor a list of ${ITEM_TYPES.join(', ')}.`,
    )
}

function isItem(item: unknown): boolean {
  return typeof item === 'object' && item !== null && ITEM_TYPES.some(type => type in item)
}

/** The text of a message, its text items joined by line breaks. */
export function textContent({ content }: Pick<Message, 'content'>): string {
  if (typeof content === 'string') return content
  return content.flatMap(item => ('text' in item ? [item.text] : [])).join('\n')
}

/** It shows or plays something besides its text and files. */
export function isMultimodal({ content }: Message): boolean {
  return typeof content !== 'string' && content.some(isMedia)
}

/** The pictures and the like of a question, which is text, as a message before it. */
export function shownIn(asked: readonly Message[]): readonly Message[] {
  const content = asked.flatMap(message =>
    typeof message.content === 'string' ? [] : message.content.filter(isMedia),
  )
  return content.length > 0 ? [{ role: 'user', content }] : []
}

/** Every file of the conversation, once. */
export function filesOf(messages: readonly Message[]): readonly string[] {
  const items = messages.flatMap(({ content }) => (typeof content === 'string' ? [] : content))
  return [...new Set(items.flatMap(item => ('file' in item ? [item.file] : [])))]
}
