import { asksForList } from '../../language/cues.ts'
import { namesPattern } from '../../language/measure-units.ts'
import type { Terms } from '../../language/terms.ts'
import { everythingIn } from '../several.ts'
import { crossesColumns, withAlternatives } from './alternatives.ts'
import { isYear, numbersIn, type PlacedNumber } from './asked-numbers.ts'
import { withoutNotes } from './cell-number.ts'
import { type Column, columnsOf, type Mention, mentionsIn, unitTerms } from './columns.ts'
import { type Comparison, comparisonOf, holdsBetween, isUntold } from './comparison.ts'
import type { Condition } from './condition.ts'
import { isOfOtherMeasure } from './measures.ts'
import { namedCells, withQuarters } from './named-cells.ts'
import { rangeOf, withTildes } from './ranges.ts'
import type { Row, Table } from './table.ts'

/** What a question asks of the rows of one table. */
export type RowQuestion = {
  /** Which rows are asked for: none of them is named. */
  readonly selects: boolean
  readonly conditions: readonly Condition[]
  /** The question without what the conditions say. */
  readonly rest: string
}

const SELECTS =
  /\b(?:which|who|whose)\b|^(?:list|name|show|find|give)\b|^what (?!(?:is|was|are|were|does|do|did|about|if|kind)\b)|哪|谁|列出|列举|找出|有什么/iu
