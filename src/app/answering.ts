import { Agent, type AgentDeps } from '../agent/agent.ts'
import type { AgentEvent } from '../agent/event.ts'
import { CitedKnowledge, type CitedOptions, type SearchScope } from '../agent/groundings/cited.ts'
import { ExtractiveAnswerer } from '../agent/groundings/extractive-answerer.ts'
import { type Message, requireQuestion } from '../agent/message.ts'
import { detectReplyLanguage } from '../agent/messages/reply-language.ts'
import type { ChatModel } from '../agent/model.ts'
import { isFormatted } from '../agent/models/generate-config.ts'
import { estimateReadableBytes, selectRecentTurns } from '../agent/models/recent-turns.ts'
import { AgentRun } from '../agent/run.ts'
import { type Tool, type ToolErrorListener, wrapTool } from '../agent/tool.ts'
import type { ToolSpec } from '../agent/tools/tool-registry.ts'
import type { Settings } from '../config.ts'
import { AppError } from '../errors.ts'
import type { TokenCounter } from '../ingest/chunk/tokens.ts'
import type { Warning } from '../ingest/parse/parser.ts'
import type { Collection } from '../ingest/store/catalog/collections.ts'
import type { Document } from '../ingest/store/catalog/document.ts'
import type { UnfinishedCount } from '../ingest/store/catalog/document-counts.ts'
import { PresentDocuments } from '../ingest/store/document-reader.ts'
import type { Meaning } from '../search/meaning.ts'
import { narrowSearcher } from '../search/narrow-searcher.ts'
import type { Searcher } from '../search/searcher.ts'
import type { Lexicon } from '../text/dictionary.ts'
import { shortenForSearch } from '../text/keywords.ts'
import type { Language } from '../text/language.ts'
import type { WordRarity } from '../text/rarity.ts'
import type { ToolsOptions } from './agents/agent-tools.ts'
import type { McpTools } from './agents/mcp-tools.ts'
import { findClaimLimit, findRiskLimits, getMinConfidence, withRiskWarning } from './answer-risk.ts'
import type { AskOptions } from './ask-options.ts'
import type { ChatModels } from './chat-models.ts'
import { findCourtesy, runCourtesy } from './courtesy.ts'
import { findLabels, type Scope } from './documents/scope.ts'
import type { ScratchFiles } from './documents/scratch-files.ts'
import { createDocumentsTool } from './inventory/documents-tool.ts'
import type { CatalogDeps } from './inventory/inventory-answer.ts'
import { type InventoryQuestion, parseInventoryQuestion } from './inventory/inventory-question.ts'
import { runInventoryQuestion, withUncited } from './inventory/inventory-run.ts'
import { TopicTranslation } from './inventory/topic-translation.ts'
import { withWording } from './query-wording.ts'
import { type OpenedSources, QuestionSources } from './question-sources.ts'
import { findPendingWarnings } from './searching/pending.ts'
import { checkWeights } from './searching/search-documents.ts'
import { findSkill } from './skills.ts'
import type { Store } from './stores/store.ts'
import { publishQuestion, traceTool } from './tracing.ts'

type SearchHow = Pick<
  AskOptions,
  'precise' | 'minScore' | 'filter' | 'weights' | 'limit' | 'effort' | 'maxRisk'
>

type AnsweringDeps = {
  readonly store: Store
  readonly scope: Scope
  readonly settings: Settings
  readonly searcher: Searcher
  readonly meaning: Meaning
  readonly lexicon: Lexicon
  readonly rarity: WordRarity
  readonly models: ChatModels
  readonly counter: () => Promise<TokenCounter>
  readonly scratch: ScratchFiles
  readonly mcp: McpTools
  readonly resolveTools: (
    tools: readonly ToolSpec[],
    where: Omit<ToolsOptions, 'tools'>,
  ) => readonly Tool[]
  readonly onToolError: ToolErrorListener
  readonly onModelError: (error: unknown) => void
  /** Throws if the collection has expired. */
  readonly useCollection: (collection: Collection) => Promise<void>
}

