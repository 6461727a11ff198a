import { type Message, textContent } from '../message.ts'
import { withBegunAnswer } from './begun-call.ts'

/** Neighbours of a message in its turn. */
export type Surroundings = {
  /** Follows a result, which may end with a prompt for the model's words. */
  readonly isAfterResult: boolean
  /** Precedes another result. Only the last result prompts the model for words. */
  readonly isMoreToCome: boolean
}

/** Writes a message of the assistant or a result. */
type PartOf = (message: Message, around: Surroundings) => string

/** What the assistant said, called and was told, up to the next user message, is one message. */
export function joinTurns(messages: readonly Message[], partOf: PartOf): readonly Message[] {
  const joined: Message[] = []
  for (const [at, message] of messages.entries()) {
    const { role } = message
    if (role === 'user' || role === 'system') joined.push(message)
    else {
      const isMoreToCome = messages[at + 1]?.role === 'function'
      const text = partOf(message, {
        isAfterResult: messages[at - 1]?.role === 'function',
        isMoreToCome,
      })
      const last = joined.at(-1)
      if (last?.role !== 'assistant') joined.push({ role: 'assistant', content: text.trimStart() })
      else joined[joined.length - 1] = { role: 'assistant', content: textContent(last) + text }
    }
  }
  return joined
}

/** After what the assistant has said in its turn, in which the last mark asks for words: a call comes first. */
export function withBegunCall(messages: readonly Message[], begun: string): readonly Message[] {
  const last = messages.at(-1)
  if (begun === '') return messages
  if (last?.role !== 'assistant') return [...messages, { role: 'assistant', content: begun }]
  return [...messages.slice(0, -1), { ...last, content: `${textContent(last)}\n${begun}` }]
}

/** What the assistant has said goes on. */
export function continueLast(messages: readonly Message[]): readonly Message[] {
  const last = messages.at(-1)
  return last?.role === 'assistant'
    ? withBegunAnswer(messages.slice(0, -1), textContent(last))
    : messages
}

/** The conversation with the tools told in its system message. */
export function withToolBlock(messages: readonly Message[], block: string): readonly Message[] {
  const [first, ...rest] = messages
  if (first?.role !== 'system') return [{ role: 'system', content: block }, ...messages]
  return [{ ...first, content: `${textContent(first)}\n\n${block}` }, ...rest]
}
