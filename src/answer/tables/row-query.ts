import type { CellValue, Column, Table, TableRow } from '../../ingest/parse/tables/table.ts'
import { getDayRange } from '../../text/dates.ts'
import { areComparable, toBaseAmount } from '../../text/quantities.ts'
import { isContained, type Term, type Terms } from '../../text/terms.ts'
import type { Unit } from '../../text/units.ts'
import type { Order, Question, QuestionTerm } from '../question/question.ts'

/** Term that a column must (or must not) state. */
type TermCondition = {
  readonly columns: readonly number[]
  readonly term: Term
  readonly isExcluded: boolean
}

/** Columns are indexes. */
export type RowQuery = {
  /** All must hold. */
  readonly where: readonly TermCondition[]
  readonly orderBy?: { readonly column: number; readonly direction: Order['direction'] }
  readonly columns: readonly number[]
}

type Link = {
  readonly term: QuestionTerm
  readonly named: readonly number[]
  readonly cells: readonly number[]
}

type Linking = {
  readonly question: Question
  readonly table: Table
  readonly links: readonly Link[]
}

/**
 * Takes words in cells for conditions, in column names for columns, superlatives for orders.
 * Returns undefined if a name, or every word, is nowhere in table, headings or `scope`.
 */
export function toRowQuery(
  question: Question,
  table: Table,
  terms: Terms,
  scope = '',
): RowQuery | undefined {
  if (table.rows.length === 0 || table.columns.length < 2) return undefined
  const index = new TableTerms(table, terms, scope)
  const { order } = question
  const isColumnName = order && index.findNamed(terms.listContent(order.text)).length > 0
  const ownOrder = isColumnName ? undefined : order
  const orderTerms = terms.extract(ownOrder?.text ?? '')
  const all = question.terms
    .filter(({ role }) => role !== 'excluded')
    .map(term => linkTerm(term, question, index))
  const isFormal = (link: Link) => !isThere(link, index) && isContained(link.term, orderTerms)
  const links = all.filter(link => !isFormal(link))
  const missing = links.filter(link => !isThere(link, index))
  if (missing.some(({ term }) => term.isName) || links.length === missing.length) return undefined
  const linking = { question, table, links }
  const columns = findRequestedColumns(linking)
  const where = [...toConditions(links), ...toExclusions(question, table)]
  if (!ownOrder) return { where, columns }
  const column = findOrderedColumn(ownOrder, table, columns)
  if (column === undefined) return undefined
  return { where, columns, orderBy: { column, direction: ownOrder.direction } }
}

/** Shares columns among the characters of a word: 板材 of 防水板材. */
function linkTerm(term: QuestionTerm, { terms }: Question, index: TableTerms): Link {
  const word = terms.filter(other => other.role !== 'excluded' && other.word === term.word)
  return { term, named: index.findNamed([term]), cells: index.findStating(word) }
}

function isThere({ term, named, cells }: Link, { around }: TableTerms): boolean {
  return named.length + cells.length > 0 || isContained(term, around)
}

function toConditions(links: readonly Link[]): readonly TermCondition[] {
  return links
    .filter(({ named, cells }) => cells.length > 0 && named.length === 0)
    .map(({ term, cells }) => ({ columns: cells, term, isExcluded: false }))
}

function toExclusions({ terms }: Question, { columns }: Table): readonly TermCondition[] {
  return terms
    .filter(({ role }) => role === 'excluded')
    .map(term => ({ columns: [...columns.keys()], term, isExcluded: true }))
}

function findRequestedColumns({
  question: { requestedValue },
  table: { columns },
  links,
}: Linking) {
  const places = [...columns.keys()]
  const findNamedTimes = (place: number) =>
    links.filter(({ named }) => named.includes(place)).length
  const maxTimes = Math.max(0, ...places.map(findNamedTimes))
  if (maxTimes > 0) return places.filter(place => findNamedTimes(place) === maxTimes)
  if (requestedValue.type !== 'number') return []
  return columns.flatMap(({ kind, measure }, place) =>
    kind === 'number' && measure !== undefined && requestedValue.dimensions.includes(measure)
      ? [place]
      : [],
  )
}

