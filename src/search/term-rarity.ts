import type { Catalog, Schema } from '../ingest/store/catalog.ts'
import { parseOwnJson } from '../system/own-json.ts'
import { RecentMap } from '../system/recent-map.ts'
import { TimeSlices } from '../system/time-slices.ts'
import type { Language } from '../text/language.ts'
import type { StatisticRows, TableStatistics, TermSample } from './table-statistics.ts'

export const termRaritySchema: Schema = [
  `CREATE TABLE term_samples (
    collection_id TEXT PRIMARY KEY, revision TEXT NOT NULL, chunks INTEGER NOT NULL, sampled INTEGER NOT NULL,
    holders TEXT NOT NULL
  ) WITHOUT ROWID`,
]

/** Chunks sampled, so that reading them takes a few dozen milliseconds. */
const SAMPLE = 1_000

/** Assumed holders of a term that the sample lacks or has once, so that collections rank as one. */
const UNSEEN = 0.25

/** Words in nearly every text of a language. */
const SMALLEST_WORDS: Readonly<Record<Language, readonly string[]>> = {
  zh: ['的', '是', '在', '一', '不', '有'],
  en: ['the', 'of', 'and', 'to', 'a', 'in'],
}

/** Share of chunks below which a language is only quoted, so that citations do not count. */
const WRITTEN_SHARE = 0.05

/** Unseen spellings searched per word, so that queries stay short. */
const UNSEEN_TERMS = 3

/** Collections with loaded counts; protects memory. */
const MAX_LOADED = 16

const HAS_DIGIT = /\p{N}/u

type Row = { revision: string; chunks: number; sampled: number; holders: string }
type Sample = Omit<Row, 'holders'> & { readonly holders: ReadonlyMap<string, number> }

/**
 * Estimates on the chunks with the lowest ids, which are digests, so that equal content gives
 * the same sample.
 */
export class TermRarity implements TableStatistics {
  readonly #catalog: Catalog
  /** `state` of the catalog when the counts were last current. */
  readonly #loaded = new RecentMap<string, { state: string; readonly sample: Sample | undefined }>(
    MAX_LOADED,
  )

  constructor(catalog: Catalog) {
    this.#catalog = catalog
  }

  /** Undefined before the first upkeep. */
  async getCounts(tableIds: readonly string[]): Promise<CountedTerms | undefined> {
    const state = await this.#catalog.state()
    const samples = (
      await Promise.all(tableIds.map(async id => await this.#sample(id, state)))
    ).filter(sample => sample !== undefined)
    return samples.length > 0 ? new CountedTerms(samples) : undefined
  }

  async rebuild(tableId: string, rows: StatisticRows, signal?: AbortSignal): Promise<void> {
    const sample = await rows.readTerms(SAMPLE, signal)
    const { chunks, sampled } = sample
    if (sampled === 0) return await this.forget(tableId)
    const counts = await countHolders(sample, signal)
    const holders = await toPairsJson(counts, ([, count]) => sampled === chunks || count > 1)
    const sql = `INSERT INTO term_samples VALUES (?, ?, ?, ?, ?) ON CONFLICT (collection_id) DO UPDATE
      SET revision = excluded.revision, chunks = excluded.chunks, sampled = excluded.sampled, holders = excluded.holders`
    await this.#catalog.run(sql, tableId, await rows.getRevision(), chunks, sampled, holders)
  }

  async getCountedChunks(tableId: string): Promise<number | undefined> {
    const sql = 'SELECT chunks FROM term_samples WHERE collection_id = ?'
    return (await this.#catalog.get<Pick<Row, 'chunks'>>(sql, tableId))?.chunks
  }

  async forget(tableId: string): Promise<void> {
    this.#loaded.delete(tableId)
    await this.#catalog.run('DELETE FROM term_samples WHERE collection_id = ?', tableId)
  }

  async #sample(tableId: string, state: string): Promise<Sample | undefined> {
    const cached = this.#loaded.get(tableId)
    if (cached?.state === state) return cached.sample
    const sql = 'SELECT revision FROM term_samples WHERE collection_id = ?'
    const now = await this.#catalog.get<Pick<Row, 'revision'>>(sql, tableId)
    const sample =
      cached?.sample?.revision === now?.revision ? cached?.sample : await this.#read(tableId)
    this.#loaded.set(tableId, { state, sample })
    return sample
  }

  async #read(tableId: string): Promise<Sample | undefined> {
    const row = await this.#catalog.get<Row>(
      'SELECT * FROM term_samples WHERE collection_id = ?',
      tableId,
    )
    return row && { ...row, holders: new Map(parseOwnJson<[string, number][]>(row.holders)) }
  }
}

