import { type AgentEvent, type Answerer, type AskRequest, reportFailures } from '../agent/answer.ts'
import { Assistant } from '../agent/assistant.ts'
import { Chat } from '../agent/chat.ts'
import { ExtractiveAnswerer } from '../agent/extractive.ts'
import type { Message } from '../agent/message.ts'
import { readableBytes, recentTurns } from '../agent/recent-turns.ts'
import type { ToolErrorListener } from '../agent/tool.ts'
import type { Meaning } from '../answer/evidence/meaning.ts'
import type { Settings } from '../config.ts'
import { AppError } from '../errors.ts'
import type { Collection } from '../ingest/catalog/collections.ts'
import type { Document } from '../ingest/catalog/document.ts'
import type { TokenCounter } from '../ingest/tokens.ts'
import type { Filter } from '../search/filter.ts'
import type { HybridWeights, Searcher } from '../search/searcher.ts'
import { NarrowedSearcher } from '../search/searchers/narrowed-searcher.ts'
import type { Dictionary } from '../text/dictionary.ts'
import { searchable } from '../text/keywords.ts'
import type { WordRarity } from '../text/rarity.ts'
import type { McpTools } from './agents/mcp-tools.ts'
import type { ChatModels } from './chat-models.ts'
import type { IndexEvent } from './index-documents.ts'
import { withPending } from './pending-answer.ts'
import { labelsIn, type Scope } from './scope.ts'
import type { ScratchFiles } from './scratch-files.ts'
import { checkedWeights } from './search-documents.ts'
import type { Store } from './store.ts'

export type AskOptions = {
  readonly question: string
  /** Names or ids; the default collection when there are none. */
  readonly collections?: readonly string[] | undefined
  /** Answer from these files only; nothing is added to any list. */
  readonly files?: readonly string[] | undefined
  /** Answer from these uploaded files too, or from them only where no collections are named. */
  readonly fileIds?: readonly string[] | undefined
  /** Only these documents of the collections: ids, sources or base names. */
  readonly documents?: readonly string[] | undefined
  /** The conversation so far, oldest first. */
  readonly history?: readonly Message[] | undefined
  /** Another model of the configured server. */
  readonly model?: string | undefined
  /** Quote instead of asking a model, though one is configured. */
  readonly extractive?: boolean | undefined
  /** Search with precise ranking. */
  readonly precise?: boolean | undefined
  /** How sure an answer has to be, 0 to 1, in place of the setting. */
  readonly strictness?: number | undefined
  /** The model alone: no documents are looked at. */
  readonly plain?: boolean | undefined
  /** Hits of one search, and the score from which one counts. */
  readonly limit?: number | undefined
  readonly minScore?: number | undefined
  readonly filter?: Filter | undefined
  /** Of hybrid search, in place of the setting. */
  readonly weights?: HybridWeights | undefined
  /** Which tools of the configured MCP servers a model may call: all, those that only read, or none. */
  readonly outsideTools?: 'all' | 'read-only' | 'none' | undefined
  /** See AskRequest. */
  readonly turn?: AskRequest['turn']
  readonly callerTools?: AskRequest['callerTools']
  readonly toolChoice?: AskRequest['toolChoice']
  readonly config?: AskRequest['config']
  /** How often a model may search beyond the first time, roughly: calls that it makes at once count as one. */
  readonly maxToolCalls?: number | undefined
  readonly signal?: AbortSignal | undefined
  readonly onIndex?: ((event: IndexEvent) => void) | undefined
}

type AnsweringParts = {
  readonly store: Store
  readonly scope: Scope
  readonly settings: Settings
  readonly searcher: Searcher
  readonly preciseSearcher: Searcher
  readonly meaning: Meaning
  readonly lexicon: Dictionary
  readonly rarity: WordRarity
  readonly models: ChatModels
  readonly counter: () => Promise<TokenCounter>
  readonly scratch: ScratchFiles
  readonly mcp: McpTools
  readonly onToolError: ToolErrorListener
  /** Told why a model could not help to search. */
  readonly onModelError: (error: unknown) => void
  /** Throws for one that has expired. */
  readonly useCollection: (collection: Collection) => void
}

/** The use case behind every `ask`. */
export class Answering {
  readonly #parts: AnsweringParts

  constructor(parts: AnsweringParts) {
    this.#parts = parts
  }

