import { toEmbeddedText } from '../../src/ingest/embed/embedded-text.ts'
import type { ChunkIndex, IndexRow, IndexTable } from '../../src/ingest/store/chunk-index.ts'
import type {
  Candidate,
  Found,
  Indexes,
  IndexReader,
  Restriction,
  RowScores,
  RowVector,
  TermStatistics,
  VectorQuery,
} from '../../src/search/index-reader.ts'
import type { Analyzer } from '../../src/text/analyzer.ts'
import { detectVectorLanguage } from '../../src/text/language.ts'

/** An index in memory: the plainest thing that keeps both contracts. Its keyword score is the number of terms held. */
export class MemoryIndex implements ChunkIndex, Indexes {
  readonly id = 'memory@1'
  readonly #analyzer: Analyzer
  readonly #tables = new Map<string, IndexRow[]>()

  constructor(analyzer: Analyzer) {
    this.#analyzer = analyzer
  }

  async add({ id: tableId }: IndexTable, rows: readonly IndexRow[]): Promise<void> {
    this.#tables.set(tableId, [...(this.#tables.get(tableId) ?? []), ...rows])
  }

  async remove({ id: tableId }: IndexTable, versions: readonly number[]): Promise<void> {
    const rows = this.#tables.get(tableId)
    if (rows)
      this.#tables.set(
        tableId,
        rows.filter(row => !versions.includes(row.version)),
      )
  }

  async runUpkeep(): Promise<void> {}

  async erase(): Promise<void> {}

  async countVersions({ id: tableId }: IndexTable): Promise<ReadonlyMap<number, number>> {
    const counts = new Map<number, number>()
    for (const { version } of this.#tables.get(tableId) ?? [])
      counts.set(version, (counts.get(version) ?? 0) + 1)
    return counts
  }

  async findDamage(): Promise<undefined> {}

  async isStale({ id: tableId }: IndexTable): Promise<boolean> {
    return !this.#tables.has(tableId)
  }

  async activate(): Promise<void> {}

  async drop(tableId: string): Promise<void> {
    this.#tables.delete(tableId)
  }

  async listTables(): Promise<ReadonlySet<string>> {
    return new Set(this.#tables.keys())
  }

  async open(tableId: string): Promise<IndexReader | undefined> {
    const rows = this.#tables.get(tableId)
    return rows && new MemoryReader(rows, this.#analyzer)
  }

  forget(): void {}
}

/** A row's name is its place in the table. */
class MemoryReader implements IndexReader {
  readonly #rows: readonly IndexRow[]
  readonly #analyzer: Analyzer

  constructor(rows: readonly IndexRow[], analyzer: Analyzer) {
    this.#rows = [...rows]
    this.#analyzer = analyzer
  }

  async findByKeyword(
    terms: readonly string[],
    limit: number,
    only: Restriction,
  ): Promise<readonly Found[]> {
    const found = this.#best(limit, only, row => {
      const held = new Set(this.#analyzer.listTerms(`${row.context} ${row.name} ${row.text}`))
      return terms.filter(term => held.has(term)).length
    })
    return found.filter(({ score }) => score > 0)
  }

  async findWithAllTerms(
    terms: readonly string[],
    limit: number,
    only: Restriction,
  ): Promise<readonly Found[]> {
    return (await this.findByKeyword(terms, limit, only)).filter(
      ({ score }) => score === terms.length,
    )
  }

  async readStatistics(terms: readonly string[]): Promise<TermStatistics> {
    const held = this.#rows.map(
      row => new Set(this.#analyzer.listTerms(`${row.context} ${row.name} ${row.text}`)),
    )
    const frequencies = terms.map(term => held.filter(terms => terms.has(term)).length)
    return { rows: this.#rows.length, frequencies }
  }

  async findNearest(
    { vector, baselines }: VectorQuery,
    limit: number,
    only: Restriction,
  ): Promise<readonly Found[]> {
    const cosine = (other: Float32Array) =>
      vector.reduce((sum, value, at) => sum + value * other[at]!, 0)
    const lift = ({ vector, windows = [], ...row }: IndexRow) =>
      vector &&
      Math.max(...[vector, ...windows].map(cosine)) -
        (baselines.get(detectVectorLanguage(toEmbeddedText(row))) ?? 0)
    return this.#best(limit, only, lift)
  }

  async scoreByKeyword(terms: readonly string[], rows: readonly bigint[]): Promise<RowScores> {
    return scoresOf(await this.findByKeyword(terms, rows.length, { rows }))
  }

  async scoreByVector(query: VectorQuery, rows: readonly bigint[]): Promise<RowScores> {
    return scoresOf(await this.findNearest(query, rows.length, { rows }))
  }

  async readVectors(rows: readonly bigint[]): Promise<ReadonlyMap<bigint, RowVector>> {
    const vectors = new Map<bigint, RowVector>()
    for (const name of rows) {
      const row = this.#rows[Number(name)]!
      if (row.vector)
        vectors.set(name, {
          language: detectVectorLanguage(toEmbeddedText(row)),
          vector: row.vector,
        })
    }
    return vectors
  }

  async readFirst(limit: number, only: Restriction): Promise<readonly Candidate[]> {
    return this.readCandidates(this.#best(limit, only, row => -(row.version * 1e6 + row.ordinal)))
  }

  async readCandidates<Row extends Found>(
    found: readonly Row[],
  ): Promise<readonly (Row & Candidate)[]> {
    return found.map(one => ({ ...this.#rows[Number(one.row)]!, ...one }))
  }

  #hasSequences(row: IndexRow, { sequences = [] }: Restriction): boolean {
    const terms = this.#analyzer.listSequence(`${row.context} ${row.name} ${row.text}`).join(' ')
    return sequences.every(sequence => terms.includes(sequence.join(' ')))
  }

  #best(
    limit: number,
    only: Restriction,
    scoreOf: (row: IndexRow) => number | undefined,
  ): readonly Found[] {
    const found = this.#rows.flatMap((row, at) => {
      const isIn = isAllowed(row, BigInt(at), only) && this.#hasSequences(row, only)
      const score = isIn ? scoreOf(row) : undefined
      return score === undefined ? [] : [{ row: BigInt(at), version: row.version, score }]
    })
    return found.toSorted((a, b) => b.score - a.score).slice(0, limit)
  }
}

function scoresOf(found: readonly Found[]): RowScores {
  return new Map(found.map(({ row, score }) => [row, score]))
}

function isAllowed(
  row: IndexRow,
  name: bigint,
  { versions, rows, pages, beforeOrdinal }: Restriction,
): boolean {
  if (versions && !versions.includes(row.version)) return false
  if (rows && !rows.includes(name)) return false
  if (pages && !(row.pages && row.pages[1] >= pages[0] && row.pages[0] <= pages[1])) return false
  return beforeOrdinal === undefined || row.ordinal < beforeOrdinal
}
