import type { CollectionLookup } from '../../ingest/store/catalog/searched-collections.ts'
import type { Confidence } from '../confidence.ts'
import type { SentenceReader } from '../reranker.ts'
import type { Hit, Query, Searcher } from '../searcher.ts'
import type { TermRarity } from '../term-rarity.ts'

/** Parts that judge hits. */
export type ConfidentSearcherParts = {
  readonly confidence: Confidence
  readonly rarity: Pick<TermRarity, 'of'>
  readonly collections: Pick<CollectionLookup, 'byId'>
  /** Reads the best sentences of so many hits, which tell more than their words do. */
  readonly sentences?: { readonly reader: SentenceReader; readonly depth: number } | undefined
}

/** Says of each hit how likely it answers. Where phrases were asked for, hits are weak that do not say them. */
export class ConfidentSearcher implements Searcher {
  readonly #searcher: Searcher
  readonly #parts: ConfidentSearcherParts

  constructor(searcher: Searcher, parts: ConfidentSearcherParts) {
    this.#searcher = searcher
    this.#parts = parts
  }

  async search(query: Query, signal?: AbortSignal): Promise<readonly Hit[]> {
    const hits = await this.#searcher.search(query, signal)
    const { confidence, rarity, collections, sentences } = this.#parts
    const tables = (
      await Promise.all(
        query.collectionIds.map(async id => (await collections.byId(id))?.tableId ?? []),
      )
    ).flat()
    const likeness = await sentences?.reader.likeness(
      query.text,
      hits.slice(0, sentences.depth),
      signal,
    )
    const judged = confidence.judge(query.text, hits, { counts: await rarity.of(tables), likeness })
    if (!query.wording?.phrases.length) return judged
    return judged.map((hit, at) => ({ ...hit, weak: hits[at]!.weak })) // one each
  }
}
