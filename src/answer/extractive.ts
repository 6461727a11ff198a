import type { Document } from '../ingest/store/catalog/document.ts'
import type { DocumentReader } from '../ingest/store/document-reader.ts'
import type { Filter } from '../search/filter.ts'
import { areAllWeak, type Hit, type Searcher } from '../search/searcher.ts'
import type { Language } from '../text/language.ts'
import type { Citation } from './citations/citation.ts'
import { cite, selectUnchanged } from './citations/citations.ts'
import { isStated } from './evidence/candidates.ts'
import { EvidenceRanker, type RankerOptions } from './evidence/evidence.ts'
import type { Evidence } from './evidence/features.ts'
import { findDocumentsAbout } from './named-documents.ts'
import { composeOverview, readOverviews } from './overview.ts'
import { ABSTENTION } from './phrases.ts'
import { type Conjunct, getOwnTerms, type Question } from './question/question.ts'
import { type Answered, composeAnswer, hasQuote } from './quoting/answer-text.ts'
import { NEAREST, type Quote, selectNearlyBest, selectQuotes } from './quoting/selection.ts'

export type ExtractiveOptions = RankerOptions & {
  readonly searcher: Searcher
  /** Refuses answers with a lower confidence; by the question's language. */
  readonly minConfidence?: Readonly<Record<Language, number>>
}

type ExtractiveQuery = {
  readonly question: Question
  readonly collectionIds: readonly string[]
  readonly documentIds?: readonly string[]
  /** Completed documents; read only for overviews or named documents. */
  readonly documents: () => Promise<readonly Document[]>
  readonly limit?: number
  /** Question without the conversation's context. */
  readonly alone?: Standalone
  /** Accepts only statements with all words of a question. */
  readonly isLiteral?: boolean
}

/** An anaphoric question, such as "what does it cost?", is nothing alone. */
type Standalone = { readonly question: Question; readonly isAnaphoric: boolean }

type RetrievalEvent = {
  readonly type: 'retrieval'
  readonly query: string
  readonly hits: readonly Hit[]
}

/** Quotations, or a refusal with the nearest passages, which prove nothing. */
export type Extract = {
  readonly text: string
  readonly abstained: boolean
  /**
   * Likelihood of the best quotation, 0 to 1; the lowest of several parts. Absent for overviews
   * and most refusals.
   */
  readonly confidence?: number
  readonly citations: readonly Citation[]
}

type SearchScope = Pick<ExtractiveQuery, 'collectionIds' | 'documentIds' | 'limit'>

/** Evidence, best first, and the nearest passages. */
type Found = {
  readonly hits: readonly Hit[]
  readonly evidence: readonly Evidence[]
  readonly nearest: readonly Evidence[]
}

type AnsweredParts = {
  readonly answered: readonly Answered[]
  readonly likelihoods: readonly number[]
  readonly nearest: readonly Evidence[]
}

type Reading = { readonly part: Question; readonly found: Found }

/** Hits searched for sentences, so that answers stay cheap; later ones rarely answer. */
const MAX_HITS = 8
/** Hits in the other language, which rank less well, so that enough are searched. */
const MAX_ACROSS = 14

/** Answers by quotation or refuses. */
export class Extractive {
  readonly #reader: DocumentReader
  readonly #searcher: Searcher
  readonly #ranker: EvidenceRanker
  readonly #minConfidence: ExtractiveOptions['minConfidence']

  constructor({ searcher, minConfidence, ...ranking }: ExtractiveOptions) {
    this.#reader = ranking.reader
    this.#searcher = searcher
    this.#minConfidence = minConfidence
    this.#ranker = new EvidenceRanker(ranking)
  }