function findOrderedColumn(
  { dimension }: Order,
  { columns }: Table,
  requestedColumns: readonly number[],
): number | undefined {
  if (requestedColumns.some(place => columns[place]?.isAmbiguous)) return undefined
  const isOrdered = ({ kind, measure, isAmbiguous }: Column) => {
    if (isAmbiguous || kind === 'text' || kind === 'flag') return false
    const isTime = dimension === 'time' && (kind === 'date' || kind === 'time')
    return dimension === undefined || measure === dimension || isTime
  }
  const possible = columns.flatMap((column, place) => (isOrdered(column) ? [place] : []))
  const isOnly = possible.length === 1 || dimension !== undefined
  return (
    possible.find(place => requestedColumns.includes(place)) ?? (isOnly ? possible[0] : undefined)
  )
}

/** Leaves out totals. */
export function findRows(table: Table, query: RowQuery, terms: Terms): readonly TableRow[] {
  const rows = table.rows.filter(
    row => !row.isSummary && query.where.every(condition => isMet(condition, row, terms)),
  )
  return query.orderBy ? findExtremes(rows, query.orderBy, table) : rows
}

function isMet({ columns, term, isExcluded }: TermCondition, { cells }: TableRow, terms: Terms) {
  const isStated = columns.some(column =>
    isContained(term, terms.extract(cells[column]?.text ?? '')),
  )
  return isStated !== isExcluded
}

function findExtremes(
  rows: readonly TableRow[],
  { column, direction }: NonNullable<RowQuery['orderBy']>,
  table: Table,
): readonly TableRow[] {
  const valued = rows.flatMap(row => {
    const value = row.cells[column]?.value
    return value ? [{ row, value }] : []
  })
  if (!areOnOneScale(valued.map(({ value }) => value))) return []
  const unit = table.columns[column]?.unit
  const ranked = valued.map(({ row, value }) => ({ row, rank: toRank(value, unit) }))
  const ranks = ranked.map(({ rank }) => rank)
  const extreme = direction === 'most' ? Math.max(...ranks) : Math.min(...ranks)
  return ranked.filter(({ rank }) => rank === extreme).map(({ row }) => row)
}

/** Returns true for plain numbers of one measure or currency. */
function areOnOneScale(values: readonly CellValue[]): boolean {
  const [first] = values
  return values.every(value => {
    if (value.kind !== 'number' || first?.kind !== 'number') return true
    const isExact = value.upTo === undefined && !value.isInexact
    const isOfDimension = value.unit?.dimension === first.unit?.dimension
    return isExact && isOfDimension && areComparable(value.unit, first.unit)
  })
}

function toRank(value: CellValue, columnUnit: Unit | undefined): number {
  if (value.kind === 'flag') return Number(value.value)
  if (value.kind === 'time') return value.minutes
  if (value.kind === 'date') return getDayRange(value.date).first
  const unit = value.unit ?? columnUnit
  return toBaseAmount({ value: value.value, ...(unit && { unit }) })
}

class TableTerms {
  readonly around: ReadonlySet<string>
  readonly #names: readonly ReadonlySet<string>[]
  readonly #cells: readonly (readonly ReadonlySet<string>[])[]

  constructor({ columns, rows, titles, headings }: Table, terms: Terms, scope: string) {
    this.around = terms.extract([scope, ...headings, ...titles].join('\n'))
    this.#names = columns.map(({ name }) => terms.extract(name))
    this.#cells = rows.map(({ cells }) => cells.map(({ text }) => terms.extract(text)))
  }

  findNamed(all: readonly Term[]): readonly number[] {
    if (all.length === 0) return []
    return this.#names.flatMap((name, place) =>
      all.every(term => isContained(term, name)) ? [place] : [],
    )
  }

  findStating(all: readonly Term[]): readonly number[] {
    const isStated = (place: number) =>
      this.#cells.some(row => all.every(term => row[place] && isContained(term, row[place])))
    return all.length === 0 ? [] : [...this.#names.keys()].filter(isStated)
  }
}
