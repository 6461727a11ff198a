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
import {
  isAfterRefusal,
  isAnaphoric,
  listReadings,
  type Readings,
} from '../memory/conversation-question.ts'
import { listFoundReadings, listSubjectReadings } from '../memory/conversation-subject.ts'
import type { Message } from '../message.ts'
import { detectReplyLanguage } from '../messages/reply-language.ts'
import { AgentRun } from '../run.ts'
import { emitUnwrittenAnswer } from './unwritten-answer.ts'

export type AskRequest = {
  readonly question: string
  readonly collectionIds: readonly string[]
  readonly documentIds?: readonly string[]
  /** Read only for overviews. */
  readonly documents: () => Promise<readonly Document[]>
  /** Oldest first, without the question. */
  readonly history?: readonly Message[]
  readonly limit?: number
}

/** Hits below a refusal, so that they fit one or two screens. */
const SHOWN_HITS = 5

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

  /** Answers the surest reading, on a tie the one without the conversation. */
  async *#extract(request: AskRequest, signal?: AbortSignal): AsyncGenerator<AgentEvent, Extract> {
    const readings = listReadings(request)
    const { alone, joined } = readings
    if (!request.history?.length) return yield* this.#answerReading(alone, request, signal)
    if (joined === undefined) {
      const standalone = await this.#read(alone, request, signal)
      if (!isAmbiguous(standalone, request)) return yield* emitAttempt(standalone)
      const others = await this.#readAll(listSubjectReadings(request), request, signal)
      return yield* emitAttempt(await this.#narrow(standalone, others, request, signal))
    }
    const likely = await this.#readAll(listLikelyReadings(readings, request), request, signal)
    const isAnswered = likely.some(({ extract }) => !extract.abstained)
    const last = isAnswered ? [] : listFallbackReadings(readings, request)
    const attempts = [...(await this.#readAll(last, request, signal)), ...likely]
    return yield* emitAttempt(await this.#narrow(selectSurest(attempts), attempts, request, signal))
  }

  async #narrow(
    surest: Attempt,
    attempts: readonly Attempt[],
    request: AskRequest,
    signal?: AbortSignal,
  ): Promise<Attempt> {
    const found = surest.extract.citations.flatMap(toQuotedLines)
    const readings = isAmbiguous(surest, request) ? listFoundReadings(request, found) : []
    const others = await this.#readAll(readings, request, signal)
    return selectNarrower(surest, [...attempts, ...others], shortenForSearch(request.question))
  }

  async #readAll(
    readings: readonly FollowUpReading[],
    request: AskRequest,
    signal?: AbortSignal,
  ): Promise<readonly Attempt[]> {
    const attempts: Attempt[] = []
    for (const { text, subject = '' } of readings) {
      const attempt = await this.#read(text, request, signal)
      if (attempt.extract.citations.every(citation => isAbout(subject, citation)))
        attempts.push(attempt)
    }
    return attempts
  }

  /** Adds the nearest passage first if only the other language found it. */
  async #withFirstHits({ events, extract }: Attempt, signal?: AbortSignal): Promise<Extract> {
    if (!extract.abstained) return extract
    const searches = events.flatMap(event => (event.type === 'retrieval' ? [event.hits] : []))
    const [first = [], ...others] = searches.map(hits => hits.filter(hit => !hit.weak))
    const nearest = extract.citations.slice(0, 1)
    const isFound = (place: Place) => first.some(hit => isOverlapping(hit, place))
    const across = others
      .flat()
      .filter(hit => !isFound(hit) && nearest.some(place => isOverlapping(hit, place)))
    const texts = new Map([...across, ...first].map(hit => [hit.text, hit]))
    const references = [...texts.values()].slice(0, SHOWN_HITS).map((hit, index) => ({
      marker: index + 1,
      passage: toPassage([hit], index + 1),
      span: { start: 0, end: hit.text.length },
      support: 'unknown' as const,
    }))
    const citations = await cite(this.#reader, references, signal)
    return citations.length > 0 ? { ...extract, citations: citations } : extract
  }

  /** Emits no searches yet. */
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

type FollowUpReading = {
  readonly text: string
  /** Each quotation has to be about it. */
  readonly subject?: string
}

/** Leaves out a fragment alone: whatever names it would answer. */
function listLikelyReadings(
  { alone, completed }: Readings,
  request: AskRequest,
): readonly FollowUpReading[] {
  const { fragment } = parseQuestion(alone, detectReplyLanguage(request.question))
  const isComplete = fragment.length === 0 && !isAnaphoric(request.question)
  return [
    ...(isComplete ? [{ text: alone }] : []),
    ...(completed === undefined ? [] : [{ text: completed, subject: fragment.at(-1)?.text }]),
    ...listSubjectReadings(request),
  ]
}

function listFallbackReadings(
  { alone, completed, joined = alone }: Readings,
  request: AskRequest,
): readonly FollowUpReading[] {
  const isAlone = !isAnaphoric(request.question) || isAfterRefusal(request)
  const texts = [completed ?? joined, ...(isAlone ? [alone] : []), joined]
  return [...new Set(texts)].map(text => ({ text }))
}

type Attempt = { readonly events: readonly AgentEvent[]; readonly extract: Extract }

async function* emitAttempt({ events, extract }: Attempt): AsyncGenerator<AgentEvent, Extract> {
  yield* events
  return extract
}

/** Selects a refusal only if all refuse; of equal answers the first. */
function selectSurest(attempts: readonly Attempt[]): Attempt {
  return attempts.reduce((best, attempt) =>
    getConfidence(attempt) > getConfidence(best) ? attempt : best,
  )
}

function getConfidence({ extract: { abstained, confidence = 0 } }: Attempt): number {
  return abstained ? -1 : confidence
}

function isAmbiguous(
  { extract: { abstained, citations } }: Attempt,
  { question }: AskRequest,
): boolean {
  if (abstained || citations.flatMap(toQuotedLines).length < 2) return false
  const { kind, parts } = parseQuestion(shortenForSearch(question), detectReplyLanguage(question))
  return kind === 'fact' && parts.length === 0
}

/**
 * Selects the surest answer that quotes some places of another, whose rest states no more of the
 * question.
 */
function selectNarrower(attempt: Attempt, attempts: readonly Attempt[], question: string): Attempt {
  const { citations } = attempt.extract
  const maxShared = Math.max(...citations.map(citation => countShared(question, citation)))
  const narrower = attempts.filter(
    ({ extract }) =>
      !extract.abstained &&
      measureQuoted(extract) < measureQuoted(attempt.extract) &&
      extract.citations.every(citation =>
        citations.some(other => isOverlapping(citation, other)),
      ) &&
      extract.citations.every(citation => countShared(question, citation) >= maxShared),
  )
  return narrower.length > 0 ? selectSurest(narrower) : attempt
}

function toQuotedLines({ text, headings }: Citation): readonly string[] {
  return text.split('\n').map(line => [...headings, line].join('\n'))
}

function measureQuoted({ citations }: Extract): number {
  return citations.reduce((sum, { charStart, charEnd }) => sum + charEnd - charStart, 0)
}

const terms = new Terms()

function isAbout(subject: string, citation: Citation): boolean {
  return 2 * countShared(subject, citation) >= terms.extract(subject).size
}

function countShared(text: string, citation: Citation): number {
  const named = terms.extract([citation.text, ...citation.headings, citation.doc].join('\n'))
  return [...terms.extract(text)].filter(term => named.has(term)).length
}

type Place = Pick<Citation, 'documentId' | 'charStart' | 'charEnd'>

function isOverlapping(a: Place, b: Place): boolean {
  return a.documentId === b.documentId && a.charStart < b.charEnd && b.charStart < a.charEnd
}
