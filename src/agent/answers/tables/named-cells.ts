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
  const named = columns.flatMap(column => {
    const cells = table.rows.map(row => folded(row.cells[column.at] ?? ''))
    if (column.numbers && !(column.at === 0 && !column.isYears)) return []
    const there = cellsIn(text, column, cells)
    return there.length > 0 ? there : missingIn(text, column, cells, selects)
  })
  return named.filter(one => named.every(other => !isInside(one, other)))
}

function cellsIn(text: string, column: Column, cells: readonly string[]): readonly Condition[] {
  const values = [...new Set(cells)].filter(cell => isName(cell, column))
  if (values.length < 2 && cells.length > 1) return []
  return values.flatMap(value =>
    placesOf(value, text).map(start => ({
      ...{
        column,
        start,
        end: start + value.length,
        isNamed: false,
        kind: 'cell' as const,
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

/** Where a value stands as words of its own. */
function placesOf(value: string, text: string): readonly number[] {
  const places: number[] = []
  for (let at = text.indexOf(value); at >= 0; at = text.indexOf(value, at + value.length)) {
    const isPart =
      (WORD_LETTER.test(value[0] ?? '') && WORD_LETTER.test(text[at - 1] ?? '')) ||
      (WORD_LETTER.test(value.at(-1) ?? '') && WORD_LETTER.test(text[at + value.length] ?? ''))
    if (!isPart) places.push(at)
  }
  return places
}

const WORD_LETTER = /[a-z\d]/
const NUMERAL = /\d+(?:\.\d+)*|[一二三四五六七八九十百]+/gu
/** So many cells have to be formed alike for another of their form to be one that is missing. */
const ALIKE = 0.6

/** A cell's form is its text with its number left out: where the cells are `Q1` to `Q3`, the question's `Q4` names one that is missing. */
function missingIn(text: string, column: Column, cells: readonly string[], selects: boolean): readonly Condition[] {
  const forms = cells.map(cell => cell.replace(NUMERAL, '#'))
  const counts = new Map<string, number>()
  for (const form of forms) counts.set(form, (counts.get(form) ?? 0) + 1)
  const [form, count] = [...counts].toSorted((a, b) => b[1] - a[1])[0] ?? ['', 0]
  const isForm = count >= Math.max(2, cells.length * ALIKE) && form.includes('#') && /\p{L}/u.test(form)
  const other = isForm ? ofForm(text, form) : undefined
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

/** A value that the question gives to the column by its name, which no cell has: `状态为退货`. */
function saidToBe(text: string, { name, numbers }: Column, cells: readonly string[]) {
  if (numbers) return undefined
  const bare = folded(name.replace(/[（(].*$/u, '')).replace(/[^\p{L}\p{N}\s]/gu, '.')
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

function folded(cell: string): string {
  return withQuarters(cell.normalize('NFKC').toLowerCase().trim())
}
