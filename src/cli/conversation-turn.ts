import { z } from 'zod'
import type { AgentEvent, AgentResult } from '../agent/event.ts'
import { detectReplyLanguage } from '../agent/messages/reply-language.ts'
import { AgentRun } from '../agent/run.ts'
import type { AskOptions } from '../app/ask-options.ts'
import type { Passim } from '../app/passim.ts'
import { isPendingWarning } from '../app/searching/pending.ts'
import { detectScreen } from '../config.ts'
import { addFileIdsToEvent } from '../conversations/filed-events.ts'
import type { Run } from '../conversations/runs.ts'
import { TurnItems } from '../conversations/turn-items.ts'
import { toAppError } from '../errors.ts'
import { createId } from '../system/digest.ts'
import type { TimedAnswerJson } from '../wire/answer.ts'
import { createTerminalStyle, formatAnswer, streamAnswer } from './answer-text.ts'
import type { Output } from './output.ts'
import { toPrintableAnswer } from './printable.ts'
import type { Sentences } from './sentences/en.ts'
import { getSentences, getUserSentences } from './sentences/sentences.ts'

/** Includes unlisted conversations. */
export async function findLastConversation(passim: Passim): Promise<string> {
  return (await passim.conversations.list({ limit: 1, withUnlisted: true }))[0]?.id ?? 'new'
}

type Sources = Pick<AskOptions, 'collections' | 'documents'>

const names = z.array(z.string()).optional()
const sourcesSchema = z.object({ collections: names, documents: names })

/** Takes the last question's sources by default. */
export async function findSources(
  passim: Passim,
  conversation: string,
  { collections, documents }: Sources,
): Promise<Sources> {
  if (collections || documents || conversation === 'new') return { collections, documents }
  const lastRequest = await passim.conversationService.findLastRequest(conversation)
  return sourcesSchema.safeParse(lastRequest).data ?? {}
}

export async function reportContinuing(
  passim: Passim,
  conversation: string,
  { collections = [], documents = [] }: Sources,
  output: Output,
): Promise<void> {
  const { id, title } = await passim.conversations.get(conversation)
  const found = collections.length > 0 ? await passim.scope.findCollections(collections) : []
  const sources = [...found.map(({ name }) => name), ...documents].join(', ')
  output.writeMessage(output.sentences.continuing(id, title, sources))
}

/** Stores an answer as the first turn of an unlisted conversation; reports failures. */
export async function keepAnswer(
  passim: Passim,
  steps: readonly AgentEvent[],
  { sources, output }: { readonly sources: Sources; readonly output: Output },
): Promise<Pick<TimedAnswerJson, 'conversation' | 'turn'>> {
  const made = new TurnItems({ runId: createId('run_') })
  const filed = await Promise.all(steps.map(event => addFileIdsToEvent(event, passim.library)))
  const answerItems = filed.flatMap(event => made.push(event))
  const question = steps
    .flatMap(event => (event.type === 'finish' ? [event.result.question] : []))
    .join('')
  try {
    const { id } = await passim.conversationService.create({
      items: [
        { kind: 'message', role: 'user', content: question, extra: { asked: sources } },
        ...answerItems,
      ],
      isUnlisted: true,
    })
    return { conversation: id, turn: 1 }
  } catch (error) {
    output.writeMessage(output.sentences.notStored(getUserSentences().describe(toAppError(error))))
    return {}
  }
}

/** Shows a turn while it is answered (not with `--json`). Throws its failure. */
export async function reportTurn(
  passim: Passim,
  run: Run,
  output: Output,
  signal: AbortSignal,
): Promise<AgentResult> {
  const answered = new AgentRun(passim.conversationService.follow(run, signal))
  return output.isJson ? await answered.result : await reportAnswer(answered, output)
}

export async function reportAnswer(run: AgentRun, output: Output): Promise<AgentResult> {
  const answer = await showAnswer(run, output)
  for (const warning of answer.warnings ?? [])
    if (!isPendingWarning(warning)) output.writeMessage(output.sentences.describe(warning))
  return answer
}

/** Streams to a terminal and prints at once elsewhere. Steps are messages. */
async function showAnswer(run: AgentRun, output: Output): Promise<AgentResult> {
  const events = withSteps(run.events, (lines, isMidLine) => {
    if (isMidLine && process.stdout.isTTY) output.writeStyled('\n')
    for (const line of lines) output.writeMessage(line)
  })
  if (process.stdout.isTTY) {
    return await streamAnswer(
      events,
      text => output.writeStyled(text),
      createTerminalStyle(process.stdout.columns, detectScreen().mayColour),
    )
  }
  const answer = await new AgentRun(events).result
  output.writeStyled(formatAnswer(toPrintableAnswer(answer)))
  return answer
}

/** Characters of a shown query or argument, so that it fits a few lines. */
const SHOWN_CHARS = 200

async function* withSteps(
  events: AsyncIterable<AgentEvent>,
  writeLines: (lines: readonly string[], isMidLine: boolean) => void,
): AsyncGenerator<AgentEvent> {
  let sentences: Sentences | undefined
  let isMidLine = false
  const queries = new Set<string>()
  for await (const event of events) {
    yield event
    if (event.type === 'text-delta') isMidLine = !event.text.endsWith('\n')
    if (event.type === 'retrieval') {
      sentences ??= getSentences(detectReplyLanguage(event.query))
      const shouldPrint = queries.size > 0 && !queries.has(event.query)
      queries.add(event.query)
      if (!shouldPrint) continue
    }
    const lines = formatStep(event, (sentences ?? getSentences('en')).ask)
    if (lines.length === 0) continue
    writeLines(lines, isMidLine)
    isMidLine = false
  }
}

function formatStep(event: AgentEvent, words: Sentences['ask']): readonly string[] {
  if (event.type === 'retrieval')
    return [words.searched(shortenText(event.query), event.hits.length)]
  if (event.type === 'tool-call')
    return [words.calls(event.call.name, shortenText(event.call.arguments))]
  if (event.type !== 'plan' || event.questions.length === 0) return []
  const { plan } = getSentences(detectReplyLanguage(event.questions[0] ?? '')).ask
  return [plan, ...event.questions.map(question => `- ${shortenText(question)}`)]
}

function shortenText(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length > SHOWN_CHARS ? `${line.slice(0, SHOWN_CHARS)}…` : line
}
