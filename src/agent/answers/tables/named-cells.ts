import type { Span } from '../../../ingest/sentences.ts'
import { unspaced } from './cell-number.ts'
import type { Column } from './columns.ts'
import type { Condition } from './condition.ts'
import type { Table } from './table.ts'

const QUARTERS = ['first|1st|一|1', 'second|2nd|二|2', 'third|3rd|三|3', 'fourth|4th|四|4'].map(
  (number, at) =>
    new RegExp(
      `\\b(?:${number}) quarter\\b|\\bquarter (?:${number})\\b|第?(?:${number})季度?|\\b${at + 1}q(?=\\b|\\d)`,
      'gu',
    ),
)
const MAY_BE_QUARTER = /quarter|季|\dq/

/** Quarters, however they are written, as `q4`. */
export function withQuarters(text: string): string {
  if (!MAY_BE_QUARTER.test(text)) return text
  return QUARTERS.reduce((written, pattern, at) => written.replace(pattern, `q${at + 1}`), text)
}

/** The cells that the question names, in any column of texts, or of the first by their numbers; and those that it names and are not there. */
export function namedCells(
  text: string,
  table: Table,
  columns: readonly Column[],
  selects: boolean,
): readonly Condition[] {
  const names = columns.map(({ name }) => bareName(name)).filter(Boolean)
  const named = columns.flatMap(column => {
    const cells = table.rows.map(row => folded(row.cells[column.at] ?? ''))
    if (column.numbers && !(column.at === 0 && !column.isYears)) return []
    const there = cellsIn(text, column, cells)
    return there.length > 0 ? there : missingIn(text, column, { cells, selects, names })
  })
  return named.filter(one => named.every(other => !isInside(one, other)))
}

function cellsIn(text: string, column: Column, cells: readonly string[]): readonly Condition[] {
  const values = [...new Set(cells)].filter(cell => isName(cell, column))
  if (values.length < 2 && cells.length > 1) return []
  return values.flatMap(value =>
    placesOf(value, text).map(place => ({
      ...{
        column,
        ...place,
        isNamed: false,
        kind: 'cell' as const,
        value,
        isNumbered: value.search(NUMERAL) >= 0,
      },
      holds: (_: unknown, at: number) => cells[at] === value,
    })),
  )
}

function isName(cell: string, column: Column): boolean {
  if (column.numbers) return /^\d{3,}$/.test(cell)
  const joined = cell.replace(/[-_./]/g, '') // `AV-50`
  return /\p{Script=Han}{2}|[\p{L}\d][\p{L}\d][\p{L}\d]|\p{L}\d|\d\p{L}/u.test(joined) && cell.length <= 60
}

/** Where a value stands as words of its own, or in the plural: `the potters` of cells that are `potter`. */
function placesOf(value: string, text: string): readonly Span[] {
  const places: Span[] = []
  for (let at = text.indexOf(value); at >= 0; at = text.indexOf(value, at + value.length)) {
    const plural = /[a-z]$/.test(value)
      ? (PLURAL.exec(text.slice(at + value.length, at + value.length + 3))?.[0] ?? '')
      : ''
    const end = at + value.length + plural.length
    const isPart =
      (WORD_LETTER.test(value[0] ?? '') && WORD_LETTER.test(text[at - 1] ?? '')) ||
      (WORD_LETTER.test(value.at(-1) ?? '') && WORD_LETTER.test(text[end] ?? ''))
    if (!isPart) places.push({ start: at, end })
  }
  return places
}

const PLURAL = /^e?s(?![a-z\d])/
const WORD_LETTER = /[a-z\d]/
const NUMERAL = /\d+(?:\.\d+)*|[一二三四五六七八九十百]+/gu
/** So many cells have to be formed alike for another of their form to be one that is missing. */
const ALIKE = 0.6

type Known = {
  readonly cells: readonly string[]
  readonly selects: boolean
  /** Of the columns. */
  readonly names: readonly string[]
}