  /** Events up to the answer. What goes wrong, in setting up too, is an `error` event; only an abort throws. */
  ask(options: AskOptions): AsyncGenerator<AgentEvent> {
    return reportFailures(this.#answer(options), options.signal)
  }

  async *#answer(options: AskOptions): AsyncGenerator<AgentEvent> {
    const { signal, plain } = options
    if (options.question.trim() === '') throw new AppError('invalid_input', 'The question is empty.')
    const question = this.#isExtractive(options) ? searchable(options.question) : options.question // all its words are weighed
    const collections = plain ? [] : await this.#collections(options)
    for (const collection of collections) this.#parts.useCollection(collection)
    const collectionIds = collections.map(collection => collection.id)
    const documentIds = options.documents?.map(reference => this.#parts.scope.document(reference, collections).id)
    const documents = () => this.#completed(collections, documentIds)
    const answerer = await this.#answerer(options) // may take a while to load: what cannot be asked was said before
    const request = {
      question,
      collectionIds,
      documents,
      ...(documentIds && { documentIds }),
      ...conversationOf(options, readableBytes(this.#parts.settings.model?.maxInputTokens)),
    }
    const count = this.#parts.scope.pending(collections, documentIds)
    const isText = options.config?.responseFormat === undefined
    const events = answerer.answer(request, signal)
    yield* count > 0 ? withPending(events, { count, isText }) : events
  }

  #isExtractive({ extractive, model, plain }: AskOptions): boolean {
    return !plain && (extractive || (!this.#parts.settings.model && !model))
  }

  #completed(collections: readonly Collection[], documentIds: readonly string[] | undefined): readonly Document[] {
    const { documents } = this.#parts.store
    const all = documentIds ? documents.findAll(documentIds) : collections.flatMap(({ id }) => documents.list(id))
    return all.filter(document => document.status === 'completed')
  }

  async #answerer(options: AskOptions): Promise<Answerer> {
    const { model, precise, plain, minScore, filter, strictness, outsideTools = 'all' } = options
    const { store, settings, meaning, lexicon, rarity, counter, onToolError, onModelError, mcp } = this.#parts
    if (plain) return new Chat(this.#parts.models.open(model))
    const every = precise ? this.#parts.preciseSearcher : this.#parts.searcher
    const weights = options.weights && checkedWeights(options.weights)
    const isNarrow = minScore !== undefined || filter !== undefined || weights !== undefined
    const searcher = isNarrow ? new NarrowedSearcher(every, { minScore, filter, weights }) : every
    const parts = { searcher, reader: store.library, meaning, lexicon }
    if (this.#isExtractive(options)) {
      return new ExtractiveAnswerer({ ...parts, rarity, strictness: strictness ?? settings.answering.strictness })
    }
    return new Assistant({
      ...{ ...parts, rarity },
      counter: await counter(),
      ...{ onToolError, onModelError, toolTimeoutMs: settings.agent.toolTimeoutMs },
      ...(outsideTools !== 'none' && { moreTools: mcp.more({ isReadOnly: outsideTools === 'read-only' }) }),
      model: this.#parts.models.open(model),
      labelsIn: (ids, found) =>
        labelsIn(
          store.documents,
          ids.map(id => ({ id })),
          found,
        ),
      maxSourceTokens: settings.answering.contextTokens,
      maxModelCalls: Math.min(settings.answering.maxModelCalls, (options.maxToolCalls ?? Number.POSITIVE_INFINITY) + 1),
      removesUnsupported: settings.answering.unsupported === 'remove',
      asksModel: settings.answering.verify === 'model',
    })
  }

  async #collections({ collections, files, fileIds, signal, onIndex }: AskOptions): Promise<readonly Collection[]> {
    if (fileIds?.length) {
      const uploaded = await this.#parts.scratch.openUploaded(fileIds, signal)
      return [...(collections?.length ? this.#parts.scope.collections(collections) : []), uploaded]
    }
    if (!files?.length) return this.#parts.scope.collections(collections)
    const { collection, documents } = await this.#parts.scratch.open(files, { signal, onEvent: onIndex })
    if (documents.length === 0) throw new AppError('empty', `There are no files to read in ${files.join(', ')}.`)
    const failed = documents.find(document => document.error && !document.parentId)
    if (failed?.error) throw new AppError(failed.error.code, failed.error.message)
    return [collection]
  }
}

/** What is not looked up, only handed on: of the conversation, what a model can see of it. */
function conversationOf({ history, turn, limit, callerTools, toolChoice, config }: AskOptions, historyBytes: number) {
  return {
    ...(history && { history: recentTurns(history, historyBytes) }),
    ...(turn && { turn }),
    ...(limit && { limit }),
    ...(callerTools && { callerTools }),
    ...(toolChoice && { toolChoice }),
    ...(config && { config }),
  }
}
