/** What heads a table: how many of its rows, and the names they give its columns. */
type Header = { readonly rows: 0 | 1 | 2; readonly names: readonly string[] }

type Cells = readonly string[]

const LABELLED = /[:：]\s*$/u
/** `Start a new game.`, not `No.` */
const STATEMENT = /^(?:\S+\s+){3,}.*[.!]$|\p{Script=Han}{4}.*[。！；]$/su
/** `12`, `€ 4.50`, `1,200 kg`; a year or a month may head a column, as in `2023年收入`. */
const AMOUNT =
  /^(?!(?:(?:19|20)\d\d(?:\s?年\D{0,12}|[AEF])?|\d{1,2}\s?月份?)$)[-+]?[€$£¥]?\s?\d[\d.,]*\s?[^\s\d]{0,4}$/u
/** A number with what is no currency and no percentage right behind it. */
const NAME_WITH_NUMBER = /^\d[\d.]*[^\s\d.,%％€$£¥元]{1,4}$/u
/** A column with so many of its cells amounts is one of amounts. */
const MOST = 0.8
/** By so many rows it is told what the first one is. */
const LOOKAHEAD = 200

/**
 * The first row, unless it is a row like the others: has a sentence in it (a list of terms), begins as `Name:` (a form), or has
 * an amount in every column of amounts. Two rows where the first has names over several columns: `2023 | 2023` over `H1 | H2`.
 */
export function headerOf(rows: readonly Cells[]): Header {
  const [first = [], second, ...others] = rows.slice(0, LOOKAHEAD)
  if (second && others.length > 0 && isSecondLevel(first, second)) return { rows: 2, names: joinedNames(first, second) }
  const saysSomething = LABELLED.test(first[0] ?? '') || first.some(cell => cell.length <= 400 && STATEMENT.test(cell))
  const isData = saysSomething || hasAmounts(first, second ? [second, ...others] : [])
  return isData ? { rows: 0, names: first.map(() => '') } : { rows: 1, names: first.map(cell => cell.trim()) }
}

function hasAmounts(first: Cells, others: readonly Cells[]): boolean {
  const columns = first.map((_, at) => at).filter(at => isOfAmounts(others.map(row => row[at] ?? '')))
  const isCount = columns.length > 1 && columns.every((at, nth) => first[at]?.trim() === String(nth + 1))
  const isAmount = (at: number) =>
    isAmountOf(
      first[at] ?? '',
      others.map(row => row[at] ?? ''),
    )
  return columns.length > 0 && !isCount && columns.every(isAmount)
}

/** `20ft` over bare numbers is their name. */
function isAmountOf(cell: string, below: Cells): boolean {
  if (!isAmount(cell)) return false
  return !NAME_WITH_NUMBER.test(cell.trim()) || below.some(other => /[^\d\s.,+-]/u.test(other))
}

function isOfAmounts(cells: Cells): boolean {
  const filled = cells.filter(cell => cell.trim() !== '')
  return filled.length > 1 && filled.filter(isAmount).length >= filled.length * MOST
}

function isAmount(cell: string): boolean {
  return cell.length <= 40 && AMOUNT.test(cell.trim())
}

function isSecondLevel(first: Cells, second: Cells): boolean {
  if (second.length !== first.length || second.some(isAmount)) return false
  const isSpread = first.some((cell, at) => at > 1 && (cell.trim() === first[at - 1]?.trim() || cell.trim() === ''))
  const isUnder = ['', first[0]?.trim()].includes(second[0]?.trim() ?? '') || first[0]?.trim() === ''
  const isTold = first.every((cell, at) => {
    const under = second[at]?.trim() ?? ''
    return under !== '' && (at === 0 || under !== cell.trim() || first.indexOf(cell) === at)
  })
  return isSpread && isUnder && isTold
}

/** Each after that of the cell over it. */
function joinedNames(first: Cells, second: Cells): Cells {
  let over = ''
  return first.map((cell, at) => {
    over = cell.trim() || over
    const under = second[at]?.trim() ?? ''
    return under === over || under === '' ? over : `${over} ${under}`.trim()
  })
}
