import type { DocumentReader } from '../ingest/document.ts'
import { type Language, languageOf } from '../ingest/language.ts'
import { mergeHits } from '../search/context.ts'
import type { Filter } from '../search/filter.ts'
import type { Hit, Searcher } from '../search/searcher.ts'
import { supported, supportedAcross } from './abstention.ts'
import {
  type AgentEvent,
  type Answer,
  type Answerer,
  type AskRequest,
  type Citation,
  reportFailures,
} from './answer.ts'
import { candidatesOf } from './candidates.ts'
import { cite, type Reference } from './citations.ts'
import { asksForList } from './cues.ts'
import { type Evidence, rankEvidence } from './evidence.ts'
import { replyLanguage } from './language.ts'
import type { Meaning } from './meaning.ts'
import { readOverviews } from './overview.ts'
import { overviewAnswer } from './overview-answer.ts'
import { asksForOverview } from './overview-question.ts'
import { partsOf } from './parts.ts'
import { ABSTENTION, VERBATIM, VERBATIM_ACROSS } from './phrases.ts'
import { searchText } from './question.ts'
import { BRIEF, EVERYTHING, type Quote, quoteText, selectQuotes, withoutCopies } from './selection.ts'
import { type Comparison, comparisonIn, everythingIn } from './several.ts'
import { Terms } from './terms.ts'

export type ExtractiveOptions = {
  readonly searcher: Searcher
  readonly reader: DocumentReader
  /** Compares sentences by meaning; without it, words alone decide. */
  readonly meaning?: Meaning
  /** How sure an answer has to be, 0 to 1. */
  readonly strictness?: number
  /** Hits of the search, unless the request says. */
  readonly limit?: number
}

/** Sentences are looked for in this many hits; in the further ones there is seldom an answer, and each costs. */
const MAX_HITS = 8

/** In the other language the first hits are less often the right ones. */
const MAX_ACROSS = 14

/** Where everything is asked for, so many hits are looked through, a page at a time. */
const PAGE_HITS = 10
const MAX_PAGES = 8

/** Shown when nothing answers. */
const MAX_NEAREST = 4

/** Answers without a language model: quotes the sentences that fit the question best, or says that there are none. */
export class ExtractiveAnswerer implements Answerer {
  readonly #options: ExtractiveOptions
  readonly #terms = new Terms()

  constructor(options: ExtractiveOptions) {
    this.#options = options
  }

  answer(request: AskRequest, signal?: AbortSignal): AsyncIterable<AgentEvent> {
    return reportFailures(this.#steps(request, signal), signal)
  }

  #steps(request: AskRequest, signal?: AbortSignal): AsyncGenerator<AgentEvent> {
    if (asksForOverview(request)) return this.#overview(request, signal)
    const comparison = comparisonIn(request)
    if (comparison) return this.#compare(request, comparison, signal)
    const everything = everythingIn(searchText(request))
    return everything ? this.#list(request, everything, signal) : this.#extract(request, signal)
  }

