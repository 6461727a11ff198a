import { type Anchor, isSameAnchor, namesIn } from '../../text/anchors.ts'
import { ordersIn, polarityOf } from '../../text/polarity.ts'
import { isHeld, type Terms } from '../../text/terms.ts'
import { fitOfNumbers, fitOfPolarity } from './agreement.ts'
import type { Claim, ClaimReading } from './claims.ts'
import type { ReadStatement } from './statements.ts'

/** Share of a claim's words that a statement must have itself before the two are about the same thing. */
const SAME_SUBJECT = 0.6

/** Share of its words that another statement must have before a number there may be the claim's. */
const SAME_FIELD = 0.5

/**
 * Reports whether a passage says something else in place of what the claim says: another number, date or unit, another
 * name, or the opposite. Only the statements that share most words with the claim can tell; if one of them does not
 * disagree, none does. `statements` are all of one passage.
 */
export function isContradicted(claim: Claim, statements: readonly ReadStatement[], reading: ClaimReading): boolean {
  const shares = statements.map(statement => measureOverlap(claim, statement))
  const best = Math.max(...shares)
  if (best < SAME_SUBJECT) return false
  const closest = statements.filter((_, index) => shares[index] === best)
  const smallest = closest.filter(one => !closest.some(other => other !== one && isPart(other, one)))
  return smallest.every(
    statement =>
      hasOtherNumber(claim, statement, statements) ||
      isOpposite(claim, statement, reading) ||
      hasOtherName(claim, statement, reading.terms),
  )
}

/** A sentence is also read together with the one before it, and a paragraph of lines also line by line. */
function isPart(part: ReadStatement, other: ReadStatement): boolean {
  return part.text.length < other.text.length && other.text.includes(part.text)
}

/**
 * Both in some clause and as a whole: `After it has left, there is no refund` has another order of the same words. `Not until
 * it is repaired` denies nothing of `once it is repaired`.
 */
function isOpposite(claim: Claim, statement: ReadStatement, reading: ClaimReading): boolean {
  const isOdd = (text: string) => polarityOf(text).negations % 2 === 1
  const [claimed, stated] = [ordersIn(claim.text), ordersIn(statement.text)]
  const isSameTime = claimed.size === stated.size && [...claimed].every(order => stated.has(order))
  return isSameTime && fitOfPolarity(claim, statement, reading).isDenied && isOdd(claim.text) !== isOdd(statement.text)
}

function measureOverlap({ terms, weight }: Claim, { own }: ReadStatement): number {
  if (weight === 0) return 0
  return terms.filter(term => isHeld(term, own)).reduce((sum, term) => sum + term.weight, 0) / weight
}

/** A number that the passage has where it is about much the same may be said of both; a range joins two numbers. */
function hasOtherNumber(claim: Claim, statement: ReadStatement, all: readonly ReadStatement[]): boolean {
  const { replaced } = fitOfNumbers(claim, statement)
  const related = all.filter(one => measureOverlap(claim, one) >= SAME_FIELD)
  const isElsewhere = (number: Anchor) => related.some(({ anchors }) => anchors.some(one => isSameAnchor(number, one)))
  return replaced.some(number => number.quantity?.upTo === undefined && !isElsewhere(number))
}

/** A name that the passage lacks, while the statement has one that the claim lacks. */
function hasOtherName(claim: Claim, { text, anchors, all, known }: ReadStatement, terms: Terms): boolean {
  const claimed = terms.of(claim.text)
  const isMentioned = (name: string, words: ReadonlySet<string>) =>
    terms.contentOf(name).every(term => isHeld(term, words))
  const lacked = namesIn(claim.text, claim.anchors).some(name => !isMentioned(name, all) && !isMentioned(name, known))
  return lacked && namesIn(text, anchors).some(name => !isMentioned(name, claimed))
}
