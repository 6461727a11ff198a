import type { DocumentReader } from '../../../ingest/catalog/document.ts'
import { mergeHits } from '../../../search/passages/context.ts'
import type { Hit } from '../../../search/searcher.ts'
import { withoutListNouns } from '../../language/cues.ts'
import type { Terms } from '../../language/terms.ts'
import type { Unit } from '../../language/units.ts'
import type { Evidence } from '../evidence.ts'
import type { Quote, QuotedParts } from '../selection.ts'
import { extremeRows } from './extremes.ts'
import { type RowQuestion, rowQuestion, rowsMeeting } from './row-conditions.ts'
import { isRowOf, type Row, type Table, tablesIn } from './table.ts'

/** What a question asks of one table that was found, and the rows that meet it. */
type Asked = RowQuestion & {
  readonly table: Table
  readonly rows: readonly Row[]
  /** Share of the question that neither its conditions nor the table speak of. */
  readonly unsaid: number
  /** The same where the title of its document says nothing. */
  readonly unsaidByItself: number
}

/** A table that says so little of what is asked is about something else; from the second on, its rows have to be near in meaning. */
const MAX_UNSAID = 0.5
const DOUBTFUL_UNSAID = 0.34
const MIN_LIFT = 0.08

/** Words of so many rows are looked at for what a table speaks of. */
const SAMPLE = 50

/** So many characters of rows are quoted. */
const MAX_CHARACTERS = 4_000

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
  const asked = tables.flatMap(table => {
    const row = rowQuestion(question, table, terms)
    if (row.conditions.length === 0 && !row.extreme) return []
    const { unsaid, unsaidByItself } = unsaidBy(table, row.extreme ? row.rest : question, row.rest, terms)
    if (unsaid > MAX_UNSAID && row.conditions.every(({ kind }) => kind === 'cell')) return []
    const met = rowsMeeting(table, row.conditions)
    const rows = row.extreme ? extremeRows(table, met, row.extreme) : met
    return [{ ...row, table, rows, starts: new Set(rows.map(({ unit }) => startOf(unit))), unsaid, unsaidByItself }]
  })
  return {
    allows: unit => {
      const own = asked.find(({ table }) => isRowOf(unit, table))
      return !own || own.starts.has(startOf(unit))
    },
    answer: ranking => answerOf(asked, ranking),
  }
}

/** The rows that meet the question in the tables that speak most of what it asks. */
function answerOf(asked: readonly Asked[], ranking?: readonly Evidence[]): QuotedParts | undefined {
  const met = asked.filter(one => one.selects && one.rows.length > 0 && fits(one, ranking))
  const least = Math.min(...met.map(({ unsaid }) => unsaid))
  const nearest = met.filter(({ unsaid }) => unsaid === least)
  const own = Math.min(...nearest.map(({ unsaidByItself }) => unsaidByItself))
  const rows = nearest.filter(({ unsaidByItself }) => unsaidByItself === own).flatMap(one => one.rows)
  if (rows.length === 0) return undefined
  return quotedRows(rows)
}

/** As many rows as an answer holds. */
export function quotedRows(rows: readonly Row[]): QuotedParts {
  let length = 0
  const end = rows.findIndex(({ unit }, at) => {
    length += unit.text.length
    return at > 0 && length > MAX_CHARACTERS
  })
  const shown = end < 0 ? rows : rows.slice(0, end)
  return { quotes: runsOf(shown), more: rows.length - shown.length }
}

/** The table speaks of what is asked, as far as words and meaning tell. */
function fits({ table, unsaid, conditions, extreme }: Asked, ranking?: readonly Evidence[]): boolean {
  if (unsaid > MAX_UNSAID || (extreme && !extreme.isNamed && unsaid > 0)) return false
  if (unsaid <= DOUBTFUL_UNSAID || conditions.some(one => one.isNamed)) return true
  if (!ranking) return false
  const lifts = ranking.filter(({ unit }) => isRowOf(unit, table)).flatMap(({ lift }) => lift ?? [])
  return lifts.length === 0 || Math.max(...lifts) >= MIN_LIFT
}

/** Of `哪道工序` the word that counts. */
const COUNTER = /哪[一几]?[个道门种款台位家条座名类项间栋所支只辆本份张](?=\p{Script=Han})/gu

/** What is measured is said by the unit. */
const MEASURES = /\b(?:weigh|weight|cost|price|last|take|priced)s?\b|[用耗费]时|花费|价格|重量/gu

function unsaidBy({ passage, columns, rows, lines }: Table, question: string, rest: string, terms: Terms) {
  const points = terms.pointsOf(withoutListNouns(rest.replace(COUNTER, ' ').replace(MEASURES, ' ')))
  const all = terms.pointsOf(withoutListNouns(question.replace(COUNTER, ' '))).length
  const title = terms.of(`${passage.title}\n${passage.name}`)
  const above = [...passage.headings, ...passage.context.split('\n')].filter(line => line.trim() !== passage.title)
  const head = [...above, ...lines, ...columns]
  const said = terms.of([...head, ...rows.slice(0, SAMPLE).map(({ unit }) => unit.text)].join('\n'))
  const own = points.filter(point => !point.anyOf.some(term => said.has(term)))
  const lacking = own.filter(point => !point.anyOf.some(term => title.has(term)))
  return { unsaid: lacking.length / Math.max(1, all), unsaidByItself: own.length / Math.max(1, all) }
}

function startOf({ passage, span }: Unit): number {
  return passage.charStart + span.start
}

/** Rows that stand one after the other as one quotation. */
function runsOf(rows: readonly Row[]): readonly Quote[] {
  const quotes: Quote[] = []
  for (const { unit } of rows) {
    const last = quotes.at(-1)
    const follows = last?.passage === unit.passage && unit.span.start - last.span.end <= 1
    if (last && follows)
      quotes[quotes.length - 1] = { passage: unit.passage, span: { start: last.span.start, end: unit.span.end } }
    else quotes.push({ passage: unit.passage, span: unit.span })
  }
  return quotes
}
