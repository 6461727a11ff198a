import { findDenied, findOrders, readPolarity, splitByPolarity } from '../../text/polarity.ts'
import { segmentText } from '../../text/segments.ts'
import { isContained, type Terms } from '../../text/terms.ts'
import { fitOfNumbers, fitOfPolarity } from './agreement.ts'
import { type Anchor, findAnchors, findNames, isSameAnchor } from './anchors.ts'
import type { Claim, ClaimReading } from './claims.ts'
import type { ReadStatement } from './statements.ts'

/** Share of words in a statement on the same subject. A guess. */
const SAME_SUBJECT = 0.6
/** For denials (bench/fit-claims.ts). */
const SURE_SUBJECT = 0.7

/** Share of words in a statement with comparable numbers. A guess. */
const SAME_FIELD = 0.5

/**
 * Returns whether all statements with most words of the claim disagree. `statements` are of one
 * passage.
 */
export function isContradicted(
  claim: Claim,
  statements: readonly ReadStatement[],
  reading: ClaimReading,
): boolean {
  const shares = statements.map(statement => measureOverlap(claim, statement))
  const best = Math.max(...shares)
  if (best < SAME_SUBJECT) return false
  const closest = statements.filter((_, index) => shares[index] === best)
  const smallest = closest.filter(
    statement => !closest.some(other => other !== statement && isPart(other, statement)),
  )
  return smallest.every(
    statement =>
      hasOtherNumber(claim, statement, statements) ||
      (best >= SURE_SUBJECT && isOpposite(claim, statement, reading)) ||
      hasOtherName(claim, statement, reading.terms),
  )
}

function isPart(part: ReadStatement, other: ReadStatement): boolean {
  return part.text.length < other.text.length && other.text.includes(part.text)
}

/**
 * Requires a denial in some clause and as a whole. `Not until it is repaired` agrees with `once
 * it is repaired`.
 */
function isOpposite(claim: Claim, statement: ReadStatement, reading: ClaimReading): boolean {
  const isOdd = (text: string) => readPolarity(removeNegativeWords(text)).negations % 2 === 1
  const claimed = findOrders(claim.text)
  const stated = findOrders(statement.text)
  const isSameTime = claimed.size === stated.size && [...claimed].every(order => stated.has(order))
  const isOpposite =
    fitOfPolarity(claim, statement, reading).isDenied && isOdd(claim.text) !== isOdd(statement.text)
  return (
    isSameTime &&
    isOpposite &&
    (!isOdd(claim.text) || isAffirmedDenial(claim, statement, reading.terms))
  )
}

/** Chinese words that begin with a negation, such as 不锈钢. */
const NEGATIVE_WORD = /^[不无無未非].{2,}$/u

function removeNegativeWords(text: string): string {
  return segmentText(text)
    .map(({ segment }) => (NEGATIVE_WORD.test(segment) ? ' ' : segment))
    .join('')
}

/** Accepts `closed on Mondays` for `not open on Mondays`. */
function isAffirmedDenial(
  claim: Claim,
  { text, cells, anchors }: ReadStatement,
  terms: Terms,
): boolean {
  const shared = claim.anchors.filter(claimed =>
    anchors.some(anchor => isSameAnchor(claimed, anchor)),
  )
  const parts = cells
    ? [cells.map(cell => `${cell.column} ${cell.text}`).join(' ')]
    : splitByPolarity(text)
  const about = parts.filter(part => {
    const there = cells ? anchors : findAnchors(part)
    return shared.every(claimed => there.some(anchor => isSameAnchor(claimed, anchor)))
  })
  return splitByPolarity(claim.text)
    .flatMap(findDenied)
    .some(denied => {
      const [first, ...others] = terms.listContent(denied)
      const predicate = first ? [first, ...others.filter(({ word }) => word === first.word)] : []
      return about.some(part => predicate.every(term => isContained(term, terms.extract(part))))
    })
}

function measureOverlap({ terms, weight }: Claim, { own }: ReadStatement): number {
  if (weight === 0) return 0
  return (
    terms.filter(term => isContained(term, own)).reduce((sum, term) => sum + term.weight, 0) /
    weight
  )
}

/** Ignores related statements and ranges, which may be true, too. */
function hasOtherNumber(
  claim: Claim,
  statement: ReadStatement,
  all: readonly ReadStatement[],
): boolean {
  const { replaced } = fitOfNumbers(claim, statement)
  const related = all.filter(statement => measureOverlap(claim, statement) >= SAME_FIELD)
  const isElsewhere = (number: Anchor) =>
    related.some(({ anchors }) => anchors.some(anchor => isSameAnchor(number, anchor)))
  return replaced.some(number => number.quantity?.upTo === undefined && !isElsewhere(number))
}

function hasOtherName(
  claim: Claim,
  { text, anchors, all, statedTerms }: ReadStatement,
  terms: Terms,
): boolean {
  const claimed = terms.extract(claim.text)
  const isMentioned = (name: string, words: ReadonlySet<string>) =>
    terms.listContent(name).every(term => isContained(term, words))
  const lacked = findNames(claim.text, claim.anchors).some(
    name => !isMentioned(name, all) && !isMentioned(name, statedTerms),
  )
  return lacked && findNames(text, anchors).some(name => !isMentioned(name, claimed))
}
