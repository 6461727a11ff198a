import { AppError } from '../errors.ts'
import type { IndexRow } from './chunk-index.ts'
import { ChunkedDocument } from './chunked.ts'
import type { ContentStore } from './content.ts'
import { ParsedDocument } from './parsed.ts'
import { chunkId, DerivedPaths } from './stages.ts'
import { StoredVectors } from './vectors.ts'
import type { Stages } from './versions.ts'

/** What the rows of a document are made of: the stored output of its stages. */
export type RowSource = {
  readonly stages: Stages
  /** Base name of the document's source. */
  readonly name: string
  readonly chunked: ChunkedDocument
  readonly parsed: ParsedDocument
  /** Absent where only keywords are indexed. */
  readonly vectors: StoredVectors | undefined
}

/** Where the stored output of the stages lies; undefined when some of it is not there, or not whole. */
export async function storedRows(
  content: ContentStore,
  stages: Stages,
  { name, dimensions }: { readonly name: string; readonly dimensions: number },
): Promise<RowSource | undefined> {
  const paths = new DerivedPaths(content, stages.sha256)
  const { parserId, chunkerId, embedderId } = stages
  const chunked = new ChunkedDocument(paths.chunks(parserId, chunkerId))
  const parsed = new ParsedDocument(paths.parsed(parserId))
  const vectors = embedderId
    ? new StoredVectors(paths.vectors(parserId, chunkerId, embedderId), dimensions, '')
    : undefined
  const totals = await chunked.totals()
  const isWhole = totals && (vectors?.holds(totals.chunks) ?? true) && (await parsed.isIntact())
  return isWhole ? { stages, name, chunked, parsed, vectors } : undefined
}

/** The rows of a document, in order, all but their version number. */
export async function* rowsOf(source: RowSource): AsyncGenerator<Omit<IndexRow, 'version'>> {
  const { stages, name, chunked, parsed, vectors } = source
  const stored = vectors?.vectors()
  try {
    for await (const chunk of parsed.texts(chunked.chunks())) {
      const vector = (await stored?.next())?.value as Float32Array | undefined // the generator returns nothing else
      if (stored && !vector) throw new AppError('corrupt', `The stored vectors of ${name} end before its chunks do.`)
      yield { ...chunk, chunkId: chunkId(stages, chunk.ordinal), name, ...(vector && { vector }) }
    }
  } finally {
    await stored?.return(undefined)
  }
}
