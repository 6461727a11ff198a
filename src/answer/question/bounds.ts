import { ANY_YEAR, type DateParts, type DateValue, datesIn, daysOf } from '../../text/dates.ts'
import { type Comparator, quantitiesIn } from '../../text/quantities.ts'
import { segmentAt } from '../../text/segments.ts'
import { overlap, type Span } from '../../text/sentences.ts'
import type { Bound, Grammar } from './grammar.ts'
import { type DateBound, type NumberBound, onDate, type Period } from './numeric-bounds.ts'
import type { Question } from './question.ts'

/** What the numbers and dates of a clause ask for; a number that may be a year is one, unless words say that a number is meant. */
export function boundsIn(
  clause: string,
  grammar: Grammar,
): Pick<Question, 'conditions' | 'dates' | 'dateBounds'> {
  const quantities = quantitiesIn(clause).map(quantity => ({
    quantity,
    bound: boundAt(clause, quantity.span, grammar.bounds),
  }))
  const numbers = quantities.filter(
    ({ quantity: { unit }, bound }) =>
      (unit && unit.dimension !== 'time') || (bound && !bound.isTemporal),
  )
  const told = datesWith(
    clause,
    quantities.flatMap(({ quantity, bound }) => (bound?.isTemporal ? [quantity.span] : [])),
  )
  const bounded = dateBoundsIn(clause, told, grammar)
  const isNumber = ({ span }: DateValue) =>
    numbers.some(({ quantity }) => overlap(quantity.span, span))
  const dates = told.filter(date => !isNumber(date))
  const conditions = quantities.flatMap(({ quantity, bound }): readonly NumberBound[] => {
    if (dates.some(({ span }) => overlap(quantity.span, span)) || !(bound || quantity.unit))
      return []
    const text = clause.slice(bound?.span.start ?? quantity.span.start, quantity.span.end)
    return [{ comparator: bound?.comparator ?? 'equal', quantity, text }]
  })
  const isBounded = ({ span }: DateValue) => bounded.some(bound => overlap(bound.span, span))
  return {
    conditions,
    dates: dates
      .filter(date => !isBounded(date))
      .map(date => ({ ...date, text: clause.slice(date.span.start, date.span.end) })),
    dateBounds: bounded
      .filter(({ span }) => dates.some(date => overlap(date.span, span)))
      .map(({ span, ...bound }) => bound),
  }
}

/** Its dates, in order; what stands where a time may be is a year of any century. */
function datesWith(clause: string, places: readonly Span[]): readonly DateValue[] {
  const dates = datesIn(clause)
  const years = places.flatMap((span): readonly DateValue[] => {
    const text = clause.slice(span.start, span.end)
    const isTold = dates.some(date => overlap(date.span, span))
    return !isTold && ANY_YEAR.test(text) ? [{ year: Number(text), span }] : []
  })
  return [...dates, ...years].toSorted((a, b) => a.span.start - b.span.start)
}

/** The numbers that a text has room for: `70岁以上`, `under 12 years`, `4 to 6 persons`. */
export function limitsIn(text: string, grammar: Grammar): readonly NumberBound[] {
  const { conditions } = boundsIn(text, grammar)
  return conditions.filter(
    ({ comparator, quantity }) => comparator !== 'equal' || quantity.upTo !== undefined,
  )
}

/** The times that a text tells of. */
export function periodsIn(text: string, grammar: Grammar): readonly Period[] {
  const dates = datesIn(text)
  const bounds = dateBoundsIn(text, dates, grammar)
  const single = dates.filter(date => !bounds.some(bound => overlap(bound.span, date.span)))
  const spans = new Set(bounds.map(({ span }) => span))
  return [
    ...single.map(onDate),
    ...[...spans].map(span => bounds.filter(bound => bound.span === span)),
  ]
}

/** The times that a question asks for: on one of its dates, within all of its bounds. */
export function periodsOf({
  dates,
  dateBounds,
}: Pick<Question, 'dates' | 'dateBounds'>): readonly Period[] {
  if (dates.length === 0) return dateBounds.length === 0 ? [] : [dateBounds]
  return dates.map(date => [...onDate(date), ...dateBounds])
}

type Dated = DateBound & { readonly span: Span }

function dateBoundsIn(
  clause: string,
  dates: readonly DateValue[],
  grammar: Grammar,
): readonly Dated[] {
  const bounds: Dated[] = []
  let end = 0
  for (const [at, date] of dates.entries()) {
    if (date.span.start < end) continue // the second of a period
    const period = periodAt(clause, date, dates[at + 1], grammar)
    const bound = period ? undefined : boundAt(clause, date.span, grammar.dateBounds)
    if (bound) bounds.push(dated(clause, date, bound.comparator, bound.span))
    bounds.push(...(period ?? []))
    end = bounds.at(-1)?.span.end ?? 0
  }
  return bounds
}

/** From one date to the next; a year that only one of them tells is that of both. */
function periodAt(
  clause: string,
  from: DateValue,
  to: DateValue | undefined,
  { periods }: Grammar,
): readonly Dated[] | undefined {
  if (!to) return undefined
  const [before, behind] = around(clause, { start: from.span.start, end: to.span.end })
  const between = clause.slice(from.span.end, to.span.start)
  const found = periods.find(
    one =>
      one.between.test(between) &&
      (one.before?.test(before) ?? true) &&
      (one.behind?.test(behind) ?? true),
  )
  if (!found) return undefined
  const span = {
    start: from.span.start - lengthOf(found.before?.exec(before)),
    end: to.span.end + lengthOf(found.behind?.exec(behind)),
  }
  const year = from.year ?? to.year
  const first = { ...from, ...(year !== undefined && { year }) }
  const last = {
    ...to,
    ...(to.year === undefined && from.year !== undefined && { year: yearAfter(from, to) }),
  }
  return [dated(clause, first, 'at-least', span), dated(clause, last, 'at-most', span)]
}

/** 2022年11月到3月: until March 2023. */
function yearAfter({ year = 0, ...from }: DateParts, to: DateParts): number {
  return daysOf(to).last < daysOf(from).first ? year + 1 : year
}

function dated(
  clause: string,
  { span: _, ...date }: DateValue,
  comparator: Comparator,
  span: Span,
): Dated {
  return { comparator, date, text: clause.slice(span.start, span.end).trim(), span }
}

/** Which side of a number or a date is meant, and where it stands with the words that say so. */
function boundAt(clause: string, span: Span, bounds: readonly Bound[]) {
  const [before, behind] = around(clause, span)
  const found = bounds.find(bound => {
    const isBefore = bound.before?.test(before) === true
    if (bound.isAround && !isBefore) return false
    return (isBefore && !bound.isAround) || endsWord(bound.behind?.exec(behind), behind)
  })
  if (!found) return undefined
  const { comparator, isTemporal } = found
  const start = span.start - lengthOf(found.before?.exec(before))
  return {
    comparator,
    isTemporal,
    span: { start, end: span.end + lengthOf(found.behind?.exec(behind)) },
  }
}

function around(clause: string, { start, end }: Span): readonly [string, string] {
  return [clause.slice(Math.max(0, start - 32), start), clause.slice(end, end + 16)]
}

function lengthOf(match: RegExpExecArray | null | undefined): number {
  return match?.[0].length ?? 0
}

/** A word of one character may begin a longer one: 2025年后 in 2025年后勤费用. */
function endsWord(match: RegExpExecArray | null | undefined, text: string): boolean {
  const length = lengthOf(match)
  const first = segmentAt(text, 0)?.segment.replace(/的$/u, '')
  return length === 1 ? first?.length === 1 : length > 1
}
