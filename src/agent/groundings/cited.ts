import { attribute, type ClaimCheck } from '../../answer/citations/attribution.ts'
import { cite, unchanged } from '../../answer/citations/citations.ts'
import { MarkerNumbers, numberMarkers } from '../../answer/citations/marker-numbers.ts'
import { withoutStrayMarkers } from '../../answer/citations/marker-stream.ts'
import type { Meaning } from '../../answer/evidence/meaning.ts'
import { Translation } from '../../answer/evidence/translation.ts'
import { documentsAbout } from '../../answer/named-documents.ts'
import { readOverviews } from '../../answer/overview.ts'
import { ABSTENTION } from '../../answer/phrases.ts'
import { parseQuestion } from '../../answer/question/parse.ts'
import type { Document, DocumentReader } from '../../ingest/catalog/document.ts'
import type { Warning } from '../../ingest/parser.ts'
import type { TokenCounter } from '../../ingest/tokens.ts'
import type { Searcher } from '../../search/searcher.ts'
import { Dictionary } from '../../text/dictionary.ts'
import type { WordRarity } from '../../text/rarity.ts'
import { Terms } from '../../text/terms.ts'
import { checkClaims } from '../claim-check.ts'
import type { AgentEvent } from '../event.ts'
import { searchWordsOf } from '../follow-up.ts'
import type { CheckedText, Ground, GroundedRun, Grounding } from '../grounding.ts'
import { replyLanguage } from '../language.ts'
import type { LoopEnd, LoopEvent } from '../loop.ts'
import { type Message, textContent } from '../message.ts'
import type { ChatModel } from '../model.ts'
import { systemPrompt } from '../prompts.ts'
import type { NamedSource } from '../source-labels.ts'
import { relevantHits, Sources } from '../sources.ts'
import { SearchTool, searchToolName } from '../tools/search.ts'
import type { Usage } from '../usage.ts'

/** Where an answer may come from. */
export type SearchScope = {
  readonly collectionIds: readonly string[]
  /** Only these documents, when given. */
  readonly documentIds?: readonly string[] | undefined
  /** The completed documents in scope; asked for only when the question is about the documents as a whole. */
  readonly documents: () => readonly Document[]
  /** What an answer could not come from, told to the user. */
  readonly notice?: string | undefined
}

export type CitedOptions = {
  /** Writes questions out, and judges claims. */
  readonly model: ChatModel
  readonly scopeOf: (run: GroundedRun) => Promise<SearchScope>
  readonly searcher: Searcher
  readonly reader: DocumentReader
  readonly counter: () => Promise<TokenCounter>
  /** Finds the sentence that a claim rests on where the two share no word, as across languages. */
  readonly meaning?: Meaning
  /** Tells what words of one language mean in the other. */
  readonly lexicon?: Dictionary
  /** Tells how much a word of a claim says. */
  readonly rarity?: Pick<WordRarity, 'of'>
  /** For the sources of an answer, over all its searches. */
  readonly maxSourceTokens?: number
  /** Take sentences without support out of the answer, instead of only naming them: nothing is told before it was checked. */
  readonly removesUnsupported?: boolean
  /** Ask the model once more whether its sources state what it claims; else words, numbers and names tell. */
  readonly asksModel?: boolean
  /** Told why the model could not write a question out, or judge its claims; both are then done without it. */
  readonly onModelError?: ((error: unknown) => void) | undefined
  /** What to call documents of collections, by source; told apart from each other alone when left out. */
  readonly labelsIn?: (collectionIds: readonly string[], found: readonly NamedSource[]) => ReadonlyMap<string, string>
  /** Hits of one search. */
  readonly limit?: number | undefined
}

/** Knowledge from documents, and every citation of it checked against them. */
export class CitedKnowledge implements Grounding {
  readonly #options: CitedOptions
  readonly #limit: number
  readonly #terms = new Terms()
  readonly #translation: Translation

  constructor(options: CitedOptions) {
    this.#options = options
    this.#translation = new Translation(options.lexicon ?? new Dictionary(() => ''), this.#terms)
    this.#limit = options.limit ?? 20
  }

