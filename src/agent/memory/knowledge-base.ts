import type { Failure } from '../../errors.ts'
import type { Document } from '../../ingest/store/catalog/document.ts'
import type { Hit } from '../../search/searcher.ts'
import type { NamedSource } from '../messages/source-labels.ts'

export type FileFailure = Failure & { readonly file: string }

export type ResolvedFiles = {
  /** Completed documents, each once. */
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

export type DocumentChunk = Pick<
  Hit,
  'chunkId' | 'charStart' | 'charEnd' | 'pages' | 'headings' | 'text' | 'context' | 'tokens'
>

export interface KnowledgeBase {
  /**
   * Accepts ids, sources, names, readable paths and URLs; default all. Unreadable files are
   * failures.
   */
  resolve(references: readonly string[] | undefined, signal?: AbortSignal): Promise<ResolvedFiles>
  findLabels(documents: readonly NamedSource[]): Promise<ReadonlyMap<string, string>>
  search(query: KnowledgeQuery, signal?: AbortSignal): Promise<readonly Hit[]>
  readChunks(document: Document, signal?: AbortSignal): AsyncIterable<DocumentChunk>
}

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
