import type { ContentItem } from '../content-item.ts'
import type { Message } from '../message.ts'
import type { CallReader, TextOrCall } from './text-calls.ts'

/**
 * The conversation with the beginning of the model's next words. Chat servers begin a new answer after a message of the
 * assistant; put at the end of the user's, the words are gone on with.
 */
export function withBegunAnswer(messages: readonly Message[], begun: string): readonly Message[] {
  const user = messages.at(-1)
  if (begun === '') return messages
  if (user?.role !== 'user') return [...messages, { role: 'assistant', content: begun }]
  return [
    ...messages.slice(0, -1),
    { ...user, content: withTextAfter(user.content, `\n\n${begun}`) },
  ]
}

function withTextAfter(content: Message['content'], text: string): Message['content'] {
  if (typeof content === 'string') return content + text
  return [...content, { text } satisfies ContentItem]
}

/**
 * Reads an answer whose call was begun in the prompt: a model goes on with the arguments, or writes the call anew, or
 * says something else.
 */
export class BegunCallReader implements CallReader {
  readonly #inner: CallReader
  readonly #begun: string
  #held = ''
  #isDecided = false

  constructor(inner: CallReader, begun: string) {
    this.#inner = inner
    this.#begun = begun
  }

  *push(text: string): Iterable<TextOrCall> {
    if (this.#isDecided) return yield* this.#inner.push(text)
    this.#held += text
    const said = this.#held.trimStart()
    if (said === '') return
    this.#isDecided = true
    yield* this.#inner.push(/^[{`]/.test(said) ? this.#begun + said : this.#held)
  }

  *end(): Iterable<TextOrCall> {
    yield* this.#inner.end()
  }
}
