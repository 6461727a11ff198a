import type { Library } from '../../ingest/store/library.ts'
import { findPlaces, type Place } from '../../ingest/store/places.ts'
import type { Hit, Searcher } from '../searcher.ts'
import { PieceFinder } from './approximate-place.ts'
import { type FoldedText, foldText } from './folded-text.ts'
import { cutPieces, type Piece } from './pieces.ts'

/** Pieces that are searched for; each search costs as much as a question. */
const MAX_QUERIES = 6
/** Passages that each search gives. */
const HITS = 10
/** Parts of documents that are compared letter by letter. */
const MAX_REGIONS = 12
/** UTF-16 units of such a part, so that comparing one does not hold the main thread. */
const MAX_REGION = 40_000
/** Share of the letters by which a piece may lie elsewhere, because words are left out. */
const MAX_DEVIATION = 0.25
/** Letters of the region that count as one beginning of the quotation. */
const ORIGIN_BAND = 64
/** Beginnings that are compared in a region, because texts repeat themselves. */
const COMPARED_ORIGINS = 4
/** UTF-16 units around a passage beside the length of the quotation, for what is not quoted. */
const MARGIN = 200

export type QuotationQuery = {
  readonly pieces: readonly Piece[]
  readonly collectionIds: readonly string[]
  /** Minimum share of the letters that stand at the place (0 to 1). */
  readonly leastSimilarity: number
  /** True for a picture of one page. */
  readonly isOnePage: boolean
  readonly limit: number
}

/** Place that a quotation comes from. */
export type QuotationPlace = {
  readonly hit: Hit
  readonly charStart: number
  readonly charEnd: number
  /** Share of the letters of the quotation that stand there (0 to 1). */
  readonly similarity: number
  /** Page with most of the letters, in formats with pages. */
  readonly page?: number
  readonly place: Place
}

type Region = {
  readonly hit: Hit
  readonly from: number
  readonly to: number
  readonly votes: number
}
type FoundPiece = {
  readonly charStart: number
  readonly charEnd: number
  /** Equal letters. */
  readonly letters: number
}

/** Finds where a quotation or the text of a page comes from, whatever its slips. */
export class QuotationSearch {
  readonly #searcher: Searcher
  readonly #library: Library

  constructor(deps: { readonly searcher: Searcher; readonly library: Library }) {
    this.#searcher = deps.searcher
    this.#library = deps.library
  }