const ASKS = /[?？]|\b(?:what|how|when|where|why|is|are|does|do|did|can|may|must)\b|什么|多少|几|怎|如何|吗/iu
const DECIDES = /^(?:is|are|was|were|do|does|did|can|could|may|must|should|will|has|have)\b|[吗么]\s*[?？]?$|是否/iu
/** What is said not to be is not looked for in cells. */
const NEGATES =
  /\b(?:not|never|cannot|without|except|excluding|excludes|neither|nor|none|non|other than|apart from|rather than|instead of|all but|no)\b(?!\.?\s?\d)|n['’]t\b|≠|!=|<>|[不没未无非]|除[了去]|[以之]外/u
/** Words that have a negation's letter and deny nothing: `有没有`, `不锈钢`. */
const DENIES_NOTHING = /(\p{Script=Han})[不没]\1|不锈|不动产|不同|差不多|无线|无人机|未来|非洲|南非|非常/gu

/** So long a question or table is not compared cell by cell. */
const MAX_QUESTION = 500
const MAX_ROWS = 5_000

/** The question as its words are compared with cells. */
function normalised(question: string): string {
  return withQuarters(withoutNotes(question).normalize('NFKC').toLowerCase())
}

/** What the question asks of the table's rows; conditions are empty where it asks nothing, or nothing that is sure. */
export function rowQuestion(question: string, table: Table, terms: Terms): RowQuestion {
  const asked = question.replace(/\s+/gu, ' ').trim()
  if (asked.length > MAX_QUESTION || table.rows.length > MAX_ROWS)
    return { selects: false, conditions: [], rest: asked }
  const text = withTildes(normalised(asked))
  const asksForRows = SELECTS.test(asked) || asksForList(asked) || everythingIn(asked) !== undefined
  const isStated = !asksForRows && !ASKS.test(asked)
  const selects = asksForRows || isStated
  const columns = columnsOf(table, terms)
  const cells = namedCells(text, table, columns, selects).filter(cell => !isOfTheAsking(text, cell, selects))
  const mentions = mentionsIn(text, columns, terms)
  const free = numbersIn(text).filter(number => !cells.some(cell => meets(cell, number)))
  const compared = comparedIn(text, free)
  const none = { selects, conditions: [], rest: text }
  if (!compared) return none
  const spoken = [...mentions, ...compared.map(({ from, to }) => ({ start: from, end: to }))]
  const left = [...cells, ...spoken].reduce(blanked, text)
  if (NEGATES.test(left.replace(DENIES_NOTHING, ''))) return none
  const numbers = numberConditions(text, compared, { columns, mentions, selects, terms })
  if (!numbers) return none
  const all = [...cells, ...numbers]
  if (crossesColumns(text, all)) return none
  const held = heldTo(all, { selects, isStated, decides: DECIDES.test(asked) })
  const conditions = withAlternatives(text, held)
  return { selects, conditions, rest: conditions.reduce(blanked, text) }
}

const HOW = /\bhow\s$/
const ASKS_WHAT_IS_DONE = /\b(?:do|does|did)\b/
const BEFORE_A_NAME = /\b(?:in|at|on|of|for|from|to|by|with|about|the|a|an|and|or|is|are|was|were)\s["']?$/

/** A word that stands in a cell by chance: `how high`, and where no rows are looked for the verb of `when does the shop open`. */
function isOfTheAsking(text: string, { start, end, kind, column }: Condition, selects: boolean): boolean {
  const before = text.slice(0, start)
  if (kind === 'missing' || !/^[a-z]+$/.test(text.slice(start, end))) return false
  if (HOW.test(before)) return true
  return !selects && !column.isKey && ASKS_WHAT_IS_DONE.test(before) && !BEFORE_A_NAME.test(before)
}

/** A number of the question, or a range of two, and how it is compared: `isCompared` only where words say so. */
type Compared = Comparison & { readonly isCompared: boolean }

/** Undefined where the question compares and how cannot be told. */
function comparedIn(text: string, numbers: readonly PlacedNumber[]): readonly Compared[] | undefined {
  const compared: Compared[] = []
  for (let at = 0; at < numbers.length; at++) {
    const number = numbers[at]!
    const next = numbers[at + 1]
    const range = next && rangeOf(text, number, next)
    if (range === 'untold' || (!range && isUntold(text, number))) return undefined
    const comparison = range ?? comparisonOf(text, number)
    if (comparison) compared.push({ ...comparison, isCompared: true })
    else compared.push({ ...number, relation: 'equal', from: number.start, to: number.end, isCompared: false })
    if (range) at++
  }
  return compared
}

/**
 * A row that is named by its own cell is asked about, not looked for: what else is said need not hold for it, and words in
 * its name may be there by chance, but for a number (`Q2`). Nor is anything looked for where something is to be decided,
 * nor beside its name where something is stated of it (`跑步机的保修期是12个月`): the row may say otherwise.
 */
function heldTo(
  all: readonly Condition[],
  { selects, isStated, decides }: { readonly selects: boolean; readonly isStated: boolean; readonly decides: boolean },
): readonly Condition[] {
  const isNaming = ({ kind, column }: Condition) => kind === 'cell' && column.isKey
  if (selects && !(isStated && all.some(isNaming)) && !all.every(isNaming)) return all
  const numbered = all.filter(one => one.kind === 'missing' || (isNaming(one) && one.isNumbered))
  return decides || all.some(isNaming) ? numbered : all
}

/** The rows that meet all of them; of several that name a cell in one column, one has to be met. */
export function rowsMeeting({ rows }: Table, conditions: readonly Condition[]): readonly Row[] {
  const columns = [...new Set(conditions.map(({ column }) => column.at))]
  return rows.filter((row, at) =>
    columns.every(column => {
      const own = conditions.filter(condition => condition.column.at === column)
      const isText = own.every(condition => condition.column.numbers === undefined)
      return isText ? own.some(one => one.holds(row, at)) : own.every(one => one.holds(row, at))
    }),
  )
}

type Known = {
  readonly columns: readonly Column[]
  readonly mentions: readonly Mention[]
  readonly selects: boolean
  readonly terms: Terms
}

/** Between a value and the next of the same column: `12和31`, `2020, 2021`. */
const JOINS = /^\s*[^\s\d,，、]{0,8}?\s*(?:[,，、]\s*)?(?:\b(?:and|or)\b|[和与或及、,，])\s*$/u

/** Undefined where a number is not of its column's measure. */
function numberConditions(text: string, compared: readonly Compared[], known: Known): readonly Condition[] | undefined {
  const conditions: Condition[] = []
  for (const [at, one] of compared.entries()) {
    const last = conditions.at(-1)
    const before = compared[at - 1]
    const isNext =
      before?.isCompared === one.isCompared &&
      last?.start === before.from &&
      JOINS.test(text.slice(before.to, one.from))
    const found = columnOf(text, one, known) ?? (isNext ? last : undefined)
    if (!found) continue
    const units = unitTerms(unitText(text, one), known.terms)
    if (isOfOtherMeasure(found.column, text.slice(one.start, one.end), units)) return undefined
    conditions.push(numberCondition(text, one, found))
  }
  return conditions
}

function numberCondition(text: string, bound: Compared, { column, isNamed }: Rated): Condition {
  const holds = (_: Row, at: number) => {
    const value = column.numbers?.[at]
    return value !== undefined && holdsBetween(value, bound)
  }
  const unit = UNIT_BEHIND.exec(text.slice(bound.to))?.[0].length ?? 0
  return { kind: 'number', column, isNamed, start: bound.from, end: bound.to + unit, bound, holds }
}

type Rated = { readonly column: Column; readonly isNamed: boolean }

const UNIT_BEHIND = /^\p{Script=Han}(?=的|及?以)/u

/** The column whose numbers are meant: by its unit, by its name beside the number, or because there is no other. */
function columnOf(text: string, comparison: Compared, { columns, mentions, selects, terms }: Known): Rated | undefined {
  const { isCompared, isLoose, relation } = comparison
  const years = isYear(comparison.value) ? columns.filter(column => column.isYears) : []
  const numeric =
    years.length > 0
      ? years
      : columns.filter(column => column.numbers && !column.isYears && !(isCompared && isNumbering(column)))
  const units = unitTerms(unitText(text, comparison), terms)
  const rated = numeric.map(column => {
    const near = mentions.filter(
      mention => mention.column === column && isBeside(text, mention, comparison, isCompared || column.isYears),
    )
    const hasUnit = [...column.units].some(unit => units.has(unit))
    return {
      column,
      rate: (near.length > 0 ? 2 + (near[0]?.held ?? 0) : 0) + (hasUnit ? 2 : 0),
      isNamed: near.length > 0,
    }
  })
  const best = Math.max(0, ...rated.map(({ rate }) => rate))
  const [first, ...others] = rated.filter(({ rate }) => rate === best && best > 0)
  if (first && others.length === 0) return first.isNamed || isCompared ? first : undefined
  if (first) return undefined // it could be either
  const [only, ...more] = numeric
  const isMeant =
    years.length > 0
      ? only?.at === 0 && (!isCompared || relation === 'between')
      : isCompared && !isLoose && selects && more.length === 0
  return only && isMeant ? { column: only, isNamed: false } : undefined
}

/** `1001`, `1002` in the first column are names: nothing is more or less than they are. */
function isNumbering({ at, isKey }: Column): boolean {
  return at === 0 && isKey
}

const BEHIND_NUMBER = new RegExp(`^\\s*([€$£¥%％]|[a-z]+[²2]?|${namesPattern()}|\\p{Script=Han})`, 'u')

/** What may be a number's unit: a sign before it, or the word behind it. */
function unitText(text: string, { start, end }: PlacedNumber): string {
  const before = /([€$£¥]|\b[a-z]{3}\s)\s*$/.exec(text.slice(Math.max(0, start - 5), start))?.[1] ?? ''
  const after = BEHIND_NUMBER.exec(text.slice(end))?.[1] ?? ''
  return `${before} ${after}`
}

const CLAUSE = /[,，;；。?？]|\d|\band\b|\bor\b/u
const MAX_GAP = 24
const SAYS_EQUAL =
  /^[^\p{L}\p{N}]*(?:(?:is|are|was|were|of|at|has|have|had|exactly|为|是|有|等于|期|数|量|的|只有|正好|刚好)[^\p{L}\p{N}]*){0,3}(?:[a-z]{3}[^\p{L}\p{N}]*)?$/u

/** The name stands beside the number: with nothing of weight between them, or, of what is compared, in the same clause. */
function isBeside(text: string, mention: Mention, { from, to, start, end }: Comparison, isCompared: boolean): boolean {
  if (mention.end <= from) {
    const gap = text.slice(mention.end, isCompared ? from : start)
    return isCompared ? gap.length <= MAX_GAP && !CLAUSE.test(gap) : SAYS_EQUAL.test(gap)
  }
  if (mention.start < end) return false
  const gap = text.slice(isCompared ? to : end, mention.start)
  return /^[\s-]*(?:[a-z]{1,8}\s+(?:of\s+)?|个|of\s+)?$/u.test(gap)
}

function meets(
  a: { readonly start: number; readonly end: number },
  b: { readonly start: number; readonly end: number },
) {
  return a.start < b.end && b.start < a.end
}

function blanked(text: string, { start, end }: { readonly start: number; readonly end: number }): string {
  return text.slice(0, start) + ' '.repeat(end - start) + text.slice(end)
}
