import type { DocumentReader } from '../../../ingest/catalog/document.ts'
import { mergeHits } from '../../../search/passages/context.ts'
import type { Hit } from '../../../search/searcher.ts'
import { isHeld, type Terms } from '../../language/terms.ts'
import type { Unit } from '../../language/units.ts'
import type { Evidence } from '../evidence.ts'
import type { QuotedParts } from '../selection.ts'
import { type Counted, countedRows } from './counted-rows.ts'
import { extremeRows, unreadRows } from './extremes.ts'
import { narrowed } from './narrowed-rows.ts'
import { quotedRows } from './quoted-rows.ts'
import { MAX_RECORD_ROWS, type RecordRows, recordRows } from './record-rows.ts'
import { type RowQuestion, rowQuestion, rowsMeeting } from './row-conditions.ts'
import { isRowOf, type Row, type Table, tablesIn } from './table.ts'
import { askedPoints, rowWords, type TableWords, wordsOf } from './table-words.ts'

/** What a question asks of one table that was found, and the rows that meet it. */
type Asked = RowQuestion & {
  readonly table: Table
  readonly rows: readonly Row[]
  /** Rows that do not say what is compared in a way that can be read. */
  readonly unread: number
  /** Share of the question that neither its conditions nor the table speak of. */
  readonly unsaid: number
  /** The same where the title of its document says nothing. */
  readonly unsaidByItself: number
}

/** A table that says so little of what is asked is about something else; from the second on, its rows have to be near in meaning. */
const MAX_UNSAID = 0.5
const DOUBTFUL_UNSAID = 0.34
const MIN_LIFT = 0.08

/** What a question asks of the rows of the tables that were found. */
export type AskedRows = {
  /** Whether a unit may answer: a row only where it meets what the question asks of the rows of its table. */
  readonly allows: (unit: Unit) => boolean
  /** Where rows are asked for, those that answer; undefined where other words may. The ranking tells how near the tables are; without it, words have to. */
  readonly answer: (ranking?: readonly Evidence[]) => QuotedParts | undefined
}

export async function askedRows(
  question: string,
  hits: readonly Hit[],
  { reader, terms }: { readonly reader: DocumentReader; readonly terms: Terms },
  signal?: AbortSignal,
): Promise<AskedRows> {
  const tables = await tablesIn(mergeHits(hits), reader, signal)
  const known = tables.map(table => ({ table, words: wordsOf(table, terms), terms }))
  const counted = known.flatMap(one => countedRows(question, one) ?? [])
  const read = known.map(one => ({ ...one, row: rowQuestion(question, one.table, terms) }))
  const records = read.flatMap(({ row, ...one }) => recordRows(row, one) ?? [])
  const asked = read.flatMap(({ row, ...one }) => askedOf(question, row, one) ?? [])
  const starts = new Map(asked.map(({ table, rows }) => [table, new Set(rows.map(({ unit }) => startOf(unit)))]))
  return {
    allows: unit => {
      const own = asked.find(({ table }) => isRowOf(unit, table))
      return !own || starts.get(own.table)?.has(startOf(unit)) === true
    },
    answer: ranking => countAnswer(counted) ?? answerOf(asked, ranking) ?? recordAnswer(records),
  }
}

type Known = { readonly table: Table; readonly words: TableWords; readonly terms: Terms }

function askedOf(question: string, row: RowQuestion, known: Known): Asked | undefined {
  const { conditions, extreme, rest } = row
  const { table } = known
  if (conditions.length === 0 && !extreme) return undefined
  const { unsaid, unsaidByItself } = unsaidBy(known, extreme ? rest : question, rest)
  if (unsaid > MAX_UNSAID && conditions.every(({ kind }) => kind === 'cell')) return undefined
  const met = rowsMeeting(table, conditions)
  const among = row.selects ? narrowed(met, question, rest, known) : met
  const rows = extreme ? extremeRows(table, among, extreme) : among
  return { ...row, table, rows, unread: extreme ? unreadRows(table, among, extreme) : 0, unsaid, unsaidByItself }
}

/** Where one table alone can be counted. */
function countAnswer(counted: readonly (Counted | 'told')[]): QuotedParts | undefined {
  const [only, ...others] = counted
  if (!only || only === 'told' || others.length > 0) return undefined
  return { ...quotedRows(only.rows), remark: only.remark }
}

/** The rows that meet the question in the tables that speak most of what it asks. */
function answerOf(asked: readonly Asked[], ranking?: readonly Evidence[]): QuotedParts | undefined {
  const met = asked.filter(one => one.selects && one.rows.length > 0 && fitsQuestion(one, ranking))
  const least = Math.min(...met.map(({ unsaid }) => unsaid))
  const nearest = met.filter(({ unsaid }) => unsaid === least)
  const own = Math.min(...nearest.map(({ unsaidByItself }) => unsaidByItself))
  const chosen = nearest.filter(({ unsaidByItself }) => unsaidByItself === own)
  const rows = chosen.flatMap(one => one.rows)
  if (rows.length === 0) return undefined
  const unread = chosen.reduce((sum, one) => sum + one.unread, 0)
  return { ...quotedRows(rows), ...(unread > 0 && { remark: { type: 'unread', count: unread } }) }
}

/** Of several tables, those in which the row is told by its own name, then those with the fewest rows. */
function recordAnswer(records: readonly RecordRows[]): QuotedParts | undefined {
  const named = records.filter(({ isNamed }) => isNamed)
  const among = named.length > 0 ? named : records
  const least = Math.min(...among.map(({ rows }) => rows.length))
  const rows = among.filter(one => one.rows.length === least).flatMap(one => one.rows)
  return rows.length > 0 && rows.length <= MAX_RECORD_ROWS ? quotedRows(rows) : undefined
}

/** The table speaks of what is asked, as far as words and meaning tell. */
function fitsQuestion({ table, unsaid, conditions, extreme }: Asked, ranking?: readonly Evidence[]): boolean {
  if (unsaid > MAX_UNSAID || (extreme && !extreme.isNamed && unsaid > 0)) return false
  if (unsaid <= DOUBTFUL_UNSAID || conditions.some(one => one.isNamed)) return true
  if (!ranking) return false
  const lifts = ranking.filter(({ unit }) => isRowOf(unit, table)).flatMap(({ lift }) => lift ?? [])
  return lifts.length === 0 || Math.max(...lifts) >= MIN_LIFT
}

/** What is measured is said by the unit. */
const MEASURES = /\b(?:weigh|weight|cost|price|last|take|priced)s?\b|[用耗费]时|花费|价格|重量/gu

function unsaidBy({ table, words, terms }: Known, question: string, rest: string) {
  const points = askedPoints(rest.replace(MEASURES, ' '), terms)
  const all = askedPoints(question, terms).length
  const said = rowWords(table, terms)
  const own = points.filter(point => !isHeld(point, words.head) && !isHeld(point, said))
  const lacking = own.filter(point => !isHeld(point, words.title))
  return { unsaid: lacking.length / Math.max(1, all), unsaidByItself: own.length / Math.max(1, all) }
}

function startOf({ passage, span }: Unit): number {
  return passage.charStart + span.start
}
