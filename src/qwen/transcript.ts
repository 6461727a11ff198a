import { type Message, textContent } from '../agent/message.ts'

/** Templates with `{…}` placeholders. */
type TranscriptTemplates = {
  /** `{thought}` */
  readonly thought: string
  /** `{name}`, `{arguments}` */
  readonly call: string
  /** `{name}`, `{result}` */
  readonly result: string
}

const DEFAULTS: TranscriptTemplates = {
  thought: '<think>\n{thought}\n</think>\n',
  call: '\n[call {name}] {arguments}',
  result: '\n[result of {name}] {result}',
}

/** Merges an author's text, calls and results into one message. */
export function transcript(
  messages: readonly Message[],
  templates: Partial<TranscriptTemplates> = {},
): readonly Message[] {
  const forms = { ...DEFAULTS, ...templates }
  const written: Message[] = []
  for (const message of messages) {
    const last = written.at(-1)
    const text = asText(message, forms)
    const isAnswer = message.role === 'assistant' || message.role === 'function'
    const isSameTurn =
      last?.role === 'assistant' && (message.role === 'function' || last.name === message.name)
    if (isAnswer && last && isSameTurn)
      written[written.length - 1] = { ...last, content: textContent(last) + text }
    else if (!isAnswer) written.push(message)
    else
      written.push({
        role: 'assistant',
        content: text.trimStart(),
        ...(message.role === 'assistant' && message.name && { name: message.name }),
      })
  }
  return written
}

function asText(message: Message, { thought, call, result }: TranscriptTemplates): string {
  const { functionCall, reasoningContent, role, name = '' } = message
  const text = textContent(message)
  if (role === 'function') return fill(result, { name, result: text })
  const thoughts = reasoningContent ? fill(thought, { thought: reasoningContent }) : ''
  return thoughts + text + (functionCall ? fill(call, functionCall) : '')
}

function fill(template: string, values: Readonly<Record<string, string>>): string {
  return template.replace(/\{(\w+)\}/g, (slot, key: string) => values[key] ?? slot)
}
