import type { CollectionCache } from '../ingest/store/catalog/searched-collections.ts'
import type { Library } from '../ingest/store/library.ts'
import { TimeSlices } from '../system/time-slices.ts'
import type { Correction, Corrections, FoundPassages } from './corrections/corrections.ts'
import type { FilteredVersions } from './filtered-versions.ts'
import { toDamageError } from './index-damage.ts'
import type { IndexReader } from './index-reader.ts'
import type { RankQuery, SearchedCollection } from './rank/ranker.ts'
import type { PublishedIndexes } from './readers/published-reader.ts'
import { UnionReader } from './readers/union-reader.ts'
import type { Hit, Query } from './searcher.ts'
import type { Synonyms } from './synonyms/synonyms.ts'
import type { TermRarity } from './term-rarity.ts'

type QueryScopeDeps = {
  readonly collections: CollectionCache
  readonly library: Library
  readonly filtered: FilteredVersions
  readonly indexes: PublishedIndexes
  readonly rarity: Pick<TermRarity, 'getCounts'>
  readonly corrections?: Corrections | undefined
  readonly synonyms?: Synonyms | undefined
}

/** Hits whose words are counted, so that a thousand hits cost no more. */
const MAX_READ = 20

type Opened = { readonly collection: SearchedCollection; readonly reader: IndexReader }

export class QueryScope {
  readonly #deps: QueryScopeDeps

  constructor(deps: QueryScopeDeps) {
    this.#deps = deps
  }

  /** Undefined if nothing was indexed. The signal ends reads if the engine supports it. */
  async open(query: Query, signal?: AbortSignal): Promise<RankQuery | undefined> {
    const { text, wording, collectionIds, pages, weights, mode } = query
    const opened = (await Promise.all(collectionIds.map(id => this.#open(id, signal)))).filter(
      collection => collection !== undefined,
    )
    if (opened.length === 0) return undefined
    const only = { versions: await this.#findAllowedVersions(query), pages }
    const collections = opened.map(({ collection }) => collection)
    const index = joinReaders(opened)
    const ranked = { text, wording, collections, index, only, weights }
    if (mode === 'vector') return ranked
    const counts = await this.#deps.rarity.getCounts(collections.map(({ tableId }) => tableId))
    const synonyms = (await this.#deps.synonyms?.find(text, collectionIds)) ?? []
    const forms = (counts && this.#deps.corrections?.findForms(text, counts)) ?? []
    return { ...ranked, counts, synonyms, forms }
  }

  async correct(query: RankQuery, found: FoundPassages): Promise<RankQuery> {
    const { text, index, counts, synonyms = [] } = query
    if (!counts) return query
    const explained = new Set(synonyms.flatMap(({ written }) => written.terms))
    const searched = { counts, index, explained, found }
    const corrections = await this.#deps.corrections?.correct(text, searched)
    return corrections ? { ...query, corrections } : query
  }

  /** Shows words of the texts that were found, because corrections are stems. */
  async describeCorrections(
    { index, only, corrections }: RankQuery,
    hits: readonly Pick<Hit, 'context' | 'text'>[],
    signal?: AbortSignal,
  ): Promise<readonly Correction[]> {
    const slices = new TimeSlices({ signal })
    const { corrected = [], terms = [] } = corrections ?? {}
    const findWritten = (term: string, passages: readonly Pick<Hit, 'context' | 'text'>[]) =>
      this.#deps.corrections?.findWritten(
        term,
        passages.flatMap(({ context, text }) => [context, text]),
      )
    const describe = async (term: string) => {
      if (slices.isOver) await slices.next()
      const word = terms.includes(term) ? findWritten(term, hits.slice(0, MAX_READ)) : term
      if (word !== undefined) return word
      const found = await index.readCandidates(await index.findWithAllTerms([term], 1, only))
      await this.#deps.library.download(found)
      const [passage] = await this.#deps.library.readPassages(found)
      return (passage && findWritten(term, [{ context: '', ...passage }])) ?? term
    }
    const described: Correction[] = []
    for (const { from, to } of corrected) {
      const words: string[] = []
      for (const term of to) words.push(await describe(term))
      described.push({ from, to: words })
    }
    return described
  }

  async openCorrected(query: Query, signal?: AbortSignal): Promise<RankQuery | undefined> {
    const opened = await this.open(query, signal)
    return opened && (await this.correct(opened, { hits: [], async *readOthers() {} }))
  }

  /** Retries if the table was replaced after the catalog was read. */
  async #open(collectionId: string, signal?: AbortSignal): Promise<Opened | undefined> {
    for (;;) {
      const collection = await this.#deps.collections.findById(collectionId)
      if (!collection) return undefined
      try {
        const reader = await this.#deps.indexes.open(collection, signal)
        return reader && { collection, reader }
      } catch (error) {
        if ((await this.#deps.collections.reloadById(collectionId))?.tableId === collection.tableId)
          throw toDamageError(error, collection.name)
      }
    }
  }

  /** Ascending; undefined for all. */
  async #findAllowedVersions({
    collectionIds,
    documentIds,
    filter,
  }: Query): Promise<readonly number[] | undefined> {
    const filtered =
      filter &&
      (
        await Promise.all(
          collectionIds.map(async id => await this.#deps.filtered.findVersions(id, filter)),
        )
      )
        .flat()
        .toSorted((a, b) => a - b)
    if (!documentIds) return filtered
    const named = (await this.#deps.library.listVersions(documentIds)).toSorted((a, b) => a - b)
    if (!filtered) return named
    const passing = new Set(filtered)
    return named.filter(version => passing.has(version))
  }

  async forget({ collectionIds }: Query): Promise<void> {
    for (const id of collectionIds) {
      const collection = await this.#deps.collections.reloadById(id)
      if (collection) this.#deps.indexes.forget(collection.tableId)
    }
  }
}

function joinReaders(opened: readonly Opened[]): IndexReader {
  const readers = opened.map(({ reader }) => reader)
  const [only, ...others] = readers
  if (only && others.length === 0) return only
  const models = opened.map(({ collection }) => collection.embedderId)
  return new UnionReader(readers, new Set(models).size > 1 ? models : undefined)
}
