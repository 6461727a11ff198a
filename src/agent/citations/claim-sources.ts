import { languageOf } from '../../ingest/language.ts'
import type { Passage } from '../../search/passages/context.ts'
import { contradicts } from '../language/negation.ts'
import { numbersMissing } from '../language/numbers.ts'
import type { Terms } from '../language/terms.ts'
import { numbersAgree } from './number-agreement.ts'
import { nearestWindow, type SupportOptions, shareOf } from './support.ts'

/** Share of a claim's words that a passage must hold: for one that the model named itself, and for another. */
const NAMED_SHARE = 0.34
const FOUND_SHARE = 0.6

/** A sentence with fewer telling words claims nothing that could be checked. */
export const CLAIM_POINTS = 3

/** Lift, as hits are called weak under it: what a source in another language must have, where no words can be compared. */
const NAMED_LIFT = 0.05

/** Of the sources that the model names, those that the claim may rest on: numbers have to be there, and nothing against it. */
export async function namedSources(
  claim: string,
  named: readonly Passage[],
  options: SupportOptions,
): Promise<readonly Passage[]> {
  const held = named.filter(passage => numbersAgree(claim, passage, options.terms))
  if (options.terms.pointsOf(claim).length < 2) return held
  const language = languageOf(claim)
  const within = held.filter(passage => languageOf(passage.text) === language && holds(claim, passage, options))
  const others = held.filter(passage => languageOf(passage.text) !== language)
  if (!options.meaning) return within.length > 0 ? within : others
  const near: Passage[] = []
  for (const passage of others) {
    const { lift } = await nearestWindow(claim, passage, options)
    if (lift === undefined || lift >= NAMED_LIFT) near.push(passage)
  }
  return held.filter(passage => within.includes(passage) || near.includes(passage))
}

/** The source that holds most of a claim, when that is nearly all of it and the numbers stand beside it. */
export function otherSource(
  claim: string,
  { passages, terms, read }: SupportOptions & { readonly passages: readonly Passage[] },
): readonly Passage[] {
  const points = terms.pointsOf(claim)
  const shares = passages.map(passage => ({ passage, ...shareOf(points, passage, read) }))
  const [best] = shares
    .filter(({ share }) => share >= FOUND_SHARE)
    .filter(({ passage }) => numbersAgree(claim, passage, terms)) // costs most
    .filter(({ window }) => !numbersMissing(claim, window) && !contradicts(claim, window, sharesBy(terms)))
    .toSorted((a, b) => b.share - a.share)
  return best ? [best.passage] : []
}

function holds(claim: string, passage: Passage, { terms, read }: SupportOptions): boolean {
  const { share, window } = shareOf(terms.pointsOf(claim), passage, read)
  return share >= NAMED_SHARE && !contradicts(claim, window, sharesBy(terms))
}

/** How much of a clause's telling words another text has; of a clause that says little, nothing. */
function sharesBy(terms: Terms): (clause: string, other: string) => number {
  return (clause, other) => {
    const points = terms.pointsOf(clause)
    const own = terms.of(other)
    const held = points.filter(({ anyOf }) => anyOf.some(term => own.has(term))).length
    return points.length < CLAIM_POINTS ? 0 : held / points.length
  }
}
