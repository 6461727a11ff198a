import { Extractive, type ExtractiveOptions } from '../answer/extractive.ts'
import { parseQuestion } from '../answer/question/parse.ts'
import { type AgentEvent, type Answerer, type AskRequest, reportFailures } from './answer.ts'
import { replyLanguage } from './language.ts'
import { searchText } from './question.ts'

/** Answers in the documents' own words: without a language model, or where quotations are wanted. */
export class ExtractiveAnswerer implements Answerer {
  readonly #extractive: Extractive

  constructor(options: ExtractiveOptions) {
    this.#extractive = new Extractive(options)
  }

  answer(request: AskRequest, signal?: AbortSignal): AsyncIterable<AgentEvent> {
    return reportFailures(this.#steps(request, signal), signal)
  }

  async *#steps(request: AskRequest, signal?: AbortSignal): AsyncGenerator<AgentEvent> {
    const question = parseQuestion(searchText(request), replyLanguage(request.question))
    const { text, abstained, citations } = yield* this.#extractive.answer({ ...request, question }, signal)
    yield { type: 'text-delta', text }
    if (!abstained) for (const citation of citations) yield { type: 'citation', citation }
    const answer = { question: request.question, answer: text, abstained, mode: 'extractive', citations } as const
    yield { type: 'answer', answer }
  }
}
