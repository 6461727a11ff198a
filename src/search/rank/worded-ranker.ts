import { setImmediate } from 'node:timers/promises'
import type { Analyzer } from '../../text/analyzer.ts'
import type { Candidate, Found, IndexReader, Restriction } from '../index-reader.ts'
import type { Ranked, Ranker, RankQuery } from './ranker.ts'
import { type Wording, WordingCheck } from './wording.ts'

/** Texts read per query; protects against phrases that occur everywhere. */
const MAX_CHECKED = 2_000

/** Texts read before other work runs, so that the thread is not blocked. */
const READ_IN_A_ROW = 50

export type TextOf = (candidate: Candidate, signal?: AbortSignal) => Promise<string | undefined>

/**
 * Enforces phrases and exclusions on up to 2,000 texts. If none has the phrases, marks every hit
 * of the rest weak.
 */
export class WordedRanker implements Ranker {
  readonly #ranker: Ranker
  readonly #analyzer: Analyzer
  readonly #textOf: TextOf

  constructor(ranker: Ranker, analyzer: Analyzer, textOf: TextOf) {
    this.#ranker = ranker
    this.#analyzer = analyzer
    this.#textOf = textOf
  }

  async rank(query: RankQuery, limit: number, signal?: AbortSignal): Promise<readonly Ranked[]> {
    const { wording } = query
    if (!wording) return await this.#ranker.rank(query, limit, signal)
    const check = new WordingCheck(this.#analyzer, wording)
    if (wording.phrases.length === 0)
      return await this.#rankWithoutExcluded(query, { check, limit }, signal)
    const saying = await this.#findSaying(query, wording, check, signal)
    if (saying.length === 0) {
      const others = await this.#rankWithoutExcluded(query, { check, limit }, signal)
      return others.map(candidate => ({ ...candidate, weak: true }))
    }
    const only = { ...query.only, rows: saying.map(({ row }) => row) }
    const ranked = await this.#ranker.rank({ ...query, only }, saying.length, signal)
    const rankedRows = new Set(ranked.map(({ row }) => row))
    const others = saying
      .filter(({ row }) => !rankedRows.has(row))
      .map(candidate => ({ ...candidate, score: 0, weak: false }))
    return [...ranked, ...others].slice(0, limit)
  }

  /** Days and numbers may be in another spelling if none is as written. */
  async #findSaying(
    query: RankQuery,
    { phrases }: Wording,
    check: WordingCheck,
    signal?: AbortSignal,
  ): Promise<readonly Candidate[]> {
    const sequences = phrases
      .map(phrase => this.#analyzer.listSequence(phrase))
      .filter(sequence => sequence.length > 0)
    const hasPhrases = (text: string) => check.hasAllPhrases(text)
    const saying = await this.#findChecked(query, { sequences, check, hasPhrases }, signal)
    const respelled = check.listRespelledSequences()
    if (saying.length > 0 || respelled.length === 0) return saying
    const hasRespelled = (text: string) => check.hasAllPhrasesRespelled(text)
    const checked = { sequences: respelled, check, hasPhrases: hasRespelled }
    return await this.#findChecked(query, checked, signal)
  }

  async #findChecked(
    { index, only }: RankQuery,
    { sequences, check, hasPhrases }: Checked,
    signal?: AbortSignal,
  ): Promise<readonly Candidate[]> {
    const found = await index.readCandidates(await findHolding(index, sequences, only))
    const saying: Candidate[] = []
    for await (const { candidate, text } of this.#readTexts(found, signal)) {
      if (hasPhrases(text) && !check.hasExcluded(text)) saying.push(candidate)
    }
    return saying
  }

  /** Doubles candidates until enough have no exclusion. */
  async #rankWithoutExcluded(
    query: RankQuery,
    { check, limit }: Limits,
    signal?: AbortSignal,
  ): Promise<readonly Ranked[]> {
    const readRows = new Set<bigint>()
    const retainedRows = new Set<bigint>()
    for (let fetchLimit = limit; ; fetchLimit *= 2) {
      const ranked = await this.#ranker.rank(query, fetchLimit, signal)
      const unread = ranked.filter(({ row }) => !readRows.has(row))
      for await (const { candidate, text } of this.#readTexts(unread, signal)) {
        if (!check.hasExcluded(text)) retainedRows.add(candidate.row)
      }
      for (const { row } of unread) readRows.add(row)
      const allowed = ranked.filter(({ row }) => retainedRows.has(row))
      if (allowed.length >= limit || ranked.length < fetchLimit || fetchLimit >= MAX_CHECKED)
        return allowed.slice(0, limit)
    }
  }

  async *#readTexts(candidates: readonly Candidate[], signal?: AbortSignal) {
    for (const [index, candidate] of candidates.entries()) {
      if (index % READ_IN_A_ROW === READ_IN_A_ROW - 1) await setImmediate()
      signal?.throwIfAborted()
      const text = await this.#textOf(candidate, signal)
      if (text !== undefined) yield { candidate, text: `${candidate.context}\n\n${text}` }
    }
  }
}

type Checked = {
  readonly sequences: readonly (readonly string[])[]
  readonly check: WordingCheck
  readonly hasPhrases: (text: string) => boolean
}

type Limits = { readonly check: WordingCheck; readonly limit: number }

async function findHolding(
  index: IndexReader,
  sequences: readonly (readonly string[])[],
  only: Restriction,
): Promise<readonly Found[]> {
  const terms = [...new Set(sequences.flat())]
  const found = await index.findWithAllTerms(terms, MAX_CHECKED, only)
  if (found.length < MAX_CHECKED) return found
  return await index.findWithAllTerms(terms, MAX_CHECKED, { ...only, sequences })
}
