import type { AgentEvent, AgentResult } from '../agent/event.ts'
import { type Message, textContent } from '../agent/message.ts'
import { ANSWER_LABELS, answerLabels } from '../app/answer-page/answer-labels.ts'

const LABELS = Object.values(ANSWER_LABELS).map(({ unsupported }) => unsupported)
const NOTE = new RegExp(`\\n\\n(?:${LABELS.join('|')})(?:: |：)“[^\\n]*$`)

/** The answer with a last paragraph of what no source was found for: OpenAI's clients show text, and no field of ours. */
export async function* withUnsupportedNote(events: AsyncIterable<AgentEvent>): AsyncGenerator<AgentEvent> {
  for await (const event of events) {
    const note = event.type === 'finish' ? noteOf(event.result) : ''
    if (event.type !== 'finish' || note === '') {
      yield event
      continue
    }
    yield { type: 'text-delta', text: note }
    yield { type: 'finish', result: { ...event.result, text: event.result.text + note } }
  }
}

/** What is said with a call is not the answer yet. */
function noteOf(answer: AgentResult): string {
  const { unsupported, calls } = answer
  if (unsupported.length === 0 || calls) return ''
  const label = answerLabels(answer).unsupported
  const isChinese = label === ANSWER_LABELS.zh.unsupported
  const sentences = unsupported.map(sentence => `“${sentence}”`).join(isChinese ? '' : ' ')
  return `\n\n${label}${isChinese ? '：' : ': '}${sentences}`
}

/** As the model wrote it: what was put under it is no part of a conversation that goes on. */
export function withoutUnsupportedNote(message: Message): Message {
  if (message.role !== 'assistant' || typeof message.content !== 'string') return message
  return { ...message, content: textContent(message).replace(NOTE, '') }
}
