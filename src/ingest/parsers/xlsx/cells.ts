/** A place in a sheet, both counted from 0. */
export type CellPlace = { readonly row: number; readonly column: number }

/** Excel's own limits; what lies outside is a mistake. */
const MAX_COLUMNS = 16_384
const MAX_ROWS = 1_048_576

/** The place that a reference as `AB12` names; undefined for one that names none. */
export function cellPlace(reference: string | undefined): CellPlace | undefined {
  const match = /^\$?([A-Z]{1,3})\$?(\d{1,7})$/.exec(reference ?? '')
  if (!match) return undefined
  const column = [...match[1]!].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1
  const row = Number(match[2]) - 1
  return column < MAX_COLUMNS && row >= 0 && row < MAX_ROWS ? { row, column } : undefined
}