/** A cell's form is its text with its number left out: where the cells are `Q1` to `Q3`, the question's `Q4` names one that is missing. */
function missingIn(text: string, column: Column, { cells, selects, names }: Known): readonly Condition[] {
  const forms = cells.map(cell => cell.replace(NUMERAL, '#'))
  const counts = new Map<string, number>()
  for (const form of forms) counts.set(form, (counts.get(form) ?? 0) + 1)
  const [form, count] = [...counts].toSorted((a, b) => b[1] - a[1])[0] ?? ['', 0]
  const isForm = count >= Math.max(2, cells.length * ALIKE) && form.includes('#') && /\p{L}/u.test(form)
  const other = isForm ? ofForm(text, form) : ofEnding(text, names, cells)
  const said = other ?? (selects && new Set(cells).size < cells.length ? saidToBe(text, column, cells) : undefined)
  return said ? [{ column, isNamed: said !== other, kind: 'missing', ...said, holds: () => false }] : []
}

function ofForm(text: string, form: string) {
  if (form.length > 40) return undefined
  const parts = form
    .split('#')
    .map(part => part.replace(/[^\p{L}\p{N}\s]/gu, letter => `\\u{${letter.codePointAt(0)?.toString(16)}}`))
  const found = new RegExp(`(?<![a-z\\d第])${parts.join(`(?:${NUMERAL.source})`)}(?![a-z\\d])`, 'u').exec(text)
  return found ? { start: found.index, end: found.index + found[0].length } : undefined
}

/** Before what cells end with: `哪个仓`, `全部`. */
const NO_NAME = '哪个每各该本所几一这那此全总有在的大内外和与是'
const MAX_BEGINNING = 6

/** Where all cells end alike, `北京仓` and `上海仓`, a word that ends so, is as long and is no cell: `杭州仓`. */
function ofEnding(text: string, names: readonly string[], cells: readonly string[]) {
  const values = [...new Set(cells)].filter(Boolean)
  const [first = ''] = values
  if (values.length < 2 || !values.every(value => /^\p{Script=Han}{2,}$/u.test(value))) return undefined
  let length = 0
  while (length < first.length - 1 && values.every(value => value.at(-1 - length) === first.at(-1 - length))) length++
  const beginnings = values.map(value => value.length - length)
  const [least, most] = [Math.min(...beginnings), Math.max(...beginnings)]
  if (length === 0 || least < 1 || most > MAX_BEGINNING || (values.length < 3 && least < 2)) return undefined
  const ending = first.slice(-length)
  const word = `(?:(?![${NO_NAME}])\\p{Script=Han}){${least},${most}}${ending}`
  const unnamed = names.reduce((left, name) => left.replaceAll(name, ' '.repeat(name.length)), text)
  const found = new RegExp(word, 'u').exec(unnamed)
  return found && { start: found.index, end: found.index + found[0].length }
}

/** A value that the question gives to the column by its name, which no cell has: `状态为退货`. */
function saidToBe(text: string, { name, numbers }: Column, cells: readonly string[]) {
  if (numbers) return undefined
  const bare = bareName(name).replace(/[^\p{L}\p{N}\s]/gu, '.')
  const value = /\p{Script=Han}/u.test(bare)
    ? `${bare}(?:为|是|等于|[:：=])(\\p{L}{1,12}?)(?=的|[,，。?？]|$)`
    : `\\b${bare}\\s*(?:\\bis\\b|\\bare\\b|\\bequals\\b|[:=])?\\s*["']?([a-z][a-z-]+)["']?[?.]?$`
  const found = new RegExp(value, 'u').exec(text)
  const said = found?.[1]
  if (!found || !said || /什么|哪|谁|多少/u.test(said) || cells.some(cell => cell.includes(said))) return undefined
  return { start: found.index, end: found.index + found[0].length }
}

function isInside(one: Condition, other: Condition): boolean {
  return (
    one !== other && other.start <= one.start && one.end <= other.end && other.end - other.start > one.end - one.start
  )
}

/** A column's name without its unit. */
function bareName(name: string): string {
  return folded(name.replace(/[（(].*$/u, ''))
}

function folded(cell: string): string {
  return withQuarters(unspaced(cell.normalize('NFKC').toLowerCase().trim()))
}
