import { CELL_SEPARATOR } from '../../ingest/block.ts'
import { notedIn } from '../../ingest/parse/tables/notes.ts'
import type { Column, Table, TableRow } from '../../ingest/parse/tables/table.ts'
import type { DocumentReader } from '../../ingest/store/document-reader.ts'
import { type Passage, toPassage } from '../../search/passages/passage.ts'
import type { Hit } from '../../search/searcher.ts'
import { comparable } from '../../text/quantities.ts'
import { overlap, type Span } from '../../text/sentences.ts'
import { isHeld, type Term, type Terms } from '../../text/terms.ts'
import type { Question } from '../question/question.ts'
import { placed, type Statement, spread } from '../statements.ts'
import { findAmbiguousColumn, type LinkedQuery, tableQueryFor } from '../tables/link-question.ts'
import { runTableQuery, type ToldCondition } from '../tables/query.ts'
import { byTimes, turned } from '../tables/turned.ts'
import { type Candidate, isChosen, languageUnder, type RowSelection, rankIn } from './candidates.ts'
import { periodConflict } from './features.ts'

type TableOptions = {
  readonly reader: DocumentReader
  readonly terms: Terms
  readonly signal?: AbortSignal | undefined
}

/** Of a longer table, in characters, the rows that far are read. */
const MAX_TABLE = 40_000
/** A table of no more characters may be quoted whole. */
const MAX_WHOLE = 1_500
/** So many rows that a query gives are candidates. */
const MAX_CHOSEN = 60

/**
 * The candidates with the rows of tables taken from the typed tables: those that the question's query gives, wherever in the
 * table they stand, and those that were found. With them, the columns whose numbers the question needs and that do not decide it.
 */
export async function withTypedRows(
  question: Question,
  hits: readonly Hit[],
  candidates: readonly Candidate[],
  options: TableOptions,
): Promise<TypedCandidates> {
  const found = candidates.filter(({ statement }) => statement.kind === 'row')
  const documents = new Set(found.map(({ statement }) => statement.passage.documentId))
  const typed = (
    await Promise.all([...documents].map(id => readTableCandidates(question, hits, id, options)))
  ).flat()
  const isTyped = ({ statement }: Candidate) =>
    statement.kind === 'row' && typed.some(({ passage }) => isWithin(statement, passage))
  const untyped = candidates.filter(candidate => !isTyped(candidate))
  return {
    candidates: [...untyped, ...typed.flatMap(({ candidates }) => candidates)],
    doubts: typed.flatMap(({ doubt }) => doubt ?? []),
  }
}

/** A column whose numbers do not decide a question: their notation is unknown, or they are not on one scale. */
export type Doubt = {
  readonly documentId: string
  readonly column: string
  readonly reason: 'notation' | 'scale'
}

type TypedCandidates = {
  readonly candidates: readonly Candidate[]
  readonly doubts: readonly Doubt[]
}

/** Table and its candidates for an answer. */
type TableCandidates = {
  readonly passage: Passage
  readonly candidates: readonly Candidate[]
  readonly doubt?: Doubt | undefined
}

function isWithin(
  { passage: { documentId, charStart }, span }: Statement,
  table: Passage,
): boolean {
  const own = { start: charStart + span.start, end: charStart + span.end }
  return (
    documentId === table.documentId && overlap(own, { start: table.charStart, end: table.charEnd })
  )
}

async function readTableCandidates(
  question: Question,
  hits: readonly Hit[],
  documentId: string,
  options: TableOptions,
): Promise<readonly TableCandidates[]> {
  const own = hits.filter(hit => hit.documentId === documentId)
  const tables = await options.reader.tables(documentId, options.signal)
  const found = tables.filter(({ span }) => own.some(meets(span)))
  return await Promise.all(found.map(table => rowsOfTable(question, table, { own, hits }, options)))
}

