import type { Column, Table } from '../../ingest/parse/tables/table.ts'
import { type DateParts, datesIn } from '../../text/dates.ts'
import { comparable } from '../../text/quantities.ts'
import { isHeld, type Term, type Terms } from '../../text/terms.ts'
import type { Dimension } from '../../text/units.ts'
import { ALL_MEASURES } from '../question/measures.ts'
import type { NumberBound } from '../question/numeric-bounds.ts'
import type { Order, Question, QuestionTerm } from '../question/question.ts'
import { type AnyCondition, anyConditions } from './any-of.ts'
import type { TableQuery, ToldCondition } from './query.ts'
import { TableTerms } from './table-terms.ts'

/**
 * A query, and the words of the question that are read as an order, a bound or a comparison: a row that the query gives answers these
 * without saying them. Those that are `missing` stand nowhere in the table.
 */
export type LinkedQuery = Omit<TableQuery, 'where'> & {
  readonly where: readonly ToldCondition[]
  readonly formal: readonly QuestionTerm[]
  readonly missing: readonly QuestionTerm[]
}

/**
 * What a question asks of a table: its words as conditions where cells say them and as columns where their names do, its numbers
 * and dates as bounds, its superlative as an order. None where a name or number that the question gives, or all that it says, stands nowhere in the
 * table, its headings or `scope`, what its document is called.
 */
export function tableQueryFor(
  question: Question,
  table: Table,
  terms: Terms,
  scope = '',
): LinkedQuery | undefined {
  if (table.rows.length === 0 || table.columns.length < 2) return undefined
  const { any, formal, order, ...linking } = link(question, table, terms, scope)
  const { index, links, denied } = linking
  const missing = links.filter(link => !isThere(link, index)).map(({ term }) => term)
  const isElsewhere = missing.some(term => term.isName || isNumberAlone(term, question, terms))
  if (isElsewhere || links.length + any.length + denied.length === missing.length) return undefined
  const asked = askedColumns(linking)
  if (needsNumbers(question) && findAmbiguous(linking, asked)) return undefined
  const dates = dateConditions(linking)
  const orderBy = order && orderOf(order, table, asked)
  if (!dates || (order && !orderBy)) return undefined
  const isSaid = ({ comparator, text }: NumberBound) =>
    comparator === 'equal' &&
    terms.contentOf(text).every(({ word }) => any.some(({ words }) => words.includes(word)))
  const bounds = question.conditions.filter(one => !isSaid(one))
  const numbers = bounds.flatMap(one => numberCondition(one, linking, asked) ?? [])
  if (
    bounds.some(
      ({ comparator, text }) => comparator !== 'equal' && !numbers.some(one => one.text === text),
    )
  )
    return undefined
  const none = noneConditions(linking)
  const isTold = tellingColumns(linking).length > 0 // "how many agree to the lift" asks for a number, whatever was agreed
  const flags = isTold
    ? []
    : flagConditions(linking, question.isNegative && none.length + denied.length === 0)
  const said = [...any, ...dayConditions(linking), ...termConditions(linking), ...excluded(linking)]
  const where = [...said, ...dates, ...numbers, ...columnConditions(linking), ...none, ...flags]
  const query = { where, columns: asked, formal, missing }
  if (order && orderBy) return { ...query, orderBy, take: order.take }
  return withAggregate(query, linking)
}

/** Returns the column whose numbers it needs though they may be read in two ways: no row of the table alone is an answer then. */
export function findAmbiguousColumn(
  question: Question,
  table: Table,
  terms: Terms,
  scope = '',
): Column | undefined {
  if (!needsNumbers(question) || !table.columns.some(({ isAmbiguous }) => isAmbiguous))
    return undefined
  const linking = link(question, table, terms, scope)
  return findAmbiguous(linking, askedColumns(linking))
}

