import { findReferencedNotes } from '../../ingest/parse/tables/notes.ts'
import type { Table, TableRow } from '../../ingest/parse/tables/table.ts'
import type { DocumentReader } from '../../ingest/store/document-reader.ts'
import { type Passage, toPassage } from '../../search/passages/passage.ts'
import type { Hit } from '../../search/searcher.ts'
import { areOverlapping, type Span } from '../../text/sentences.ts'
import { isContained, type Term, type Terms } from '../../text/terms.ts'
import type { Question } from '../question/question.ts'
import { createStatement, type Statement, spread } from '../statements.ts'
import { findRows, type RowQuery, toRowQuery } from '../tables/row-query.ts'
import { type Candidate, detectCandidateLanguage, findRank } from './candidates.ts'
import { scorePeriodConflict } from './features.ts'

type TableOptions = {
  readonly reader: DocumentReader
  readonly terms: Terms
  readonly signal?: AbortSignal
}

/** Characters of a table that are read, so that answers stay cheap. */
const MAX_TABLE = 40_000
/** Characters of a table quoted completely, so that answers stay short. */
const MAX_WHOLE = 1_500
/** Selected rows, so that answers stay cheap. */
const MAX_CHOSEN = 60

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
    areOverlapping(own, { start: table.charStart, end: table.charEnd })
  )
}

async function readTableCandidates(
  question: Question,
  hits: readonly Hit[],
  documentId: string,
  options: TableOptions,
): Promise<readonly TableCandidates[]> {
  const own = hits.filter(hit => hit.documentId === documentId)
  const tables = await options.reader.readTables(documentId, options.signal)
  const found = tables.filter(({ span }) => own.some(createOverlapTest(span)))
  return await Promise.all(
    found.map(table => listTableRows(question, table, { own, hits }, options)),
  )
}

function createOverlapTest(span: Span): (hit: Hit) => boolean {
  return hit => areOverlapping(span, { start: hit.charStart, end: hit.charEnd })
}

type Found = { readonly own: readonly Hit[]; readonly hits: readonly Hit[] }

async function listTableRows(
  question: Question,
  table: Table,
  { own, hits }: Found,
  { reader, terms }: TableOptions,
): Promise<TableCandidates> {
  const holding = own.filter(createOverlapTest(table.span))
  const passage = await readTablePassage(table, holding[0]!, reader)
  const scope = [passage.title, passage.name].join('\n')
  const statements = new Map(table.rows.map(row => [row, toStatement(row, table, passage)]))
  const tableStatement = toTableCandidate([...statements.values()])
  const isInReach = (row: TableRow) => getSpan(row).end <= passage.charEnd
  const query = toRowQuery(question, table, terms, scope)
  const matchedRows = query ? findRows(table, query, terms) : []
  const chosen = matchedRows.filter(isInReach).slice(0, MAX_CHOSEN)
  const isExcluding = query?.where.some(({ isExcluded }) => isExcluded) === true
  const selectedBy = query?.orderBy || isExcluding ? 'order' : 'words'
  /** Excluded rows contain the question's words but answer nothing. */
  const isLeftOut = chosen.length > 0 && isExcluding
  const isFound = (row: TableRow) => holding.some(createOverlapTest(getSpan(row)))
  const around = [...passage.headings, ...table.titles, ...table.columns.map(({ name }) => name)]
    .filter(Boolean)
    .join('\n')
  const rank = findRank(hits, hit => holding.includes(hit))
  const shared = {
    terms,
    around,
    context: terms.extract(around),
    scope: terms.extract(scope),
    rank,
  }
  const names = query ? findNames(query, table, question) : []
  const rows = table.rows
    .filter(row => isInReach(row) && (chosen.includes(row) || (isFound(row) && !isLeftOut)))
    .map(row =>
      toCandidate(statements.get(row)!, {
        ...shared,
        names: chosen.includes(row) ? names : [],
        selectedBy: chosen.includes(row) ? selectedBy : undefined,
      }),
    )
  const isResolved = chosen.length > 0 && selectedBy === 'order'
  if (!tableStatement || isResolved) return { passage, candidates: rows }
  const all = toCandidate(tableStatement, { ...shared, names: [] })
  const isOther = isInOneRow(question, all, rows) || scorePeriodConflict(question, all) === 1
  return { passage, candidates: isOther ? rows : [...rows, all] }
}

function isInOneRow(question: Question, all: Candidate, rows: readonly Candidate[]): boolean {
  const { kind } = question
  const found = question.terms.filter(term => isContained(term, all.own))
  const distinctive = found.filter(
    term => !isContained(term, all.context) && !isContained(term, all.scope),
  )
  if (kind === 'list')
    return (
      distinctive.length > 0 && rows.some(row => row.selectedBy && hasAllTerms(row, distinctive))
    )
  return rows.some(row => hasAllTerms(row, distinctive.length > 0 ? distinctive : found))
}

function hasAllTerms({ own }: Candidate, terms: readonly Term[]): boolean {
  return terms.every(term => isContained(term, own))
}

/** Joins a small table's rows into one statement for comparisons. */
function toTableCandidate(rows: readonly Statement[]): Statement | undefined {
  const first = rows[0]
  const last = rows.at(-1)
  if (!first || !last || rows.length < 2) return undefined
  const tableStatement = spread(first, 'table', { start: first.span.start, end: last.span.end })
  const notes = rows.flatMap(row => row.notes ?? [])
  return tableStatement.text.length > MAX_WHOLE ? undefined : { ...tableStatement, notes }
}

type CandidateDeps = Pick<Candidate, 'around' | 'context' | 'scope' | 'rank' | 'selectedBy'> & {
  readonly terms: Terms
  /** Words answered without being stated. */
  readonly names: readonly string[]
}

function toCandidate(statement: Statement, { terms, names, ...shared }: CandidateDeps): Candidate {
  const head = statement.passage.headings.at(-1) ?? ''
  return {
    ...shared,
    statement,
    language: detectCandidateLanguage(shared.around, statement),
    embedded: [head, statement.columns.join(' '), statement.kind === 'table' ? '' : statement.text]
      .filter(Boolean)
      .join('\n'),
    own: terms.extract([...names, statement.text].join('\n')),
  }
}

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
  const toPassageSpan = ({ start, end }: Span) => ({
    start: start - passage.charStart,
    end: end - passage.charStart,
  })
  const place = createStatement(passage, toPassageSpan(getSpan(row)), 0)
  const filled = row.cells.flatMap(({ text }, index) =>
    text === '' ? [] : [text, columns[index]!.name],
  )
  const noted = findReferencedNotes(filled.join('\n'), notes).filter(
    ({ end }) => end <= passage.charEnd,
  )
  return {
    ...place,
    kind: 'row',
    columns: columns.map(({ name }) => name),
    notes: noted.map(toPassageSpan),
  }
}

function getSpan({ cells }: TableRow): Span {
  return { start: cells[0]?.span.start ?? 0, end: cells.at(-1)?.span.end ?? 0 }
}

/** Reads notes, too, so that adjacent rows are one quotation. */
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
