import type {
  Candidate,
  Found,
  IndexReader,
  Restriction,
  RowScores,
  RowVector,
  TermStatistics,
  VectorQuery,
} from '../index-reader.ts'
import { countTerms } from '../term-counts.ts'

/** Terms with united statistics, so that pasted text stays cheap; others keep each index's own. */
const MAX_TERMS = 64

/** Bits of a row name that number its index. */
const PLACE_BITS = 16n
const PLACE_MASK = (1n << PLACE_BITS) - 1n

export class UnionReader implements IndexReader {
  readonly #readers: readonly IndexReader[]
  readonly #models: readonly string[] | undefined

  /** `models` are given if they differ, because vectors of several are not comparable. */
  constructor(readers: readonly IndexReader[], models?: readonly string[]) {
    this.#readers = readers
    this.#models = models
  }

  /** Unites the best of each index, with its own mean length. */
  async findByKeyword(
    terms: readonly string[],
    limit: number,
    only: Restriction,
  ): Promise<readonly Found[]> {
    const found = await Promise.all(
      this.#queryEach(only, (reader, own) => reader.findByKeyword(terms, limit, own)),
    )
    if (found.filter(rows => rows.length > 0).length === 0) return []
    const weighing = await this.#prepareWeights(terms)
    const weighed = found.map(async (rows, place) => {
      const names = rows.map(({ row }) => row)
      const scores = await this.#reweighScores(names, place, weighing)
      return rows.map(row => ({ ...row, score: scores.get(row.row) ?? 0 }))
    })
    return mergeBest(await Promise.all(weighed), limit)
  }