function link(question: Question, table: Table, terms: Terms, scope: string) {
  const index = new TableTerms(table, terms, scope)
  const any = anyConditions(question, table, index)
  const denied = deniedTerms(question, index)
  const { links, formal, order } = linked(question, table, { index, terms, any, denied })
  return { question, table, index, terms, links, denied, any, formal, order }
}

/** It puts rows in order, compares them with an amount or another column, or asks for their sum or average. */
function needsNumbers({ order, aggregate, compared, conditions }: Question): boolean {
  const isWorkedOut = aggregate !== undefined && aggregate.of !== 'count'
  return order !== undefined || isWorkedOut || compared !== undefined || conditions.length > 0
}

/** It holds numbers, whether it is known or not how they are read. */
function isNumeric({ kind, isAmbiguous }: Column): boolean {
  return kind === 'number' || isAmbiguous === true
}

/** Returns a column that it asks for, or names, whose numbers may be read in two ways. */
function findAmbiguous(
  { links, table: { columns } }: Linking,
  asked: readonly number[],
): Column | undefined {
  const named = [...asked, ...links.flatMap(({ named }) => named)]
  return named.map(at => columns[at]).find(column => column?.isAmbiguous)
}

/**
 * The question's words with where the table says them, but for those that are read as an order, a bound or a comparison: of
 * these a column's name may be one (`minimum stock`), and `20 ft` in it is no bound. Where no column is of dates, neither is a date one.
 */
function linked(question: Question, { columns }: Table, { index, terms, any, denied }: Given) {
  const {
    terms: all,
    order,
    compared,
    aggregate,
    lacking,
    conditions,
    dates,
    dateBounds,
  } = question
  const ownOrder =
    order && index.namedBy(terms.contentOf(order.text)).length > 0 ? undefined : order
  const numbers = conditions.filter(({ comparator }) => comparator !== 'equal')
  const ofDates = columns.some(({ kind }) => kind === 'date') ? [...dates, ...dateBounds] : []
  const bounds = [...numbers, ...ofDates].map(({ text }) => text)
  const isLacking = denied.length > 0 || index.namedBy(lackingTerms(question)).length > 0
  const words = terms.of(
    [ownOrder?.text, compared?.text, aggregate?.text, isLacking && lacking?.text]
      .filter(Boolean)
      .join('\n'),
  )
  const bounded = terms.of(bounds.join('\n'))
  const told = all.filter(({ role }) => role !== 'excluded')
  const every = told.map(term => {
    const word = told.filter(other => other.word === term.word) // 防水板材: of 板材, 水泥板 says a half
    const [called, cells] = [
      index.namedBy([term]),
      isHeld(term, bounded) ? [] : index.columnsOf(word),
    ]
    const ofCalendar = index.ofCalendar(
      dates.find(({ text }) => isHeld(term, terms.of(text)))?.text ?? term.written,
    )
    const named = [...new Set([...called, ...ofCalendar])]
    const measured = named.length + cells.length === 0 ? index.measuredAs(term.written) : []
    return {
      term,
      named: [...named, ...measured],
      cells,
      ofCalendar,
      isMeasured: measured.length > 0,
    }
  })
  const whole = every.filter(({ cells }) => cells.length > 0).flatMap(({ term }) => partsOf(term))
  const isOneOf = ({ term }: Link) =>
    any.some(({ words }) => words.includes(term.word)) || whole.some(part => part === term.written)
  const isDenied = ({ term }: Link) =>
    denied.length > 0 && lacking?.text.includes(term.written) === true
  const isFormal = (link: Link) =>
    isDenied(link) ||
    (!isThere(link, index) && (isHeld(link.term, words) || isHeld(link.term, bounded)))
  const others = every.filter(link => !isOneOf(link))
  const formal = others.filter(link => isFormal(link) || link.isMeasured).map(({ term }) => term)
  return { links: others.filter(link => !isFormal(link)), formal, order: ownOrder }
}

