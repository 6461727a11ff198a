import { isHeld, type Term } from '../../text/terms.ts'
import { fitOfNumbers, fitOfPolarity, isBoundOtherwise, isOfOtherRow, isOfOtherWords } from './agreement.ts'
import { isSameAnchor, numbersAmong } from './anchors.ts'
import { type Claim, type ClaimReading, reasonsOf } from './claims.ts'
import type { ReadStatement } from './statements.ts'

/** What is known of a statement for a claim; each about 0 to 1. ARCHITECTURE.md has what they mean, and their weights. */
export const SUPPORT_FEATURES = [
  'least',
  'elsewhere',
  'number',
  'rival',
  'counted',
  'bound',
  'row',
  'part',
  'denied',
  'demand',
  'nearness',
  'chinese',
] as const

export type SupportFeature = (typeof SUPPORT_FEATURES)[number]
export type SupportFeatures = Readonly<Record<SupportFeature, number>>

/** What a passage that search finds mostly has with the shipped model. */
const USUAL_COSINE = 0.8

/** `cosine` is that of claim and statement; undefined where it is not known: then the words stand for it. */
export function supportFeaturesOf(
  claim: Claim,
  statement: ReadStatement,
  { reading, cosine }: { readonly reading: ClaimReading; readonly cosine?: number | undefined },
): SupportFeatures {
  const isThere = (term: Term) => isHeld(term, statement.known)
  const ownShare = shareOf(claim, term => isHeld(term, statement.own))
  const nearness = cosine === undefined ? ownShare : 10 * (cosine - USUAL_COSINE)
  const numbers = fitOfNumbers(claim, statement)
  const polarity = fitOfPolarity(claim, statement, reading)
  return {
    least: Math.min(...reasonsOf(claim, reading).map(part => shareOf(part, isThere))),
    elsewhere: claim.words === 0 ? 0 : shareOf(claim, term => !isThere(term) && isHeld(term, statement.all)),
    number: Number(numbers.lacked > 0),
    rival: Number(numbers.isOther),
    counted: Number(numbersAmong(claim.anchors).length > 0),
    bound: Number(isBoundOtherwise(claim, statement)),
    row: Number(isOfOtherRow(claim, statement, reading)),
    part: Number(isOfOtherWords(claim, statement, reading)),
    denied: polarity.isDenied ? ownShare : 0,
    demand: Number(polarity.isOtherDemand),
    nearness: ownShare === 1 ? Math.max(1, nearness) : nearness, // what says every word of it is near, whatever a model thinks
    chinese: Number(/\p{Script=Han}/u.test(claim.text)),
  }
}

/** What vectors are worked out for: most of the words, and numbers. */
export function likenessOf(claim: Claim, { own, known, anchors }: ReadStatement): number {
  const share = shareOf(claim, term => isHeld(term, own)) + shareOf(claim, term => isHeld(term, known))
  const numbers = claim.anchors.filter(wanted => anchors.some(one => isSameAnchor(wanted, one))).length
  return share + numbers / Math.max(1, claim.anchors.length)
}

/** The share of the claim's words that are so, by weight; of no words all are. */
function shareOf({ terms, weight }: Claim, is: (term: Term) => boolean): number {
  return weight === 0 ? 1 : terms.filter(is).reduce((sum, term) => sum + term.weight, 0) / weight
}
