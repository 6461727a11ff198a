import { countPairsInRow } from './pairs.ts'

type Header = {
  readonly rows: 0 | 1 | 2
  readonly names: readonly string[]
  /** Labels with values per row; 1 for an ordinary table. */
  readonly pairs: number
}

type Cells = readonly string[]

const LABELLED = /[:：]\s*$/u
/** `Start a new game.`, not `No.` */
const STATEMENT = /^(?:\S+\s+){3,}.*[.!]$|\p{Script=Han}{4}.*[。！；]$/su
/** `12`, `€ 4.50`, `1,200 kg`; a year or a month may head a column, as in `2023年收入`. */
const AMOUNT =
  /^(?!(?:(?:19|20)\d\d(?:\s?年\D{0,12}|[AEF])?|\d{1,2}\s?月份?)$)[-+]?[€$£¥]?\s?\d(?:[\d.,]|['’ \u00a0\u2009\u202f](?=\d{3}(?!\d)))*\s?[^\s\d]{0,4}$/u
/** Followed by neither a currency nor a percentage. */
const NAME_WITH_NUMBER = /^\d[\d.]*[^\s\d.,%％€$£¥元]{1,4}$/u
/** Share of amounts, so that one note does not change a column. */
const MIN_SHARE = 0.8
/** Rows examined, so that a long table costs no more. */
const LOOKAHEAD = 200

/**
 * Returns the first row, unless it looks like the others, or two rows if the first has names over
 * several columns (`2023 | 2023` over `H1 | H2`).
 */
export function findTableHeader(rows: readonly Cells[]): Header {
  const [first = [], second, ...others] = rows.slice(0, LOOKAHEAD)
  const pairs = countPairsInRow(rows.slice(0, LOOKAHEAD))
  if (pairs > 0) return { rows: 0, names: ['', ''], pairs }
  if (second && others.length > 0 && isSecondLevel(first, second))
    return { rows: 2, names: joinNames(first, second), pairs: 1 }
  const isData = isRowLike(first, second ? [second, ...others] : [])
  return isData
    ? { rows: 0, names: first.map(() => ''), pairs: 1 }
    : { rows: 1, names: first.map(cell => cell.trim()), pairs: 1 }
}

type Parts = {
  readonly header: Cells
  readonly above: readonly Cells[]
  readonly below: readonly Cells[]
}

/**
 * Classifies the first row: a header has a name in each amount column, or words of the header
 * above. Undefined if undecided.
 */
export function classifyFirstRow({ header, above, below }: Parts): 'row' | 'header' | undefined {
  const [first = [], ...rest] = below.slice(0, LOOKAHEAD)
  const others = [...above.slice(0, LOOKAHEAD), ...rest]
  if (isRowLike(first, others)) return 'row'
  const columns = findAmountColumns(others, first.length)
  const isName = (index: number) =>
    /\p{L}/u.test(first[index] ?? '') || (first[index] !== '' && first[index] === header[index])
  return columns.length > 0 && columns.every(isName) ? 'header' : undefined
}

export function hasSameKinds(above: readonly Cells[], below: readonly Cells[]): boolean {
  return (above[0] ?? []).every((_, index) => {
    const parts = [above, below].map(rows =>
      rows.slice(0, LOOKAHEAD).flatMap(row => row[index]?.trim() || []),
    )
    const isDifferent =
      parts.some(isOfAmounts) &&
      parts.some(cells => cells.length > 1 && !cells.some(cell => /\d/u.test(cell)))
    return !isDifferent
  })
}

function isRowLike(first: Cells, others: readonly Cells[]): boolean {
  const saysSomething =
    LABELLED.test(first[0] ?? '') || first.some(cell => cell.length <= 400 && STATEMENT.test(cell))
  return saysSomething || hasAmounts(first, others)
}

function findAmountColumns(rows: readonly Cells[], width: number): readonly number[] {
  return Array.from({ length: width }, (_, index) => index).filter(index =>
    isOfAmounts(rows.map(row => row[index] ?? '')),
  )
}

function hasAmounts(first: Cells, others: readonly Cells[]): boolean {
  const columns = findAmountColumns(others, first.length)
  const isCount =
    columns.length > 1 && columns.every((index, nth) => first[index]?.trim() === String(nth + 1))
  const isAmount = (index: number) =>
    isAmountHeading(
      first[index] ?? '',
      others.map(row => row[index] ?? ''),
    )
  return columns.length > 0 && !isCount && columns.every(isAmount)
}

function isAmountHeading(cell: string, below: Cells): boolean {
  if (!isAmount(cell)) return false
  return !NAME_WITH_NUMBER.test(cell.trim()) || below.some(other => /[^\d\s.,+-]/u.test(other))
}

function isOfAmounts(cells: Cells): boolean {
  const filled = cells.filter(cell => cell.trim() !== '')
  return filled.length > 1 && filled.filter(isAmount).length >= filled.length * MIN_SHARE
}

function isAmount(cell: string): boolean {
  return cell.length <= 40 && AMOUNT.test(cell.trim())
}

function isSecondLevel(first: Cells, second: Cells): boolean {
  if (second.length !== first.length || second.some(isAmount)) return false
  const isSpread = first.some(
    (cell, index) => index > 1 && (cell.trim() === first[index - 1]?.trim() || cell.trim() === ''),
  )
  const isUnder =
    ['', first[0]?.trim()].includes(second[0]?.trim() ?? '') || first[0]?.trim() === ''
  const isDistinct = first.every((cell, index) => {
    const under = second[index]?.trim() ?? ''
    return under !== '' && (index === 0 || under !== cell.trim() || first.indexOf(cell) === index)
  })
  return isSpread && isUnder && isDistinct
}

function joinNames(first: Cells, second: Cells): Cells {
  let over = ''
  return first.map((cell, index) => {
    over = cell.trim() || over
    const under = second[index]?.trim() ?? ''
    return under === over || under === '' ? over : `${over} ${under}`.trim()
  })
}