/** The 12 of "week 12", which names one thing of several, and is no amount and no part of a date. */
function isNumberAlone(
  term: QuestionTerm,
  { conditions, dates, dateBounds, order }: Question,
  terms: Terms,
): boolean {
  const read = [...conditions, ...dates, ...dateBounds, ...(order ? [order] : [])].map(
    ({ text }) => text,
  )
  return /^\d+$/u.test(term.text) && !isHeld(term, terms.of(read.join('\n')))
}

/** What a row says whole need not be said by its parts: `Aster` of `Aster 400`. */
function partsOf({ written }: QuestionTerm): readonly string[] {
  const parts = written.split(/ |(?<=\d)(?=\p{Script=Han})/u)
  return parts.length > 1 ? parts : []
}

function isThere({ term, named, cells }: Link, { around }: TableTerms): boolean {
  return named.length + cells.length > 0 || isHeld(term, around)
}

/** A question and a table, and where the table says the words of the question. */
type Linking = {
  readonly question: Question
  readonly table: Table
  readonly index: TableTerms
  readonly terms: Terms
  readonly links: readonly Link[]
  /** What cells say, and the rows that are asked for do not. */
  readonly denied: readonly QuestionTerm[]
}

type Given = Pick<Linking, 'index' | 'terms' | 'denied'> & { readonly any: readonly AnyCondition[] }

type Link = {
  readonly term: QuestionTerm
  readonly named: readonly number[]
  readonly cells: readonly number[]
  /** Of those that it names, the ones of the same day of the week or month. */
  readonly ofCalendar: readonly number[]
}

/** The only column of a day or a month that the question names: what it asks stands there. */
function dayConditions({ question: { state }, links, index }: Linking): readonly ToldCondition[] {
  const days = links.filter(({ ofCalendar }) => ofCalendar.length > 0)
  const [column, another] = new Set(days.flatMap(({ ofCalendar }) => ofCalendar))
  if (column === undefined || another !== undefined) return []
  const text = [...new Set(days.map(({ term }) => term.written))].join('')
  const isSaid = state && index.columnsOf([state]).includes(column)
  const said = isSaid
    ? [{ holds: 'term' as const, columns: [column], term: state, text: state.text }]
    : []
  return [{ holds: 'nothing', column, isExcluded: true, text }, ...said]
}

/**
 * A term that only cells say, where the question names a day there; of two terms that the same columns say, as in `from A to B`, the first
 * is that of the first column.
 */
function termConditions({
  question,
  table: { columns },
  links,
}: Linking): readonly ToldCondition[] {
  const days = links.flatMap(({ ofCalendar }) => ofCalendar)
  const values = links.filter(({ named, cells }) => cells.length > 0 && named.length === 0)
  const shared = values.filter(
    ({ cells }) => cells.length === 2 && cells.every(at => columns[at]?.kind === 'text'),
  )
  const isAffirmed =
    question.kind === 'list' && !question.isNegative ? { isAffirmed: true as const } : {}
  const words = [...new Set(shared.map(({ term }) => term.word))]
  const isPair = words.length === 2 && new Set(shared.map(({ cells }) => cells.join())).size === 1
  return values.map(link => {
    const nth = isPair && shared.includes(link) ? words.indexOf(link.term.word) : -1
    const { cells, term } = link
    const ofDays = cells.filter(at => days.includes(at))
    const places = nth >= 0 ? [cells[nth]!] : ofDays.length > 0 ? ofDays : cells // two columns, two words
    return { holds: 'term', columns: places, term, text: term.written, ...isAffirmed }
  })
}

/** Of what the question says that there is none of: its column is nought, or says nothing. */
function noneConditions({ question, table, index, denied }: Linking): readonly ToldCondition[] {
  const named = index.namedBy(lackingTerms(question))
  if (denied.length > 0 || named.length === 0) return []
  const { text = '' } = question.lacking ?? {}
  if (table.columns.some(({ name }) => name.toLowerCase().includes(text.toLowerCase()))) return [] // `Weight without battery`
  const column = named.find(at => table.columns[at]?.kind === 'number')
  if (column !== undefined)
    return [{ holds: 'number', column, comparator: 'equal', quantity: { value: 0 }, text }]
  const [other] = named.filter(at => table.columns[at]?.kind === 'text')
  return other === undefined ? [] : [{ holds: 'nothing', column: other, text }]
}

