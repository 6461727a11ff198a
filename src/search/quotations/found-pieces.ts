import { type ApproximatePlace, PieceFinder, type Range } from './approximate-place.ts'
import { type FoldedText, foldText } from './folded-text.ts'
import type { Piece } from './pieces.ts'

/** Share of the letters by which a piece may be displaced, because words are left out. */
const MAX_DEVIATION = 0.25
/** Letters that count as one beginning of the quotation. */
const ORIGIN_BAND = 64
/** Beginnings that are compared, because texts repeat themselves. */
const COMPARED_ORIGINS = 4

type PlacedPiece = {
  readonly letters: string
  readonly before: number
}

/** Offsets in UTF-16 units. */
export type FoundPiece = {
  readonly charStart: number
  readonly charEnd: number
  readonly letters: number
  /** Letters of the quotation before the piece, which tell pieces apart. */
  readonly before: number
}

export function placePieces(pieces: readonly Piece[]): readonly PlacedPiece[] {
  let before = 0
  return pieces.map(({ letters }) => {
    before += letters.length
    return { letters, before: before - letters.length }
  })
}

export function measureShare(pieces: readonly FoundPiece[], total: number): number {
  return pieces.reduce((sum, { letters }) => sum + letters, 0) / Math.max(1, total)
}

/** Returns all places of each piece. Ignores order: each reader orders the cells of a page differently. */
export function* findOnPages(
  text: string,
  pieces: readonly PlacedPiece[],
): Generator<void, readonly FoundPiece[]> {
  const region = new Region(text)
  const found: FoundPiece[] = []
  for (const piece of pieces) {
    yield
    found.push(...region.findAll(piece))
  }
  return found
}

/** Finds pieces in the quotation's order, at the beginning with most letters. */
export function* findInOrder(
  text: string,
  pieces: readonly PlacedPiece[],
): Generator<void, readonly FoundPiece[]> {
  const region = new Region(text)
  const last = pieces.at(-1)
  const total = last ? last.before + last.letters.length : 0
  const deviation = Math.max(ORIGIN_BAND, total * MAX_DEVIATION)
  let best: readonly FoundPiece[] = []
  for (const origin of yield* listOrigins(pieces, region)) {
    const found: FoundPiece[] = []
    for (const piece of pieces) {
      yield
      const start = origin + piece.before
      found.push(...region.find(piece, { from: start - deviation, to: start + deviation }))
    }
    if (measureShare(found, 1) > measureShare(best, 1)) best = found
  }
  return best
}

function* listOrigins(
  pieces: readonly PlacedPiece[],
  region: Region,
): Generator<void, readonly number[]> {
  const counts = new Map<number, number>()
  for (const { letters, before } of pieces) {
    yield
    for (const [diagonal, count] of region.finder.listDiagonals(letters)) {
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

class Region {
  readonly finder: PieceFinder
  readonly #text: string
  readonly #folded: FoldedText

  constructor(text: string) {
    this.#text = text
    this.#folded = foldText(text)
    this.finder = new PieceFinder(this.#folded.letters)
  }

  find(piece: PlacedPiece, range: Range): readonly FoundPiece[] {
    const place = this.finder.find(piece.letters, range)
    return place ? this.#unfold(piece, place) : []
  }

  findAll(piece: PlacedPiece): readonly FoundPiece[] {
    return this.finder.findAll(piece.letters).flatMap(place => this.#unfold(piece, place))
  }

  #unfold(
    { letters, before }: PlacedPiece,
    { start, end, edits }: ApproximatePlace,
  ): readonly FoundPiece[] {
    const charStart = this.#folded.offsets[start]
    const last = this.#folded.offsets[end - 1]
    if (charStart === undefined || last === undefined) return []
    const width = (this.#text.codePointAt(last) ?? 0) > 0xffff ? 2 : 1
    const equal = Math.max(0, letters.length - edits)
    return [{ charStart, charEnd: last + width, letters: equal, before }]
  }
}
