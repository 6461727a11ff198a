import { repeatCell } from '../../../block.ts'

type Merge = { readonly first: CellPlace; readonly last: CellPlace }

/** Bounded, so that a damaged sheet costs little. */
const MAX_MERGES = 50_000
/** Repetitions of a merged cell, so that a title across the sheet does not fill it. */
const MAX_SPAN = 200

const MERGE = /<(?:\w+:)?mergeCell\s[^>]*?\bref="(\w+):(\w+)"/g

export class MergedCells {
  /** Sorted by first row, latest first. */
  readonly #waiting: Merge[]
  #active: { readonly merge: Merge; readonly text: string }[] = []

  constructor(merges: readonly Merge[]) {
    this.#waiting = merges.slice(0, MAX_MERGES).toSorted((a, b) => b.first.row - a.first.row)
  }

  /** Searches the bytes beforehand, because merges follow the rows. */
  static async find(bytes: AsyncIterable<Uint8Array>): Promise<MergedCells> {
    const merges: Merge[] = []
    let rest = ''
    for await (const piece of bytes) {
      const text = rest + Buffer.from(piece).toString('latin1')
      for (const [, from, to] of text.matchAll(MERGE)) {
        const first = parseCellReference(from)
        const last = parseCellReference(to)
        if (first && last && merges.length < MAX_MERGES) merges.push({ first, last })
      }
      rest = text.slice(Math.max(text.lastIndexOf('<'), text.length - 1024))
    }
    return new MergedCells(merges)
  }

  fill(rowNumber: number, row: string[]): void {
    this.#active = this.#active.filter(({ merge }) => merge.last.row >= rowNumber)
    for (
      let next = this.#waiting.at(-1);
      next && next.first.row <= rowNumber;
      next = this.#waiting.at(-1)
    ) {
      this.#waiting.pop()
      const text = next.first.row === rowNumber ? (row[next.first.column] ?? '') : ''
      if (text) this.#active.push({ merge: next, text: repeatCell(text) })
    }
    for (const { merge, text } of this.#active) repeat(row, merge, text)
  }
}

function repeat(row: string[], { first, last }: Merge, text: string): void {
  const end = Math.min(last.column, first.column + MAX_SPAN)
  for (let column = row.length; column < first.column; column++) row[column] = ''
  for (let column = first.column; column <= end; column++) row[column] ||= text
}

type CellPlace = { readonly row: number; readonly column: number }

/** Excel's limit of columns and rows. */
const MAX_COLUMNS = 16_384
const MAX_ROWS = 1_048_576

export function parseCellReference(reference: string | undefined): CellPlace | undefined {
  const match = /^\$?([A-Z]{1,3})\$?(\d{1,7})$/.exec(reference ?? '')
  if (!match) return undefined
  const column =
    [...(match[1] ?? '')].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1
  const row = Number(match[2]) - 1
  return column < MAX_COLUMNS && row >= 0 && row < MAX_ROWS ? { row, column } : undefined
}