export class CountedTerms {
  readonly #samples: readonly Sample[]
  readonly #chunks: number
  readonly #unseen: number

  constructor(samples: readonly Sample[]) {
    this.#samples = samples
    this.#chunks = samples.reduce((sum, sample) => sum + sample.chunks, 0)
    this.#unseen = UNSEEN * Math.min(...samples.map(sample => sample.chunks / sample.sampled))
  }

  get holders(): readonly ReadonlyMap<string, number>[] {
    return this.#samples.map(({ holders }) => holders)
  }

  computeIdf(term: string): number {
    const holderCount = Math.max(this.#countHolders(term), this.#unseen)
    return Math.log(1 + (this.#chunks - holderCount + 0.5) / (holderCount + 0.5))
  }

  /** Returns BM25 of an average chunk with every term once; of terms with digits only existing ones. */
  computeFullScore(terms: readonly string[]): number {
    const isSpelling = (term: string) => HAS_DIGIT.test(term)
    const isAnyContained = terms.some(term => isSpelling(term) && this.hasTerm(term))
    const expected = terms.filter(
      term => !(isAnyContained && isSpelling(term)) || this.hasTerm(term),
    )
    return expected.reduce((sum, term) => sum + this.computeIdf(term), 0)
  }

  hasTerm(term: string): boolean {
    return this.#samples.some(({ holders }) => holders.has(term))
  }

  hasLanguage(language: Language): boolean {
    return this.#samples.some(({ holders }) =>
      SMALLEST_WORDS[language].some(word => holders.has(word)),
    )
  }

  /** Returns true unless the language is only quoted. */
  isWrittenLanguage(language: Language): boolean {
    return SMALLEST_WORDS[language].some(
      word => this.#countHolders(word) >= WRITTEN_SHARE * this.#chunks,
    )
  }

  /** Returns the terms that occur; if a partial sample has none, the first few. */
  selectLikely(terms: readonly string[]): readonly string[] {
    const existing = terms.filter(term => this.hasTerm(term))
    const isExhaustive = this.#samples.every(({ chunks, sampled }) => sampled === chunks)
    return existing.length > 0 || isExhaustive ? existing : terms.slice(0, UNSEEN_TERMS)
  }

  #countHolders(term: string): number {
    return this.#samples.reduce(
      (sum, sample) => sum + ((sample.holders.get(term) ?? 0) * sample.chunks) / sample.sampled,
      0,
    )
  }
}

/** Yields the thread between batches. */
async function countHolders(
  { texts }: TermSample,
  signal?: AbortSignal,
): Promise<Map<string, number>> {
  const counts = new Map<string, number>()
  const slices = new TimeSlices({ signal })
  for await (const some of texts) {
    for (const terms of some) {
      for (const term of new Set(terms.split(' '))) counts.set(term, (counts.get(term) ?? 0) + 1)
      if (slices.isOver) await slices.next()
    }
  }
  return counts
}

async function toPairsJson(
  counts: ReadonlyMap<string, number>,
  isSelected: (pair: readonly [string, number]) => boolean,
) {
  const slices = new TimeSlices()
  const pairs: string[] = []
  for (const pair of counts) {
    if (isSelected(pair)) pairs.push(JSON.stringify(pair))
    if (slices.isOver) await slices.next()
  }
  return `[${pairs.join(',')}]`
}