function meets(span: Span): (hit: Hit) => boolean {
  return hit => overlap(span, { start: hit.charStart, end: hit.charEnd })
}

type Found = { readonly own: readonly Hit[]; readonly hits: readonly Hit[] }

async function rowsOfTable(
  question: Question,
  table: Table,
  { own, hits }: Found,
  { reader, terms }: TableOptions,
): Promise<TableCandidates> {
  const holding = own.filter(meets(table.span))
  const passage = await passageOf(table, holding[0]!, reader) // a hit of it was found
  const scope = [passage.title, passage.name].join('\n')
  const statements = new Map(table.rows.map(row => [row, statementOf(row, table, passage)]))
  const whole = wholeTable([...statements.values()])
  const isInReach = (row: TableRow) => spanOf(row).end <= passage.charEnd
  const answered = answerOf(question, table, terms, scope)
  const given = answered?.given ?? []
  const chosen = given.filter(isInReach).slice(0, MAX_CHOSEN)
  const told = chosen.map(row => statements.get(row)!) // rows of the table
  const selection = answered && { ...answered.shared, rows: told, left: given.length - told.length }
  /** The others say what those that are asked for do not. */
  const isDenying =
    chosen.length > 0 &&
    answered?.shared.query.where.some(one => one.holds === 'term' && one.isExcluded)
  const isFound = (row: TableRow) => holding.some(meets(spanOf(row)))
  const ambiguous = findAmbiguousColumn(question, table, terms, scope)
  const doubt = doubtOf(passage.documentId, ambiguous, answered)
  const isWholeOnly = ambiguous !== undefined || (chosen.length === 0 && doubt !== undefined)
  const around = [...passage.headings, ...table.titles, ...table.columns.map(({ name }) => name)]
    .filter(Boolean)
    .join('\n')
  const rank = rankIn(hits, hit => holding.includes(hit))
  const shared = { around, context: terms.of(around), scope: terms.of(scope), rank }
  const rows = table.rows
    .filter(
      row =>
        isInReach(row) && (chosen.includes(row) || (isFound(row) && !isDenying && !isWholeOnly)),
    )
    .map(row =>
      candidateOf(statements.get(row)!, {
        shared,
        terms,
        selection: chosen.includes(row) ? selection : undefined,
      }),
    ) // rows of the table
  if (!whole || (chosen.length > 0 && isChosen(selection)))
    return { passage, doubt, candidates: rows } // which rows of it are meant is known
  const isNone = answered && isNoneSure(question, answered.asked, answered.shared.query, terms)
  const none = isNone ? { ...answered.shared, rows: [whole], left: 0 } : undefined
  const all = candidateOf(whole, { shared, terms, selection: none })
  const isOther = isInOneRow(question, all, rows) || periodConflict(question, all) === 1
  return { passage, doubt, candidates: isNone || !isOther ? [...rows, all] : rows }
}

function doubtOf(
  documentId: string,
  ambiguous: Column | undefined,
  answered: ReturnType<typeof answerOf>,
): Doubt | undefined {
  if (ambiguous) return { documentId, column: ambiguous.name, reason: 'notation' }
  if (!answered?.shared.isUndecided) return undefined
  const { query, columns } = answered.shared
  const column = columns[query.orderBy?.column ?? query.aggregate?.column ?? -1]
  return { documentId, column: column ?? '', reason: 'scale' }
}

/** What a table has of a question's query: the rows that it gives, and what they share. A data sheet is asked by its columns. */
function answerOf(question: Question, table: Table, terms: Terms, scope: string) {
  const sheet = turned(table) ?? (question.asked.type === 'date' ? byTimes(table) : undefined)
  const asked = sheet ?? table
  const query = tableQueryFor(question, asked, terms, scope)
  if (!query) return undefined
  const { rows, ...worked } = runTableQuery(asked, query, terms)
  const shared = { ...worked, query, columns: asked.columns.map(({ name }) => name) }
  if (!sheet) return { asked, given: rows, shared }
  const things = rows.map(({ cells }) => cells[0]!.text) // each begins with its name
  return {
    asked,
    given: things.length > 0 ? rowsTelling(query, table) : [],
    shared: { ...shared, things },
  }
}

