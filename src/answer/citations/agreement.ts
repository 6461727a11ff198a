import { type DateValue, isDated } from '../../text/dates.ts'
import {
  type Bound,
  boundAround,
  findOrders,
  type Polarity,
  readPolarity,
  splitByPolarity,
} from '../../text/polarity.ts'
import { toBaseAmount } from '../../text/quantities.ts'
import { isContained, type Term, type Terms } from '../../text/terms.ts'
import { type Anchor, findAnchors, hasUnit, IDENTIFIER, isSameAnchor } from './anchors.ts'
import { isNegativeChange } from './changes.ts'
import { type Claim, type ClaimReading, findSubject, splitClauses } from './claims.ts'
import { type Cell, type ReadStatement, withUnit } from './statements.ts'

type NumberFit = {
  readonly lacked: number
  readonly replaced: readonly Anchor[]
}

export function fitOfNumbers(claim: Claim, statement: ReadStatement): NumberFit {
  const { anchors: claimed } = claim
  const { anchors: stated } = statement
  const falls = isNegativeChange(claim.text)
  const isSame = (claimedAnchor: Anchor, anchor: Anchor) =>
    isSameAnchor(claimedAnchor, anchor) || (falls && isOpposite(claimedAnchor, anchor))
  const findRivals = (claimedAnchor: Anchor) =>
    stated.filter(
      anchor =>
        anchor.kind === claimedAnchor.kind &&
        !isOpposite(claimedAnchor, anchor) &&
        !claimed.some(other => isSameAnchor(other, anchor)),
    )
  const lacked = claimed.filter(claimedAnchor => {
    const isThere = (anchor: Anchor) =>
      isSame(claimedAnchor, anchor) &&
      !(isBare(anchor) && hasUnit(claimedAnchor) && findRivals(claimedAnchor).length > 0)
    if (stated.some(isThere) || isAround(claimedAnchor, claim, statement)) return false
    return !isIncidental(claimedAnchor, claim.text) || findRivals(claimedAnchor).length > 0
  })
  const replaced = lacked.filter(claimedAnchor => {
    const rivals = findRivals(claimedAnchor).filter(anchor => isSameCount(claimedAnchor, anchor))
    const bound = findBound(claimedAnchor, claim.text)
    const isBounded = (anchor: Anchor) =>
      isWithinBound(anchor, claimedAnchor, bound) && !findBound(anchor, statement.text)
    return rivals.length > 0 && !rivals.some(isBounded)
  })
  return { lacked: lacked.length, replaced }
}

/** Accepts -4 and 4, whose sign a verb may state. */
function isOpposite({ quantity: a }: Anchor, { quantity: b }: Anchor): boolean {
  return a !== undefined && b !== undefined && a.value === -b.value && a.value !== 0
}

function isBare(anchor: Anchor): boolean {
  return anchor.quantity !== undefined && !hasUnit(anchor)
}

/** Returns false for counts of different things: 3种 and 3台. */
function isSameCount({ kind, quantity: a }: Anchor, { quantity: b }: Anchor): boolean {
  return kind !== 'number' || a?.unit?.id === b?.unit?.id
}

function isWithinBound(
  { quantity: stated }: Anchor,
  { quantity: limit }: Anchor,
  bound: Bound | undefined,
): boolean {
  if (!stated || !limit || !bound) return false
  const difference =
    toBaseAmount({
      ...stated,
      value: bound === 'up' ? stated.value : (stated.upTo ?? stated.value),
    }) - toBaseAmount(limit)
  return bound === 'up' ? difference > 0 : difference < 0
}

function isAround(
  claimedAnchor: Anchor,
  claim: Claim,
  { columnAnchors, about, anchors: stated }: ReadStatement,
): boolean {
  const around =
    claimedAnchor.kind === IDENTIFIER ? [...columnAnchors, findAnchors(about)] : columnAnchors
  if (around.some(anchors => anchors.some(anchor => isSameAnchor(claimedAnchor, anchor))))
    return true
  const { date } = claimedAnchor
  if (!date) return false
  /** `Since 2024` states a start, which a report's year does not. */
  const isSince =
    findOrders(claim.text.slice(Math.max(0, date.span.start - 12), date.span.start)).size > 0
  return isDated(date, findDates(stated), isSince ? [] : findDates(findAnchors(about)))
}

function findDates(anchors: readonly Anchor[]): readonly DateValue[] {
  return anchors.flatMap(({ date }) => date ?? [])
}

/** Accepts `one of them`, `一个人`, `a quarter`, which need no match. */
function isIncidental(anchor: Anchor, text: string): boolean {
  const { quantity, span } = anchor
  return (
    quantity !== undefined &&
    quantity.value <= 1 &&
    quantity.unit?.dimension !== 'share' &&
    !/\d/.test(text.slice(span.start, span.end))
  )
}

