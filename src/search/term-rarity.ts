import type { Catalog, Schema } from '../ingest/store/catalog.ts'
import { Turns } from '../system/turns.ts'
import type { Language } from '../text/language.ts'
import type { StatisticRows, TableStatistics, TermSample } from './table-statistics.ts'

export const termRaritySchema: Schema = [
  `CREATE TABLE term_samples (
    collection_id TEXT PRIMARY KEY, revision TEXT NOT NULL, chunks INTEGER NOT NULL, sampled INTEGER NOT NULL,
    holders TEXT NOT NULL
  ) WITHOUT ROWID`,
]

/** Chunks whose terms are counted: enough to tell common terms from rare ones, and a few dozen milliseconds to read. */
const SAMPLE = 1_000

/**
 * Chunks of the sample that hold a term which none or one of them holds, on average over such terms. Where the sample is all
 * chunks, terms that one holds are counted: collections are then ranked together as one with all their documents is.
 */
const UNSEEN = 0.25

/** What next to no text of a language is without. */
const SMALLEST_WORDS: Readonly<Record<Language, readonly string[]>> = {
  zh: ['的', '是', '在', '一', '不', '有'],
  en: ['the', 'of', 'and', 'to', 'a', 'in'],
}

/** Where fewer of the chunks than this hold any one of the smallest words of a language, that is quoted there, not written in. */
const WRITTEN_SHARE = 0.05

/** Terms that are looked for, of several for one thing, when no chunk of a sample holds any. */
const UNSEEN_TERMS = 3

/** Collections whose counts are held in memory. */
const MAX_LOADED = 16

const HAS_DIGIT = /\p{N}/u

type Row = { revision: string; chunks: number; sampled: number; holders: string }
type Sample = Omit<Row, 'holders'> & { readonly holders: ReadonlyMap<string, number> }

/**
 * How rare terms are in a collection, estimated on a sample of its chunks: those of the lowest ids, which are digests,
 * so that the same content gives the same sample.
 */
export class TermRarity implements TableStatistics {
  readonly #catalog: Catalog
  /** `state` is that of the catalog when they were last known to be current. */
  readonly #loaded = new Map<string, { state: string; readonly sample: Sample | undefined }>()

  constructor(catalog: Catalog) {
    this.#catalog = catalog
  }

  /**
   * BM25 of a chunk of average length that holds every one of the terms once, which is the sum of their idf, each as often as it
   * is given: what a score is to be measured against. Terms with digits are spellings and parts of identifiers: if the collections
   * contain some of them, the others are not expected. Undefined before the first upkeep.
   */
  async fullScore(
    tableIds: readonly string[],
    terms: readonly string[],
  ): Promise<number | undefined> {
    const counted = await this.getCounts(tableIds)
    if (!counted) return undefined
    const isSpelling = (term: string) => HAS_DIGIT.test(term)
    const isAnyHeld = terms.some(term => isSpelling(term) && counted.holds(term))
    const expected = terms.filter(term => !(isAnyHeld && isSpelling(term)) || counted.holds(term))
    return expected.reduce((sum, term) => sum + counted.idf(term), 0)
  }

