import { type ScaledUnit, scaledUnit } from '../../language/scaled-unit.ts'

/** The number that a cell is, as it is written, and what it says itself of its unit. */
export type Amount = { readonly value: number; readonly written?: ScaledUnit }

/** One number with its unit before or behind it: `EUR 1,310`, `0.8 kg`, `45 m2`, `5天`; no `A100`, no `0,8`, no date. */
const NUMBER_CELL =
  /^(?<currency>[€$£¥]|[A-Z]{3}\s)?\s*(?<digits>-?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?)\s*(?<unit>[a-z]{1,2}[23]|[^\d\s,.][^\d]{0,12})?$/u
const YEAR_CELL = /^(?:\D{0,4}[^\d.,])?((?:19|20)\d\d)(?:年|[-./年]\d{1,2}(?:[-./月]\d{1,2}日?)?)?$/u

/** Undefined of a text. */
export function cellAmount(cell: string): Amount | undefined {
  const { currency, digits, unit = '' } = NUMBER_CELL.exec(plain(cell))?.groups ?? {}
  if (digits === undefined) return undefined
  const written = scaledUnit(`${currency ?? ''} ${unit}`) ?? (currency && scaledUnit(currency))
  return { value: Number(digits.replaceAll(',', '')), ...(written && { written }) }
}

/** What stands behind the number of a cell. */
export function cellUnit(cell: string): string {
  return NUMBER_CELL.exec(plain(cell))?.groups?.unit?.trim() ?? ''
}

const NOTE = /(?<=\d)[⁰¹²³⁴-⁹]+/gu

/** A text without the signs of notes behind its numbers, which would be read as their last digits, and with one sign for minus. */
export function withoutNotes(text: string): string {
  return text.replace(NOTE, '').replaceAll('\u2212', '-')
}

/** Without the space that is set between figures and Han characters: `2022 年`. */
export function unspaced(text: string): string {
  return text.replace(/(?<=\p{Script=Han}) +(?=\d)|(?<=\d) +(?=\p{Script=Han})/gu, '')
}

/** `(350)` is less than nothing, as accounts write it. */
const LOSS = /^\((\d[\d,.]*)\)$/

function plain(cell: string): string {
  return withoutNotes(cell).normalize('NFKC').trim().replace(LOSS, '-$1')
}

/** The year that a cell is, or that its date lies in. */
export function cellYear(cell: string): number | undefined {
  const year = YEAR_CELL.exec(plain(cell))?.[1]
  return year === undefined ? undefined : Number(year)
}