  async *answer(
    query: ExtractiveQuery,
    signal?: AbortSignal,
  ): AsyncGenerator<RetrievalEvent, Extract> {
    const { question } = query
    if (question.kind === 'overview') {
      const about = await findDocumentsAbout(query)
      if (about.length > 0) return await this.#describeDocuments(query, about, signal)
    }
    const { conjuncts } = question
    const parts = question.parts.length > 0 ? question.parts : [question]
    const complete = yield* this.#answerParts(parts.map(toPart), query, signal)
    const isRefused = complete.answered.every(({ quotes }) => quotes.length === 0)
    const answeredParts =
      isRefused && conjuncts.length > 0
        ? yield* this.#answerParts(
            conjuncts,
            { ...query, alone: undefined, isLiteral: true },
            signal,
          )
        : complete
    if (answeredParts.answered.every(({ quotes }) => quotes.length === 0))
      return await this.#refuse(question, complete.nearest, signal)
    const confidence = Math.min(...answeredParts.likelihoods)
    if (confidence < (this.#minConfidence?.[question.language] ?? 0))
      return { ...(await this.#refuse(question, answeredParts.nearest, signal)), confidence }
    const { text, quotes } = composeAnswer(question, answeredParts.answered)
    return {
      text,
      abstained: false,
      confidence,
      citations: await this.#createCitations(quotes, signal),
    }
  }

  async *#answerParts(
    parts: readonly Conjunct[],
    query: ExtractiveQuery,
    signal?: AbortSignal,
  ): AsyncGenerator<RetrievalEvent, AnsweredParts> {
    const answered: Answered[] = []
    const likelihoods: number[] = []
    const nearest: Evidence[] = []
    for (const { thing: label, question } of parts) {
      const reading = { part: question, found: yield* this.#find(question, query, signal) }
      const { found } = query.alone
        ? yield* this.#findAlone(reading, query.alone, query, signal)
        : reading
      const evidence = query.isLiteral ? selectLiteral(question, found.evidence) : found.evidence
      const best = selectNearlyBest(evidence)
      const chosen = selectQuotes(best)
      const unchanged = await selectUnchanged(this.#reader, chosen.quotes)
      const isRepeated = unchanged.every(quote => isQuoted(quote, answered))
      const own = listDistinctTerms(question, parts)
      const isUnanswered =
        isRepeated && isSeparate(label, query.question) && !isAnyStated(own, best)
      const quotes = isUnanswered ? [] : unchanged
      answered.push({ ...chosen, label, quotes })
      if (quotes.length > 0) likelihoods.push(Math.max(...evidence.map(({ score }) => score)))
      nearest.push(...found.nearest)
    }
    return { answered, likelihoods, nearest }
  }

  /**
   * Searches without context. Returns the new reading if its best statement is another and
   * scores at least as high as the one in context.
   */
  async *#findAlone(
    { part, found: shared }: Reading,
    { question, isAnaphoric }: Standalone,
    where: SearchScope,
    signal?: AbortSignal,
  ): AsyncGenerator<RetrievalEvent, Reading> {
    const own = question.fragment.length > 0 ? getOwnTerms(question) : []
    const isAboutFragment = ({ candidate }: Evidence) =>
      own.length === 0 || own.some(term => isStated(term, candidate))
    const evidence = shared.evidence.filter(isAboutFragment)
    const inContext = { part, found: { ...shared, evidence } }
    const [chosen] = evidence
    if (!chosen && isAnaphoric) return inContext
    const found = yield* this.#find(question, where, signal)
    const nearlyBest = selectNearlyBest(found.evidence)
    const isAnswered = nearlyBest.length > 0 && nearlyBest[0]!.score >= (chosen?.score ?? 0)
    const isSame = chosen && nearlyBest.some(evidence => toPlace(evidence) === toPlace(chosen))
    if (!isAnswered || isSame) return inContext
    return {
      part: question,
      found: { ...found, evidence: selectSharingMost(part.terms, nearlyBest) },
    }
  }

  async *#find(
    question: Question,
    where: SearchScope,
    signal?: AbortSignal,
  ): AsyncGenerator<RetrievalEvent, Found> {
    const own = await this.#findWithin(question, where, signal)
    yield { type: 'retrieval', query: question.text, hits: own.hits }
    if (own.evidence.length > 0) return own
    const across = await this.#findAcross(question, where, signal)
    if (across.hits.length > 0) yield { type: 'retrieval', query: question.text, hits: across.hits }
    const nearest = [...own.nearest, ...across.nearest].toSorted((a, b) => b.score - a.score)
    return { ...across, nearest }
  }

  async #findWithin(question: Question, where: SearchScope, signal?: AbortSignal): Promise<Found> {
    const hits = await this.#search(question, where, signal)
    return await this.#findAmong(question, hits.slice(0, MAX_HITS), signal)
  }

  async #findAcross(question: Question, where: SearchScope, signal?: AbortSignal): Promise<Found> {
    const filter: Filter = { key: 'language', type: 'ne', value: question.language }
    const query = { ...where, text: question.text, limit: MAX_ACROSS, filter }
    const hits = await this.#searcher.search(query, signal)
    const nearest = areAllWeak(hits) ? [] : await this.#ranker.rankAcross(question, hits, signal)
    return {
      hits,
      evidence: nearest.filter(evidence => this.#ranker.isEnough(evidence)),
      nearest,
    }
  }

  async #findAmong(question: Question, hits: readonly Hit[], signal?: AbortSignal): Promise<Found> {
    const nearest = await this.#ranker.rank(question, hits, signal)
    return { hits, evidence: nearest.filter(evidence => this.#ranker.isEnough(evidence)), nearest }
  }

  #search(
    { text }: Question,
    { collectionIds, documentIds, limit = MAX_HITS }: SearchScope,
    signal?: AbortSignal,
  ) {
    return this.#searcher.search({ text, collectionIds, documentIds, limit }, signal)
  }

  async #describeDocuments(
    { question, documents }: ExtractiveQuery,
    about: readonly Document[],
    signal?: AbortSignal,
  ): Promise<Extract> {
    const overviews = await readOverviews(about, this.#reader, signal)
    if (overviews.length === 0) return await this.#refuse(question, [], signal)
    const { text, quotes } = composeOverview(overviews, {
      language: question.language,
      total: (await documents()).length,
    })
    return { text, abstained: false, citations: await this.#createCitations(quotes, signal) }
  }

  async #refuse(
    { language }: Question,
    nearest: readonly Evidence[],
    signal?: AbortSignal,
  ): Promise<Extract> {
    const { quotes } = selectQuotes(selectNearlyBest(nearest, NEAREST), NEAREST)
    const quotable = await selectUnchanged(this.#reader, quotes.slice(0, NEAREST.quotes))
    const citations = await this.#createCitations(quotable, signal, 'unknown')
    return { text: ABSTENTION[language], abstained: true, citations }
  }

  #createCitations(
    quotes: readonly Quote[],
    signal?: AbortSignal,
    support: Citation['support'] = 'stated',
  ): Promise<readonly Citation[]> {
    const references = quotes.map(({ passage, span }, index) => ({
      marker: index + 1,
      passage,
      span,
      support,
    }))
    return cite(this.#reader, references, signal)
  }
}

function listDistinctTerms(question: Question, parts: readonly Conjunct[]): Question['terms'] {
  const others = parts.flatMap(part => (part.question === question ? [] : part.question.terms))
  return getOwnTerms(question).filter(term => others.every(({ text }) => text !== term.text))
}

function isSeparate(part: string, { text }: Question): boolean {
  return /[?？]\s*$/u.test(text.slice(0, Math.max(0, text.indexOf(part))))
}

function isAnyStated(terms: Question['terms'], evidence: readonly Evidence[]): boolean {
  return evidence.some(({ candidate }) => terms.some(term => isStated(term, candidate)))
}

function isQuoted(quote: Quote, answered: readonly Answered[]): boolean {
  return answered.some(({ quotes }) =>
    quotes.some(other => hasQuote(other, quote) || hasQuote(quote, other)),
  )
}

function selectLiteral(question: Question, evidence: readonly Evidence[]): readonly Evidence[] {
  const own = getOwnTerms(question)
  return evidence.filter(({ candidate }) => own.every(term => isStated(term, candidate)))
}

/** Labels a question with its last line; earlier lines are context. */
function toPart(question: Question): Conjunct {
  return { thing: question.text.split('\n').at(-1) ?? question.text, question }
}

function toPlace({ candidate: { statement } }: Evidence): string {
  const { passage, span } = statement
  return `${passage.documentId} ${passage.charStart + span.start}`
}

function selectSharingMost(
  terms: Question['terms'],
  evidence: readonly Evidence[],
): readonly Evidence[] {
  const shared = evidence.map(
    ({ candidate }) => terms.filter(term => isStated(term, candidate)).length,
  )
  const maxShared = Math.max(...shared)
  return evidence.filter((_, index) => shared[index] === maxShared)
}
