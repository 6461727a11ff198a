import type {
  DocumentChunk,
  FileFailure,
  KnowledgeBase,
  KnowledgeQuery,
} from '../../src/agent/memory/knowledge-base.ts'
import { labelDocuments, type NamedSource } from '../../src/agent/messages/source-labels.ts'
import type { Document } from '../../src/ingest/store/catalog/document.ts'
import { type InlineDocument, MemorySearcher } from './memory-searcher.ts'
import { wordCounter } from './word-counter.ts'

/** A knowledge base over texts given inline; documents go by their names, other files cannot be read. */
export class MemoryKnowledge implements KnowledgeBase {
  readonly searcher: MemorySearcher

  constructor(inline: readonly InlineDocument[]) {
    this.searcher = new MemorySearcher(inline)
  }

  async resolve(references: readonly string[] | undefined) {
    const { documents } = this.searcher
    if (!references) return { documents, failures: [] }
    const failures: FileFailure[] = references
      .filter(file => !documents.some(document => document.name === file))
      .map(file => ({ file, code: 'unsupported_format', message: `Cannot read ${file}.` }))
    return { documents: documents.filter(document => references.includes(document.name)), failures }
  }

  async findLabels(documents: readonly NamedSource[]) {
    return labelDocuments(documents, this.searcher.documents)
  }

  async search({ text, documents, limit }: KnowledgeQuery, signal?: AbortSignal) {
    const documentIds = documents.map(document => document.id)
    return await this.searcher.search(
      { text, documentIds, limit, collectionIds: ['default'] },
      signal,
    )
  }

  async *readChunks(document: Document): AsyncIterable<DocumentChunk> {
    for await (const { text, charStart, charEnd, page } of this.searcher.readBlocks(document.id)) {
      const place = {
        chunkId: `${document.id}:${charStart}`,
        charStart,
        charEnd,
        headings: [],
        context: '',
      }
      yield {
        ...place,
        text,
        tokens: wordCounter.count(text),
        ...(page !== undefined && { pages: [page, page] }),
      }
    }
  }
}
