import type { AgentEvent, AgentResult } from '../agent/event.ts'
import { detectReplyLanguage } from '../agent/language.ts'
import { AgentRun } from '../agent/run.ts'
import { isPendingWarning } from '../app/searching/pending.ts'
import type { Passim } from '../app.ts'
import { screenOf } from '../config.ts'
import { addFileIdsToEvent } from '../conversations/filed-events.ts'
import type { Run } from '../conversations/runs.ts'
import { TurnItems } from '../conversations/turn-items.ts'
import { toAppError } from '../errors.ts'
import { createId } from '../system/digest.ts'
import type { Language } from '../text/language.ts'
import { answerText, COLOURED, PLAIN, streamAnswer } from './answer-text.ts'
import type { Output } from './output.ts'
import { printableAnswer } from './printable.ts'

/** The conversation that was used last, be it of one answer alone, or a new one. */
export async function lastConversation(passim: Passim): Promise<string> {
  return (await passim.conversations.list({ limit: 1, withUnlisted: true }))[0]?.id ?? 'new'
}

/**
 * Keep what was asked without a conversation as the first turn of one, once it is answered, until the next is; tells why where it
 * cannot be.
 */
export async function keepAnswer(
  passim: Passim,
  steps: readonly AgentEvent[],
  output: Output,
): Promise<object> {
  const made = new TurnItems({ runId: createId('run_') })
  const filed = await Promise.all(steps.map(event => addFileIdsToEvent(event, passim.library)))
  const said = filed.flatMap(event => made.push(event))
  const question = steps
    .flatMap(event => (event.type === 'finish' ? [event.result.question] : []))
    .join('')
  try {
    const { id } = await passim.conversationService.create({
      items: [{ kind: 'message', role: 'user', content: question }, ...said],
      isUnlisted: true,
    })
    return { conversation: id, turn: 1 }
  } catch (error) {
    output.message(`The answer cannot be stored for --continue: ${toAppError(error).message}`)
    return {}
  }
}

/** Show a turn while it is answered, and give its answer; with `--json` nothing is shown. Throws why there is none. */
export async function tellTurn(
  passim: Passim,
  run: Run,
  output: Output,
  signal: AbortSignal,
): Promise<AgentResult> {
  const answered = new AgentRun(passim.conversationService.follow(run, signal))
  return output.isJson ? await answered.result : await tellAnswer(answered, output)
}

/** Shows an answer and its warnings, except those about pending documents, which were shown before. */
export async function tellAnswer(run: AgentRun, output: Output): Promise<AgentResult> {
  const answer = await showAnswer(run, output)
  for (const warning of answer.warnings ?? [])
    if (!isPendingWarning(warning)) output.message(warning.message)
  return answer
}

/** Streams an answer on a terminal and writes it at once elsewhere. Steps are shown as messages. */
async function showAnswer(run: AgentRun, output: Output): Promise<AgentResult> {
  const events = withSteps(run.events, (lines, isMidLine) => {
    if (isMidLine && process.stdout.isTTY) output.styled('\n')
    for (const line of lines) output.message(line)
  })
  if (process.stdout.isTTY) {
    return await streamAnswer(
      events,
      text => output.styled(text),
      screenOf().mayColour ? COLOURED : PLAIN,
    )
  }
  const answer = await new AgentRun(events).result
  output.styled(answerText(printableAnswer(answer)))
  return answer
}

type Words = {
  readonly plan: string
  readonly searched: (query: string, found: number) => string
  readonly calls: (name: string, args: string) => string
}

const WORDS: Readonly<Record<Language, Words>> = {
  en: {
    plan: 'Parts of the question:',
    searched: (query, found) =>
      `Searched: ${query} (${found} ${found === 1 ? 'passage' : 'passages'})`,
    calls: (name, args) => `Called ${name} ${args}`,
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
async function* withSteps(
  events: AsyncIterable<AgentEvent>,
  tell: (lines: readonly string[], isMidLine: boolean) => void,
): AsyncGenerator<AgentEvent> {
  let words: Words | undefined
  let isMidLine = false
  for await (const event of events) {
    yield event
    if (event.type === 'text-delta') isMidLine = !event.text.endsWith('\n')
    const isFirstSearch = event.type === 'retrieval' && !words
    if (event.type === 'retrieval') words ??= WORDS[detectReplyLanguage(event.query)]
    const lines = isFirstSearch ? [] : linesOf(event, words ?? WORDS.en)
    if (lines.length === 0) continue
    tell(lines, isMidLine)
    isMidLine = false
  }
}

function linesOf(event: AgentEvent, words: Words): readonly string[] {
  if (event.type === 'retrieval') return [words.searched(shortened(event.query), event.hits.length)]
  if (event.type === 'tool-call')
    return [words.calls(event.call.name, shortened(event.call.arguments))]
  if (event.type !== 'plan' || event.questions.length === 0) return []
  const { plan } = WORDS[detectReplyLanguage(event.questions[0] ?? '')]
  return [plan, ...event.questions.map(question => `- ${shortened(question)}`)]
}

function shortened(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length > SHOWN_CHARS ? `${line.slice(0, SHOWN_CHARS)}…` : line
}
