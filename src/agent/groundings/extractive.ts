import type { Citation } from '../../answer/citations/citation.ts'
import { cite } from '../../answer/citations/citations.ts'
import { type Extract, Extractive, type ExtractiveOptions } from '../../answer/extractive.ts'
import { parseQuestion } from '../../answer/question/parse.ts'
import type { Document } from '../../ingest/store/catalog/document.ts'
import type { DocumentReader } from '../../ingest/store/document-reader.ts'
import { toPassage } from '../../search/passages/passage.ts'
import { shortenForSearch } from '../../text/keywords.ts'
import { Terms } from '../../text/terms.ts'
import type { AgentEvent } from '../event.ts'
import { detectReplyLanguage } from '../language.ts'
import { listSubjectReadings } from '../memory/conversation-subject.ts'
import { isAnaphoric, listReadings, needsHistory } from '../memory/question.ts'
import type { Message } from '../message.ts'
import { AgentRun } from '../run.ts'
import { emitUnwrittenAnswer } from './unwritten-answer.ts'

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

/** Maximum hits below a refusal, so that they fit one or two screens. */
const SHOWN_HITS = 5

/** Answers by quotations. */
export class ExtractiveAnswerer {
  readonly #reader: DocumentReader
  readonly #extractive: Extractive

  constructor(options: ExtractiveOptions) {
    this.#reader = options.reader
    this.#extractive = new Extractive(options)
  }

  answer(request: AskRequest, signal?: AbortSignal): AgentRun {
    return new AgentRun(this.#run(request, signal))
  }

  async *#run(request: AskRequest, signal?: AbortSignal): AsyncGenerator<AgentEvent> {
    const extract = yield* this.#extract(request, signal)
    yield* emitUnwrittenAnswer({ question: request.question, ...extract })
  }

  /**
   * Answers the surest reading of the question; on a tie, the one without the conversation. A
   * question that needs no history keeps its answer, unless it quotes several places and the
   * conversation's subject chooses among them.
   */
  async *#extract(request: AskRequest, signal?: AbortSignal): AsyncGenerator<AgentEvent, Extract> {
    const [first, ...others] = listReadings(request)
    if (!request.history?.length) return yield* this.#answerReading(first, request, signal)
    const usual = await this.#read(first, request, signal)
    const isFollowUp = needsHistory(request)
    if (!isFollowUp && !isAmbiguous(usual, request)) return yield* emitAttempt(usual)
    const alone =
      isFollowUp && !isAnaphoric(request.question) ? [shortenForSearch(request.question)] : []
    const attempts = [usual]
    for (const text of new Set([...alone, ...others]))
      attempts.push(await this.#read(text, request, signal))
    for (const { text, subject } of listSubjectReadings(request)) {
      const attempt = await this.#read(text, request, signal)
      if (attempt.extract.citations.every(citation => isAbout(subject, citation)))
        attempts.push(attempt)
    }
    const surest = isFollowUp ? selectSurest(attempts) : usual
    return yield* emitAttempt(selectNarrower(surest, attempts))
  }

  /**
   * Shows below a refusal the first hits of its search, complete and in their order. The nearest
   * passage comes before them if only a later search, in the other language, found it.
   */
  async #withFirstHits({ events, extract }: Attempt, signal?: AbortSignal): Promise<Extract> {
    if (!extract.abstained) return extract
    const searches = events.flatMap(event => (event.type === 'retrieval' ? [event.hits] : []))
    const [first = [], ...others] = searches.map(hits => hits.filter(hit => !hit.weak))
    const nearest = extract.citations.slice(0, 1)
    const isFound = (place: Place) => first.some(hit => doOverlap(hit, place))
    const across = others
      .flat()
      .filter(hit => !isFound(hit) && nearest.some(place => doOverlap(hit, place)))
    const texts = new Map([...across, ...first].map(hit => [hit.text, hit]))
    const references = [...texts.values()].slice(0, SHOWN_HITS).map((hit, at) => ({
      marker: at + 1,
      passage: toPassage([hit], at + 1),
      span: { start: 0, end: hit.text.length },
      support: 'unknown' as const,
    }))
    const shown = await cite(this.#reader, references, signal)
    return shown.length > 0 ? { ...extract, citations: shown } : extract
  }

  /** Answers one reading, without emitting its searches yet. */
  async #read(text: string, request: AskRequest, signal?: AbortSignal): Promise<Attempt> {
    const events: AgentEvent[] = []
    const answering = this.#answerReading(text, request, signal)
    for (;;) {
      const step = await answering.next()
      if (step.done) return { events, extract: step.value }
      events.push(step.value)
    }
  }

  async *#answerReading(
    text: string,
    request: AskRequest,
    signal?: AbortSignal,
  ): AsyncGenerator<AgentEvent, Extract> {
    const events: AgentEvent[] = []
    const answering = this.#ask(text, request, signal)
    for (;;) {
      const step = await answering.next()
      if (step.done) return await this.#withFirstHits({ events, extract: step.value }, signal)
      events.push(step.value)
      yield step.value
    }
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

/** Answer to one reading, and the searches for it. */
type Attempt = { readonly events: readonly AgentEvent[]; readonly extract: Extract }

async function* emitAttempt({ events, extract }: Attempt): AsyncGenerator<AgentEvent, Extract> {
  yield* events
  return extract
}

/** Selects the most confident answer, the first of equal ones; a refusal only if all refuse. */
function selectSurest(attempts: readonly Attempt[]): Attempt {
  return attempts.reduce((best, attempt) =>
    getConfidence(attempt) > getConfidence(best) ? attempt : best,
  )
}

function getConfidence({ extract: { abstained, confidence = 0 } }: Attempt): number {
  return abstained ? -1 : confidence
}

/** Returns whether an answer to a question for one fact quotes several places. */
function isAmbiguous(
  { extract: { abstained, citations } }: Attempt,
  { question, history = [] }: AskRequest,
): boolean {
  if (abstained || citations.length < 2 || history.length === 0) return false
  const { kind, parts } = parseQuestion(shortenForSearch(question), detectReplyLanguage(question))
  return kind === 'fact' && parts.length === 0
}

/** Selects the surest answer that quotes only some of the places of another one, if there is any. */
function selectNarrower(attempt: Attempt, attempts: readonly Attempt[]): Attempt {
  const { citations } = attempt.extract
  const narrower = attempts.filter(
    ({ extract }) =>
      !extract.abstained &&
      extract.citations.length < citations.length &&
      extract.citations.every(one => citations.some(other => doOverlap(one, other))),
  )
  return narrower.length > 0 ? selectSurest(narrower) : attempt
}

const terms = new Terms()

/** Returns whether a quotation or what it stands under names most of a subject. */
function isAbout(subject: string, { text, headings, doc }: Citation): boolean {
  const named = terms.of([text, ...headings, doc].join('\n'))
  const wanted = [...terms.of(subject)]
  return 2 * wanted.filter(term => named.has(term)).length >= wanted.length
}

type Place = Pick<Citation, 'documentId' | 'charStart' | 'charEnd'>

function doOverlap(a: Place, b: Place): boolean {
  return a.documentId === b.documentId && a.charStart < b.charEnd && b.charStart < a.charEnd
}
