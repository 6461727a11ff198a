import type { ChunkIndex, IndexRow, IndexTable } from '../../src/ingest/chunk-index.ts'
import type { Analyzer } from '../../src/search/analyzer.ts'
import type { Candidate, IndexReader, Restriction } from '../../src/search/index-reader.ts'

/** An index in memory: the plainest thing that keeps both contracts. Its keyword score is the number of terms held. */
export class MemoryIndex implements ChunkIndex, IndexReader {
  readonly id = 'memory@1'
  readonly #analyzer: Analyzer
  readonly #tables = new Map<string, IndexRow[]>()

  constructor(analyzer: Analyzer) {
    this.#analyzer = analyzer
  }

  async add({ collectionId }: IndexTable, rows: readonly IndexRow[]): Promise<void> {
    this.#tables.set(collectionId, [...(this.#tables.get(collectionId) ?? []), ...rows])
  }

  async remove({ collectionId }: IndexTable, versions: readonly number[]): Promise<void> {
    const rows = this.#tables.get(collectionId)
    if (rows)
      this.#tables.set(
        collectionId,
        rows.filter(row => !versions.includes(row.version)),
      )
  }

  async upkeep(): Promise<void> {}

  async versions({ collectionId }: IndexTable): Promise<ReadonlyMap<number, number>> {
    const counts = new Map<number, number>()
    for (const { version } of this.#tables.get(collectionId) ?? []) counts.set(version, (counts.get(version) ?? 0) + 1)
    return counts
  }

  async isStale({ collectionId }: IndexTable): Promise<boolean> {
    return !this.#tables.has(collectionId)
  }

  async drop(collectionId: string): Promise<void> {
    this.#tables.delete(collectionId)
  }

  async keyword(
    collectionId: string,
    terms: readonly string[],
    limit: number,
    only: Restriction,
  ): Promise<readonly Candidate[]> {
    return this.#best(collectionId, limit, only, row => {
      const held = new Set(this.#analyzer.terms(`${row.context} ${row.name} ${row.text}`))
      return terms.filter(term => held.has(term)).length
    }).filter(candidate => candidate.score > 0)
  }

  async vector(
    collectionId: string,
    vector: Float32Array,
    limit: number,
    only: Restriction,
  ): Promise<readonly Candidate[]> {
    const withVector = { ...only, hasVector: true }
    return this.#best(collectionId, limit, withVector, row =>
      vector.reduce((sum, value, at) => sum + value * row.vector![at]!, 0),
    )
  }

  async first(collectionId: string, limit: number, only: Restriction): Promise<readonly Candidate[]> {
    return this.#best(collectionId, limit, only, row => -(row.version * 1e6 + row.ordinal))
  }

  #best(
    collectionId: string,
    limit: number,
    only: Restriction & { readonly hasVector?: boolean },
    score: (row: IndexRow) => number,
  ): readonly Candidate[] {
    const rows = (this.#tables.get(collectionId) ?? []).filter(row => isAllowed(row, only))
    const candidates = rows.map(row => ({ ...row, key: `${row.version}-${row.ordinal}`, score: score(row) }))
    return candidates.toSorted((a, b) => b.score - a.score).slice(0, limit)
  }
}

function isAllowed(row: IndexRow, only: Restriction & { readonly hasVector?: boolean }): boolean {
  const { versions, keys, language, pages, beforeOrdinal, hasVector } = only
  if (versions && !versions.includes(row.version)) return false
  if (keys && !keys.includes(`${row.version}-${row.ordinal}`)) return false
  if (language && row.language !== language) return false
  if (pages && !(row.pages && row.pages[1] >= pages[0] && row.pages[0] <= pages[1])) return false
  if (hasVector && !row.vector) return false
  return beforeOrdinal === undefined || row.ordinal < beforeOrdinal
}
