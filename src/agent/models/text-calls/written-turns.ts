import { type ContentItem, type Message, textContent } from '../../message.ts'
import type { CallReader, TextOrCall } from './text-calls.ts'

/** Appends to the user's message: chat servers would answer an assistant's. */
export function prefillAnswer(messages: readonly Message[], callStart: string): readonly Message[] {
  const user = messages.at(-1)
  if (callStart === '') return messages
  if (user?.role !== 'user') return [...messages, { role: 'assistant', content: callStart }]
  return [
    ...messages.slice(0, -1),
    { ...user, content: appendText(user.content, `\n\n${callStart}`) },
  ]
}

function appendText(content: Message['content'], text: string): Message['content'] {
  if (typeof content === 'string') return content + text
  return [...content, { text } satisfies ContentItem]
}

export class PrefilledCallReader implements CallReader {
  readonly #inner: CallReader
  readonly #callStart: string
  #pending = ''
  #isDecided = false

  constructor(inner: CallReader, callStart: string) {
    this.#inner = inner
    this.#callStart = callStart
  }

  *push(text: string): Iterable<TextOrCall> {
    if (this.#isDecided) return yield* this.#inner.push(text)
    this.#pending += text
    const trimmed = this.#pending.trimStart()
    if (trimmed === '') return
    this.#isDecided = true
    yield* this.#inner.push(/^[{`]/.test(trimmed) ? this.#callStart + trimmed : this.#pending)
  }

  *end(): Iterable<TextOrCall> {
    yield* this.#inner.end()
  }
}

export type Surroundings = {
  /** Results may end with a prompt for the model's words. */
  readonly isAfterResult: boolean
  /** Only the last result prompts the model for words. */
  readonly isBeforeResult: boolean
}

type PartOf = (message: Message, around: Surroundings) => string

export function joinTurns(messages: readonly Message[], partOf: PartOf): readonly Message[] {
  const joined: Message[] = []
  for (const [index, message] of messages.entries()) {
    const { role } = message
    if (role === 'user' || role === 'system') joined.push(message)
    else {
      const isMoreToCome = messages[index + 1]?.role === 'function'
      const text = partOf(message, {
        isAfterResult: messages[index - 1]?.role === 'function',
        isBeforeResult: isMoreToCome,
      })
      const last = joined.at(-1)
      if (last?.role !== 'assistant') joined.push({ role: 'assistant', content: text.trimStart() })
      else joined[joined.length - 1] = { role: 'assistant', content: textContent(last) + text }
    }
  }
  return joined
}

export function prefillCall(messages: readonly Message[], callStart: string): readonly Message[] {
  const last = messages.at(-1)
  if (callStart === '') return messages
  if (last?.role !== 'assistant') return [...messages, { role: 'assistant', content: callStart }]
  return [...messages.slice(0, -1), { ...last, content: `${textContent(last)}\n${callStart}` }]
}

export function continueLast(messages: readonly Message[]): readonly Message[] {
  const last = messages.at(-1)
  return last?.role === 'assistant'
    ? prefillAnswer(messages.slice(0, -1), textContent(last))
    : messages
}

export function withToolBlock(messages: readonly Message[], block: string): readonly Message[] {
  const [first, ...rest] = messages
  if (first?.role !== 'system') return [{ role: 'system', content: block }, ...messages]
  return [{ ...first, content: `${textContent(first)}\n\n${block}` }, ...rest]
}
