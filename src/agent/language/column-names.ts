const LABELLED = /[:：]\s*$/
/** `Start a new game.`, not `No.` */
const STATEMENT = /^(?:\S+\s+){3,}.*[.!]$|\p{Script=Han}{4}.*[。！；]$/su
/** `12`, `€ 4.50`, `1,200 kg`; a year or a month may head a column, as in `2023年收入`. */
const AMOUNT =
  /^(?!(?:(?:19|20)\d\d(?:\s?年\D{0,12}|[AEF])?|\d{1,2}\s?月份?)$)[-+]?[€$£¥]?\s?\d[\d.,]*\s?[^\s\d]{0,4}$/u
/** A number with what is no currency and no percentage right behind it. */
const NAME_WITH_NUMBER = /^\d[\d.]*[^\s\d.,%％€$£¥元]{1,4}$/u
/** A column with so many of its cells amounts is one of amounts. */
const MOST = 0.8

/**
 * The names of a table's columns: its first row, unless that is a row like the others. It is where it has a sentence in it (a
 * list of terms), begins as `Name:` (a form), or has an amount in every column of amounts, but for `1 | 2 | 3`.
 */
export function columnNames(first: readonly string[], others: readonly (readonly string[])[]): readonly string[] {
  const saysSomething = LABELLED.test(first[0] ?? '') || first.some(cell => STATEMENT.test(cell.trim()))
  return saysSomething || hasAmounts(first, others) ? [] : first
}

function hasAmounts(first: readonly string[], others: readonly (readonly string[])[]): boolean {
  const columns = first.map((_, at) => at).filter(at => isOfAmounts(others.map(row => row[at] ?? '')))
  const isCount = columns.length > 1 && columns.every((at, nth) => first[at]?.trim() === String(nth + 1))
  return (
    columns.length > 0 &&
    !isCount &&
    columns.every(at =>
      isAmountOf(
        first[at] ?? '',
        others.map(row => row[at] ?? ''),
      ),
    )
  )
}

/** `20ft` over bare numbers is their name. */
function isAmountOf(cell: string, cells: readonly string[]): boolean {
  if (!AMOUNT.test(cell.trim())) return false
  return !NAME_WITH_NUMBER.test(cell.trim()) || cells.some(other => /[^\d\s.,+-]/u.test(other))
}

function isOfAmounts(cells: readonly string[]): boolean {
  const filled = cells.map(cell => cell.trim()).filter(Boolean)
  return filled.length > 1 && filled.filter(cell => AMOUNT.test(cell)).length >= filled.length * MOST
}

/** The rows that head a table: two where the first is of cells over several columns, as `2023 | 2023` over `H1 | H2`. */
export function headerRows(first: readonly string[], second: readonly string[] | undefined): 1 | 2 {
  if (!second || second.length !== first.length || second.some(cell => AMOUNT.test(cell.trim()))) return 1
  const isSpread = first.some((cell, at) => at > 1 && (cell.trim() === first[at - 1]?.trim() || cell.trim() === ''))
  const isUnder = ['', first[0]?.trim()].includes(second[0]?.trim() ?? '') || first[0]?.trim() === ''
  const isTold = first.every((cell, at) => {
    const under = second[at]?.trim() ?? ''
    return under !== '' && (at === 0 || under !== cell.trim() || first.indexOf(cell) === at)
  })
  return isSpread && isUnder && isTold ? 2 : 1
}

/** Names of columns in two levels, each after that of the cell over it. */
export function joinedNames(first: readonly string[], second: readonly string[]): readonly string[] {
  let over = ''
  return first.map((cell, at) => {
    over = cell.trim() || over
    const under = second[at]?.trim() ?? ''
    return under === over || under === '' ? over : `${over} ${under}`.trim()
  })
}