  /** What is counted of some collections; undefined before the first upkeep. */
  async getCounts(tableIds: readonly string[]): Promise<CountedTerms | undefined> {
    const state = await this.#catalog.state()
    const samples = (
      await Promise.all(tableIds.map(async id => await this.#sample(id, state)))
    ).filter(sample => sample !== undefined)
    return samples.length > 0 ? new CountedTerms(samples) : undefined
  }

  /** Count again. */
  async recompute(tableId: string, rows: StatisticRows, signal?: AbortSignal): Promise<void> {
    const sample = await rows.terms(SAMPLE, signal)
    const { chunks, sampled } = sample
    if (sampled === 0) return await this.forget(tableId)
    const counts = await countHolders(sample, signal)
    const holders = await toPairsJson(counts, ([, count]) => sampled === chunks || count > 1)
    const sql = `INSERT INTO term_samples VALUES (?, ?, ?, ?, ?) ON CONFLICT (collection_id) DO UPDATE
      SET revision = excluded.revision, chunks = excluded.chunks, sampled = excluded.sampled, holders = excluded.holders`
    await this.#catalog.run(sql, tableId, await rows.revision(), chunks, sampled, holders)
  }

  /** Chunks that the table had when they were counted. */
  async countedChunks(tableId: string): Promise<number | undefined> {
    const sql = 'SELECT chunks FROM term_samples WHERE collection_id = ?'
    return (await this.#catalog.get<Pick<Row, 'chunks'>>(sql, tableId))?.chunks
  }

  async forget(tableId: string): Promise<void> {
    this.#loaded.delete(tableId)
    await this.#catalog.run('DELETE FROM term_samples WHERE collection_id = ?', tableId)
  }

  async #sample(tableId: string, state: string): Promise<Sample | undefined> {
    const known = this.#loaded.get(tableId)
    if (known?.state === state) return known.sample
    const sql = 'SELECT revision FROM term_samples WHERE collection_id = ?'
    const now = await this.#catalog.get<Pick<Row, 'revision'>>(sql, tableId)
    const sample =
      known?.sample?.revision === now?.revision ? known?.sample : await this.#read(tableId)
    this.#loaded.delete(tableId)
    this.#loaded.set(tableId, { state, sample })
    if (this.#loaded.size > MAX_LOADED) this.#loaded.delete(this.#loaded.keys().next().value!) // not empty
    return sample
  }

  async #read(tableId: string): Promise<Sample | undefined> {
    const row = await this.#catalog.get<Row>(
      'SELECT * FROM term_samples WHERE collection_id = ?',
      tableId,
    )
    return row && { ...row, holders: new Map(JSON.parse(row.holders) as [string, number][]) } // written by recompute
  }
}

/** The terms of collections, as their samples have them. */
export class CountedTerms {
  readonly #samples: readonly Sample[]
  readonly #chunks: number
  readonly #unseen: number

  constructor(samples: readonly Sample[]) {
    this.#samples = samples
    this.#chunks = samples.reduce((sum, sample) => sum + sample.chunks, 0)
    this.#unseen = UNSEEN * Math.min(...samples.map(sample => sample.chunks / sample.sampled))
  }

  idf(term: string): number {
    const held = Math.max(this.#countHolders(term), this.#unseen)
    return Math.log(1 + (this.#chunks - held + 0.5) / (held + 0.5))
  }

  /** Whether a chunk of the samples holds it. */
  holds(term: string): boolean {
    return this.#samples.some(({ holders }) => holders.has(term))
  }

  /** Whether any chunk is in the language, as the smallest words of it tell. */
  hasLanguage(language: Language): boolean {
    return this.#samples.some(({ holders }) =>
      SMALLEST_WORDS[language].some(word => holders.has(word)),
    )
  }

  /** Whether texts are written in the language, and not only some words of it quoted. */
  isWrittenIn(language: Language): boolean {
    return SMALLEST_WORDS[language].some(
      word => this.#countHolders(word) >= WRITTEN_SHARE * this.#chunks,
    )
  }

  /** Those of the terms that chunks hold; where the samples are not all chunks and hold none of them, the first few. */
  likely(terms: readonly string[]): readonly string[] {
    const held = terms.filter(term => this.holds(term))
    const isWhole = this.#samples.every(({ chunks, sampled }) => sampled === chunks)
    return held.length > 0 || isWhole ? held : terms.slice(0, UNSEEN_TERMS)
  }

  /** Chunks of all collections, as the samples have it. */
  #countHolders(term: string): number {
    return this.#samples.reduce(
      (sum, one) => sum + ((one.holders.get(term) ?? 0) * one.chunks) / one.sampled,
      0,
    )
  }
}

/** How many of the texts hold each term; others have the thread between some of them and the next. */
async function countHolders(
  { texts }: TermSample,
  signal?: AbortSignal,
): Promise<Map<string, number>> {
  const counts = new Map<string, number>()
  const turns = new Turns({ signal })
  for await (const some of texts) {
    for (const terms of some) {
      for (const term of new Set(terms.split(' '))) counts.set(term, (counts.get(term) ?? 0) + 1)
      if (turns.isOver) await turns.next()
    }
  }
  return counts
}

/** As JSON: a list of pairs. */
async function toPairsJson(
  counts: ReadonlyMap<string, number>,
  isKept: (pair: readonly [string, number]) => boolean,
) {
  const turns = new Turns()
  const pairs: string[] = []
  for (const pair of counts) {
    if (isKept(pair)) pairs.push(JSON.stringify(pair))
    if (turns.isOver) await turns.next()
  }
  return `[${pairs.join(',')}]`
}