export class Answering {
  readonly #deps: AnsweringDeps
  readonly #sources: QuestionSources
  readonly #topics = new TopicTranslation()

  constructor(deps: AnsweringDeps) {
    this.#deps = deps
    this.#sources = new QuestionSources(deps)
  }

  /** Starts a run, which throws all errors. `conversation` belongs to the caller that stores it. */
  ask(options: AskOptions): AgentRun {
    return new AgentRun(this.#answer(options))
  }

  askCollections(collections: readonly Collection[], options: AskOptions): AgentRun {
    return new AgentRun(this.#answer(options, collections))
  }

  async *#answer(options: AskOptions, opened?: readonly Collection[]): AsyncGenerator<AgentEvent> {
    requireQuestion(options.question)
    const isExtractive = this.#isExtractive(options)
    if (options.effort && isExtractive)
      throw new AppError(
        'invalid_input',
        'effort needs a chat model. Configure one, or omit effort.',
      )
    if (options.files?.length && isExtractive) this.#warmEmbedder(options)
    const sources = yield* this.#sources.open(options, { isExtractive, opened })
    const { collections, question, plain } = sources
    for (const collection of collections) await this.#deps.useCollection(collection)
    const collectionIds = collections.map(collection => collection.id)
    publishQuestion(options.question, collectionIds)
    const documentIds = options.documents && (await this.#findDocumentIds(options, sources))
    const listDocuments = async () => await this.#listReadable(collections, documentIds)
    const { onlyEvents: events } = await this.#run(
      { ...options, question, plain },
      { collectionIds, documents: listDocuments, ...(documentIds && { documentIds }) },
    )
    const pending = await this.#deps.scope.countPending(collections, documentIds)
    const isText = !isFormatted(options.config ?? {})
    const warnings = [
      ...sources.warnings,
      ...(await findPendingWarnings(pending, collections, this.#deps.scope)),
    ]
    yield* withPending(withWording(events), { pending, isText, warnings })
  }

  async #findDocumentIds(
    { documents: names = [] }: AskOptions,
    { collections, pasted }: OpenedSources,
  ): Promise<readonly string[]> {
    const { scope, store } = this.#deps
    const named = await scope.findDocumentIds(names, collections)
    const own = pasted ? await store.documents.list(pasted.id) : []
    return [...named, ...own.map(({ id }) => id)]
  }

  /** Loads the embedder while files are read. Its errors surface on use. */
  #warmEmbedder({ question, signal }: AskOptions): void {
    this.#deps.meaning.measureNearness(shortenForSearch(question), [], signal).catch(() => {})
  }

  #isExtractive({
    extractive,
    model,
    plain,
  }: Pick<AskOptions, 'extractive' | 'model' | 'plain'>): boolean {
    return !plain && (extractive || (!this.#deps.settings.model && !model))
  }

  async #listReadable(
    collections: readonly Collection[],
    documentIds: readonly string[] | undefined,
  ): Promise<readonly Document[]> {
    const { documents } = this.#deps.store
    const all = documentIds
      ? await documents.findAll(documentIds)
      : (await Promise.all(collections.map(async ({ id }) => await documents.list(id)))).flat()
    return all.filter(({ searchable }) => searchable !== undefined)
  }

  async #run(options: AskOptions, scope: SearchScope): Promise<AgentRun> {
    const { settings } = this.#deps
    const { question, asker, history = [], turn = [], signal } = options
    const isExtractive = this.#isExtractive(options)
    const courtesy = isExtractive ? findCourtesy(question) : undefined
    if (courtesy !== undefined) return runCourtesy(question, courtesy)
    const catalog = findInventoryQuestion(options)
    const isWritten = catalog?.wants === 'summary' && !isExtractive
    const listed =
      catalog && !isWritten
        ? await runInventoryQuestion(question, catalog, this.#createCatalog(scope, options), signal)
        : undefined
    if (listed) return listed
    const seen = selectRecentTurns(history, estimateReadableBytes(settings.model?.maxInputTokens))
    if (!isExtractive) {
      const { callerTools, toolChoice, config, approvals, found, within } = options
      const agent = this.#buildAgent(options, scope)
      const userMessage: Message = {
        role: 'user',
        content: question,
        ...(asker && { name: asker }),
      }
      const run = agent.run([...seen, userMessage, ...turn], {
        signal,
        callerTools,
        toolChoice,
        config,
        approvals,
        found,
        within,
      })
      if (!catalog || !isWritten) return run
      const deps = this.#createCatalog(scope, options)
      return new AgentRun(withUncited(run.onlyEvents, catalog, deps, signal))
    }
    return await this.#quote(options, scope, seen)
  }

  async #quote(
    options: AskOptions,
    scope: SearchScope,
    history: readonly Message[],
  ): Promise<AgentRun> {
    const { store, meaning, lexicon, rarity, settings } = this.#deps
    const { question, limit, signal, strictness } = options
    const { answering } = settings
    const { maxRisk = answering.maxRisk } = options
    const limits = await findRiskLimits({ ...answering, maxRisk })
    const answerer = new ExtractiveAnswerer({
      searcher: this.#createSearcher(options),
      reader: new PresentDocuments(store.library),
      meaning,
      lexicon,
      rarity,
      strictness: strictness ?? answering.strictness,
      minConfidence: limits && getMinConfidence(limits),
    })
    const { documentIds, ...where } = scope
    const query = { question: shortenForSearch(question), history, ...(limit && { limit }) } // all of its words count
    const within = { ...where, ...(documentIds && { documentIds }) }
    const run = answerer.answer({ ...within, ...query }, signal)
    return limits ? new AgentRun(withRiskWarning(run.onlyEvents, limits, maxRisk)) : run
  }

  #createCatalog(scope: SearchScope, options: SearchHow = {}): CatalogDeps {
    const { library, documents, collections } = this.#deps.store
    const searcher = this.#createSearcher(options)
    const { collectionIds } = scope
    return {
      listDocuments: scope.documents,
      search: ({ documentIds = scope.documentIds, ...query }, signal) =>
        searcher.search({ ...query, collectionIds, documentIds }, signal),
      translate: topic => this.#topics.translate(topic),
      listCollections: () => collections.list(),
      reader: new PresentDocuments(library),
      getLabels: async found =>
        await findLabels(
          documents,
          collectionIds.map(id => ({ id })),
          found,
        ),
    }
  }

  #buildAgent(options: AskOptions, scope: SearchScope): Agent {
    const { settings, onToolError, mcp, models } = this.#deps
    const { outsideTools = 'all', maxToolCalls = Number.POSITIVE_INFINITY } = options
    const model = models.open(options.model)
    if (options.plain) return new Agent({ model })
    const skill = this.#findSkill(options)
    const moreTools =
      outsideTools === 'none'
        ? undefined
        : mcp.createFinder({ isReadOnly: outsideTools === 'read-only' })
    const { toolTimeoutMs, maxToolTokens, tokens } = models.getToolLimits(model.id, settings)
    return new Agent({
      model,
      onToolError,
      observe: traceTool,
      toolTimeoutMs,
      maxToolTokens,
      tokens,
      tools: skill?.tools,
      instructions: skill?.instructions,
      ...(moreTools && {
        moreTools: async (...args) => this.#addApprovals(await moreTools(...args)),
      }),
      grounding: this.createGrounding(model, async () => scope, options),
      approve: ({ name }) => this.#approve(name, options),
      maxModelCalls: Math.min(settings.answering.maxModelCalls, maxToolCalls + 1),
      maxToolCalls: settings.answering.maxToolCalls,
    })
  }

  #findSkill({
    skill: id,
    collections,
    outsideTools = 'all',
  }: AskOptions): Pick<AgentDeps, 'tools' | 'instructions'> | undefined {
    if (id === undefined) return undefined
    const skill = findSkill(this.#deps.settings, id)
    const where = { collections, ...(outsideTools === 'all' ? {} : { roots: [] }) } // skills may not read the operator's folders
    const tools = this.#addApprovals(this.#deps.resolveTools(skill.tools, where))
    return { tools, instructions: skill.instructions }
  }

  #addApprovals(tools: readonly Tool[]): readonly Tool[] {
    const { approve } = this.#deps.settings.conversations
    return tools.map(tool => (approve.includes(tool.name) ? withApproval(tool) : tool))
  }

  /** Approves tools of configured servers and skills, unless named. */
  #approve(name: string, { canApprove = false }: AskOptions): boolean | 'later' {
    if (!this.#deps.settings.conversations.approve.includes(name)) return true
    return canApprove && 'later'
  }

  createGrounding(
    model: ChatModel,
    resolveScope: CitedOptions['resolveScope'],
    options: SearchHow = {},
  ): CitedKnowledge {
    const { store, settings, meaning, lexicon, rarity, counter, onModelError } = this.#deps
    const { contextTokens: maxSourceTokens, unsupported, verify } = settings.answering
    const { maxRisk = settings.answering.maxRisk } = options
    return new CitedKnowledge({
      model,
      meaning,
      lexicon,
      rarity,
      onModelError,
      maxSourceTokens,
      searcher: this.#createSearcher(options),
      reader: new PresentDocuments(store.library),
      limit: options.limit,
      effort: options.effort,
      counter,
      resolveScope,
      getLabels: async (ids, found) =>
        await findLabels(
          store.documents,
          ids.map(id => ({ id })),
          found,
        ),
      removesUnsupported: unsupported === 'remove',
      asksModel: verify === 'model',
      findClaimLimit: () => findClaimLimit({ ...settings.answering, maxRisk }),
      createListTool: scope => createDocumentsTool(this.#createCatalog(scope, options)),
    })
  }

  #createSearcher({ precise, minScore, filter, weights }: SearchHow): Searcher {
    return narrowSearcher(this.#deps.searcher, {
      minConfidence: minScore,
      filter,
      weights: weights && checkWeights(weights),
      precise,
    })
  }
}

