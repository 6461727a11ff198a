import type { Library } from '../../ingest/store/library.ts'
import { findPlaces, type Place } from '../../ingest/store/places.ts'
import { runInTimeSlices } from '../../system/time-slices.ts'
import { areOverlapping } from '../../text/sentences.ts'
import type { Hit, Searcher } from '../searcher.ts'
import {
  type FoundPiece,
  findInOrder,
  findOnPages,
  measureShare,
  placePieces,
} from './found-pieces.ts'
import { cutPieces, type Piece } from './pieces.ts'

/** Pieces searched for; each costs as much as a question. */
const MAX_QUERIES = 6
const HITS = 10
/** Pieces compared of a long quotation; the others follow them. */
const MAX_PIECES = 60
/** Parts of documents that are compared letter by letter. */
const MAX_REGIONS = 12
/** UTF-16 units of a part; bounds the memory of its index. */
const MAX_REGION = 40_000
/** UTF-16 units around a passage besides the quotation's length. */
const MARGIN = 200

type QuotationQuery = {
  readonly pieces: readonly Piece[]
  readonly collectionIds: readonly string[]
  /** Minimum share of the letters at the place (0 to 1). */
  readonly minSimilarity: number
  readonly isOnePage: boolean
  readonly limit: number
}

export type QuotationPlace = {
  readonly hit: Hit
  readonly charStart: number
  readonly charEnd: number
  /** Share of the quotation's letters at the place (0 to 1). */
  readonly similarity: number
  /** Page with most of the letters. */
  readonly page?: number
  /** Similarity of the next page near. */
  readonly nextSimilarity: number
  readonly place: Place
}

type Region = {
  readonly hit: Hit
  readonly from: number
  readonly to: number
  readonly votes: number
}
export class QuotationSearch {
  readonly #searcher: Searcher
  readonly #library: Library

  constructor(deps: { readonly searcher: Searcher; readonly library: Library }) {
    this.#searcher = deps.searcher
    this.#library = deps.library
  }

  /** Most similar first. */
  async find(query: QuotationQuery, signal?: AbortSignal): Promise<readonly QuotationPlace[]> {
    const places: QuotationPlace[] = []
    for (const region of await this.#listRegions(query, signal)) {
      signal?.throwIfAborted()
      const place = await this.#compare(region, query, signal)
      if (place && !places.some(other => isSamePlace(other, place))) places.push(place)
    }
    return places.toSorted((a, b) => b.similarity - a.similarity).slice(0, query.limit)
  }

  async #listRegions(
    { pieces, collectionIds }: QuotationQuery,
    signal?: AbortSignal,
  ): Promise<readonly Region[]> {
    const reach = MARGIN + pieces.reduce((sum, { words }) => sum + words.length, 0)
    let regions: readonly Region[] = []
    const stretches = cutPieces([pieces.map(({ words }) => words).join('\n')])
    for (const { words } of spread(stretches, MAX_QUERIES)) {
      const query = { text: words, collectionIds, mode: 'keyword', limit: HITS } as const
      const hits = await this.#searcher.search(query, signal)
      for (const [rank, hit] of hits.entries()) {
        const from = Math.max(0, hit.charStart - reach)
        const region = { hit, from, to: hit.charEnd + reach, votes: 1 / (rank + 1) }
        regions = addRegion(regions, region)
      }
    }
    return regions.toSorted((a, b) => b.votes - a.votes).slice(0, MAX_REGIONS)
  }

  async #compare(
    { hit, from, to }: Region,
    { pieces, minSimilarity, isOnePage }: QuotationQuery,
    signal?: AbortSignal,
  ): Promise<QuotationPlace | undefined> {
    const compared = spread(placePieces(pieces), MAX_PIECES)
    const total = compared.reduce((sum, { letters }) => sum + letters.length, 0)
    const text = await this.#library.read(hit.documentId, from, to)
    const steps = isOnePage ? findOnPages(text, compared) : findInOrder(text, compared)
    const excluded = await this.#library.listExcluded(hit.documentId)
    const near = (await runInTimeSlices(steps, { signal }))
      .map(piece => ({
        ...piece,
        charStart: from + piece.charStart,
        charEnd: from + piece.charEnd,
      }))
      .filter(
        ({ charStart: start, charEnd: end }) =>
          !excluded.some(span => areOverlapping(span, { start, end })),
      )
    if (measureShare(chooseBest(near), total) < minSimilarity) return undefined
    const places = await findPlaces(this.#library, hit.documentId, near, signal)
    const [{ page, pieces: onPage } = NO_PAGE, next = NO_PAGE] = rankPages(near, places)
    const found = isOnePage ? onPage : near
    const similarity = measureShare(found, total)
    if (similarity < minSimilarity) return undefined
    const charStart = Math.min(...found.map(piece => piece.charStart))
    const charEnd = Math.max(...found.map(piece => piece.charEnd))
    const span = [{ charStart, charEnd }]
    const [place] = await findPlaces(this.#library, hit.documentId, span, signal)
    const nextSimilarity = measureShare(next.pieces, total)
    if (!place) return undefined
    return { hit, charStart, charEnd, similarity, nextSimilarity, ...(page && { page }), place }
  }
}

function spread<Item>(items: readonly Item[], maxItems: number): readonly Item[] {
  if (items.length <= maxItems) return items
  return items.filter(
    (_, index) =>
      Math.floor((index * maxItems) / items.length) >
      Math.floor(((index - 1) * maxItems) / items.length),
  )
}

/** Joins overlapping regions unless they would be too long. */
function addRegion(regions: readonly Region[], added: Region): readonly Region[] {
  const joinable = regions.find(
    ({ hit, from, to }) =>
      hit.documentId === added.hit.documentId &&
      from < added.to &&
      added.from < to &&
      Math.max(to, added.to) - Math.min(from, added.from) <= MAX_REGION,
  )
  if (!joinable) return [...regions, added]
  return regions.map(region =>
    region === joinable
      ? {
          hit: region.hit,
          from: Math.min(region.from, added.from),
          to: Math.max(region.to, added.to),
          votes: region.votes + added.votes,
        }
      : region,
  )
}

type PiecesOfPage = { readonly page: number | undefined; readonly pieces: readonly FoundPiece[] }

const NO_PAGE: PiecesOfPage = { page: undefined, pieces: [] }

/** Returns the best place of each piece on each page, the page with most letters first. */
function rankPages(
  pieces: readonly FoundPiece[],
  places: readonly Place[],
): readonly PiecesOfPage[] {
  const numbers = new Set(places.map(({ pages }) => pages?.[0]))
  return [...numbers]
    .map(page => {
      const onPage = pieces.filter((_, index) => places[index]?.pages?.[0] === page)
      return { page, pieces: chooseBest(onPage) }
    })
    .toSorted((a, b) => measureShare(b.pieces, 1) - measureShare(a.pieces, 1))
}

function chooseBest(pieces: readonly FoundPiece[]): readonly FoundPiece[] {
  const sorted = pieces.toSorted((a, b) => a.letters - b.letters)
  return [...new Map(sorted.map(piece => [piece.before, piece])).values()]
}

function isSamePlace(a: QuotationPlace, b: QuotationPlace): boolean {
  return a.hit.documentId === b.hit.documentId && a.charStart < b.charEnd && b.charStart < a.charEnd
}