/** "That do not contain garlic": of what no column is called, where cells say it. */
function deniedTerms(question: Question, index: TableTerms): readonly QuestionTerm[] {
  const lacked = lackingTerms(question)
  if (index.namedBy(lacked).length > 0 || index.columnsOf(lacked).length === 0) return []
  const { text: denial = '' } = question.lacking ?? {}
  return question.terms.filter(
    term => denial.includes(term.written) && lacked.some(({ text }) => text === term.text),
  )
}

/** Whether something lacks it is no condition on rows. */
function lackingTerms({ lacking, kind }: Question): readonly Term[] {
  return lacking && kind !== 'yes-no' ? lacking.terms : []
}

/** A column of yes and no that the question names by half of its words or more, unless it asks whether something is so. */
function flagConditions(
  { question, table, terms }: Linking,
  isNegative: boolean,
): readonly ToldCondition[] {
  if (question.kind === 'yes-no') return []
  return table.columns.flatMap(({ kind, name }, column): readonly ToldCondition[] => {
    if (kind !== 'flag') return []
    const words = terms.contentOf(name)
    const said = words.filter(({ text }) => question.terms.some(term => term.text === text))
    const isNamed = said.length > 0 && said.length >= words.length / 2
    return isNamed ? [{ holds: 'flag', column, value: !isNegative, text: '' }] : []
  })
}

function excluded({ question, table, denied }: Linking): readonly ToldCondition[] {
  const columns = [...table.columns.keys()]
  const terms = [...question.terms.filter(({ role }) => role === 'excluded'), ...denied]
  return terms.map(term => ({ holds: 'term', columns, term, isExcluded: true, text: term.written }))
}

/** The columns that most of the question's words name, of those that say what is counted, if any do; else those of the kind that is asked for. */
function askedColumns(linking: Linking): readonly number[] {
  const { question, table, links } = linking
  const { asked } = question
  const { columns } = table
  const telling = tellingColumns(linking)
  const possible = telling.length > 0 ? telling : [...columns.keys()]
  const most = Math.max(0, ...possible.map(at => timesNamed(at, links)))
  if (most > 0 || telling.length > 0) return possible.filter(at => timesNamed(at, links) === most)
  const ofKind = possible.filter(at => isOfKind(asked, columns[at]!)) // a place in the list
  const called = ofKind.filter(at => isCalled(asked, columns[at]!.name))
  return called.length > 0 ? called : ofKind
}

/** Of numbers that are called by what is counted. */
function tellingColumns({ question: { asked }, table, index }: Linking): readonly number[] {
  const counted = asked.type === 'number' ? index.namedBy(asked.counted) : []
  return counted.filter(at => isNumeric(table.columns[at]!) && !namesRows(table, at)) // a place in the list
}

/** By what is asked for: `Length` where it is how long, beside `Range` and `Charging time`. */
function isCalled(asked: Question['asked'], name: string): boolean {
  return (
    asked.type === 'number' &&
    ALL_MEASURES.some(
      ({ dimension, pattern }) => asked.dimensions.includes(dimension) && pattern.test(name),
    )
  )
}

function timesNamed(column: number, links: readonly Link[]): number {
  return links.filter(({ named }) => named.includes(column)).length
}

/**
 * The two columns of numbers that are compared: as they are named, but the one that more words name is what is compared with. So is the only
 * one that is named ("below the reorder level"), where one other can be compared with it and no row is named.
 */
