import { type Extract, Extractive, type ExtractiveOptions } from '../answer/extractive.ts'
import { parseQuestion } from '../answer/question/parse.ts'
import type { Question } from '../answer/question/question.ts'
import type { Document } from '../ingest/catalog/document.ts'
import { searchable } from '../text/keywords.ts'
import type { AgentEvent } from './event.ts'
import { replyLanguage } from './language.ts'
import type { Message } from './message.ts'
import { leansOnRefusal, searchText } from './question.ts'
import { AgentRun } from './run.ts'

/** A question, and where its answer may come from. */
export type AskRequest = {
  readonly question: string
  readonly collectionIds: readonly string[]
  /** Only these documents, when given. */
  readonly documentIds?: readonly string[]
  /** The completed documents in scope; asked for only when the question is about the documents as a whole. */
  readonly documents: () => Promise<readonly Document[]>
  /** The conversation before the question, oldest first. */
  readonly history?: readonly Message[]
  /** At most this many hits are looked at. */
  readonly limit?: number
}

/** Answers in the documents' own words: without a language model, or where quotations are wanted. */
export class ExtractiveAnswerer {
  readonly #extractive: Extractive

  constructor(options: ExtractiveOptions) {
    this.#extractive = new Extractive(options)
  }

  answer(request: AskRequest, signal?: AbortSignal): AgentRun {
    return new AgentRun(this.#steps(request, signal))
  }

  async *#steps(request: AskRequest, signal?: AbortSignal): AsyncGenerator<AgentEvent> {
    const { text, abstained, confidence, citations } = yield* this.#extract(request, signal)
    yield { type: 'text-delta', text }
    if (!abstained) for (const citation of citations) yield { type: 'citation', citation }
    const messages = [{ role: 'assistant', content: text, name: 'assistant' }] as const
    const sure = confidence === undefined ? {} : { confidence }
    const how = { mode: 'extractive', unsupported: [], messages, finishReason: 'stop' } as const
    yield { type: 'finish', result: { question: request.question, text, abstained, ...sure, citations, ...how } }
  }

  /** A question that leans on a refused one is asked alone, too: the documents say nothing of what it leans on. */
  async *#extract(request: AskRequest, signal?: AbortSignal): AsyncGenerator<AgentEvent, Extract> {
    const extract = yield* this.#ask(searchText(request), request, signal)
    if (!extract.abstained || !leansOnRefusal(request)) return extract
    return yield* this.#ask(searchable(request.question), request, signal)
  }

  #ask(text: string, request: AskRequest, signal?: AbortSignal): AsyncGenerator<AgentEvent, Extract> {
    const language = replyLanguage(request.question)
    const question = parseQuestion(text, language)
    const isBehindOthers = text.endsWith(`\n${searchable(request.question)}`)
    const parts = isBehindOthers ? ownParts(question, parseQuestion(request.question, language)) : question.parts
    return this.#extractive.answer({ ...request, question: { ...question, parts } }, signal)
  }
}

/** What stands before the question says what it leans on, and was answered before. The things of a comparison are asked of together. */
function ownParts({ parts }: Question, own: Question): Question['parts'] {
  const isCompared = parts.some(({ label }) => label !== undefined)
  return isCompared ? parts : parts.slice(-Math.max(1, own.parts.length))
}