  async scoreByKeyword(terms: readonly string[], rows: readonly bigint[]): Promise<RowScores> {
    if (rows.length === 0) return new Map()
    const weighing = await this.#prepareWeights(terms)
    return await this.#queryByRow(rows, (_, own, place) =>
      this.#reweighScores(own, place, weighing),
    )
  }

  async scoreByVector(query: VectorQuery, rows: readonly bigint[]): Promise<RowScores> {
    return await this.#queryByRow(rows, async (reader, own, place) => {
      const asked = this.#selectQuery(query, place)
      return asked ? await reader.scoreByVector(asked, own) : new Map()
    })
  }

  async readVectors(rows: readonly bigint[]): Promise<ReadonlyMap<bigint, RowVector>> {
    if (this.#models) return new Map()
    return await this.#queryByRow(rows, (reader, own) => reader.readVectors(own))
  }

  async findNearest(
    query: VectorQuery,
    limit: number,
    only: Restriction,
  ): Promise<readonly Found[]> {
    return mergeBest(
      await Promise.all(
        this.#queryEach(only, async (reader, own, place) => {
          const asked = this.#selectQuery(query, place)
          return asked ? await reader.findNearest(asked, limit, own) : []
        }),
      ),
      limit,
    )
  }

  async findWithAllTerms(
    terms: readonly string[],
    limit: number,
    only: Restriction,
  ): Promise<readonly Found[]> {
    return mergeBest(
      await Promise.all(
        this.#queryEach(only, (reader, own) => reader.findWithAllTerms(terms, limit, own)),
      ),
      limit,
    )
  }

  async readFirst(limit: number, only: Restriction): Promise<readonly Candidate[]> {
    const found = await Promise.all(
      this.#queryEach(only, (reader, own) => reader.readFirst(limit, own)),
    )
    const named = found.flatMap((rows, place) =>
      rows.map(row => ({ ...row, row: toGlobalName(row.row, place) })),
    )
    return named.toSorted((a, b) => a.version - b.version || a.ordinal - b.ordinal).slice(0, limit)
  }

  async readCandidates<Row extends Found>(
    found: readonly Row[],
  ): Promise<readonly (Row & Candidate)[]> {
    const pieces = this.#readers.map(async (reader, place) => {
      const own = found
        .filter(({ row }) => readPlace(row) === place)
        .map(row => ({ ...row, row: toLocalName(row.row) }))
      return (await reader.readCandidates(own)).map(candidate => ({
        ...candidate,
        row: toGlobalName(candidate.row, place),
      }))
    })
    const byRow = new Map(
      (await Promise.all(pieces)).flat().map(candidate => [candidate.row, candidate]),
    )
    return found.flatMap(({ row }) => byRow.get(row) ?? [])
  }

  async readStatistics(terms: readonly string[]): Promise<TermStatistics> {
    return sumStatistics(
      await Promise.all(this.#readers.map(reader => reader.readStatistics(terms))),
    )
  }

  #selectQuery(query: VectorQuery, place: number): VectorQuery | undefined {
    const model = this.#models?.[place]
    return model === undefined ? query : query.byModel?.get(model)
  }

  #queryEach<Result>(
    only: Restriction,
    call: (reader: IndexReader, own: Restriction, place: number) => Promise<Result>,
  ): Promise<Result>[] {
    return this.#readers.map((reader, place) => {
      const rows = only.rows?.filter(row => readPlace(row) === place).map(toLocalName)
      return call(reader, { ...only, ...(rows && { rows }) }, place)
    })
  }

  async #queryByRow<Value>(
    rows: readonly bigint[],
    ask: (
      reader: IndexReader,
      own: readonly bigint[],
      place: number,
    ) => Promise<ReadonlyMap<bigint, Value>>,
  ): Promise<ReadonlyMap<bigint, Value>> {
    const pieces = this.#readers.map(async (reader, place) => {
      const values = await ask(
        reader,
        rows.filter(row => readPlace(row) === place).map(toLocalName),
        place,
      )
      return [...values].map(([row, value]) => [toGlobalName(row, place), value] as const)
    })
    return new Map((await Promise.all(pieces)).flat())
  }

  async #prepareWeights(terms: readonly string[]): Promise<Weighing> {
    const counts = countTerms(terms)
    const first = [...counts.keys()].slice(0, MAX_TERMS)
    const firstTerms = new Set(first)
    const rest = terms.filter(term => !firstTerms.has(term))
    const statistics = await Promise.all(this.#readers.map(reader => reader.readStatistics(first)))
    return { terms: first, counts, rest, statistics }
  }

  async #reweighScores(
    rows: readonly bigint[],
    place: number,
    { terms, counts, rest, statistics }: Weighing,
  ): Promise<RowScores> {
    const reader = this.#readers[place]!
    const own = statistics[place]!
    const all = sumStatistics(statistics)
    const convertScore = (index: number) => computeRarity(all, index) / computeRarity(own, index)
    const requests = terms.flatMap((term, index) =>
      own.frequencies[index] === 0
        ? []
        : [{ some: [term], factor: (counts.get(term) ?? 1) * convertScore(index) }],
    )
    if (rest.length > 0) requests.push({ some: [...rest], factor: 1 })
    const parts = await Promise.all(
      requests.map(async ({ some, factor }) => ({
        factor,
        found: await reader.scoreByKeyword(some, rows),
      })),
    )
    const scores = new Map<bigint, number>()
    for (const { factor, found } of parts) // in the order of terms, because sums are rounded
      for (const [row, score] of found) scores.set(row, (scores.get(row) ?? 0) + factor * score)
    return scores
  }
}

type Weighing = {
  readonly terms: readonly string[]
  readonly counts: ReadonlyMap<string, number>
  readonly rest: readonly string[]
  readonly statistics: readonly TermStatistics[]
}

/** BM25's idf (Robertson and Spärck Jones 1976), as in Lucene and LanceDB. */
function computeRarity({ rows, frequencies }: TermStatistics, index: number): number {
  const frequency = frequencies[index] ?? 0
  return Math.log(1 + (rows - frequency + 0.5) / (frequency + 0.5))
}

function sumStatistics(statistics: readonly TermStatistics[]): TermStatistics {
  const [first] = statistics
  return {
    rows: statistics.reduce((total, part) => total + part.rows, 0),
    frequencies: (first?.frequencies ?? []).map((_, index) =>
      statistics.reduce((total, part) => total + (part.frequencies[index] ?? 0), 0),
    ),
  }
}

function mergeBest(found: readonly (readonly Found[])[], limit: number): readonly Found[] {
  const named = found.flatMap((rows, place) =>
    rows.map(row => ({ ...row, row: toGlobalName(row.row, place) })),
  )
  return named.toSorted((a, b) => b.score - a.score).slice(0, limit)
}

function toGlobalName(row: bigint, place: number): bigint {
  return (row << PLACE_BITS) | BigInt(place)
}

function toLocalName(row: bigint): bigint {
  return row >> PLACE_BITS
}

function readPlace(row: bigint): number {
  return Number(row & PLACE_MASK)
}
