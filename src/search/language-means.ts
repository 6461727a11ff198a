import type { Catalog, Schema } from '../ingest/store/catalog.ts'
import { parseOwnJson } from '../system/own-json.ts'
import type { Language } from '../text/language.ts'
import type { CountedVector, StatisticRows, TableStatistics } from './table-statistics.ts'

export const meansSchema: Schema = [
  `CREATE TABLE language_means (
    collection_id TEXT NOT NULL, language TEXT NOT NULL, chunks INTEGER NOT NULL, sums TEXT NOT NULL,
    PRIMARY KEY (collection_id, language)
  ) WITHOUT ROWID`,
]

/** Chunks that the prior weighs, so that a collection of 32 uses half of its own mean. */
const PRIOR_CHUNKS = 32

/** Sums vectors as integers of this unit, so that order does not matter. */
const UNIT = 2 ** 30

/** Mean vector per language, for chunks of unknown collections. */
export type MeanPriors = Readonly<Partial<Record<Language, Float32Array>>>

type Row = { language: Language; chunks: number; sums: string }

const DELETE = 'DELETE FROM language_means WHERE collection_id = ?'

/**
 * Mean vector of chunks per language. Subtracting similarity to it lets a question find other
 * languages, which models place apart.
 */
export class LanguageMeans implements TableStatistics {
  readonly #catalog: Catalog
  #last: { readonly key: string; readonly means: ReadonlyMap<Language, Float32Array> } | undefined

  constructor(catalog: Catalog) {
    this.#catalog = catalog
  }

  /** Returns means over the tables, shrunk towards `priors`. Cached until the catalog changes. */
  async getMeans(
    tableIds: readonly string[],
    priors: MeanPriors,
  ): Promise<ReadonlyMap<Language, Float32Array>> {
    const key = `${await this.#catalog.state()} ${tableIds.join()}`
    if (this.#last?.key === key) return this.#last.means
    const sql =
      'SELECT * FROM language_means WHERE collection_id IN (SELECT value FROM json_each(?))'
    const rows = sumTotals(await this.#catalog.all<Row>(sql, JSON.stringify(tableIds)))
    const smallest = Math.min(...rows.map(row => row.chunks))
    const means = new Map(rows.map(row => [row.language, shrinkMean(row, { smallest, priors })]))
    this.#last = { key, means }
    return means
  }

  async rebuild(tableId: string, rows: StatisticRows, signal?: AbortSignal): Promise<void> {
    const sums = new Map<Language, Sum>()
    for await (const vectors of rows.readVectors(signal))
      for (const vector of vectors) addVector(sums, vector)
    await this.#store(tableId, sums)
  }

  async forget(tableId: string): Promise<void> {
    await this.#catalog.run(DELETE, tableId)
  }

  async #store(tableId: string, sums: ReadonlyMap<Language, Sum>): Promise<void> {
    await this.#catalog.transaction(async inside => {
      await inside.run(DELETE, tableId)
      for (const [language, { chunks, sum }] of sums) {
        const values = JSON.stringify([...sum].map(value => value / UNIT))
        await inside.run(
          'INSERT INTO language_means VALUES (?, ?, ?, ?)',
          tableId,
          language,
          Math.round(chunks),
          values,
        )
      }
    })
  }
}

type Total = { readonly language: Language; chunks: number; readonly sums: number[] }

function shrinkMean(
  { language, chunks, sums }: Total,
  { smallest, priors }: { smallest: number; priors: MeanPriors },
) {
  const prior = priors[language]
  if (!prior)
    return Float32Array.from(
      sums,
      value => (value / chunks) * (smallest / (smallest + PRIOR_CHUNKS)),
    )
  return Float32Array.from(
    sums,
    (value, index) => (value + PRIOR_CHUNKS * (prior[index] ?? 0)) / (chunks + PRIOR_CHUNKS),
  )
}

function sumTotals(rows: readonly Row[]): readonly Total[] {
  const byLanguage = new Map<Language, Total>()
  for (const { language, chunks, sums } of rows) {
    const values = parseOwnJson<number[]>(sums)
    const total = byLanguage.get(language)
    if (!total) byLanguage.set(language, { language, chunks, sums: values })
    else {
      total.chunks += chunks
      for (const [index, value] of values.entries())
        total.sums[index] = (total.sums[index] ?? 0) + value
    }
  }
  return [...byLanguage.values()]
}

type Sum = { chunks: number; readonly sum: Float64Array }

function addVector(sums: Map<Language, Sum>, { language, vector, count }: CountedVector): void {
  const entry = sums.get(language) ?? { chunks: 0, sum: new Float64Array(vector.length) }
  entry.chunks += count
  for (const [index, value] of vector.entries()) {
    entry.sum[index] = (entry.sum[index] ?? 0) + count * Math.round(value * UNIT)
  }
  sums.set(language, entry)
}