/** Compares at least with at most, before with after. */
export function isBoundOtherwise(claim: Claim, statement: ReadStatement): boolean {
  const isOpposed = claim.anchors.some(claimedAnchor => {
    if (!claimedAnchor.quantity) return false
    const side = findBound(claimedAnchor, claim.text)
    const same = statement.anchors.filter(anchor => isSameAnchor(claimedAnchor, anchor))
    const sides = statement.cells ? [] : same.map(anchor => findBound(anchor, statement.text))
    return (
      side !== undefined &&
      sides.length > 0 &&
      sides.every(other => other !== undefined && other !== side)
    )
  })
  const claimOrders = findOrders(claim.text)
  const orders = findOrders(statement.text)
  return (
    isOpposed ||
    (claimOrders.size === 1 &&
      orders.size === 1 &&
      ![...claimOrders].some(order => orders.has(order)))
  )
}

function findBound({ span }: Anchor, text: string) {
  return boundAround(text.slice(0, span.start), text.slice(span.end))
}

/** Returns true for a number of another column, or of a part about something else. */
export function isOfOtherWords(
  claim: Claim,
  statement: ReadStatement,
  reading: ClaimReading,
): boolean {
  const parts = splitClauses(claim, reading)
  const clauses = parts.some(({ words }) => words === 0) ? [claim] : parts
  return clauses.some(clause =>
    statement.cells
      ? isInOtherColumn(clause, statement, reading)
      : isInOtherPart(clause, statement, reading),
  )
}

export function isOfOtherRow(
  claim: Claim,
  { cells, otherRows }: ReadStatement,
  { terms }: ClaimReading,
): boolean {
  if (!cells || !otherRows) return false
  const claimTerms = terms.extract(claim.text)
  const rank = (name: string) => {
    const content = terms.listContent(name)
    const claimed = content.filter(term => isContained(term, claimTerms)).length
    return claimed / Math.max(1, content.length) + claimed / 100
  }
  const own = rank(cells[0]?.text ?? '')
  return otherRows.some(name => rank(name) > own)
}

function isInOtherColumn(
  clause: Claim,
  statement: ReadStatement,
  { terms }: ClaimReading,
): boolean {
  const { cells = [], columnAnchors: anchors } = statement
  const names = cells.map(({ column }) => terms.extract(column))
  const { anchors: claimedAnchors } = clause
  const isNamed = names.map((name, index) => {
    if (index === 0) return false // the first column names the rows
    const words = clause.terms.some(
      term => isContained(term, name) && names.filter(name => isContained(term, name)).length === 1,
    )
    const isClaimed = (anchor: Anchor) =>
      claimedAnchors.some(claimedAnchor => isSameAnchor(claimedAnchor, anchor))
    const isOwn = (anchor: Anchor) =>
      anchors.filter(others => others.some(other => isSameAnchor(other, anchor))).length === 1
    return words || anchors[index]!.some(anchor => isClaimed(anchor) && isOwn(anchor))
  })
  const claimed = terms.extract(clause.text)
  const isOpen = cells.map(
    ({ text }, index) =>
      isNamed[index] &&
      !terms.listContent(findSubject(text)).some(term => isContained(term, claimed)),
  )
  return claimedAnchors.some(claimedAnchor => {
    if (!claimedAnchor.quantity) return false
    const holders = cells.flatMap((cell, index) =>
      findAnchors(withUnit(cell)).some(anchor => isSameAnchor(claimedAnchor, anchor))
        ? [index]
        : [],
    )
    return (
      isOpen.includes(true) &&
      holders.length > 0 &&
      !holders.some(index => index === 0 || isNamed[index])
    )
  })
}

const PART_END = /[,;:](?=\s)|[，；：、。]|\b(?:and|or|but|while|whereas)\b|和|及|或|而|但/giu

function isInOtherPart(
  clause: Claim,
  { text, anchors: stated }: ReadStatement,
  { terms }: ClaimReading,
): boolean {
  const { anchors: claimed } = clause
  if (claimed.length === 0) return false
  const ends = [...text.matchAll(PART_END)].map(({ index }) => index)
  const head = terms.extract(text.slice(0, stated[0]?.span.start))
  const parts = [0, ...ends]
    .map((start, index) => ({ start, end: ends[index] ?? text.length }))
    .map(part => {
      const anchors = stated.filter(({ span }) => part.start <= span.start && span.start < part.end)
      const numbers = claimed.filter(claimedAnchor =>
        anchors.some(anchor => isSameAnchor(claimedAnchor, anchor)),
      ).length
      const own = terms.extract(text.slice(part.start, part.end))
      const weigh = (isThere: (term: Term) => boolean) =>
        clause.terms.reduce((sum, term) => sum + (isThere(term) ? term.weight : 0), 0)
      const isOwn = (term: Term) => isContained(term, own)
      const shared = weigh(term => isOwn(term) || isContained(term, head))
      return { anchors, rank: 100 * numbers + shared + weigh(isOwn) / 100 }
    })
  return claimed.some(claimedAnchor => {
    const own = parts.filter(({ anchors }) =>
      anchors.some(anchor => isSameAnchor(claimedAnchor, anchor)),
    )
    const isRival = (anchor: Anchor) =>
      anchor.kind === claimedAnchor.kind && !claimed.some(other => isSameAnchor(other, anchor))
    const rivals = parts.filter(part => !own.includes(part) && part.anchors.some(isRival))
    const best = Math.max(...own.map(({ rank }) => rank))
    return own.length > 0 && rivals.some(({ rank }) => rank + 100 > best)
  })
}

