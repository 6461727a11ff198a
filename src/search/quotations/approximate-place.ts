/** Place of a piece in a text, in UTF-16 units, and the edits (Levenshtein) that it needs. */
export type ApproximatePlace = {
  readonly start: number
  readonly end: number
  readonly edits: number
}

/**
 * Maximum share of differing letters of a piece that counts as found. Unrelated English needs
 * .5 and more (bench/find.ts).
 */
const MAX_DIFFERENCE = 0.35
/** A piece this short needs one equal letter more for each edit, because chance equals more of it. */
const SHORT_PIECE = 24
/** Minimum letters for each edit of a short piece. */
const LETTERS_PER_EDIT = 8

/** Length of the sequences that show where to compare: a letter of Chinese says more. */
const GRAM_LETTERS = 4
const GRAM_HAN = 2
const HAN = /\p{Script=Han}/u

/** Width of the bands of diagonals that are counted together, so that lost letters do not part them. */
const BAND = 16
/** Places of each piece that are compared letter by letter, because texts repeat themselves. */
const COMPARED_BANDS = 6

/** Columns of a text. */
type Range = { readonly from: number; readonly to: number }
const EVERYWHERE: Range = { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY }

/** A text prepared to find many pieces in it. */
export class PieceFinder {
  readonly #text: string
  readonly #positions = new Map<number, ReadonlyMap<string, readonly number[]>>()

  constructor(text: string) {
    this.#text = text
  }

  /** Returns the most likely places that begin in a range of columns; none if the piece is not there. */
  find(piece: string, range: Range = EVERYWHERE): readonly ApproximatePlace[] {
    const slack = Math.max(BAND / 2, Math.ceil(piece.length / 4))
    const diagonals = [...this.countDiagonals(piece)]
      .filter(([diagonal]) => diagonal >= range.from - BAND && diagonal <= range.to)
      .toSorted(([, a], [, b]) => b - a)
    return diagonals.slice(0, COMPARED_BANDS).flatMap(([diagonal]) => {
      const from = Math.max(0, diagonal - slack)
      const window = this.#text.slice(from, diagonal + BAND + piece.length + slack)
      const { start, end, edits } = findLeastEdits(window, piece)
      return edits <= getMaxEdits(piece) ? [{ start: from + start, end: from + end, edits }] : []
    })
  }

  /** Counts by columns, a band at a time, the sequences by which the piece would begin there. */
  countDiagonals(piece: string): ReadonlyMap<number, number> {
    const length = Math.min(piece.length, HAN.test(piece) ? GRAM_HAN : GRAM_LETTERS)
    const positions = this.#indexGrams(length)
    const counts = new Map<number, number>()
    for (let at = 0; at + length <= piece.length; at++) {
      for (const position of positions.get(piece.slice(at, at + length)) ?? []) {
        const diagonal = Math.floor((position - at) / BAND) * BAND
        counts.set(diagonal, (counts.get(diagonal) ?? 0) + 1)
      }
    }
    return counts
  }

  #indexGrams(length: number): ReadonlyMap<string, readonly number[]> {
    const known = this.#positions.get(length)
    if (known) return known
    const positions = new Map<string, number[]>()
    for (let at = 0; at + length <= this.#text.length; at++) {
      const gram = this.#text.slice(at, at + length)
      const places = positions.get(gram)
      if (places) places.push(at)
      else positions.set(gram, [at])
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

/** One edit in a cell, which holds its edits above the start of the place (at most 65,535). */
const EDIT = 0x10000

/**
 * Approximate matching of a piece anywhere in a text (Sellers 1980). A cell is the least edits
 * of a prefix of the piece that ends there, and the column where the place starts.
 */
function findLeastEdits(text: string, piece: string): ApproximatePlace {
  let above: Uint32Array = Uint32Array.from({ length: text.length + 1 }, (_, column) => column)
  for (let row = 0; row < piece.length; row++)
    above = computeRow(above, text, piece.charCodeAt(row), row + 1)
  const [, end] = above.reduce<readonly [number, number]>(
    (least, cell, column) =>
      Math.floor(cell / EDIT) < Math.floor(least[0] / EDIT) ? [cell, column] : least,
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
