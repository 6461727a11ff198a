import { type Extract, Extractive, type ExtractiveOptions } from '../../answer/extractive.ts'
import { parseQuestion } from '../../answer/question/parse.ts'
import type { Document } from '../../ingest/store/catalog/document.ts'
import { shortenForSearch } from '../../text/keywords.ts'
import type { AgentEvent } from '../event.ts'
import { detectReplyLanguage } from '../language.ts'
import { isAnaphoric, listReadings } from '../memory/question.ts'
import type { Message } from '../message.ts'
import { AgentRun } from '../run.ts'

export type AskRequest = {
  readonly question: string
  readonly collectionIds: readonly string[]
  /** Restricts to these documents. */
  readonly documentIds?: readonly string[]
  /** Completed documents; read only for overviews. */
  readonly documents: () => Promise<readonly Document[]>
  /** Conversation before the question, oldest first. */
  readonly history?: readonly Message[]
  /** Maximum hits. */
  readonly limit?: number
}

/** Answers by quotations. */
export class ExtractiveAnswerer {
  readonly #extractive: Extractive

  constructor(options: ExtractiveOptions) {
    this.#extractive = new Extractive(options)
  }

  answer(request: AskRequest, signal?: AbortSignal): AgentRun {
    return new AgentRun(this.#run(request, signal))
  }

  async *#run(request: AskRequest, signal?: AbortSignal): AsyncGenerator<AgentEvent> {
    const { text, abstained, confidence, citations } = yield* this.#extract(request, signal)
    yield { type: 'text-delta', text }
    if (!abstained) for (const citation of citations) yield { type: 'citation', citation }
    const messages = [{ role: 'assistant', content: text, name: 'assistant' }] as const
    const sure = confidence === undefined ? {} : { confidence }
    const how = { mode: 'extractive', unsupported: [], messages, finishReason: 'stop' } as const
    yield {
      type: 'finish',
      result: { question: request.question, text, abstained, ...sure, citations, ...how },
    }
  }

  /** Answers the first reading of the question that has an answer; else returns the nearest passages for the first reading. */
  async *#extract(request: AskRequest, signal?: AbortSignal): AsyncGenerator<AgentEvent, Extract> {
    let first: Extract | undefined
    for (const text of listReadings(request)) {
      const extract = yield* this.#ask(text, request, signal)
      if (!extract.abstained) return extract
      first ??= extract
    }
    return first!
  }

  #ask(
    text: string,
    request: AskRequest,
    signal?: AbortSignal,
  ): AsyncGenerator<AgentEvent, Extract> {
    const language = detectReplyLanguage(request.question)
    const question = parseQuestion(text, language)
    if (!text.endsWith(`\n${shortenForSearch(request.question)}`))
      return this.#extractive.answer({ ...request, question }, signal)
    const own = parseQuestion(shortenForSearch(request.question), language)
    const parts = question.parts.slice(-Math.max(1, own.parts.length)) // earlier questions are answered already
    const isOne = own.parts.length === 0 && parts.length <= 1
    const alone = isOne ? { question: own, isAnaphoric: isAnaphoric(request.question) } : undefined
    return this.#extractive.answer({ ...request, question: { ...question, parts }, alone }, signal)
  }
}