  /** Returns places, most similar first; none if no text is similar enough. */
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
    { pieces, leastSimilarity, isOnePage }: QuotationQuery,
    signal?: AbortSignal,
  ): Promise<QuotationPlace | undefined> {
    const total = pieces.reduce((sum, { letters }) => sum + letters.length, 0)
    const text = await this.#library.read(hit.documentId, from, to)
    const near = findPieces(text, { pieces, isOnePage }, from)
    if (measureShare(near, total) < leastSimilarity) return undefined
    const places = await findPlaces(this.#library, hit.documentId, near, signal)
    const page = findMainPage(near, places)
    const found = isOnePage ? near.filter((_, at) => places[at]?.pages?.[0] === page) : near
    const similarity = measureShare(found, total)
    if (similarity < leastSimilarity) return undefined
    const charStart = Math.min(...found.map(piece => piece.charStart))
    const charEnd = Math.max(...found.map(piece => piece.charEnd))
    const span = [{ charStart, charEnd }]
    const [place] = await findPlaces(this.#library, hit.documentId, span, signal)
    return place && { hit, charStart, charEnd, similarity, ...(page && { page }), place }
  }
}

/** Returns at most `most` items, evenly from the first to the last. */
function spread<Item>(items: readonly Item[], most: number): readonly Item[] {
  if (items.length <= most) return items
  return items.filter(
    (_, at) =>
      Math.floor((at * most) / items.length) > Math.floor(((at - 1) * most) / items.length),
  )
}

/** Adds a region, joined with one that it overlaps unless the two would be too long. */
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

/** Returns a place of each piece; those of a quotation begin where its place before them ends. */
function findPieces(
  text: string,
  { pieces, isOnePage }: Pick<QuotationQuery, 'pieces' | 'isOnePage'>,
  from: number,
): readonly FoundPiece[] {
  const folded = foldText(text)
  const finder = new PieceFinder(folded.letters)
  const placed = placePieces(pieces)
  if (isOnePage) return findNearest(placed, { finder, folded, text, from })
  let best: readonly FoundPiece[] = []
  for (const origin of listOrigins(placed, finder)) {
    const found = findNearest(placed, { finder, folded, text, from }, origin)
    if (measureShare(found, 1) > measureShare(best, 1)) best = found
  }
  return best
}

type PlacedPiece = {
  readonly letters: string
  /** Letters of the quotation before it. */
  readonly before: number
}

function placePieces(pieces: readonly Piece[]): readonly PlacedPiece[] {
  let before = 0
  return pieces.map(({ letters }) => {
    before += letters.length
    return { letters, before: before - letters.length }
  })
}

/** Returns the letters of the region where the quotation most likely begins. */
function listOrigins(placed: readonly PlacedPiece[], finder: PieceFinder): readonly number[] {
  const counts = new Map<number, number>()
  for (const { letters, before } of placed) {
    for (const [diagonal, count] of finder.countDiagonals(letters)) {
      const origin = Math.floor((diagonal - before) / ORIGIN_BAND) * ORIGIN_BAND
      for (const near of [origin, origin + ORIGIN_BAND])
        counts.set(near, (counts.get(near) ?? 0) + count)
    }
  }
  return [...counts]
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, COMPARED_ORIGINS)
    .map(([origin]) => origin)
}

type ComparedRegion = {
  readonly finder: PieceFinder
  readonly folded: FoldedText
  readonly text: string
  readonly from: number
}

/** Finds the best place of each piece, if the quotation begins at `origin` within its deviation. */
function findNearest(
  placed: readonly PlacedPiece[],
  { finder, folded, text, from }: ComparedRegion,
  origin?: number,
): readonly FoundPiece[] {
  const last = placed.at(-1)
  const total = last ? last.before + last.letters.length : 0
  const deviation = Math.max(ORIGIN_BAND, total * MAX_DEVIATION)
  return placed.flatMap(({ letters, before }) => {
    const range = origin === undefined ? undefined : getRange(origin + before, deviation)
    const [first, ...others] = finder.find(letters, range)
    if (!first) return []
    const best = others.reduce((a, b) => (b.edits < a.edits ? b : a), first)
    const start = folded.offsets[best.start]
    const end = folded.offsets[best.end - 1]
    if (start === undefined || end === undefined) return []
    const width = (text.codePointAt(end) ?? 0) > 0xffff ? 2 : 1
    return {
      charStart: from + start,
      charEnd: from + end + width,
      letters: Math.max(0, letters.length - best.edits),
    }
  })
}

function getRange(start: number, deviation: number) {
  return { from: start - deviation, to: start + deviation }
}

function measureShare(pieces: readonly FoundPiece[], total: number): number {
  return pieces.reduce((sum, { letters }) => sum + letters, 0) / Math.max(1, total)
}

/** Returns the page with most letters. */
function findMainPage(pieces: readonly FoundPiece[], places: readonly Place[]): number | undefined {
  const letters = new Map<number, number>()
  for (const [at, piece] of pieces.entries()) {
    const page = places[at]?.pages?.[0]
    if (page !== undefined) letters.set(page, (letters.get(page) ?? 0) + piece.letters)
  }
  return [...letters].toSorted(([, a], [, b]) => b - a)[0]?.[0]
}

function isSamePlace(a: QuotationPlace, b: QuotationPlace): boolean {
  return a.hit.documentId === b.hit.documentId && a.charStart < b.charEnd && b.charStart < a.charEnd
}
