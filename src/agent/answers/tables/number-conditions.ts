import { type MeasureUnit, namesPattern, unitWritten } from '../../language/measure-units.ts'
import type { Terms } from '../../language/terms.ts'
import { isYear, type PlacedNumber } from './asked-numbers.ts'
import { type Column, type Mention, unitTerms } from './columns.ts'
import { type Comparison, comparisonOf, holdsBetween, isUntold } from './comparison.ts'
import type { Condition } from './condition.ts'
import { type Comparable, dimensionsOf, inOneMeasure } from './measures.ts'
import { rangeOf } from './ranges.ts'
import type { Row } from './table.ts'

/** A number of the question, or a range of two, and how it is compared: `isCompared` only where words say so. */
type Compared = Comparison & { readonly isCompared: boolean }

/** Undefined where the question compares and how cannot be told. */
export function comparedIn(text: string, numbers: readonly PlacedNumber[]): readonly Compared[] | undefined {
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

type Known = {
  readonly columns: readonly Column[]
  readonly mentions: readonly Mention[]
  readonly selects: boolean
  readonly terms: Terms
}

/** Between a value and the next of the same column: `12和31`, `2020, 2021`. */
const JOINS = /^\s*[^\s\d,，、]{0,8}?\s*(?:[,，、]\s*)?(?:\b(?:and|or)\b|[和与或及、,，])\s*$/u

/** Undefined where a number is not of its column's measure. */
export function numberConditions(
  text: string,
  compared: readonly Compared[],
  known: Known,
): readonly Condition[] | undefined {
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
    const comparable = inOneMeasure(found.column, { ...one, unit: unitOf(text, one) })
    if (!comparable) return undefined
    conditions.push(numberCondition(text, one, found, comparable))
  }
  return conditions
}

function numberCondition(
  text: string,
  { relation, from, to }: Compared,
  { column, isNamed }: Rated,
  { numbers, value, upTo }: Comparable,
): Condition {
  const bound = { relation, value, ...(upTo !== undefined && { upTo }) }
  const holds = (_: Row, at: number) => {
    const number = numbers[at]
    return number !== undefined && holdsBetween(number, bound)
  }
  const unit = UNIT_BEHIND.exec(text.slice(to))?.[0].length ?? 0
  return { kind: 'number', column, isNamed, start: from, end: to + unit, bound, holds }
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
  const rated = numeric.map(column => ratedFor(column, text, comparison, mentions, terms))
  const best = Math.max(0, ...rated.map(({ rate }) => rate))
  const found = bestOf(rated, best, isCompared ? mentions : [])
  if (found) return found.isNamed || isCompared ? found : undefined
  if (best > 0) return undefined // it could be either
  const [only, ...more] = numeric
  const isMeant =
    years.length > 0
      ? only?.at === 0 && (!isCompared || relation === 'between')
      : isCompared && !isLoose && selects && more.length === 0
  return only && isMeant ? { column: only, isNamed: false } : undefined
}

/** Of several that are as good, the one that the question names at all: `over 30 in 2023`. */
function bestOf(rated: readonly (Rated & { readonly rate: number })[], best: number, mentions: readonly Mention[]) {
  const [first, ...others] = rated.filter(({ rate }) => rate === best)
  if (others.length === 0) return best > 0 ? first : undefined
  const [named, ...more] = [first!, ...others].filter(({ column }) => mentions.some(one => one.column === column)) // there are others
  return more.length === 0 ? named : undefined
}

function ratedFor(
  column: Column,
  text: string,
  comparison: Compared,
  mentions: readonly Mention[],
  terms: Terms,
): Rated & { readonly rate: number } {
  const unit = unitOf(text, comparison)
  const words = unitTerms(unitWords(text, comparison).join(' '), terms)
  const isInUnit = [...column.units].some(one => words.has(one)) || (unit && column.unit?.unit === unit)
  const isOfMeasure = unit !== undefined && dimensionsOf(column).includes(unit.dimension)
  const isWide = comparison.isCompared || column.isYears
  const near = mentions.find(mention => mention.column === column && isBeside(text, mention, comparison, isWide))
  const byUnit = isInUnit ? 2 : isOfMeasure ? 1 : 0
  return { column, rate: (near ? 2 + near.held : 0) + byUnit, isNamed: near !== undefined }
}

/** `1001`, `1002` in the first column are names: nothing is more or less than they are. */
function isNumbering({ at, isKey }: Column): boolean {
  return at === 0 && isKey
}

const BEHIND_NUMBER = new RegExp(
  `^\\s*-?(?:of an?\\s|an?\\s)?\\s*([€$£¥%％]|[a-z]+[²³23]?|${namesPattern()}|\\p{Script=Han})`,
  'u',
)

/** What may be a number's unit: a sign before it, or the word behind it. */
function unitWords(text: string, { start, end }: PlacedNumber): readonly [before: string, behind: string] {
  const before = /([€$£¥]|\b[a-z]{3}\s)\s*$/.exec(text.slice(Math.max(0, start - 5), start))?.[1] ?? ''
  return [before.trim(), BEHIND_NUMBER.exec(text.slice(end))?.[1] ?? '']
}

/** The unit of a number, where it is a known one. */
function unitOf(text: string, number: PlacedNumber): MeasureUnit | undefined {
  return unitWords(text, number).flatMap(word => unitWritten(word) ?? [])[0]
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
