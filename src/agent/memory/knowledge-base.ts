import type { Failure } from '../../errors.ts'
import type { Document } from '../../ingest/store/catalog/document.ts'
import type { Hit } from '../../search/searcher.ts'
import type { NamedSource } from '../source-labels.ts'

/** A file that cannot be used, and why. */
export type FileFailure = Failure & { readonly file: string }

export type ResolvedFiles = {
  /** Completed ones, each once. */
  readonly documents: readonly Document[]
  readonly failures: readonly FileFailure[]
}

export type KnowledgeMode = 'hybrid' | 'keyword' | 'vector' | 'front-page'

export type KnowledgeQuery = {
  readonly text: string
  readonly mode: KnowledgeMode
  readonly documents: readonly Document[]
  readonly limit: number
}

/** A piece of a document as it is indexed. */
export type DocumentChunk = Pick<
  Hit,
  'chunkId' | 'charStart' | 'charEnd' | 'pages' | 'headings' | 'text' | 'context' | 'tokens'
>

/** The documents that an agent may read: what its retrieval tools and its memory stand on. */
export interface KnowledgeBase {
  /**
   * The documents that are meant by ids, sources, names, or paths and URLs that may be read; all at hand when none are
   * given. A file that cannot be read is a failure beside the others.
   */
  resolve(references: readonly string[] | undefined, signal?: AbortSignal): Promise<ResolvedFiles>
  /** What to call documents, by source: labels that `resolve` knows, and that are the same whatever is found beside them. */
  findLabels(documents: readonly NamedSource[]): Promise<ReadonlyMap<string, string>>
  search(query: KnowledgeQuery, signal?: AbortSignal): Promise<readonly Hit[]>
  /** In the order of the document; stop early by leaving the loop. */
  readChunks(document: Document, signal?: AbortSignal): AsyncIterable<DocumentChunk>
}

/** One thing found, as a model reads it. */
export type Snippet = {
  readonly source: string
  readonly title: string
  readonly page?: number
  readonly score: number
  readonly text: string
  readonly document_id: string
}

export async function toSnippets(
  hits: readonly Hit[],
  knowledge: Pick<KnowledgeBase, 'findLabels'>,
): Promise<readonly Snippet[]> {
  const labels = await knowledge.findLabels(hits)
  return hits.map(({ source, title, pages, score, text, documentId }) => ({
    source: labels.get(source) ?? source,
    title,
    ...(pages && { page: pages[0] }),
    score: Math.round(score * 10_000) / 10_000,
    text,
    document_id: documentId,
  }))
}