function columnConditions({
  question: { compared, aggregate },
  table,
  links,
}: Linking): readonly ToldCondition[] {
  if (!compared) return []
  const { columns } = table
  const numbers = [...columns.keys()].filter(
    at => columns[at]?.kind === 'number' && !namesRows(table, at),
  )
  const named = numbers.flatMap(at => {
    const places = links.flatMap(({ named }, place) => (named.includes(at) ? [place] : []))
    return places.length > 0 ? [{ at, words: places.length, first: places[0]! }] : []
  })
  const [one, two, more] = named.toSorted((a, b) => a.words - b.words || a.first - b.first)
  if (!one || more) return []
  if (two) return [{ holds: 'column', ...compared, column: one.at, other: two.at }]
  const others = numbers.filter(
    at => at !== one.at && comparable(columns[at]?.unit, columns[one.at]?.unit),
  )
  const [other, another] = others
  const isOfRow = links.some(({ named, cells }) => named.length === 0 && cells.length > 0)
  if (aggregate || isOfRow || other === undefined || another !== undefined) return []
  return [{ holds: 'column', ...compared, column: other, other: one.at }]
}

/** What is counted one by one is of the same kind only where it is counted by the same word: 几种 asks for no column of 张. */
function isOfKind(asked: Question['asked'], { kind, measure, unit }: Column): boolean {
  if (asked.type === 'date' || asked.type === 'time') return kind === asked.type
  if (asked.type !== 'number' || kind !== 'number') return false
  if (measure === 'count' && asked.unit && unit && unit.id !== asked.unit.id) return false
  return measure !== undefined && asked.dimensions.includes(measure)
}

/**
 * On the column of dates that the question names, else the first. Of a date that the table tells by its columns' names or by what stands
 * around it, nothing; undefined where it is of another.
 */
function dateConditions({
  question,
  table,
  links,
  index,
}: Linking): readonly ToldCondition[] | undefined {
  const { dates, dateBounds } = question
  const { columns } = table
  const named = columns.flatMap(({ name }) => datesIn(name))
  const isNamed = (date: DateParts) =>
    named.some(
      ({ year, month, quarter }) =>
        year === date.year && (month ?? quarter) === (date.month ?? date.quarter),
    )
  const anyOf = dates.filter(date => !isNamed(date))
  const places = columns.flatMap(({ kind }, at) => (kind === 'date' ? [at] : []))
  const [column] = places.toSorted((a, b) => timesNamed(b, links) - timesNamed(a, links))
  if (column === undefined) {
    const isOfOthers = named.some(({ year }) => year !== undefined)
    return isOfOthers && anyOf.some(({ year }) => !index.around.has(String(year))) ? undefined : []
  }
  const bounds = dateBounds.map(({ date, ...bound }) => ({ ...bound, anyOf: [date] }))
  const text = anyOf.map(date => date.text).join(' / ')
  const all = anyOf.length > 0 ? [{ comparator: 'equal' as const, anyOf, text }, ...bounds] : bounds
  return all.map(one => ({ holds: 'date', column, ...one }))
}

/** On the column of its unit, of several on the one that is asked for or named most; a number that a name or a cell says is none. */
function numberCondition(
  { comparator, quantity, text }: NumberBound,
  { table: { columns }, links }: Linking,
  asked: readonly number[],
): ToldCondition | undefined {
  const numbers = columns.flatMap((column, at) => (isNumeric(column) ? [{ column, at }] : []))
  const alike = numbers.filter(
    ({ column }) => quantity.unit && column.unit && comparable(column.unit, quantity.unit),
  )
  const possible = alike.length > 0 ? alike : quantity.unit && comparator === 'equal' ? [] : numbers
  const times = ({ at }: { at: number }) => timesNamed(at, links)
  const [first, second] = possible.toSorted((a, b) => times(b) - times(a))
  const isClear = first && (!second || times(first) > times(second))
  const chosen = possible.find(({ at }) => asked.includes(at)) ?? (isClear ? first : undefined)
  if (!chosen || chosen.column.isAmbiguous) return undefined
  return { holds: 'number', column: chosen.at, comparator, quantity, text }
}

