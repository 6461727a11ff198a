import { listNotes } from '../chunk/chunk-edits.ts'
import type { Documents } from '../store/catalog/documents.ts'
import type { Version, Versions } from '../store/catalog/versions.ts'
import type { ChunkIndex, IndexRow, IndexTable } from '../store/chunk-index.ts'
import type { ContentStore } from '../store/contents/content.ts'
import { createRows, findRowSource, type RowSource } from '../store/contents/stored-rows.ts'

/** Rows per write. Protects memory. */
const MAX_ROWS = 2_048

type IndexRewriteDeps = {
  readonly content: ContentStore
  readonly documents: Documents
  readonly versions: Versions
  readonly index: ChunkIndex
}

type RewriteTarget = {
  readonly collectionId: string
  readonly table: IndexTable
  /** Chooses whose stored vectors are used; empty for none. Default: the version's. */
  readonly chooseEmbedder?: (version: Version) => string
  /**
   * Whether a chunk of this many tokens needs vectors of its windows. Default: any vectors will
   * do.
   */
  readonly mayDivide?: (tokens: number) => boolean
}

type RewriteOptions = {
  readonly signal: AbortSignal
  /** Receives each document's number of chunks in the table. */
  readonly onWritten?: (chunks: number) => void
}

/**
 * Writes rows again after the index's id changed or its table was lost. Continues an interrupted
 * rewrite. Requires the writer lease.
 */
export async function rewriteIndex(
  deps: IndexRewriteDeps,
  target: RewriteTarget,
  { signal, onWritten }: RewriteOptions,
): Promise<void> {
  const { documents, versions, index } = deps
  const { table, collectionId } = target
  const published = await versions.listInState(collectionId, 'published')
  const writtenRows = await removeUnpublished(index, table, published)
  const writer = new RowWriter(index, table)
  const withoutVectors: string[] = []
  for (const version of published) {
    signal.throwIfAborted()
    const rows = writtenRows.get(version.version) ?? 0
    const isWritten = rows === version.report.chunks
    if (rows > 0 && !isWritten) await index.remove(table, [version.version])
    const source = await findSource(deps, target, version)
    if (source && hasMissingVectors(source, target)) withoutVectors.push(version.documentId)
    if (!isWritten && source) await writer.add(version, source)
    if (!isWritten && !source) await documents.requeue([version.documentId]) // its stored output is lost
    onWritten?.(version.report.chunks)
  }
  await writer.flush()
  await documents.requeue(withoutVectors) // before the table is complete, so that a kill in between repeats it
  await index.activate(table)
}

/** Returns the remaining number of rows of each version. */
async function removeUnpublished(
  index: ChunkIndex,
  table: IndexTable,
  published: readonly Version[],
): Promise<ReadonlyMap<number, number>> {
  const written = await index.countVersions(table)
  const current = new Set(published.map(({ version }) => version))
  const others = [...written.keys()].filter(version => !current.has(version))
  if (others.length > 0) await index.remove(table, others)
  return written
}

async function findSource(
  { content, documents }: IndexRewriteDeps,
  { table, chooseEmbedder }: RewriteTarget,
  version: Version,
): Promise<RowSource | undefined> {
  const { name = '', chunkEdits } = (await documents.findRequested(version.documentId)) ?? {}
  const embedderId = chooseEmbedder ? chooseEmbedder(version) : version.embedderId
  await content.download(version.sha256, 'all')
  const stages = { ...version, embedderId }
  const source = await findRowSource(content, stages, { name, dimensions: table.dimensions })
  return source && { ...source, edits: chunkEdits }
}

/** Vectors of notes are not stored, and those of further windows not by older programs. */
function hasMissingVectors(
  { vectors, total, longest, edits = [] }: RowSource,
  { mayDivide }: RewriteTarget,
): boolean {
  if (!vectors) return false
  return listNotes(edits).length > 0 || !vectors.hasVectors(total, mayDivide?.(longest))
}

class RowWriter {
  readonly #index: ChunkIndex
  readonly #table: IndexTable
  #rows: IndexRow[] = []

  constructor(index: ChunkIndex, table: IndexTable) {
    this.#index = index
    this.#table = table
  }

  async add({ version }: Version, source: RowSource): Promise<void> {
    for await (const row of createRows(source)) {
      this.#rows.push({ ...row, version })
      if (this.#rows.length >= MAX_ROWS) await this.flush()
    }
  }

  async flush(): Promise<void> {
    const rows = this.#rows
    this.#rows = []
    if (rows.length > 0) await this.#index.add(this.#table, rows)
  }
}
