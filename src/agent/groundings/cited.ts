import { relateAnswer } from '../../answer/citations/attribution.ts'
import { cite, isSame, type Reference, selectUnchanged } from '../../answer/citations/citations.ts'
import { findDocumentsAbout } from '../../answer/named-documents.ts'
import { readOverviews } from '../../answer/overview.ts'
import { ABSTENTION } from '../../answer/phrases.ts'
import { parseQuestion } from '../../answer/question/parse.ts'
import type { TokenCounter } from '../../ingest/chunk/tokens.ts'
import type { Warning } from '../../ingest/parse/parser.ts'
import type { Document } from '../../ingest/store/catalog/document.ts'
import type { DocumentReader } from '../../ingest/store/document-reader.ts'
import type { Meaning } from '../../search/meaning.ts'
import type { Excerpt } from '../../search/passages/passage.ts'
import type { Searcher } from '../../search/searcher.ts'
import type { Lexicon } from '../../text/dictionary.ts'
import { EnglishTerms } from '../../text/english-terms.ts'
import { shortenForSearch } from '../../text/keywords.ts'
import type { Language } from '../../text/language.ts'
import type { WordRarity } from '../../text/rarity.ts'
import { Terms } from '../../text/terms.ts'
import type { AgentEvent, CitablePlace } from '../event.ts'
import type {
  CheckedText,
  FoundBefore,
  Ground,
  GroundedRun,
  Grounding,
  Search,
} from '../grounding.ts'
import type { LoopEnd, LoopEvent } from '../loop.ts'
import { writeSearchWords } from '../memory/follow-up.ts'
import { interleaveHits } from '../memory/retrieve.ts'
import { listMessageFiles, type Message, textContent } from '../message.ts'
import { detectReplyLanguage } from '../messages/reply-language.ts'
import type { NamedSource } from '../messages/source-labels.ts'
import type { ChatModel } from '../model.ts'
import { fitSources } from '../models/recent-turns.ts'
import type { Cite, Tool } from '../tool.ts'
import { ModelChecks } from './claim-check.ts'
import { MarkerNumbers, numberMarkers, removeStrayMarkers } from './marker-stream.ts'
import { writeSystemPrompt } from './prompts.ts'
import { announceReading } from './reading-notice.ts'
import {
  BUDGETS,
  type Effort,
  findUncovered,
  planQuestions,
  selectSentences,
  writeReview,
} from './research.ts'
import { chooseSearchToolName, SearchTool } from './search-tool.ts'
import { Sources, selectRelevantHits } from './sources.ts'
import { ToolAnswers } from './tool-answers.ts'

export type SearchScope = {
  readonly collectionIds: readonly string[]
  readonly documentIds?: readonly string[] | undefined
  /** Read only for overviews. */
  readonly documents: () => Promise<readonly Document[]>
  readonly notice?: string | undefined
}

export type CitedOptions = {
  /** Rewrites questions and judges claims. */
  readonly model: ChatModel
  readonly resolveScope: (run: GroundedRun) => Promise<SearchScope>
  readonly searcher: Searcher
  readonly reader: DocumentReader
  readonly counter: () => Promise<TokenCounter>
  /** Finds the sentence of a claim without common words, as across languages. */
  readonly meaning?: Meaning
  readonly lexicon?: Lexicon
  readonly rarity?: Pick<WordRarity, 'getRarity'>
  /** Over all searches. */
  readonly maxSourceTokens?: number
  /** Streams nothing before the check. */
  readonly removesUnsupported?: boolean
  readonly asksModel?: boolean
  /** Not for claims that the model judges. */
  readonly findClaimLimit?: () => Promise<ClaimLimit | undefined>
  /** Receives failures of rewriting and judging, which are then skipped. */
  readonly onModelError?: ((error: unknown) => void) | undefined
  readonly getLabels?: (
    collectionIds: readonly string[],
    found: readonly NamedSource[],
  ) => Promise<ReadonlyMap<string, string>>
  readonly effort?: Effort | undefined
  /** Per search. */
  readonly limit?: number | undefined
  readonly createListTool?: ((scope: SearchScope) => Tool) | undefined
}

export type ClaimLimit = {
  /** Minimum likelihood of a confirmed claim. */
  readonly minSupport: Readonly<Record<Language, number>>
  readonly warn: (language: Language) => Warning
}