type Segment = Polarity & { readonly text: string; readonly terms: readonly Term[] }

/**
 * Share of a claim's words in a segment, so that others' negations do not count
 * (bench/fit-claims.ts).
 */
const SPOKEN_OF = 0.6

type PolarityFit = {
  readonly isDenied: boolean
  /** Demand and choice are confused. */
  readonly isOtherDemand: boolean
}

/** Ignores the row's own name in the claim. */
export function fitOfPolarity(
  { text }: Claim,
  statement: ReadStatement,
  { terms }: ClaimReading,
): PolarityFit {
  const segments = splitSegments(
    statement.cells?.slice(1).flatMap(splitCellSegments) ?? splitByPolarity(statement.text),
    terms,
  )
  const key = statement.cells ? terms.extract(statement.cells[0]!.text) : new Set<string>()
  const claimSegments = splitSegments(splitByPolarity(text), terms).map(anchor => ({
    ...anchor,
    terms: anchor.terms.filter(term => !isContained(term, key)),
  }))
  const fits = claimSegments.map(segment => {
    const meant = findMeantSegment(
      segment,
      segments,
      claimSegments.length === 1 ? text : segment.text,
      terms,
    )
    if (meant.length === 0)
      return { isDenied: isNegative(segment) && !segments.some(isNegative), isOtherDemand: false }
    const alike = meant.filter(anchor => isNegative(anchor) === isNegative(segment))
    return {
      isDenied: alike.length === 0,
      isOtherDemand: alike.length > 0 && alike.every(anchor => isOtherDemand(segment, anchor)),
    }
  })
  return {
    isDenied: fits.some(({ isDenied }) => isDenied),
    isOtherDemand: fits.some(({ isOtherDemand }) => isOtherDemand),
  }
}

function isNegative({ negations }: Segment): boolean {
  return negations % 2 === 1
}

function isOtherDemand(a: Segment, b: Segment): boolean {
  return a.modality !== undefined && b.modality !== undefined && a.modality !== b.modality
}

function findMeantSegment(
  segment: Segment,
  segments: readonly Segment[],
  text: string,
  terms: Terms,
): readonly Segment[] {
  const there = terms.extract(text)
  const spoken = computeMaxShare(segments, anchor => share(anchor.terms, there), SPOKEN_OF)
  return spoken.length > 0
    ? spoken
    : computeMaxShare(
        segments,
        anchor => share(segment.terms, terms.extract(anchor.text)),
        SPOKEN_OF,
      )
}

function computeMaxShare(
  segments: readonly Segment[],
  shareOf: (segment: Segment) => number,
  threshold: number,
): readonly Segment[] {
  const shares = segments.map(shareOf)
  const best = Math.max(...shares)
  return best < threshold ? [] : segments.filter((_, index) => shares[index] === best)
}

function share(terms: readonly Term[], there: ReadonlySet<string>): number {
  return terms.filter(term => isContained(term, there)).length / Math.max(1, terms.length)
}

function splitSegments(parts: readonly string[], terms: ClaimReading['terms']): readonly Segment[] {
  const joined: string[] = []
  for (const part of parts) {
    const isEmpty = terms.listContent(findSubject(part)).length === 0
    if (isEmpty && joined.length > 0) joined[joined.length - 1] += ` ${part}`
    else joined.push(part)
  }
  return joined.map(text => ({
    text,
    terms: terms.listContent(findSubject(text)),
    ...readPolarity(text),
  }))
}

const NO = /^\s*(?:no|none|not?|false|n|[✗✘×✕-]|否|无|不是?)\s*$/iu
const YES = /^\s*(?:yes|true|y|[✓✔√]|是|有)\s*$/iu

/** Reads a yes/no cell as about its column. */
function splitCellSegments({ column, text }: Cell): readonly string[] {
  if (NO.test(text)) return [`not ${column}`]
  if (YES.test(text)) return [column]
  const own = splitByPolarity(text)
  return own.length > 1 ? own : [`${column} ${text}`]
}
