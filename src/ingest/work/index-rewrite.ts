import type { Documents } from '../store/catalog/documents.ts'
import type { Version, Versions } from '../store/catalog/versions.ts'
import type { ChunkIndex, IndexRow, IndexTable } from '../store/chunk-index.ts'
import type { ContentStore } from '../store/contents/content.ts'
import { type RowSource, rowsOf, storedRows } from '../store/contents/stored-rows.ts'

/** Rows written at a time. */
const MAX_ROWS = 2_048

type IndexRewriteParts = {
  readonly content: ContentStore
  readonly documents: Documents
  readonly versions: Versions
  readonly index: ChunkIndex
}

type RewriteTarget = {
  readonly collectionId: string
  readonly table: IndexTable
  /** The model whose stored vectors are taken, empty for none; that which the version has. */
  readonly embedderIdOf?: (version: Version) => string
  /** Whether a chunk of so many tokens should have vectors of its windows; any will do where that is not known. */
  readonly mayDivide?: ((tokens: number) => boolean) | undefined
}

/**
 * Writes the rows of a collection again where the index's id changed or its table is gone: under the versions that they
 * have, from stored chunks and vectors, beside the table that readers see until all rows are there. Nothing is parsed
 * or embedded: a document that lacks vectors of windows is queued, and found by those that it has until its turn. A rewrite
 * that was interrupted goes on where it stopped. Used by the holder of the writer lease only.
 */
export class IndexRewrite {
  readonly #parts: IndexRewriteParts
  readonly #target: RewriteTarget
  #rows: IndexRow[] = []

  constructor(parts: IndexRewriteParts, target: RewriteTarget) {
    this.#parts = parts
    this.#target = target
  }

  /** Tells of the chunks of every document that are there. */
  async run(signal: AbortSignal, onWritten?: (chunks: number) => void): Promise<void> {
    const { documents, versions, index } = this.#parts
    const { table, collectionId } = this.#target
    const published = await versions.inState(collectionId, 'published')
    const written = await this.#withoutOthers(published)
    const withoutWindows: string[] = []
    for (const version of published) {
      signal.throwIfAborted()
      const rows = written.get(version.version) ?? 0
      const isWritten = rows === version.report.chunks
      if (rows > 0 && !isWritten) await index.remove(table, [version.version])
      const source = await this.#source(version)
      if (source && this.#lacksWindows(source)) withoutWindows.push(version.documentId)
      if (!isWritten) await this.#put(version, source)
      onWritten?.(version.report.chunks)
    }
    await this.#write()
    await documents.requeue(withoutWindows) // before the table is whole: after a kill in between it is done again
    await index.adopt(table)
  }

  /** Rows that are there by version, those of documents that are gone or replaced removed. */
  async #withoutOthers(published: readonly Version[]): Promise<ReadonlyMap<number, number>> {
    const { index } = this.#parts
    const written = await index.versions(this.#target.table)
    const known = new Set(published.map(({ version }) => version))
    const others = [...written.keys()].filter(version => !known.has(version))
    if (others.length > 0) await index.remove(this.#target.table, others)
    return written
  }

  async #source(version: Version): Promise<RowSource | undefined> {
    const { content, documents } = this.#parts
    const name = (await documents.find(version.documentId))?.name ?? ''
    const { table, embedderIdOf = ({ embedderId }) => embedderId } = this.#target
    const stages = { ...version, embedderId: embedderIdOf(version) }
    await content.bring(version.sha256, 'all')
    return await storedRows(content, stages, { name, dimensions: table.dimensions })
  }

  #lacksWindows({ vectors, total, longest }: RowSource): boolean {
    return vectors !== undefined && !vectors.holds(total, this.#target.mayDivide?.(longest))
  }

  /** A document whose derived output is not there any more is derived again, in its turn of the queue. */
  async #put(version: Version, source: RowSource | undefined): Promise<void> {
    if (!source) return await this.#parts.documents.requeue([version.documentId])
    for await (const row of rowsOf(source)) {
      this.#rows.push({ ...row, version: version.version })
      if (this.#rows.length >= MAX_ROWS) await this.#write()
    }
  }

  async #write(): Promise<void> {
    const rows = this.#rows
    this.#rows = []
    if (rows.length > 0) await this.#parts.index.add(this.#target.table, rows)
  }
}