/**
 * Whether a count of no rows is an answer: every word of the question is found, what is counted is there but for the conditions, and these are
 * all that the question sets, each on a column that is surely meant.
 */
function isNoneSure(question: Question, table: Table, query: LinkedQuery, terms: Terms): boolean {
  const set = query.where.flatMap(one => (one.holds === 'term' || one.holds === 'any' ? [] : [one]))
  const said = query.where.filter(({ holds }) => holds === 'term' || holds === 'any')
  if (query.aggregate?.of !== 'count' || query.missing.length > 0 || table.isCut) return false
  if (
    set.length === 0 ||
    set.length < conditionsOf(question) ||
    !set.every(one => isSurelyOn(one, query, table))
  )
    return false
  const rowsWhere = (where: readonly ToldCondition[]) =>
    runTableQuery(table, { ...query, where }, terms).rows
  return rowsWhere(query.where).length === 0 && rowsWhere(said).length > 0
}

function conditionsOf({
  conditions,
  dates,
  dateBounds,
  compared,
  lacking,
  isNegative,
}: Question): number {
  const others = [dates.length > 0, compared !== undefined, lacking !== undefined || isNegative]
  return conditions.length + dateBounds.length + others.filter(Boolean).length
}

/** Every cell of the column was read, and it is the only one of the unit or the kind, or named. */
function isSurelyOn(
  one: Exclude<ToldCondition, { holds: 'term' | 'any' }>,
  { columns: asked }: LinkedQuery,
  { columns, rows }: Table,
): boolean {
  const { column, holds } = one
  if (!rows.every(({ cells, isSummary }) => isSummary || cells[column]?.value)) return false
  if (holds === 'flag' || holds === 'column') return true // these are named
  const unit = holds === 'number' ? one.quantity.unit : undefined
  const alike = columns.flatMap((other, at) => {
    const isAlike = unit
      ? other.kind === 'number' && comparable(other.unit, unit)
      : other.kind === holds
    return isAlike ? [at] : []
  })
  return (
    alike.includes(column) &&
    (asked.includes(column) || (alike.length === 1 && (unit !== undefined || holds === 'date')))
  )
}

/**
 * Whether one row says all of the question's words that only cells say, and no other rows are asked for. Of a list some rows are
 * asked for only where there are such words: by `overdue` some of the action items, by `items` all of them.
 */
function isInOneRow(question: Question, all: Candidate, rows: readonly Candidate[]): boolean {
  const { kind, order, compared } = question
  if (order || compared) return false
  const held = question.terms.filter(term => isHeld(term, all.own))
  const telling = held.filter(term => !isHeld(term, all.context) && !isHeld(term, all.scope))
  if (kind === 'list')
    return telling.length > 0 && rows.some(row => row.selection && saysAll(row, telling))
  return rows.some(row => saysAll(row, telling.length > 0 ? telling : held))
}

function saysAll({ own }: Candidate, terms: readonly Term[]): boolean {
  return terms.every(term => isHeld(term, own))
}

/** All rows of a small table as one statement: a comparison is seen in it. */
function wholeTable(rows: readonly Statement[]): Statement | undefined {
  const [first, last] = [rows[0], rows.at(-1)]
  if (!first || !last || rows.length < 2) return undefined
  const whole = spread(first, 'table', { start: first.span.start, end: last.span.end })
  const notes = rows.flatMap(row => row.notes ?? [])
  return whole.text.length > MAX_WHOLE ? undefined : { ...whole, notes }
}

type Shared = Pick<Candidate, 'around' | 'context' | 'scope' | 'rank'>

