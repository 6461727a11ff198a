import type { AgentEvent } from '../../agent/event.ts'
import { emitUnwrittenAnswer } from '../../agent/groundings/unwritten-answer.ts'
import { AgentRun } from '../../agent/run.ts'
import {
  answerFromCatalog,
  type CatalogDeps,
  describeUncited,
  type InventoryAnswer,
} from './inventory-answer.ts'
import type { InventoryQuestion } from './inventory-question.ts'

export async function runInventoryQuestion(
  question: string,
  parsed: InventoryQuestion,
  deps: CatalogDeps,
  signal?: AbortSignal,
): Promise<AgentRun | undefined> {
  const answer = await answerFromCatalog(parsed, deps, signal)
  return answer && new AgentRun(emitAnswer(question, parsed, answer))
}

async function* emitAnswer(
  question: string,
  { selection: { topic } }: InventoryQuestion,
  { text, citations, hits }: InventoryAnswer,
): AsyncGenerator<AgentEvent> {
  if (topic !== undefined) yield { type: 'retrieval', query: topic, hits }
  yield* emitUnwrittenAnswer({ question, text, citations })
}

/** Adds to a summary the documents about the topic that it does not cite. */
export async function* withUncited(
  events: AsyncIterable<AgentEvent>,
  parsed: InventoryQuestion,
  deps: CatalogDeps,
  signal?: AbortSignal,
): AsyncGenerator<AgentEvent> {
  for await (const event of events) {
    if (event.type !== 'finish' || event.result.abstained) {
      yield event
      continue
    }
    const cited = new Set(event.result.citations.map(({ documentId }) => documentId))
    const uncited = await describeUncited(parsed, cited, deps, signal)
    const note = uncited && `\n\n${uncited}`
    if (note) yield { type: 'text-delta', text: note }
    yield { type: 'finish', result: { ...event.result, text: event.result.text + note } }
  }
}
