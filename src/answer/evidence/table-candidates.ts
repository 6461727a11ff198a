import { findReferencedNotes } from '../../ingest/parse/tables/notes.ts'
import type { Table, TableRow } from '../../ingest/parse/tables/table.ts'
import type { DocumentReader } from '../../ingest/store/document-reader.ts'
import { type Passage, toPassage } from '../../search/passages/passage.ts'
import type { Hit } from '../../search/searcher.ts'
import { doOverlap, type Span } from '../../text/sentences.ts'
import { isHeld, type Term, type Terms } from '../../text/terms.ts'
import type { Question } from '../question/question.ts'
import { createStatement, type Statement, spread } from '../statements.ts'
import { findRows, type RowQuery, toRowQuery } from '../tables/row-query.ts'
import { type Candidate, detectCandidateLanguage, rankIn } from './candidates.ts'
import { scorePeriodConflict } from './features.ts'

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

/** Replaces the rows among the candidates by those of the typed tables: the rows that the question's query returns, and those that were found. */
export async function withTypedRows(
  question: Question,
  hits: readonly Hit[],
  candidates: readonly Candidate[],
  options: TableOptions,
): Promise<readonly Candidate[]> {
  const found = candidates.filter(({ statement }) => statement.kind === 'row')
  const documents = new Set(found.map(({ statement }) => statement.passage.documentId))
  const typed = (
    await Promise.all([...documents].map(id => readTableCandidates(question, hits, id, options)))
  ).flat()
  const isTyped = ({ statement }: Candidate) =>
    statement.kind === 'row' && typed.some(({ passage }) => isWithin(statement, passage))
  const untyped = candidates.filter(candidate => !isTyped(candidate))
  return [...untyped, ...typed.flatMap(({ candidates }) => candidates)]
}

/** Table and its candidates for an answer. */
type TableCandidates = {
  readonly passage: Passage
  readonly candidates: readonly Candidate[]
}