/** Returns undefined if the answer must have a certain form. */
function findInventoryQuestion({
  question,
  plain,
  turn = [],
  callerTools = [],
  skill,
  toolChoice,
  config = {},
}: AskOptions): InventoryQuestion | undefined {
  if (plain || turn.length > 0 || callerTools.length > 0 || toolChoice) return undefined
  if (skill !== undefined || isFormatted(config)) return undefined
  return parseInventoryQuestion(question, detectReplyLanguage(question))
}

function withApproval(tool: Tool): Tool {
  return { ...wrapTool(tool, (...args) => tool.call(...args)), needsApproval: true }
}

type AnswerNotes = {
  readonly pending: UnfinishedCount
  readonly isText: boolean
  readonly warnings: readonly Warning[]
}

/** Warns in a refusal, too, which may be untrue a moment later. */
async function* withPending(
  events: AsyncIterable<AgentEvent>,
  { pending, isText, warnings: added }: AnswerNotes,
): AsyncGenerator<AgentEvent> {
  for await (const event of events) {
    if (event.type !== 'finish' || added.length === 0) {
      yield event
      continue
    }
    const { question, text, abstained } = event.result
    const count = pending.unfound + pending.byWords // keyword-only documents may be missed by other words
    const note =
      abstained && isText && count > 0
        ? `\n${toPendingSentence(detectReplyLanguage(question), count)}`
        : ''
    if (note) yield { type: 'text-delta', text: note }
    const warnings = [...(event.result.warnings ?? []), ...added]
    yield { type: 'finish', result: { ...event.result, text: text + note, warnings } }
  }
}

function toPendingSentence(language: Language, count: number): string {
  if (language === 'zh') return `还有 ${count} 份文档正在编入索引，其内容稍后才能查到。`
  return count === 1
    ? '1 document is still being indexed, so it is not searched yet.'
    : `${count} documents are still being indexed, so they are not searched yet.`
}
