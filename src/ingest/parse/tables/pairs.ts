import { getFirst } from '../../../system/items.ts'
import { ANY_YEAR } from '../../../text/dates.ts'
import { typeColumn } from './columns.ts'

type Cells = readonly string[]

/** Pairs per row, so that a wide table is not read as a form. */
const MAX_PAIRS = 3
/** Rows examined, so that a long table costs no more. */
const LOOKAHEAD = 20
/** Characters, so that a sentence is no label. */
const MAX_LABEL = 40
const SENTENCE = /[.!?。！？；;]\s|[。！？；]/u
const ANY_NOTATION = { notation: 'point', isCertain: true } as const
/** Digits with signs between them, as an IP address: text. */
const NUMBERED = /^[+(（]?\d[\d\s()（）+*/.–-]{4,}$/u
const ADDRESS = /^(?:[^\s@]+@[^\s@.]+\.[^\s@]+|https?:\/\/\S+|www\.\S+)$/u

/**
 * Counts pairs of label and value per row: two in `Director | Ada | Phone | 0131 496 0111`; 0 for
 * a table with columns. Requires distinct labels and several kinds of values per column.
 */
export function countPairsInRow(rows: readonly Cells[]): number {
  const width = rows[0]?.length ?? 0
  const pairs = width / 2
  if (rows.length < 2 || !Number.isInteger(pairs) || pairs < 1 || pairs > MAX_PAIRS) return 0
  const labels = rows.flatMap(row =>
    groupPairs(row.map(text => ({ text }))).map(([label]) => label?.text ?? ''),
  )
  if (new Set(labels).size < labels.length || !labels.every(isName)) return 0
  const first = rows.slice(0, LOOKAHEAD)
  if (
    (pairs === 1 || rows.length === 2) &&
    !getFirst(first).some((text, index) => index % 2 === 1 && isValue(text))
  )
    return 0
  const values = Array.from({ length: pairs }, (_, nth) =>
    first.map(row => classifyCell(row[nth * 2 + 1] ?? '')),
  )
  const hasValues = values.flat().some(isOfKind) && values.every(isMixed)
  return hasValues &&
    !labels.slice(0, LOOKAHEAD * pairs).some(label => isOfKind(classifyCell(label)))
    ? pairs
    : 0
}

/** Omits empty pairs and values that span further cells. */
export function groupPairs<Cell extends { readonly text: string }>(
  row: readonly Cell[],
): readonly (readonly Cell[])[] {
  const pairs = Array.from({ length: Math.ceil(row.length / 2) }, (_, nth) =>
    row.slice(nth * 2, nth * 2 + 2),
  )
  return pairs.filter((pair, nth) => {
    const value = row[nth * 2 - 1]?.text
    return pair.some(({ text }) => text.trim() !== '' && text !== value)
  })
}

type Kind = 'empty' | 'text' | 'numbered' | 'address' | 'number' | 'date' | 'time' | 'flag'

function classifyCell(cell: string): Kind {
  const text = cell.trim()
  if (text === '') return 'empty'
  if (ADDRESS.test(text)) return 'address'
  const { kind } = typeColumn('', [text], { notation: ANY_NOTATION }).column
  return kind === 'text' && NUMBERED.test(text) ? 'numbered' : kind
}

/** A year may head a column, too. */
function isValue(text: string): boolean {
  return !ANY_YEAR.test(text) && isOfKind(classifyCell(text))
}

function isOfKind(kind: Kind | undefined): boolean {
  return kind !== undefined && kind !== 'text' && kind !== 'empty'
}

function isMixed(kinds: readonly Kind[]): boolean {
  const filled = kinds.filter(kind => kind !== 'empty')
  const maxCount = Math.max(
    0,
    ...[...new Set(filled)]
      .filter(isOfKind)
      .map(kind => filled.filter(filledKind => filledKind === kind).length),
  )
  return maxCount * 2 <= filled.length
}

function isName(text: string): boolean {
  return text.length <= MAX_LABEL && /\p{L}/u.test(text) && !SENTENCE.test(text)
}
