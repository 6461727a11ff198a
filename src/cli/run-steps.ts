import type { AgentEvent } from '../agent/event.ts'
import { replyLanguage } from '../agent/language.ts'
import type { Language } from '../text/language.ts'

type Words = {
  readonly plan: string
  readonly searched: (query: string, found: number) => string
  readonly calls: (name: string, args: string) => string
}

const WORDS: Readonly<Record<Language, Words>> = {
  en: {
    plan: 'Parts of the question:',
    searched: (query, found) => `Searched for: ${query} (${found} ${found === 1 ? 'passage' : 'passages'})`,
    calls: (name, args) => `Calls ${name} ${args}`,
  },
  zh: {
    plan: '问题拆分为：',
    searched: (query, found) => `检索：${query}（${found} 段）`,
    calls: (name, args) => `调用 ${name} ${args}`,
  },
}

/** Of a query or of arguments, that much is shown. */
const SHOWN_CHARS = 200

/**
 * The events of a run, each step on the way told in lines: its plan, its searches after the one for the question, its calls.
 * `isMidLine` where text was said before that ended no line.
 */
export async function* withSteps(
  events: AsyncIterable<AgentEvent>,
  tell: (lines: readonly string[], isMidLine: boolean) => void,
): AsyncGenerator<AgentEvent> {
  let words: Words | undefined
  let isMidLine = false
  for await (const event of events) {
    yield event
    if (event.type === 'text-delta') isMidLine = !event.text.endsWith('\n')
    const isFirstSearch = event.type === 'retrieval' && !words
    if (event.type === 'retrieval') words ??= WORDS[replyLanguage(event.query)]
    const lines = isFirstSearch ? [] : linesOf(event, words ?? WORDS.en)
    if (lines.length === 0) continue
    tell(lines, isMidLine)
    isMidLine = false
  }
}

function linesOf(event: AgentEvent, words: Words): readonly string[] {
  if (event.type === 'retrieval') return [words.searched(shortened(event.query), event.hits.length)]
  if (event.type === 'tool-call') return [words.calls(event.call.name, shortened(event.call.arguments))]
  if (event.type !== 'plan' || event.questions.length === 0) return []
  const { plan } = WORDS[replyLanguage(event.questions[0] ?? '')]
  return [plan, ...event.questions.map(question => `- ${shortened(question)}`)]
}

function shortened(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length > SHOWN_CHARS ? `${line.slice(0, SHOWN_CHARS)}…` : line
}
