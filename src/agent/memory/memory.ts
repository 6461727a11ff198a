import type { Document } from '../../ingest/catalog/document.ts'
import type { Hit } from '../../search/searcher.ts'
import { itemType, itemValue } from '../content-item.ts'
import { searchWordsOf } from '../follow-up.ts'
import { type Message, textContent } from '../message.ts'
import type { ChatModel } from '../model.ts'
import { type Snippet, snippetsOf } from '../tools/retrieval.ts'
import { addUsage, type Usage } from '../usage.ts'
import { freshChunks } from './fresh-chunks.ts'
import { expandQuestion, type KeywordStrategy } from './keywords.ts'
import type { DocumentChunk, FileFailure, KnowledgeBase } from './knowledge-base.ts'
import { type RetrievalLimits, retrieve } from './retrieve.ts'
import { vocabularyOf } from './vocabulary.ts'

export type MemoryOptions = RetrievalLimits & {
  /** Reads what a conversation brings with it. */
  readonly knowledge: KnowledgeBase
  /** Reads the agent's own documents; that of the conversation when absent. */
  readonly own?: KnowledgeBase
  /** The agent's documents: names, ids, paths. */
  readonly files?: readonly string[]
  /** All documents at hand are the agent's. */
  readonly hasAll?: boolean
  /** A light one will do; without any, questions are searched for as they are. */
  readonly model?: ChatModel | undefined
  readonly strategy?: KeywordStrategy
  /** Told why the model could not help to search; the question is then searched for as it is. */
  readonly onModelError?: ((error: unknown) => void) | undefined
}

export type Recall = {
  readonly snippets: readonly Snippet[]
  /** Files that cannot be read. */
  readonly failures: readonly FileFailure[]
  readonly usage?: Usage
  /** Documents were searched, and nothing in them bears on the question. */
  readonly isInVain?: boolean
}

/** What an agent can look up: its own documents and the files of the conversation. */
export class Memory {
  readonly #options: MemoryOptions

  constructor(options: MemoryOptions) {
    this.#options = options
  }

  /** The passages that bear on the last question; everything, and no model asked, where it fits. */
  async recall(messages: readonly Message[], signal?: AbortSignal): Promise<Recall> {
    const { documents, failures } = await this.#documents(messages, signal)
    if (documents.length === 0) return { snippets: [], failures }
    const { maxTokens = 20_000 } = this.#options
    if (documents.reduce((sum, document) => sum + document.tokens, 0) <= maxTokens) {
      return { snippets: await this.#everything(documents, signal), failures }
    }
    return { ...(await this.#search(messages, documents, signal)), failures }
  }

  async #documents(messages: readonly Message[], signal?: AbortSignal) {
    const { knowledge, own = knowledge, files = [], hasAll = false } = this.#options
    const found = [
      hasAll ? await own.resolve(undefined, signal) : { documents: [], failures: [] },
      await own.resolve(files, signal),
      await knowledge.resolve(filesOf(messages), signal),
    ]
    const documents = new Map(found.flatMap(one => one.documents).map(document => [document.id, document]))
    return { documents: [...documents.values()], failures: found.flatMap(one => one.failures) }
  }

  async #search(messages: readonly Message[], documents: readonly Document[], signal?: AbortSignal) {
    const { knowledge, model, strategy = 'GenKeyword', onModelError: onError } = this.#options
    const at = messages.findLastIndex(message => message.role === 'user')
    const question = at < 0 ? '' : textContent(messages[at]!) // just found
    if (question.trim() === '') return { snippets: [] }
    const help = { model, onError, signal }
    const alone = await searchWordsOf({ question, history: messages.slice(0, at) }, help)
    const vocabulary = () => vocabularyOf(knowledge, documents, signal)
    const wanted = model ? await expandQuestion(alone.text, { ...help, strategy, model, vocabulary }) : alone
    const hits = await retrieve(wanted.text, { ...this.#options, documents, signal })
    const usage = wanted.usage && wanted !== alone ? addUsage(alone.usage, wanted.usage) : alone.usage
    return { snippets: snippetsOf(hits), isInVain: hits.length === 0, ...(usage && { usage }) }
  }

  async #everything(documents: readonly Document[], signal?: AbortSignal): Promise<readonly Snippet[]> {
    const hits: Hit[] = []
    for (const document of documents) {
      const chunks = this.#options.knowledge.chunks(document, signal)
      for await (const { hasGap: _, ...chunk } of freshChunks(chunks)) hits.push(toHit(document, chunk))
    }
    return snippetsOf(hits)
  }
}

/** Every file of the conversation, once. */
export function filesOf(messages: readonly Message[]): readonly string[] {
  const items = messages.flatMap(({ content }) => (typeof content === 'string' ? [] : content))
  return [...new Set(items.filter(item => itemType(item) === 'file').map(itemValue))]
}

function toHit(document: Document, chunk: DocumentChunk): Hit {
  const { id: documentId, collectionId, source, name, title, attributes } = document
  const { pages, ...rest } = chunk
  const origin = { documentId, collectionId, source, name, title, attributes }
  return { score: 1, weak: false, ...origin, ...rest, ...(pages && { pages }) }
}
