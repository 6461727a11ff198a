import { attribute, type ClaimCheck } from '../answer/citations/attribution.ts'
import { cite, unchanged } from '../answer/citations/citations.ts'
import { withoutStrayMarkers } from '../answer/citations/marker-stream.ts'
import type { Meaning } from '../answer/evidence/meaning.ts'
import { Translation } from '../answer/evidence/translation.ts'
import { documentsAbout } from '../answer/named-documents.ts'
import { readOverviews } from '../answer/overview.ts'
import { ABSTENTION } from '../answer/phrases.ts'
import { parseQuestion } from '../answer/question/parse.ts'
import type { DocumentReader } from '../ingest/catalog/document.ts'
import type { Warning } from '../ingest/parser.ts'
import type { TokenCounter } from '../ingest/tokens.ts'
import type { Hit, Searcher } from '../search/searcher.ts'
import { Dictionary } from '../text/dictionary.ts'
import type { WordRarity } from '../text/rarity.ts'
import { Terms } from '../text/terms.ts'
import { type AgentEvent, type Answer, type Answerer, type AskRequest, reportFailures } from './answer.ts'
import { withCheckedText } from './checked-text.ts'
import { checkClaims } from './claim-check.ts'
import { searchWordsOf } from './follow-up.ts'
import { cutOf, FunctionCallingAgent, generation, type LoopEvent } from './function-calling.ts'
import { replyLanguage } from './language.ts'
import { type Message, textContent } from './message.ts'
import type { ChatModel } from './model.ts'
import { STOPPED } from './phrases.ts'
import { systemPrompt } from './prompts.ts'
import type { NamedSource } from './source-labels.ts'
import { relevantHits, Sources } from './sources.ts'
import type { MoreTools, Tool, ToolErrorListener } from './tool.ts'
import { SearchTool, searchToolName } from './tools/search.ts'
import { addUsage, type Usage } from './usage.ts'

export type AssistantOptions = {
  readonly model: ChatModel
  readonly searcher: Searcher
  readonly reader: DocumentReader
  readonly counter: TokenCounter
  /** Finds the sentence that a claim rests on where the two share no word, as across languages. */
  readonly meaning?: Meaning
  /** Tells what words of one language mean in the other. */
  readonly lexicon?: Dictionary
  /** Tells how much a word of a claim says. */
  readonly rarity?: Pick<WordRarity, 'of'>
  /** For the sources of an answer, over all its searches. */
  readonly maxSourceTokens?: number
  readonly maxModelCalls?: number
  /** Take sentences without support out of the answer, instead of only naming them: nothing is told before it was checked. */
  readonly removesUnsupported?: boolean
  /** Ask the model once more whether its sources state what it claims; else words, numbers and names tell. */
  readonly asksModel?: boolean
  readonly onToolError?: ToolErrorListener | undefined
  /** Tools besides search, looked for when an answer begins. */
  readonly moreTools?: MoreTools | undefined
  /** Of one tool call. */
  readonly toolTimeoutMs?: number | undefined
  /** Told why the model could not write a question out, or judge its claims; both are then done without it. */
  readonly onModelError?: ((error: unknown) => void) | undefined
  /** What to call documents of collections, by source; told apart from each other alone when left out. */
  readonly labelsIn?: (collectionIds: readonly string[], found: readonly NamedSource[]) => ReadonlyMap<string, string>
  /** Hits of one search, unless the request says. */
  readonly limit?: number
}

type Retrieval = Extract<AgentEvent, { type: 'retrieval' }>
type Finish = Extract<LoopEvent, { type: 'finish' }>

/** Answers with a language model: knowledge first, then the loop, then every citation checked against its document. */
export class Assistant implements Answerer {
  readonly #options: AssistantOptions
  readonly #limit: number
  readonly #terms = new Terms()
  readonly #translation: Translation

  constructor(options: AssistantOptions) {
    this.#options = options
    this.#translation = new Translation(options.lexicon ?? new Dictionary(() => ''), this.#terms)
    this.#limit = options.limit ?? 20
  }

  answer(request: AskRequest, signal?: AbortSignal): AsyncIterable<AgentEvent> {
    const steps = this.#steps(request, signal)
    const isHeld = this.#options.removesUnsupported && !isJson(request)
    return reportFailures(isHeld ? withCheckedText(steps) : steps, signal)
  }

