import type { DateValue } from '../../text/dates.ts'
import { boundAround, ordersIn } from '../../text/polarity.ts'
import type { Quantity } from '../../text/quantities.ts'
import { isHeld } from '../../text/terms.ts'
import { type Anchor, anchorsIn, isSameAnchor, isSameNumber } from './anchors.ts'
import { type Claim, type ClaimReading, clausesOf, numbersIn } from './claims.ts'
import { isDenied } from './denial.ts'
import { type ReadStatement, withUnit } from './read-statement.ts'

/** Nothing speaks against a claim: every number is there with its unit, every name, bound to the same words, and no denial of one alone. */
export function agrees(claim: Claim, statement: ReadStatement, reading: ClaimReading): boolean {
  return (
    holdsNumbers(claim, statement) &&
    holdsNames(claim, statement, reading) &&
    !isBoundOtherwise(claim, statement) &&
    !isOfOtherRow(claim, statement, reading) &&
    !isOfOtherWords(claim, statement, reading) &&
    !isDenied(claim, statement, reading)
  )
}

export function holdsNumbers(claim: Claim, { numbers, about, text }: ReadStatement): boolean {
  const { quantities, dates, times } = numbers
  const context = numbersIn(about).dates
  /** `Since 2024` tells when something began: a report of 2024 does not tell it by its title. */
  const contextOf = ({ span }: DateValue) =>
    ordersIn(claim.text.slice(Math.max(0, span.start - 12), span.start)).size > 0 ? [] : context
  return (
    claim.quantities.every(
      wanted => isIncidental(wanted, claim.text) || quantities.some(one => isSameNumber(wanted, one)),
    ) &&
    claim.dates.every(date => isDated(date, dates, contextOf(date))) &&
    claim.times.every(time => times.some(({ hour, minute }) => time.hour === hour && time.minute === minute)) &&
    weekdaysIn(claim.text).every(day => weekdaysIn(text).some(other => isSameAnchor(day, other)))
  )
}

function weekdaysIn(text: string): readonly Anchor[] {
  return anchorsIn(text).filter(({ kind }) => kind === 'weekday')
}

/** `one of them`, `一个人`: no number that a statement would have to say. */
function isIncidental({ value, unit, span }: Quantity, text: string): boolean {
  return value === 1 && (!unit || unit.dimension === 'count') && !/\d/.test(text.slice(span.start, span.end))
}

const DATE_FIELDS = ['year', 'half', 'quarter', 'month', 'day'] as const

/** A date of the statement says all that the claim's does, its year perhaps over it, and nothing else. */
function isDated(wanted: DateValue, dates: readonly DateValue[], context: readonly DateValue[]): boolean {
  const years = new Set(context.map(({ year }) => year))
  const holds = (date: DateValue) =>
    DATE_FIELDS.every(field => {
      if (wanted[field] === undefined || wanted[field] === date[field]) return true
      return field === 'year' && date.year === undefined && years.has(wanted.year)
    })
  const isOfYear = DATE_FIELDS.every(field => field === 'year' || wanted[field] === undefined) && years.has(wanted.year)
  return dates.some(holds) || (isOfYear && dates.every(({ year }) => year === undefined))
}

export function holdsNames(
  { names }: Claim,
  { known }: ReadStatement,
  { terms }: Pick<ClaimReading, 'terms'>,
): boolean {
  return names.every(name => [...terms.contentOf(name)].every(term => isHeld(term, known)))
}

/** At least three, where the statement says at most three; before, where it says after. */
function isBoundOtherwise(claim: Claim, statement: ReadStatement): boolean {
  const isOpposed = claim.quantities.some(wanted => {
    const side = boundOf(wanted, claim.text)
    const same = statement.numbers.quantities.filter(one => isSameNumber(wanted, one))
    const sides = statement.cells ? [] : same.map(one => boundOf(one, statement.text))
    return side !== undefined && sides.length > 0 && sides.every(other => other !== undefined && other !== side)
  })
  const [said, told] = [ordersIn(claim.text), ordersIn(statement.text)]
  return isOpposed || (said.size === 1 && told.size === 1 && ![...said].some(order => told.has(order)))
}

function boundOf({ span }: Quantity, text: string) {
  return boundAround(text.slice(0, span.start), text.slice(span.end))
}

/** The number stands in another cell than that of the column that is named, or in another part of the sentence, where the words stand by another number. */
function isOfOtherWords(claim: Claim, statement: ReadStatement, reading: ClaimReading): boolean {
  const parts = clausesOf(claim, reading)
  const clauses = parts.some(({ words }) => words === 0) ? [claim] : parts
  return clauses.some(clause =>
    statement.cells
      ? clause.quantities.some(wanted => isInOtherColumn(wanted, clause, statement, reading))
      : isInOtherPart(clause, statement, reading),
  )
}

/** The claim has a word by which another row of the table is called, and this one is not. */
function isOfOtherRow(
  { terms: claimed }: Claim,
  { otherRows, known }: ReadStatement,
  { terms }: ClaimReading,
): boolean {
  if (!otherRows) return false
  const there = terms.of(otherRows)
  return claimed.some(term => !isHeld(term, known) && isHeld(term, there))
}

function isInOtherColumn(
  wanted: Quantity,
  clause: Claim,
  { cells = [] }: ReadStatement,
  { terms }: ClaimReading,
): boolean {
  const names = cells.map(({ column }) => terms.of(column))
  const telling = clause.terms.filter(term => names.filter(name => isHeld(term, name)).length === 1)
  const isNamed = names.map((name, at) => at > 0 && telling.some(term => isHeld(term, name))) // the first names the rows
  const holders = cells.flatMap((cell, at) =>
    numbersIn(withUnit(cell)).quantities.some(one => isSameNumber(wanted, one)) ? [at] : [],
  )
  return isNamed.includes(true) && holders.length > 0 && !holders.some(at => at === 0 || isNamed[at])
}

const PART_END = /[,;:](?=\s)|[，；：、。]|\b(?:and|or|but|while|whereas)\b|和|及|或|而|但/giu

/** A part that has another number of the kind has more of the claim's numbers, or as many and more of its words. */
function isInOtherPart(clause: Claim, { text }: ReadStatement, { terms }: ClaimReading): boolean {
  const [said, told] = [anchorsIn(clause.text), anchorsIn(text)]
  const ends = [...text.matchAll(PART_END)].map(({ index }) => index)
  const parts = [0, ...ends]
    .map((start, at) => ({ start, end: ends[at] ?? text.length }))
    .map(part => {
      const anchors = told.filter(({ span }) => part.start <= span.start && span.start < part.end)
      const numbers = said.filter(wanted => anchors.some(one => isSameAnchor(wanted, one))).length
      return { anchors, rank: 100 * numbers + weightHeld(clause.terms, terms.of(text.slice(part.start, part.end))) }
    })
  return said.some(wanted => {
    const own = parts.filter(({ anchors }) => anchors.some(one => isSameAnchor(wanted, one)))
    const isRival = (one: Anchor) => one.kind === wanted.kind && !said.some(other => isSameAnchor(other, one))
    const rivals = parts.filter(part => !own.includes(part) && part.anchors.some(isRival))
    const best = Math.max(...own.map(({ rank }) => rank))
    return own.length > 0 && rivals.some(({ rank }) => rank + 100 > best)
  })
}

function weightHeld(terms: Claim['terms'], there: ReadonlySet<string>): number {
  return terms.reduce((sum, term) => sum + (isHeld(term, there) ? term.weight : 0), 0)
}