function isWithin(
  { passage: { documentId, charStart }, span }: Statement,
  table: Passage,
): boolean {
  const own = { start: charStart + span.start, end: charStart + span.end }
  return (
    documentId === table.documentId &&
    doOverlap(own, { start: table.charStart, end: table.charEnd })
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
  return await Promise.all(
    found.map(table => listTableRows(question, table, { own, hits }, options)),
  )
}

function meets(span: Span): (hit: Hit) => boolean {
  return hit => doOverlap(span, { start: hit.charStart, end: hit.charEnd })
}

type Found = { readonly own: readonly Hit[]; readonly hits: readonly Hit[] }

async function listTableRows(
  question: Question,
  table: Table,
  { own, hits }: Found,
  { reader, terms }: TableOptions,
): Promise<TableCandidates> {
  const holding = own.filter(meets(table.span))
  const passage = await readTablePassage(table, holding[0]!, reader) // a hit of it was found
  const scope = [passage.title, passage.name].join('\n')
  const statements = new Map(table.rows.map(row => [row, toStatement(row, table, passage)]))
  const whole = toTableCandidate([...statements.values()])
  const isInReach = (row: TableRow) => getSpan(row).end <= passage.charEnd
  const query = toRowQuery(question, table, terms, scope)
  const given = query ? findRows(table, query, terms) : []
  const chosen = given.filter(isInReach).slice(0, MAX_CHOSEN)
  const isExcluding = query?.where.some(({ isExcluded }) => isExcluded) === true
  const selectedBy = query?.orderBy || isExcluding ? 'order' : 'words'
  /** Rows that an exclusion leaves out state the words of the question, and are no answer. */
  const isLeftOut = chosen.length > 0 && isExcluding
  const isFound = (row: TableRow) => holding.some(meets(getSpan(row)))
  const around = [...passage.headings, ...table.titles, ...table.columns.map(({ name }) => name)]
    .filter(Boolean)
    .join('\n')
  const rank = rankIn(hits, hit => holding.includes(hit))
  const shared = { terms, around, context: terms.of(around), scope: terms.of(scope), rank }
  const names = query ? findNames(query, table, question) : []
  const rows = table.rows
    .filter(row => isInReach(row) && (chosen.includes(row) || (isFound(row) && !isLeftOut)))
    .map(row =>
      toCandidate(statements.get(row)!, {
        ...shared,
        names: chosen.includes(row) ? names : [],
        selectedBy: chosen.includes(row) ? selectedBy : undefined,
      }),
    ) // rows of the table
  const isKnown = chosen.length > 0 && selectedBy === 'order'
  if (!whole || isKnown) return { passage, candidates: rows }
  const all = toCandidate(whole, { ...shared, names: [] })
  const isOther = isInOneRow(question, all, rows) || scorePeriodConflict(question, all) === 1
  return { passage, candidates: isOther ? rows : [...rows, all] }
}

/**
 * Whether one row says all of the question's words that only cells say, and no other rows are asked for. Of a list some rows are
 * asked for only where there are such words: by `overdue` some of the action items, by `items` all of them.
 */
function isInOneRow(question: Question, all: Candidate, rows: readonly Candidate[]): boolean {
  const { kind } = question
  const held = question.terms.filter(term => isHeld(term, all.own))
  const telling = held.filter(term => !isHeld(term, all.context) && !isHeld(term, all.scope))
  if (kind === 'list')
    return telling.length > 0 && rows.some(row => row.selectedBy && saysAll(row, telling))
  return rows.some(row => saysAll(row, telling.length > 0 ? telling : held))
}

function saysAll({ own }: Candidate, terms: readonly Term[]): boolean {
  return terms.every(term => isHeld(term, own))
}

/** All rows of a small table as one statement: a comparison is seen in it. */
function toTableCandidate(rows: readonly Statement[]): Statement | undefined {
  const first = rows[0]
  const last = rows.at(-1)
  if (!first || !last || rows.length < 2) return undefined
  const whole = spread(first, 'table', { start: first.span.start, end: last.span.end })
  const notes = rows.flatMap(row => row.notes ?? [])
  return whole.text.length > MAX_WHOLE ? undefined : { ...whole, notes }
}

type CandidateDeps = Pick<Candidate, 'around' | 'context' | 'scope' | 'rank' | 'selectedBy'> & {
  readonly terms: Terms
  /** Words that the statement answers without stating them. */
  readonly names: readonly string[]
}

function toCandidate(statement: Statement, { terms, names, ...known }: CandidateDeps): Candidate {
  const head = statement.passage.headings.at(-1) ?? ''
  return {
    ...known,
    statement,
    language: detectCandidateLanguage(known.around, statement),
    embedded: [head, statement.columns.join(' '), statement.kind === 'table' ? '' : statement.text]
      .filter(Boolean)
      .join('\n'),
    own: terms.of([...names, statement.text].join('\n')),
  }
}

/** The column names and the superlative that a row answers without stating them. */
function findNames(
  { columns, orderBy }: RowQuery,
  table: Table,
  { order }: Question,
): readonly string[] {
  const places = orderBy ? [...columns, orderBy.column] : columns
  const names = places.flatMap(place => table.columns[place]?.name ?? [])
  return orderBy && order ? [...names, order.text] : names
}

function toStatement(row: TableRow, { columns, notes }: Table, passage: Passage): Statement {
  const within = ({ start, end }: Span) => ({
    start: start - passage.charStart,
    end: end - passage.charStart,
  })
  const place = createStatement(passage, within(getSpan(row)), 0)
  const filled = row.cells.flatMap(({ text }, at) => (text === '' ? [] : [text, columns[at]!.name])) // as many
  const noted = findReferencedNotes(filled.join('\n'), notes).filter(
    ({ end }) => end <= passage.charEnd,
  )
  return {
    ...place,
    kind: 'row',
    columns: columns.map(({ name }) => name),
    notes: noted.map(within),
  }
}

/** The cells of a row stand in their order. */
function getSpan({ cells }: TableRow): Span {
  return { start: cells[0]?.span.start ?? 0, end: cells.at(-1)?.span.end ?? 0 }
}

/** The table with its notes as one passage, so that rows next to each other are one quotation. */
async function readTablePassage(
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