  async *#steps(request: AskRequest, signal?: AbortSignal): AsyncGenerator<AgentEvent> {
    const { reader, counter, maxSourceTokens: maxTokens = 20_000, labelsIn } = this.#options
    const labels = labelsIn && ((found: readonly NamedSource[]) => labelsIn(request.collectionIds, found))
    const dateOf = (documentId: string) => {
      const { modified, created } = reader.find(documentId)?.metadata ?? {}
      return modified ?? created
    }
    const sources = new Sources({ counter, maxTokens, labels, dateOf })
    let usage: Usage | undefined
    for await (const event of this.#retrieve(request, sources, signal)) {
      if (event.type === 'usage') usage = addUsage(usage, event.usage)
      yield event
    }
    const searches: Retrieval[] = []
    const more = await this.#moreTools(request, signal)
    const agent = this.#agent(request, sources, searches, more)
    const events = agent.run(conversation(request, sources, more.length > 0), { signal })
    const shown = isJson(request) ? events : withoutStrayMarkers(events, id => sources.find(id) !== undefined)
    for await (const event of shown) {
      if (event.type === 'usage') usage = addUsage(usage, event.usage)
      if (event.type === 'tool-result') yield* searches.splice(0)
      if (event.type === 'finish') return yield* this.#conclude(request, sources, event, usage, signal)
      yield event
      if (event.type === 'error') return
    }
  }

  /** Knowledge before the model is asked: of the documents as a whole when the question is about them, else by search. */
  async *#retrieve(request: AskRequest, sources: Sources, signal?: AbortSignal): AsyncGenerator<AgentEvent> {
    const { searcher, reader, model, onModelError: onError } = this.#options
    const { collectionIds, documentIds, limit = this.#limit } = request
    const question = parseQuestion(request.question, replyLanguage(request.question))
    const about = question.kind === 'overview' ? documentsAbout({ ...request, question }) : []
    if (about.length > 0) {
      const overviews = await readOverviews(about, reader, signal)
      sources.add(overviews.map(overview => overview.opening))
      return
    }
    const where = { collectionIds, ...(documentIds && { documentIds }) }
    const { text: query, usage } = await searchWordsOf(request, { model, onError, signal })
    if (usage) yield { type: 'usage', usage }
    const hits = await searcher.search({ ...where, text: query, limit }, signal)
    sources.add(relevantHits(hits))
    yield { type: 'retrieval', query, hits }
  }

  async #moreTools({ callerTools = [] }: AskRequest, signal?: AbortSignal): Promise<readonly Tool[]> {
    const taken = [searchToolName(callerTools), ...callerTools.map(tool => tool.name)]
    return (await this.#options.moreTools?.(taken, signal)) ?? []
  }

  #agent(request: AskRequest, sources: Sources, searches: Retrieval[], more: readonly Tool[]): FunctionCallingAgent {
    const { model, searcher, maxModelCalls, onToolError, toolTimeoutMs } = this.#options
    const limit = request.limit ?? this.#limit
    const onSearch = (query: string, hits: readonly Hit[]) => searches.push({ type: 'retrieval', query, hits })
    const name = searchToolName(request.callerTools)
    const tools = [new SearchTool({ name, searcher, sources, scope: request, limit, onSearch }), ...more]
    const limits = { ...(maxModelCalls && { maxModelCalls }), ...(toolTimeoutMs && { toolTimeoutMs }), onToolError }
    return new FunctionCallingAgent({ ...generation(request), model, tools, ...limits })
  }

  async *#conclude(
    request: AskRequest,
    sources: Sources,
    finish: Finish,
    usage: Usage | undefined,
    signal?: AbortSignal,
  ): AsyncGenerator<AgentEvent> {
    const { question } = request
    const stopped = finish.reason === 'max-model-calls' ? STOPPED[replyLanguage(question)] : undefined
    if (stopped) yield { type: 'text-delta', text: stopped }
    const checked = isJson(request) ? asItIs(finish.text) : await this.#check(finish.text, sources, signal)
    if (checked.usage) yield { type: 'usage', usage: checked.usage }
    const allUsage = checked.usage ? addUsage(usage, checked.usage) : usage
    const { citations, unsupported, warnings } = checked
    const isEmptied = checked.isStripped && citations.length === 0 && !finish.calls
    const answer = stopped ?? (isEmptied ? ABSTENTION[replyLanguage(question)] : checked.answer)
    for (const citation of citations) yield { type: 'citation', citation }
    const abstained = citations.length === 0 && Object.values(ABSTENTION).some(sentence => answer.includes(sentence))
    const { calls } = finish
    const cut = cutOf(finish.reason)
    const how = {
      mode: 'model',
      ...(unsupported.length > 0 && { unsupported }),
      ...(warnings.length > 0 && { warnings }),
      ...(allUsage && { usage: allUsage }),
      ...(cut && { incomplete: cut }),
      ...(calls && { calls }),
    } as const
    yield { type: 'answer', answer: { question, answer, abstained, citations, ...how } satisfies Answer }
  }

  /** The last text with every marker checked, and a citation for each place that it rests on, in the order of the text. */
  async #check(text: string, sources: Sources, signal?: AbortSignal) {
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
    const citations = await cite(reader, attributed.references, signal)
    const { text: answer, unsupported } = attributed
    const isStripped = removesUnsupported && unsupported.length > 0
    const { usage, warnings } = checks
    return { answer, citations, isStripped, unsupported: removesUnsupported ? [] : unsupported, usage, warnings }
  }
}

/** What one answer's claims cost to be judged by the model, and that it could not. */
class ModelChecks {
  readonly #options: Pick<AssistantOptions, 'model' | 'onModelError'>
  usage: Usage | undefined
  warnings: readonly Warning[] = []

  constructor(options: Pick<AssistantOptions, 'model' | 'onModelError'>) {
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

/** Markers in JSON would be no JSON: such an answer is given as the model wrote it, without citations. */
function isJson({ config }: AskRequest): boolean {
  return config?.responseFormat !== undefined
}

function asItIs(answer: string) {
  return { answer, citations: [], isStripped: false, unsupported: [], usage: undefined, warnings: [] }
}

/** The system message first; what a caller's own system messages say follows ours. */
function conversation(request: AskRequest, sources: Sources, hasOtherTools: boolean): readonly Message[] {
  const { question, history = [], turn = [], callerTools } = request
  const own = history.filter(message => message.role === 'system').map(textContent)
  const options = { searchTool: searchToolName(callerTools), hasOtherTools, isJson: isJson(request) }
  const content = [systemPrompt(replyLanguage(question), sources.passages, options), ...own].join('\n\n')
  const earlier = history.filter(message => message.role !== 'system')
  return [{ role: 'system', content }, ...earlier, { role: 'user', content: question }, ...turn]
}
