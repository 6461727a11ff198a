import type { SearchedCollections } from '../../ingest/catalog/searched-collections.ts'
import type { Confidence } from '../confidence.ts'
import type { Hit, Query, Searcher } from '../searcher.ts'
import type { TermRarity } from '../term-rarity.ts'

type ConfidentSearcherParts = {
  readonly confidence: Confidence
  readonly rarity: TermRarity
  readonly collections: SearchedCollections
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
    const { confidence, rarity, collections } = this.#parts
    const tables = (
      await Promise.all(query.collectionIds.map(async id => (await collections.byId(id))?.tableId ?? []))
    ).flat()
    const judged = confidence.judge(query.text, hits, await rarity.of(tables))
    if (!query.wording?.phrases.length) return judged
    return judged.map((hit, at) => ({ ...hit, weak: hits[at]!.weak })) // one each
  }
}