function candidateOf(
  statement: Statement,
  {
    shared,
    terms,
    selection,
  }: { shared: Shared; terms: Terms; selection?: RowSelection | undefined },
): Candidate {
  const head = statement.passage.headings.at(-1) ?? ''
  const own = terms.of(
    [...namedBy(selection), ...namedBeside(selection), statement.text].join('\n'),
  )
  const cells = statement.kind === 'row' ? statement.text.split(CELL_SEPARATOR) : []
  const numbered = cells.flatMap((text, at) =>
    terms.numberedCell(text, statement.columns[at] ?? ''),
  )
  return {
    ...shared,
    statement,
    language: languageUnder(shared.around, statement),
    embedded: [head, statement.columns.join(' '), statement.kind === 'table' ? '' : statement.text]
      .filter(Boolean)
      .join('\n'),
    own: new Set([...own, ...numbered]),
    ...(selection && { selection }),
  }
}

/** The columns that a query asks for, orders by, works something out of or sets a bound on: a row says what it holds in them. */
function namedPlaces({ columns, orderBy, aggregate, where }: LinkedQuery): readonly number[] {
  const bounds = where.map(condition => (condition.holds === 'term' ? undefined : condition.column))
  return [...columns, orderBy?.column, aggregate?.column, ...bounds].filter(at => at !== undefined)
}

/** Of a data sheet, whose rows are the columns of the query, those that it names; all where its things alone are asked for. */
function rowsTelling(query: LinkedQuery, { rows }: Table): readonly TableRow[] {
  const places = new Set(namedPlaces(query).map(at => at - 1)) // the first column has the names of the things
  places.delete(-1)
  return places.size === 0 && query.missing.length === 0
    ? rows
    : rows.filter((_, at) => places.has(at))
}

/** The names that a row answers by without saying them. */
function namedBy(selection: RowSelection | undefined): readonly string[] {
  if (!selection) return []
  return selection.things ?? namedPlaces(selection.query).flatMap(at => selection.columns[at] ?? [])
}

/** Of "the 107 and the 110" each of two rows answers a half, and is given for both; of Saturday what stands under `Sat`. */
function namedBeside(selection: RowSelection | undefined): readonly string[] {
  const isBeside = (one: ToldCondition) =>
    one.holds === 'any' || (one.holds === 'nothing' && one.isExcluded)
  return selection?.query.where.filter(isBeside).map(({ text }) => text) ?? []
}

function statementOf(row: TableRow, { columns, notes }: Table, passage: Passage): Statement {
  const within = ({ start, end }: Span) => ({
    start: start - passage.charStart,
    end: end - passage.charStart,
  })
  const place = placed(passage, within(spanOf(row)), 0)
  const filled = row.cells.flatMap(({ text }, at) => (text === '' ? [] : [text, columns[at]!.name])) // as many
  const noted = notedIn(filled.join('\n'), notes).filter(({ end }) => end <= passage.charEnd)
  return {
    ...place,
    kind: 'row',
    columns: columns.map(({ name }) => name),
    notes: noted.map(within),
  }
}

/** The cells of a row stand in their order. */
function spanOf({ cells }: TableRow): Span {
  return { start: cells[0]?.span.start ?? 0, end: cells.at(-1)?.span.end ?? 0 }
}

/** The table with its notes as one passage, so that rows next to each other are one quotation. */
async function passageOf(
  { span, notes, headings, page }: Table,
  hit: Hit,
  reader: DocumentReader,
): Promise<Passage> {
  const { documentId, source, name, title } = hit
  const end = Math.max(span.end, ...notes.map(note => note.span.end))
  const text = await reader.read(documentId, span.start, Math.min(end, span.start + MAX_TABLE))
  const place = { charStart: span.start, charEnd: span.start + text.length, text }
  const pages = page === undefined ? {} : { pages: [page, page] as const }
  const excerpt = { documentId, source, name, title, headings, context: '', ...place, ...pages }
  return toPassage([excerpt], 1)
}
