import type { Column, Table } from '../../ingest/tables/table.ts'
import { datesIn } from '../../text/dates.ts'
import { comparable } from '../../text/quantities.ts'
import { isHeld, type Term, type Terms } from '../../text/terms.ts'
import type { Dimension } from '../../text/units.ts'
import type { Condition, Order, Question, QuestionTerm } from '../question/question.ts'
import type { RowCondition, TableQuery } from './run-query.ts'

/**
 * A query, what of the question nothing in the table, its headings or its document says, and its words that are read as an order, a
 * bound or a comparison: a row that the query gives answers these without saying them.
 */
export type LinkedQuery = TableQuery & {
  readonly missing: readonly QuestionTerm[]
  readonly formal: readonly QuestionTerm[]
}

/** What a table is searched by: the terms of its columns' names, of its cells, and of what stands around it. */
class TableTerms {
  readonly names: readonly ReadonlySet<string>[]
  readonly around: ReadonlySet<string>
  readonly #cells: readonly (readonly ReadonlySet<string>[])[]

  constructor({ columns, rows, caption = '', headings }: Table, terms: Terms, scope: string) {
    this.names = columns.map(({ name }) => terms.of(name))
    this.around = terms.of([scope, ...headings, caption].join('\n'))
    this.#cells = rows.map(({ cells }) => cells.map(({ text }) => terms.of(text)))
  }

  /** The columns whose names say it. */
  namedBy(term: Term): readonly number[] {
    return this.names.flatMap((name, at) => (isHeld(term, name) ? [at] : []))
  }

  /** One of the columns' names says all of them. */
  hasName(all: readonly Term[]): boolean {
    return all.length > 0 && this.names.some(name => all.every(term => isHeld(term, name)))
  }

