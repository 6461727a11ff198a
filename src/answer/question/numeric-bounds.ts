import { type DateParts, daysOf } from '../../text/dates.ts'
import { amountOf, type Comparator, comparable, type Quantity } from '../../text/quantities.ts'

/** A number and the side of it that is meant, as in "over 40 kg"; `text` is its words. */
export type NumberBound = {
  readonly comparator: Comparator
  readonly quantity: Quantity
  readonly text: string
}

/** A day, a month or a year and the side of it that is meant, as in "since 2025"; `text` is its words. */
export type DateBound = {
  readonly comparator: Comparator
  readonly date: DateParts
  readonly text: string
}

/** Of the same measure, and on that side, or between. */
export function isWithin(
  { quantity: { unit, ...quantity } }: NumberBound,
  limit: NumberBound,
): boolean {
  const { unit: measure, value, upTo = value } = limit.quantity
  if (!unit || unit.dimension !== measure?.dimension || !comparable(unit, measure)) return false // five persons are no share
  const [amount, first, last] = [
    amountOf({ value: quantity.value, unit }),
    amountOf({ value, unit: measure }),
    amountOf({ value: upTo, unit: measure }),
  ]
  if (limit.comparator === 'over') return amount > last
  if (limit.comparator === 'at-least') return amount >= first
  if (limit.comparator === 'at-most') return amount <= last
  if (limit.comparator === 'under') return amount < first
  return first <= amount && amount <= last
}

/** A stretch of time: a date, or all that is on one side of one, or between two. */
export type Period = readonly Pick<DateBound, 'comparator' | 'date'>[]

export function onDate(date: DateParts): Period {
  return [{ comparator: 'equal', date }]
}

/** Of what the two leave open, whatever the other says is so: May of any year, and any day of a year. */
export function haveTimeInCommon(one: Period, other: Period): boolean {
  return one.every(a => other.every(b => meet(a, b)))
}

function meet(one: Period[number], other: Period[number]): boolean {
  const isOfYears = one.date.year !== undefined && other.date.year !== undefined
  const [a, b] = [one, other].map(bound => reachOf(bound, isOfYears)) as [Reach, Reach] // of two
  return a.first <= b.last && b.first <= a.last
}

type Reach = { readonly first: number; readonly last: number }

function reachOf({ comparator, date }: Period[number], isOfYears: boolean): Reach {
  const { year, ...inYear } = date
  return onSide(comparator, daysOf(isOfYears ? date : inYear))
}

/** All days on that side of some days. */
export function onSide(comparator: Comparator, { first, last }: Reach): Reach {
  if (comparator === 'over') return { first: last + 1, last: Number.POSITIVE_INFINITY }
  if (comparator === 'at-least') return { first, last: Number.POSITIVE_INFINITY }
  if (comparator === 'at-most') return { first: Number.NEGATIVE_INFINITY, last }
  if (comparator === 'under') return { first: Number.NEGATIVE_INFINITY, last: first - 1 }
  return { first, last }
}