  async *begin(run: GroundedRun): AsyncGenerator<AgentEvent, Ground> {
    const { searcher, removesUnsupported = false } = this.#options
    const scope = await this.#options.scopeOf(run)
    if (scope.notice) yield { type: 'notice', name: 'memory', text: scope.notice }
    const sources = this.#sources(scope, await this.#options.counter())
    const asked = askedIn(run.messages)
    yield* this.#retrieve(asked, scope, sources, run.signal)
    const name = searchToolName(run.taken)
    const { isJson, signal } = run
    const language = replyLanguage(asked.question)
    const system = (hasOtherTools: boolean) =>
      systemPrompt(language, sources.passages, { searchTool: name, hasOtherTools, isJson })
    const tools = [new SearchTool({ name, searcher, sources, scope, language, limit: this.#limit })]
    if (isJson) return { system, tools }
    const numbers = new MarkerNumbers()
    const shown = (events: AsyncIterable<LoopEvent>) =>
      withoutStrayMarkers(events, id => sources.find(id) !== undefined, numbers.of)
    const check = (end: LoopEnd) => this.#check(end, { asked, sources, numbers, signal })
    return { system, tools, shown, check, isHeld: removesUnsupported }
  }

  #sources({ collectionIds }: SearchScope, counter: TokenCounter): Sources {
    const { reader, maxSourceTokens: maxTokens = 20_000, labelsIn } = this.#options
    const labels = labelsIn && ((found: readonly NamedSource[]) => labelsIn(collectionIds, found))
    const dateOf = (documentId: string) => {
      const { modified, created } = reader.find(documentId)?.metadata ?? {}
      return modified ?? created
    }
    return new Sources({ counter, maxTokens, labels, dateOf })
  }

  /** Knowledge before the model is asked: of the documents as a whole when the question is about them, else by search. */
  async *#retrieve(
    asked: Asked,
    { collectionIds, documentIds, documents }: SearchScope,
    sources: Sources,
    signal?: AbortSignal,
  ): AsyncGenerator<AgentEvent> {
    const { searcher, reader, model, onModelError: onError } = this.#options
    const question = parseQuestion(asked.question, replyLanguage(asked.question))
    const about = question.kind === 'overview' ? documentsAbout({ question, documents }) : []
    if (about.length > 0) {
      const overviews = await readOverviews(about, reader, signal)
      sources.add(overviews.map(overview => overview.opening))
      return
    }
    const { text: query, usage } = await searchWordsOf(asked, { model, onError, signal })
    if (usage) yield { type: 'usage', usage }
    const where = { collectionIds, ...(documentIds && { documentIds }) }
    const hits = await searcher.search({ ...where, text: query, limit: this.#limit }, signal)
    sources.add(relevantHits(hits))
    yield { type: 'retrieval', query, hits }
  }

  /** Every marker of the text checked, and a citation for each place that it rests on, in the order of the text. */
  async *#check(
    { text, calls }: LoopEnd,
    { asked, sources, numbers, signal }: Checking,
  ): AsyncGenerator<AgentEvent, CheckedText> {
    const { meaning, rarity, reader, asksModel = false, removesUnsupported = false } = this.#options
    const whole = sources.passages.map(passage => ({ passage, span: { start: 0, end: passage.text.length } }))
    const passages = (await unchanged(reader, whole)).map(({ passage }) => passage)
    const checks = new ModelChecks(this.#options)
    const attributed = await attribute(text, {
      ...{ passages, terms: this.#terms, translation: this.#translation, removesUnsupported },
      ...(meaning && { meaning }),
      ...(rarity && { rarity }),
      ...(asksModel && { checker: checks.check }),
      ...(signal && { signal }),
      isNoClaim: refuses,
    })
    if (checks.usage) yield { type: 'usage', usage: checks.usage }
    const cited = { text: attributed.text, citations: await cite(reader, attributed.references, signal) }
    const { text: numbered, citations } = numberMarkers(cited, removesUnsupported ? undefined : numbers) // nothing was shown
    const isEmptied =
      removesUnsupported && attributed.unsupported.length > 0 && citations.length === 0 && calls.length === 0
    const answer = isEmptied ? ABSTENTION[replyLanguage(asked.question)] : numbered
    const abstained = citations.length === 0 && Object.values(ABSTENTION).some(sentence => answer.includes(sentence))
    const unsupported = removesUnsupported ? [] : attributed.unsupported
    return { text: answer, citations, unsupported, abstained, warnings: checks.warnings }
  }
}

type Asked = { readonly question: string; readonly history: readonly Message[] }

type Checking = {
  readonly asked: Asked
  readonly sources: Sources
  /** What the sources are called in what was shown. */
  readonly numbers: MarkerNumbers
  readonly signal?: AbortSignal | undefined
}

/** The last thing that a person said, and what came before it. */
function askedIn(messages: readonly Message[]): Asked {
  const at = messages.findLastIndex(({ role }) => role === 'user')
  return { question: at < 0 ? '' : textContent(messages[at]!), history: messages.slice(0, Math.max(0, at)) } // just found
}

/** What one answer's claims cost to be judged by the model, and that it could not. */
class ModelChecks {
  readonly #options: Pick<CitedOptions, 'model' | 'onModelError'>
  usage: Usage | undefined
  warnings: readonly Warning[] = []

  constructor(options: Pick<CitedOptions, 'model' | 'onModelError'>) {
    this.#options = options
  }

  readonly check = async (claims: readonly ClaimCheck[], signal?: AbortSignal) => {
    const { model, onModelError: onError } = this.#options
    const { supports, usage } = await checkClaims(claims, { model, onError, signal })
    this.usage = usage
    if (!supports) this.warnings = [UNCHECKED]
    return supports
  }
}

const UNCHECKED: Warning = {
  code: 'claims_not_checked',
  message: 'The model could not judge its claims; words, numbers and names did.',
}

function refuses(text: string): boolean {
  return Object.values(ABSTENTION).some(sentence => text.includes(sentence.replace(/[.。]$/, '')))
}