  async *#extract(request: AskRequest, signal?: AbortSignal): AsyncGenerator<AgentEvent> {
    const { searcher, limit: usual = 10 } = this.#options
    const { collectionIds, documentIds, limit = usual } = request
    const where = { collectionIds, ...(documentIds && { documentIds }) }
    const text = searchText(request)
    const hits = await searcher.search({ ...where, text, limit }, signal)
    yield { type: 'retrieval', query: text, hits }
    const rankings = await this.#rank(text, hits.slice(0, MAX_HITS), signal)
    let nearest = rankings[0] ?? []
    let evidence = rankings.map(ranking => supported(ranking, this.#options.strictness))
    if (evidence.every(ranking => ranking.length === 0)) {
      const others = await searcher.search(
        { ...where, text, limit: MAX_ACROSS, filter: otherThan(languageOf(text)) },
        signal,
      )
      if (others.length > 0) yield { type: 'retrieval', query: text, hits: others }
      const across = await this.#rank(text, others, signal)
      evidence = across.map(ranking => supportedAcross(ranking, others, this.#options.strictness))
      nearest = alternating(nearest, across[0]?.filter(one => one.isAcross) ?? [])
    }
    if (evidence.every(ranking => ranking.length === 0)) return yield* this.#abstain(request.question, nearest, signal)
    const quotes = selectQuotes(evidence, { ...BRIEF, isList: asksForList(text), question: text })
    yield* this.#quote(request.question, quotes, signal)
  }

  /** Every page of hits is looked through until one has nothing more. */
  async *#list(request: AskRequest, text: string, signal?: AbortSignal): AsyncGenerator<AgentEvent> {
    const { searcher, strictness } = this.#options
    const { collectionIds, documentIds } = request
    const found: Evidence[] = []
    let nearest: readonly Evidence[] = []
    for (let page = 0; page < MAX_PAGES; page++) {
      const query = { text, collectionIds, ...(documentIds && { documentIds }), limit: (page + 1) * PAGE_HITS }
      const hits = (await searcher.search(query, signal)).slice(page * PAGE_HITS)
      if (hits.length > 0) yield { type: 'retrieval', query: text, hits }
      const [ranking = []] = await this.#rank(text, hits, signal)
      if (page === 0) nearest = ranking
      const more = ranking.filter(evidence => supported([evidence], strictness).length > 0)
      if (more.length === 0) break
      found.push(...more)
    }
    if (found.length === 0) return yield* this.#abstain(request.question, nearest, signal)
    yield* this.#quote(request.question, selectQuotes([found], EVERYTHING), signal)
  }

  /** The same is looked for in each of the documents; which of them do not say it is said. */
  async *#compare(
    request: AskRequest,
    { text, documents }: Comparison,
    signal?: AbortSignal,
  ): AsyncGenerator<AgentEvent> {
    const { searcher, strictness } = this.#options
    const quotes: Quote[] = []
    const lines: string[] = []
    const nearest: Evidence[] = []
    for (const { id, name } of documents) {
      const query = { text, collectionIds: request.collectionIds, documentIds: [id], limit: MAX_HITS }
      const hits = await searcher.search(query, signal)
      yield { type: 'retrieval', query: text, hits }
      const rankings = await this.#rank(text, hits, signal)
      nearest.push(...(rankings[0]?.slice(0, 1) ?? []))
      const within = rankings.map(ranking => supported(ranking, strictness))
      const across = rankings.map(ranking => supportedAcross(ranking, hits, strictness))
      const own = selectQuotes(within.some(ranking => ranking.length > 0) ? within : across)
      const told = own.map(quote => `${quoteText(quote)} [${quotes.push(quote)}]`)
      lines.push(`${name}: ${told.join('\n') || ABSTENTION[replyLanguage(request.question)]}`)
    }
    if (quotes.length === 0) return yield* this.#abstain(request.question, nearest, signal)
    const heading = headingFor(replyLanguage(request.question), quotes.map(quoteText))
    yield* this.#tell(request.question, [heading, ...lines].join('\n'), quotes, signal)
  }

  async *#quote(question: string, quotes: readonly Quote[], signal?: AbortSignal): AsyncGenerator<AgentEvent> {
    const texts = quotes.map(quoteText)
    const heading = headingFor(replyLanguage(question), texts)
    const lines = texts.map((quote, at) => `${quote} [${at + 1}]`)
    yield* this.#tell(question, [heading, ...lines].join('\n'), quotes, signal)
  }

  async #rank(question: string, hits: readonly Hit[], signal?: AbortSignal): Promise<readonly (readonly Evidence[])[]> {
    const { meaning } = this.#options
    const terms = this.#terms
    const candidates = mergeHits(hits).flatMap(passage =>
      candidatesOf(passage, { question, terms, rankAt: position => rankOf(passage.documentId, position, hits) }),
    )
    return rankEvidence(partsOf(question, terms), candidates, {
      terms,
      ...(meaning && { meaning }),
      ...(signal && { signal }),
    })
  }

  async *#overview(request: AskRequest, signal?: AbortSignal): AsyncGenerator<AgentEvent> {
    const overviews = await readOverviews(request, this.#options.reader, signal)
    if (overviews.length === 0) return yield* this.#abstain(request.question, [], signal)
    const { text, quotes } = overviewAnswer(request, overviews)
    yield* this.#tell(request.question, text, quotes, signal)
  }

  async *#tell(
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
  async *#abstain(question: string, nearest: readonly Evidence[], signal?: AbortSignal): AsyncGenerator<AgentEvent> {
    const text = ABSTENTION[replyLanguage(question)]
    yield { type: 'text-delta', text }
    const units = withoutCopies(nearest.map(({ unit }) => unit)).slice(0, MAX_NEAREST)
    const citations = await this.#cite(units, signal)
    const answer: Answer = { question, answer: text, abstained: true, mode: 'extractive', citations }
    yield { type: 'answer', answer }
  }

  #cite(quotes: readonly Quote[], signal?: AbortSignal): Promise<readonly Citation[]> {
    const references = quotes.map(({ passage, span }, at): Reference => ({ marker: at + 1, passage, span }))
    return cite(this.#options.reader, references, signal)
  }
}

/** The first of each, the second of each and so on. */
function alternating<T>(first: readonly T[], second: readonly T[]): readonly T[] {
  const longest = Math.max(first.length, second.length)
  return Array.from({ length: longest }, (_, at) => [first.slice(at, at + 1), second.slice(at, at + 1)]).flat(2)
}

/** The documents that are not in this language: those that say so, and those of which it is not known. */
function otherThan(language: Language): Filter {
  return { type: 'ne', key: 'language', value: language }
}

/** Says when what is quoted is not in the language of the question. */
function headingFor(language: Language, texts: readonly string[]): string {
  const isAcross = texts.every(quoted => languageOf(quoted) !== language)
  return (isAcross ? VERBATIM_ACROSS : VERBATIM)[language]
}

/** From 1 for the best hit towards 0 for the last, of the best that holds the position. */
function rankOf(documentId: string, position: number, hits: readonly Hit[]): number {
  const best = hits.findIndex(
    hit => hit.documentId === documentId && hit.charStart <= position && position < hit.charEnd,
  )
  return best < 0 ? 0 : 1 - best / hits.length
}