/** By the column that the superlative is of, else by one that the question names, else by the only one that has an order. */
function orderOf(order: Order, table: Table, asked: readonly number[]): TableQuery['orderBy'] {
  const { columns } = table
  const hasOrder = ({ kind, isAmbiguous }: Column) =>
    isAmbiguous || (kind !== 'text' && kind !== 'flag')
  const possible = columns.flatMap((column, at) =>
    hasOrder(column) && !namesRows(table, at) ? [at] : [],
  )
  const measured = possible.filter(at => measures(columns[at]!, order.dimension)) // a place in the list
  const near = order.dimension ? measured : possible
  const column =
    near.find(at => asked.includes(at)) ??
    (near.length === 1 || order.dimension ? near[0] : undefined)
  if (column === undefined || columns[column]?.isAmbiguous) return undefined
  return { column, direction: order.direction, rank: order.rank }
}

function measures({ kind, measure }: Column, dimension: Dimension | undefined): boolean {
  return measure === dimension || (dimension === 'time' && (kind === 'date' || kind === 'time'))
}

/**
 * Rows are counted, unless a column of numbers tells how many; a sum or an average is of one column: of those that no condition is on,
 * the one that the question names as what it asks. What a row is called is no number, nor is one worked out that a row tells.
 */
function withAggregate(
  query: LinkedQuery,
  { question, table, links, terms }: Linking,
): LinkedQuery {
  const { aggregate, asked } = question
  if (!aggregate) return query
  const { columns } = table
  const words = terms.of(aggregate.text)
  if (query.where.some(one => one.holds === 'term' && isHeld(one.term, words))) return query
  const bound = query.where.map(one =>
    one.holds === 'term' ? one.columns.length === 1 && one.columns[0] : one.column,
  )
  const ofAsked = links.filter(({ term }) => term.role === 'asked')
  const all = [...columns.keys()].filter(at => isNumeric(columns[at]!) && !namesRows(table, at)) // a place in the list
  const own = all.filter(
    at =>
      query.columns.includes(at) && (aggregate.of !== 'count' || tellsHowMany(asked, columns[at]!)),
  )
  const numbers =
    own.length > 0 || aggregate.of === 'count'
      ? own
      : all.filter(at => isOfKind(asked, columns[at]!)) // a place in the list
  const [column] = numbers
    .filter(at => !bound.includes(at))
    .toSorted((a, b) => timesNamed(b, ofAsked) - timesNamed(a, ofAsked))
  const isCounted =
    asked.type === 'number' && asked.dimensions.every(dimension => dimension === 'count')
  if (column !== undefined)
    return aggregate.of === 'count' ? query : { ...query, aggregate: { of: aggregate.of, column } }
  if (aggregate.of === 'average' || !isCounted) return query
  const classifiers = links.flatMap(({ term }) => (isClassifier(term, question) ? [term] : []))
  const missing = query.missing.filter(term => !classifiers.includes(term))
  const formal = missing.length === 0 ? [...query.formal, ...classifiers] : query.formal // else 种 may be of 颜色, which it does not have
  return { ...query, formal, missing, aggregate: { of: 'count' } }
}

/** A column of minutes tells how many minutes, not how many rows there are. */
function tellsHowMany(asked: Question['asked'], { measure }: Column): boolean {
  return measure === undefined || (asked.type === 'number' && asked.dimensions.includes(measure))
}

/** 款 of 几款: what is counted is told by another word. */
function isClassifier({ word }: Term, { asked }: Question): boolean {
  return (
    asked.type === 'number' &&
    asked.dimensions.includes('count') &&
    asked.counted.some(term => term.word === word)
  )
}

/** Numbers that measure nothing, each another, in the first column: those of orders, of kilns. */
function namesRows({ columns, rows }: Table, at: number): boolean {
  const { kind, unit } = columns[at]! // the caller's
  const texts = new Set(rows.map(({ cells }) => cells[at]?.text))
  return at === 0 && kind === 'number' && unit === undefined && texts.size === rows.length
}
