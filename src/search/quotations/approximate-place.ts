/** Offsets in UTF-16 units, and the edits (Levenshtein) needed. */
export type ApproximatePlace = {
  readonly start: number
  readonly end: number
  readonly edits: number
}

/** Maximum share of differing letters. Unrelated English needs .5 and more (bench/find.ts). */
const MAX_DIFFERENCE = 0.35
/** Shorter pieces need an equal letter more per edit: chance equals more of them. */
const SHORT_PIECE = 24
/** Minimum letters for each edit of a short piece. */
const LETTERS_PER_EDIT = 8

/** Length of sequences that show where to compare; a Chinese letter says more. */
const GRAM_LETTERS = 4
const GRAM_HAN = 2
const HAN = /\p{Script=Han}/u

/** Diagonals counted together, so that lost letters do not part them. */
const BAND = 16
/** Places of each piece that are compared, because texts repeat themselves. */
const COMPARED_BANDS = 6

/** Pages of a region, which may all have the same line (`MAX_REGION` of quotation-search.ts by 2,500 letters). */
const MAX_PLACES = 16
/** Share of the sequences left to a place that lies on two bands. */
const HALVED = 0.5

export type Range = { readonly from: number; readonly to: number }
const EVERYWHERE: Range = { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY }

/** Positions kept, so that repetitive text costs no more. */
const MAX_POSITIONS = 64

type Diagonals = readonly (readonly [diagonal: number, count: number])[]

export class PieceFinder {
  readonly #text: string
  readonly #positions = new Map<number, ReadonlyMap<string, readonly number[]>>()
  readonly #diagonals = new Map<string, Diagonals>()
  /** Keyed by piece and diagonal, because ranges overlap. */
  readonly #places = new Map<string, ApproximatePlace>()

  constructor(text: string) {
    this.#text = text
  }

  find(piece: string, range: Range = EVERYWHERE): ApproximatePlace | undefined {
    const near = this.listDiagonals(piece).filter(
      ([diagonal]) => diagonal >= range.from - BAND && diagonal <= range.to,
    )
    let best: ApproximatePlace | undefined
    for (const [diagonal] of near.slice(0, COMPARED_BANDS)) {
      const place = this.#compare(piece, diagonal)
      if (!best || place.edits < best.edits) best = place
      if (best.edits === 0) break
    }
    return best && best.edits <= getMaxEdits(piece) ? best : undefined
  }

  /** Lists every place of a piece that the text repeats, at most `MAX_PLACES`. */
  findAll(piece: string): readonly ApproximatePlace[] {
    const [[, mostGrams] = [0, 0]] = this.listDiagonals(piece)
    const places = this.listDiagonals(piece)
      .slice(0, MAX_PLACES)
      .filter(([, grams]) => grams >= mostGrams * HALVED)
      .map(([diagonal]) => this.#compare(piece, diagonal))
      .filter(({ edits }) => edits <= getMaxEdits(piece))
    return [...new Map(places.map(place => [place.end, place])).values()]
  }

  /** Lists bands by how many sequences of the piece would begin there. */
  listDiagonals(piece: string): Diagonals {
    const cached = this.#diagonals.get(piece)
    if (cached) return cached
    const length = Math.min(piece.length, HAN.test(piece) ? GRAM_HAN : GRAM_LETTERS)
    const positions = this.#indexGrams(length)
    const counts = new Map<number, number>()
    for (let index = 0; index + length <= piece.length; index++) {
      for (const position of positions.get(piece.slice(index, index + length)) ?? []) {
        const diagonal = Math.floor((position - index) / BAND) * BAND
        counts.set(diagonal, (counts.get(diagonal) ?? 0) + 1)
      }
    }
    const diagonals = [...counts].toSorted(([, a], [, b]) => b - a)
    this.#diagonals.set(piece, diagonals)
    return diagonals
  }

  #compare(piece: string, diagonal: number): ApproximatePlace {
    const key = `${diagonal} ${piece}`
    const cached = this.#places.get(key)
    if (cached) return cached
    const slack = Math.max(BAND / 2, Math.ceil(piece.length / 4))
    const from = Math.max(0, diagonal - slack)
    const window = this.#text.slice(from, diagonal + BAND + piece.length + slack)
    const { start, end, edits } = findLeastEdits(window, piece)
    const place = { start: from + start, end: from + end, edits }
    this.#places.set(key, place)
    return place
  }

  #indexGrams(length: number): ReadonlyMap<string, readonly number[]> {
    const cached = this.#positions.get(length)
    if (cached) return cached
    const positions = new Map<string, number[]>()
    for (let index = 0; index + length <= this.#text.length; index++) {
      const gram = this.#text.slice(index, index + length)
      const places = positions.get(gram)
      if (!places) positions.set(gram, [index])
      else if (places.length < MAX_POSITIONS) places.push(index)
    }
    this.#positions.set(length, positions)
    return positions
  }
}

function getMaxEdits({ length }: string): number {
  return length < SHORT_PIECE
    ? Math.floor(length / LETTERS_PER_EDIT)
    : Math.floor(length * MAX_DIFFERENCE)
}

/** A cell holds its edits above the start of the place (at most 65,535). */
const EDIT = 0x10000

/**
 * Matches a piece anywhere (Sellers 1980). A cell has the least edits of a prefix, and its start.
 */
function findLeastEdits(text: string, piece: string): ApproximatePlace {
  let above: Uint32Array = Uint32Array.from({ length: text.length + 1 }, (_, column) => column)
  for (let row = 0; row < piece.length; row++)
    above = computeRow(above, text, piece.charCodeAt(row), row + 1)
  const [, end] = above.reduce<readonly [number, number]>(
    (best, cell, column) =>
      Math.floor(cell / EDIT) < Math.floor(best[0] / EDIT) ? [cell, column] : best,
    [above[0] ?? 0, 0],
  )
  const cell = above[end] ?? 0
  return { start: cell % EDIT, end, edits: Math.floor(cell / EDIT) }
}

function computeRow(above: Uint32Array, text: string, unit: number, edits: number): Uint32Array {
  const row = new Uint32Array(above.length)
  let left = edits * EDIT
  let diagonal = above[0] ?? 0
  row[0] = left
  for (let column = 1; column < row.length; column++) {
    const up = above[column] ?? 0
    const straight = diagonal + (text.charCodeAt(column - 1) === unit ? 0 : EDIT)
    left = Math.min(straight, up + EDIT, left + EDIT)
    row[column] = left
    diagonal = up
  }
  return row
}
