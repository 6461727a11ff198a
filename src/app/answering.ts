import path from 'node:path'
import { type AgentEvent, type Answerer, reportFailures } from '../agent/answer.ts'
import { Assistant } from '../agent/assistant.ts'
import { ExtractiveAnswerer } from '../agent/extractive.ts'
import type { Message } from '../agent/message.ts'
import type { Settings } from '../config.ts'
import { AppError } from '../errors.ts'
import type { Collection } from '../ingest/collections.ts'
import { digestFile, digestOf } from '../ingest/digest.ts'
import type { Document } from '../ingest/document.ts'
import type { Embedder } from '../ingest/embedder.ts'
import type { Removal } from '../ingest/removal.ts'
import { kindOf } from '../ingest/source.ts'
import type { TokenCounter } from '../ingest/tokens.ts'
import type { Searcher } from '../search/searcher.ts'
import type { ChatModels } from './chat-models.ts'
import type { IndexDocuments, IndexEvent } from './index-documents.ts'
import type { Scope } from './scope.ts'
import type { Store } from './store.ts'

export type AskOptions = {
  readonly question: string
  /** Names or ids; the default collection when there are none. */
  readonly collections?: readonly string[] | undefined
  /** Answer from these files only; nothing is added to any list. */
  readonly files?: readonly string[] | undefined
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
  readonly signal?: AbortSignal | undefined
  readonly onIndex?: ((event: IndexEvent) => void) | undefined
}

export type AnsweringParts = {
  readonly store: Store
  readonly scope: Scope
  readonly settings: Settings
  readonly searcher: Searcher
  readonly preciseSearcher: Searcher
  readonly embedder: Embedder
  readonly models: ChatModels
  readonly counter: () => Promise<TokenCounter>
  readonly indexDocuments: IndexDocuments
  readonly removal: Removal
  /** The collection of that name, made with the store's settings if it is not there. */
  readonly ensureCollection: (name: string, hidden: boolean) => Promise<Collection>
}

const SCRATCH_PREFIX = 'files of a question '

/** Files that a question was asked about stay indexed so long after the last one. */
const KEEP_SCRATCH_MS = 7 * 24 * 60 * 60 * 1000

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
    const { question, signal, history } = options
    if (question.trim() === '') throw new AppError('invalid_input', 'The question is empty.')
    const answerer = await this.#answerer(options)
    const collections = await this.#collections(options)
    const collectionIds = collections.map(collection => collection.id)
    const documentIds = options.documents?.map(reference => this.#parts.scope.document(reference, collections).id)
    const documents = () => this.#completed(collections, documentIds)
    const request = {
      question,
      collectionIds,
      documents,
      ...(documentIds && { documentIds }),
      ...(history && { history }),
    }
    yield* answerer.answer(request, signal)
  }

  /** What files were asked about long ago is not kept for ever. */
  async #forgetOld(): Promise<void> {
    const { store, removal } = this.#parts
    const old = store.collections.all().filter(({ name, hidden, usedAt }) => {
      return hidden && name.startsWith(SCRATCH_PREFIX) && Date.now() - usedAt > KEEP_SCRATCH_MS
    })
    for (const collection of old) await removal.collection(collection)
  }

  #completed(collections: readonly Collection[], documentIds: readonly string[] | undefined): readonly Document[] {
    const { documents } = this.#parts.store
    const all = documentIds ? documents.findAll(documentIds) : collections.flatMap(({ id }) => documents.list(id))
    return all.filter(document => document.status === 'completed')
  }

  async #answerer({ extractive, model, precise }: AskOptions): Promise<Answerer> {
    const { store, settings, embedder, counter } = this.#parts
    const searcher = precise ? this.#parts.preciseSearcher : this.#parts.searcher
    const parts = { searcher, reader: store.library, embedder }
    if (extractive || (!settings.model && !model)) return new ExtractiveAnswerer(parts)
    return new Assistant({
      ...parts,
      counter: await counter(),
      model: this.#parts.models.open(model),
      maxSourceTokens: settings.answering.contextTokens,
      maxModelCalls: settings.answering.maxModelCalls,
    })
  }

  async #collections({ collections, files, signal, onIndex }: AskOptions): Promise<readonly Collection[]> {
    if (!files?.length) return this.#parts.scope.collections(collections)
    const paths = files.map(file => path.resolve(file))
    const collection = await this.#parts.ensureCollection(await scratchName(paths, signal), true)
    const { documents } = await this.#parts.indexDocuments.run(collection, paths, { signal, onEvent: onIndex })
    const failed = documents.find(document => document.error)
    if (failed?.error) throw new AppError(failed.error.code, failed.error.message)
    this.#parts.store.collections.touch(collection.id)
    await this.#forgetOld()
    return [collection]
  }
}

/** The same files with the same bytes are the same collection, so that a second question finds them indexed. */
async function scratchName(paths: readonly string[], signal?: AbortSignal): Promise<string> {
  const parts: string[] = []
  for (const file of paths.toSorted()) {
    const isFile = (await kindOf(file)) === 'file'
    parts.push(file, isFile ? await digestFile(file, signal) : '')
  }
  return SCRATCH_PREFIX + digestOf(...parts)
}
