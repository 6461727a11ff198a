import { localizable } from '../../../errors/localizable.ts'
import { AppError } from '../../../errors.ts'
import { type ChunkEdit, ChunkEditMatcher } from '../../chunk/chunk-edits.ts'
import type { Stages } from '../catalog/versions.ts'
import type { IndexRow } from '../chunk-index.ts'
import type { ChunkedDocument } from './chunked.ts'
import type { ContentStore } from './content.ts'
import { DerivedPaths, toChunkId } from './derived.ts'
import type { ParsedDocument } from './parsed.ts'
import { StoredVectors } from './vectors.ts'

export type RowSource = {
  readonly stages: Stages
  readonly name: string
  readonly chunked: ChunkedDocument
  readonly parsed: ParsedDocument
  /** Absent if only keywords are indexed. */
  readonly vectors: StoredVectors | undefined
  readonly total: number
  readonly longest: number
  readonly edits?: readonly ChunkEdit[]
  readonly noteVectors?: ReadonlyMap<string, readonly Float32Array[]>
}

type StoredRowsOptions = {
  readonly name: string
  readonly dimensions: number
}

/** Returns undefined if stored output is missing or incomplete. */
export async function findRowSource(
  content: ContentStore,
  stages: Stages,
  { name, dimensions }: StoredRowsOptions,
): Promise<RowSource | undefined> {
  const paths = new DerivedPaths(content, stages.sha256)
  const { parserId, chunkerId, embedderId } = stages
  const { parsed, chunked } = paths.openDocument(stages)
  const vectors = embedderId
    ? new StoredVectors(paths.getVectorsPath(parserId, chunkerId, embedderId), dimensions, '')
    : undefined
  const totals = await chunked.readTotals()
  if (!totals || !(await parsed.isIntact())) return undefined
  const { chunks: total, longest } = totals
  return (vectors?.hasVectors(total) ?? true)
    ? { stages, name, chunked, parsed, vectors, total, longest }
    : undefined
}

/** Finds a note by a further window of its chunk. */
function addNote(
  own: readonly Float32Array[],
  { isExcluded, note = '' }: Partial<ChunkEdit> = {},
  noteVectors: RowSource['noteVectors'] = new Map(),
): readonly Float32Array[] {
  return isExcluded ? [] : [...own, ...(noteVectors.get(note) ?? [])]
}

/** Yields rows in order. */
export async function* createRows(
  source: Omit<RowSource, 'longest'>,
): AsyncGenerator<Omit<IndexRow, 'version'>> {
  const { stages, name, chunked, parsed, vectors, total, edits = [], noteVectors } = source
  const { author, subject, keywords } = (await parsed.report()).metadata
  const about = [author, subject, keywords].filter(Boolean).join('\n')
  const stored = vectors?.readVectors(total)
  const matcher = new ChunkEditMatcher(edits)
  let isFirst = true
  try {
    for await (const chunk of parsed.readTexts(chunked.readChunks())) {
      const own = (await stored?.next())?.value as readonly Float32Array[] | undefined // the generator returns nothing else
      if (stored && !own)
        throw new AppError(
          'corrupt',
          localizable`The stored vectors of ${name} end before its chunks do.`,
        )
      const edit = matcher.match(chunk.text)
      const { isExcluded, note } = edit ?? {}
      const [vector, ...windows] = own ? addNote(own, edit, noteVectors) : []
      const hasAbout: boolean = isFirst && !isExcluded
      isFirst &&= !hasAbout
      yield {
        ...chunk,
        chunkId: toChunkId(stages, chunk.ordinal),
        name,
        ...(isExcluded && { isExcluded }),
        ...(note && { note }),
        ...(hasAbout && { about }),
        ...(vector && { vector }),
        ...(windows.length > 0 && { windows }),
      }
    }
  } finally {
    await stored?.return(undefined)
  }
}