export class CitedKnowledge implements Grounding {
  readonly #options: CitedOptions
  readonly #limit: number
  readonly #terms = new Terms()
  readonly #english: EnglishTerms

  constructor(options: CitedOptions) {
    this.#options = options
    this.#english = new EnglishTerms(options.lexicon, this.#terms)
    this.#limit = options.limit ?? 20
  }

  async *start(run: GroundedRun): AsyncGenerator<AgentEvent, Ground> {
    const { searcher, removesUnsupported = false, effort } = this.#options
    const files = listMessageFiles(run.messages)
    const scope = yield* announceReading(files, this.#options.resolveScope(run), run.language)
    if (scope.notice) yield { type: 'notice', name: 'memory', text: scope.notice }
    const sources = this.#createSources(scope, await this.#options.counter())
    const currentQuestion = findQuestion(run.spoken)
    const restored = await this.#restore(run.found, sources)
    const searches =
      restored ?? (yield* this.#retrieve(currentQuestion, scope, sources, run.signal))
    const name = chooseSearchToolName(run.usedToolNames)
    const { isJson, signal } = run
    const language = detectReplyLanguage(currentQuestion.question)
    const system = (hasOtherTools: boolean) =>
      writeSystemPrompt(language, sources.passages, { searchTool: name, hasOtherTools, isJson })
    const search = new SearchTool({ name, searcher, sources, scope, language, limit: this.#limit })
    const list = this.#options.createListTool?.(scope)
    const tools = list && !run.usedToolNames.includes(list.name) ? [search, list] : [search]
    if (isJson) return { system, tools }
    const numbers = new MarkerNumbers()
    const filter = (events: AsyncIterable<LoopEvent>) =>
      removeStrayMarkers(
        clearNumbers(events, numbers),
        id => sources.find(id) !== undefined,
        numbers.getNumber,
      )
    const answers = new ToolAnswers(run.messages, name)
    const checking = { currentQuestion, sources, answers, numbers, signal }
    const check = (end: LoopEnd) => this.#check(end, checking)
    const cite: Cite = async places => {
      const excerpts = await this.#readExcerpts(places)
      await sources.add(excerpts)
      return excerpts.map(excerpt => sources.findNumber(excerpt))
    }
    const ground = { system, tools, cite, filter, check, isTextWithheld: removesUnsupported }
    if (!effort || BUDGETS[effort].reviews === 0) return ground
    let remainingReviews = BUDGETS[effort].reviews
    const review = (draft: LoopEnd) =>
      this.#review(draft, { ...checking, scope, searches, isLast: remainingReviews-- === 0 })
    return { ...ground, review, isTextWithheld: true }
  }

  #createSources({ collectionIds }: SearchScope, counter: TokenCounter): Sources {
    const { model, reader, maxSourceTokens = 20_000, getLabels, effort } = this.#options
    const requested = maxSourceTokens * (effort ? BUDGETS[effort].sources : 1)
    const maxTokens = fitSources(requested, model.maxInputTokens)
    const labels = getLabels && ((found: readonly NamedSource[]) => getLabels(collectionIds, found))
    const findDate = async (documentId: string) => {
      const { modified, created } = (await reader.find(documentId))?.metadata ?? {}
      return modified ?? created
    }
    return new Sources({ counter, maxTokens, labels, findDate })
  }

  /** Restores findings under their numbers; undefined if documents changed. */
  async #restore(
    found: FoundBefore | undefined,
    sources: Sources,
  ): Promise<readonly Search[] | undefined> {
    if (!found) return undefined
    const { first, numberedParts } = found
    const hasNoHits = first.length > 0 && first.every(({ hits }) => hits.length === 0)
    if (numberedParts.length === 0 && !hasNoHits) return undefined
    const documents = await Promise.all(
      numberedParts.map(({ part }) => this.#options.reader.find(part.documentId)),
    )
    if (!documents.every(document => document?.searchable)) return undefined
    const stored = await this.#readExcerpts(numberedParts.map(({ part }) => part))
    const isAsItWas = numberedParts.every(
      ({ part }, index) => !('text' in part) || isSame(stored[index]!.text, part.text),
    )
    if (!isAsItWas) return undefined
    await sources.restore(
      numberedParts.map(({ number, part }, index) => ({
        number,
        excerpt: 'text' in part ? part : stored[index]!,
      })),
    )
    return first
  }

  async #readExcerpts(places: readonly CitablePlace[]): Promise<readonly Excerpt[]> {
    const { reader } = this.#options
    return await Promise.all(
      places.map(async ({ documentId, charStart, charEnd, context = '' }) => {
        const { source = '', name = '', metadata } = (await reader.find(documentId)) ?? {}
        const text = await reader.read(documentId, charStart, charEnd)
        const place = { charStart, charEnd: charStart + text.length, text }
        return {
          documentId,
          source,
          name,
          title: metadata?.title ?? '',
          headings: [],
          context,
          ...place,
        }
      }),
    )
  }

  async *#retrieve(
    currentQuestion: CurrentQuestion,
    scope: SearchScope,
    sources: Sources,
    signal?: AbortSignal,
  ): AsyncGenerator<AgentEvent, readonly Search[]> {
    const { reader, model, onModelError: onError, effort } = this.#options
    const language = detectReplyLanguage(currentQuestion.question)
    const question = parseQuestion(shortenForSearch(currentQuestion.question), language)
    const about =
      question.kind === 'overview'
        ? await findDocumentsAbout({ question, documents: scope.documents })
        : []
    if (about.length > 0) {
      const overviews = await readOverviews(about, reader, signal)
      const openings = overviews.map(({ opening }) => opening)
      await sources.add(openings)
      yield { type: 'overview', cited: sources.numberPlaces(openings) }
      return []
    }
    const help = { model, onError, signal }
    const { text: query, beside, usage } = await writeSearchWords(currentQuestion, help)
    if (usage) yield { type: 'usage', usage }
    const plan = effort ? await planQuestions(query, { ...help, effort }) : undefined
    if (plan?.usage) yield { type: 'usage', usage: plan.usage }
    if (plan) yield { type: 'plan', questions: plan.questions }
    const searches = [
      await this.#searchFused([query, ...beside], scope, signal),
      ...(await this.#searchAll(plan?.questions ?? [], scope, signal)),
    ]
    await sources.add(interleaveHits(searches.map(({ hits }) => selectRelevantHits(hits))))
    for (const search of searches)
      yield { type: 'retrieval', ...search, cited: sources.numberPlaces(search.hits) }
    return searches
  }

  async #searchFused(
    texts: readonly [string, ...string[]],
    scope: SearchScope,
    signal?: AbortSignal,
  ): Promise<Search> {
    const [query] = texts
    const searches = await this.#searchAll(texts, scope, signal)
    return { query, hits: interleaveHits(searches.map(({ hits }) => hits)).slice(0, this.#limit) }
  }

  async #searchAll(
    queries: readonly string[],
    { collectionIds, documentIds }: SearchScope,
    signal?: AbortSignal,
  ): Promise<readonly Search[]> {
    const where = { collectionIds, ...(documentIds && { documentIds }), limit: this.#limit }
    const search = (text: string) => this.#options.searcher.search({ ...where, text }, signal)
    return await Promise.all(queries.map(async query => ({ query, hits: await search(query) })))
  }

  /** Searches for unsupported sentences; accepts the draft if nothing is new. */
  async *#review(
    { text, messages }: LoopEnd,
    { scope, searches, isLast, ...checking }: Reviewing,
  ): AsyncGenerator<LoopEvent, string | undefined> {
    const { currentQuestion, sources, signal } = checking
    checking.answers.add(messages)
    if (isLast) return undefined
    const { references, ...claims } = await relateAnswer(
      text,
      await this.#createAttribution(checking),
    )
    const unsupported = [...new Set([...claims.unsupported, ...claims.unconfirmed])]
    const open = findUncovered(
      searches.slice(1),
      sources.passages,
      new Set(references.map(({ marker }) => marker)),
    )
    const found = await this.#searchAll(selectSentences(unsupported), scope, signal)
    const { added } = await sources.add(
      interleaveHits(found.map(({ hits }) => selectRelevantHits(hits))),
    )
    for (const search of found)
      yield { type: 'retrieval', ...search, cited: sources.numberPlaces(search.hits) }
    if (open.length === 0 && added.length === 0) return undefined
    return writeReview(detectReplyLanguage(currentQuestion.question), { unsupported, open, added })
  }

  async #createAttribution({ sources, answers, signal }: Checking) {
    const { meaning, rarity, reader } = this.#options
    const completePassages = sources.passages.map(passage => ({
      passage,
      span: { start: 0, end: passage.text.length },
    }))
    const passages = (await selectUnchanged(reader, completePassages)).map(({ passage }) => passage)
    return {
      passages,
      answers: answers.listPassages(sources.nextId),
      terms: this.#terms,
      english: this.#english,
      isNoClaim: isRefusal,
      ...(meaning && { meaning }),
      ...(rarity && { rarity }),
      ...(signal && { signal }),
    }
  }

  async *#check(
    { text, openCalls, messages }: LoopEnd,
    checking: Checking,
  ): AsyncGenerator<AgentEvent, CheckedText> {
    const { currentQuestion, answers, numbers, signal } = checking
    answers.add(messages)
    const { reader, asksModel = false, removesUnsupported = false } = this.#options
    const language = detectReplyLanguage(currentQuestion.question)
    const checks = new ModelChecks(this.#options)
    const limit = await this.#options.findClaimLimit?.()
    const attributed = await relateAnswer(text, {
      ...(await this.#createAttribution(checking)),
      removesUnsupported,
      minSupport: limit?.minSupport,
      ...(asksModel && { checker: checks.check }),
    })
    if (checks.usage) yield { type: 'usage', usage: checks.usage }
    const isOfTool = ({ passage }: Reference) => answers.has(passage)
    const ofTools = answers.citeResult(attributed.references.filter(isOfTool))
    const ofDocuments = attributed.references.filter(reference => !isOfTool(reference))
    const all = {
      text: attributed.text,
      citations: [...(await cite(reader, ofDocuments, signal)), ...ofTools],
    }
    const { text: numbered, citations: found } = numberMarkers(
      all,
      removesUnsupported ? undefined : numbers,
    )
    const citations = found.flatMap(citation => ('tool' in citation ? [] : [citation]))
    const toolCitations = found.flatMap(citation => ('tool' in citation ? [citation] : []))
    const isEmptied =
      removesUnsupported && attributed.text !== text && found.length === 0 && openCalls.length === 0
    const answer = isEmptied ? ABSTENTION[language] : numbered
    const abstained =
      found.length === 0 && Object.values(ABSTENTION).some(sentence => answer.includes(sentence))
    const { unsupported, unconfirmed } = removesUnsupported ? NONE_OPEN : attributed
    const open = { unsupported, ...(unconfirmed.length > 0 && { unconfirmed }) }
    const warnings = [
      ...checks.warnings,
      ...(limit && attributed.unconfirmed.length > 0 ? [limit.warn(language)] : []),
    ]
    return { text: answer, citations, toolCitations, ...open, abstained, warnings }
  }
}

async function* clearNumbers(
  events: AsyncIterable<LoopEvent>,
  numbers: MarkerNumbers,
): AsyncGenerator<LoopEvent> {
  for await (const event of events) {
    if (event.type === 'text-as-reasoning') numbers.clear()
    yield event
  }
}

const NONE_OPEN = { unsupported: [], unconfirmed: [] } as const

type CurrentQuestion = { readonly question: string; readonly history: readonly Message[] }

type Checking = {
  readonly currentQuestion: CurrentQuestion
  readonly sources: Sources
  readonly answers: ToolAnswers
  readonly numbers: MarkerNumbers
  readonly signal?: AbortSignal | undefined
}

type Reviewing = Checking & {
  readonly scope: SearchScope
  readonly searches: readonly Search[]
  /** No further draft fits. */
  readonly isLast: boolean
}

function findQuestion(messages: readonly Message[]): CurrentQuestion {
  const index = messages.findLastIndex(({ role }) => role === 'user')
  return {
    question: index < 0 ? '' : textContent(messages[index]!),
    history: messages.slice(0, Math.max(0, index)),
  }
}

function isRefusal(text: string): boolean {
  return Object.values(ABSTENTION).some(sentence => text.includes(sentence.replace(/[.。]$/, '')))
}