  /** The columns with a cell that says it. */
  columnsOf(term: Term): readonly number[] {
    return this.names.flatMap((_, at) => (this.#cells.some(row => row[at] && isHeld(term, row[at])) ? [at] : []))
  }
}

/**
 * What a question asks of a table: its words as conditions where cells say them and as columns where their names do, its numbers
 * and dates as bounds, its superlative as an order. None where a name that the question gives stands nowhere in the table,
 * its headings or `scope`, what its document is called; other words of that kind are told as missing.
 */
export function tableQueriesFor(question: Question, table: Table, terms: Terms, scope = ''): readonly LinkedQuery[] {
  if (table.rows.length === 0 || table.columns.length < 2) return []
  const index = new TableTerms(table, terms, scope)
  const { links, formal, order, compared } = linked(question, index, terms)
  const missing = links.filter(link => !isThere(link, index)).map(({ term }) => term)
  if (missing.some(({ isName }) => isName) || links.length === missing.length) return []
  const asked = askedColumns(question, table, links)
  const dates = dateConditions(question, table, index)
  const orderBy = order && orderOf(order, table, asked)
  const pair = compared && pairOf(table, links)
  if (!dates || (order && !orderBy)) return []
  const numbers = question.conditions.flatMap(one => numberCondition(one, table, asked) ?? [])
  const columns: readonly RowCondition[] =
    pair && compared ? [{ holds: 'column', comparator: compared.comparator, ...pair }] : []
  const flags = flagConditions(question, table, terms)
  const where = [
    ...termConditions(links, table),
    ...excluded(question, table),
    ...dates,
    ...numbers,
    ...columns,
    ...flags,
  ]
  const query = { where, columns: asked, missing, formal }
  if (order && orderBy) return [{ ...query, orderBy, take: order.take }]
  return [withAggregate(query, question, table, links)]
}

/**
 * The question's words with where the table says them, but for those that are read as an order, a bound or a comparison: of
 * these a column's name may be one (`minimum stock`), and `20 ft` in it is no bound.
 */
function linked({ terms: all, order, compared, conditions }: Question, index: TableTerms, terms: Terms) {
  const ownOrder = order && index.hasName(terms.contentOf(order.text)) ? undefined : order
  const bounds = conditions.filter(({ comparator }) => comparator !== 'equal').map(({ text }) => text)
  const words = terms.of([ownOrder?.text, compared?.text].join('\n'))
  const bounded = terms.of(bounds.join('\n'))
  const every = all
    .filter(({ role }) => role !== 'excluded')
    .map(term => ({ term, named: index.namedBy(term), cells: isHeld(term, bounded) ? [] : index.columnsOf(term) }))
  const isFormal = (link: Link) => !isThere(link, index) && (isHeld(link.term, words) || isHeld(link.term, bounded))
  const formal = every.filter(isFormal).map(({ term }) => term)
  return { links: every.filter(link => !isFormal(link)), formal, order: ownOrder, compared }
}

function isThere({ term, named, cells }: Link, { around }: TableTerms): boolean {
  return named.length + cells.length > 0 || isHeld(term, around)
}

type Link = { readonly term: QuestionTerm; readonly named: readonly number[]; readonly cells: readonly number[] }

/** A term that only cells say; of two terms that the same columns say, as in `from A to B`, the first is that of the first column. */
function termConditions(links: readonly Link[], { columns }: Table): readonly RowCondition[] {
  const values = links.filter(({ named, cells }) => cells.length > 0 && named.length === 0)
  const shared = values.filter(({ cells }) => cells.length === 2 && cells.every(at => columns[at]?.kind === 'text'))
  const words = [...new Set(shared.map(({ term }) => term.word))]
  const isPair = words.length === 2 && new Set(shared.map(({ cells }) => cells.join())).size === 1
  return values.map(link => {
    const nth = isPair && shared.includes(link) ? words.indexOf(link.term.word) : -1
    return { holds: 'term', columns: nth < 0 ? link.cells : [link.cells[nth]!], term: link.term } // two columns, two words
  })
}

/** A column of yes and no that the question names by half of its words or more, unless it asks whether something is so. */
function flagConditions(question: Question, { columns }: Table, terms: Terms): readonly RowCondition[] {
  if (question.kind === 'yes-no') return []
  return columns.flatMap(({ kind, name }, column): readonly RowCondition[] => {
    if (kind !== 'flag') return []
    const words = terms.contentOf(name)
    const said = words.filter(({ text }) => question.terms.some(term => term.text === text))
    const isNamed = said.length > 0 && said.length >= words.length / 2
    return isNamed ? [{ holds: 'flag', column, value: !question.isNegative }] : []
  })
}

function excluded({ terms }: Question, { columns }: Table): readonly RowCondition[] {
  const all = columns.map((_, at) => at)
  return terms
    .filter(({ role }) => role === 'excluded')
    .map(term => ({ holds: 'term', columns: all, term, isExcluded: true }))
}

/** The columns that most of the question's words name; else those of the kind that is asked for. */
function askedColumns(question: Question, { columns }: Table, links: readonly Link[]): readonly number[] {
  const weight = columns.map((_, at) => links.filter(({ named }) => named.includes(at)).length)
  const most = Math.max(0, ...weight)
  if (most > 0) return columns.flatMap((_, at) => (weight[at] === most ? [at] : []))
  return columns.flatMap((column, at) => (isOfKind(question.asked, column) ? [at] : []))
}

/** The two columns of numbers that are compared: as they are named, but the one that more words name is what is compared with. */
function pairOf(
  { columns }: Table,
  links: readonly Link[],
): { readonly column: number; readonly other: number } | undefined {
  const named = columns.flatMap(({ kind }, at) => {
    const places = links.flatMap(({ named }, place) => (kind === 'number' && named.includes(at) ? [place] : []))
    return places.length > 0 ? [{ at, words: places.length, first: places[0]! }] : []
  })
  const [one, two, more] = named.toSorted((a, b) => a.words - b.words || a.first - b.first)
  return one && two && !more ? { column: one.at, other: two.at } : undefined
}

function isOfKind(asked: Question['asked'], { kind, measure }: Column): boolean {
  if (asked.type === 'date' || asked.type === 'time') return kind === asked.type
  if (asked.type !== 'number' || kind !== 'number') return false
  return measure !== undefined && asked.dimensions.includes(measure)
}

/** Of a date that the table tells by its columns' names or by what stands around it, nothing; undefined where it is of another. */
function dateConditions(
  { dates }: Question,
  { columns }: Table,
  { around }: TableTerms,
): readonly RowCondition[] | undefined {
  const named = columns.flatMap(({ name }) => datesIn(name))
  const column = columns.findIndex(({ kind }) => kind === 'date')
  const conditions: RowCondition[] = []
  for (const { span: _, ...date } of dates) {
    if (
      named.some(
        ({ year, month, quarter }) => year === date.year && (month ?? quarter) === (date.month ?? date.quarter),
      )
    )
      continue
    if (column >= 0) conditions.push({ holds: 'date', column, date })
    else if (named.some(({ year }) => year !== undefined) && !around.has(String(date.year))) return undefined
  }
  return conditions
}

/** On the column of its unit, of those that are named if there are several; a number that a name or a cell says is none. */
function numberCondition(
  { comparator, quantity }: Condition,
  { columns }: Table,
  asked: readonly number[],
): RowCondition | undefined {
  const numbers = columns.flatMap((column, at) => (column.kind === 'number' ? [{ column, at }] : []))
  const alike = numbers.filter(({ column }) => quantity.unit && column.unit && comparable(column.unit, quantity.unit))
  const possible = alike.length > 0 ? alike : quantity.unit && comparator === 'equal' ? [] : numbers
  const chosen = possible.find(({ at }) => asked.includes(at)) ?? (possible.length === 1 ? possible[0] : undefined)
  return chosen && { holds: 'number', column: chosen.at, comparator, quantity }
}

/** By the column that the superlative is of, else by one that the question names, else by the only one that has an order. */
function orderOf(order: Order, { columns }: Table, asked: readonly number[]): TableQuery['orderBy'] {
  const possible = columns.flatMap((column, at) => (column.kind !== 'text' && column.kind !== 'flag' ? [at] : []))
  const measured = possible.filter(at => order.dimension && measures(columns[at]!, order.dimension)) // a place in the list
  const near = order.dimension ? measured : possible
  const column = near.find(at => asked.includes(at)) ?? (near.length === 1 || order.dimension ? near[0] : undefined)
  return column === undefined ? undefined : { column, direction: order.direction, rank: order.rank }
}

function measures({ kind, measure }: Column, dimension: Dimension): boolean {
  return measure === dimension || (dimension === 'time' && (kind === 'date' || kind === 'time'))
}

/**
 * Rows are counted, unless a column of numbers tells how many; a sum or an average is of one column: of those that no condition is on,
 * the one that the question names as what it asks.
 */
function withAggregate(
  query: LinkedQuery,
  { aggregate, asked }: Question,
  { columns }: Table,
  links: readonly Link[],
): LinkedQuery {
  const bound = query.where.map(one => (one.holds === 'term' ? one.columns.length === 1 && one.columns[0] : one.column))
  const named = (at: number) => links.filter(link => link.term.role === 'asked' && link.named.includes(at)).length
  const all = [...columns.keys()].filter(at => columns[at]?.kind === 'number')
  const own = all.filter(at => query.columns.includes(at))
  const numbers = own.length > 0 || aggregate === 'count' ? own : all.filter(at => isOfKind(asked, columns[at]!)) // a place in the list
  const [column] = numbers.filter(at => !bound.includes(at)).toSorted((a, b) => named(b) - named(a))
  const isCounted = asked.type === 'number' && asked.dimensions.every(dimension => dimension === 'count')
  if (column === undefined && (aggregate === 'count' || (aggregate === 'sum' && isCounted)))
    return { ...query, aggregate: { of: 'count' } }
  if ((aggregate === 'sum' || aggregate === 'average') && column !== undefined)
    return { ...query, aggregate: { of: aggregate, column } }
  return query
}
