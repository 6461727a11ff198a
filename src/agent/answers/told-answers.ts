import type { DocumentReader } from '../../ingest/catalog/document.ts'
import type { AgentEvent, Answer, Citation } from '../answer.ts'
import { cite, type Reference, unchanged } from '../citations/citations.ts'
import { replyLanguage } from '../language.ts'
import { ABSTENTION } from '../phrases.ts'
import { namedFirst } from './abstention.ts'
import type { Evidence } from './evidence.ts'
import { type Quote, type QuotedParts, withoutCopies } from './selection.ts'
import { withUnitLines } from './tables/unit-lines.ts'
import { quotedText } from './verbatim.ts'

/** Shown when nothing answers. */
const MAX_NEAREST = 4

/** Tells an answer as events: its text, its citations, read back from the documents, and the whole. */
export class ToldAnswers {
  readonly #reader: DocumentReader

  constructor(reader: DocumentReader) {
    this.#reader = reader
  }

  async *quote(
    question: string,
    parts: QuotedParts,
    nearest: readonly Evidence[],
    signal?: AbortSignal,
  ): AsyncGenerator<AgentEvent> {
    const quotes = await this.unchanged(await withUnitLines(parts.quotes, this.#reader, signal))
    if (quotes.length === 0) return yield* this.abstain(question, nearest, signal)
    yield* this.tell(question, quotedText(replyLanguage(question), { ...parts, quotes }), quotes, signal)
  }

  /** `text` quotes what is cited. */
  async *tell(
    question: string,
    text: string,
    quotes: readonly Quote[],
    signal?: AbortSignal,
  ): AsyncGenerator<AgentEvent> {
    yield { type: 'text-delta', text }
    const citations = await this.#cite(quotes, signal)
    for (const citation of citations) yield { type: 'citation', citation }
    const answer: Answer = { question, answer: text, abstained: false, mode: 'extractive', citations }
    yield { type: 'answer', answer }
  }

  /** The nearest passages are shown, and claimed for nothing. */
  async *abstain(question: string, nearest: readonly Evidence[], signal?: AbortSignal): AsyncGenerator<AgentEvent> {
    const text = ABSTENTION[replyLanguage(question)]
    yield { type: 'text-delta', text }
    const units = withoutCopies(namedFirst(nearest, replyLanguage(question)).map(({ unit }) => unit)).slice(
      0,
      MAX_NEAREST,
    )
    const citations = await this.#cite(await this.unchanged(units), signal)
    const answer: Answer = { question, answer: text, abstained: true, mode: 'extractive', citations }
    yield { type: 'answer', answer }
  }

  /** Those that the documents still say so. */
  unchanged(quotes: readonly Quote[]): Promise<readonly Quote[]> {
    return unchanged(this.#reader, quotes)
  }

  #cite(quotes: readonly Quote[], signal?: AbortSignal): Promise<readonly Citation[]> {
    const references = quotes.map(({ passage, span }, at): Reference => ({ marker: at + 1, passage, span }))
    return cite(this.#reader, references, signal)
  }
}
