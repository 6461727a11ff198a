import type { WordRarity } from '../../text/rarity.ts'
import { isHeld } from '../../text/terms.ts'
import type { Omission } from '../question/omissions.ts'
import type { Question } from '../question/question.ts'
import type { Candidate } from './candidates.ts'

/** A word of the question that not every candidate says, and the question without it. */
export type LackedWord = Omission & {
  /** 0 to 1. */
  readonly rarity: number
  readonly isLackedBy: (candidate: Candidate) => boolean
}

/** Each further one costs an embedding, and tells less than the rarest do. */
const MAX_LACKED = 3

/**
 * The rarest words of the question that some candidates lack. Whether such a candidate says the same in another word is told by vectors:
 * one that does is nearer to the question with the word than without.
 */
export function lackedWords(
  { terms, omissions }: Question,
  candidates: readonly Candidate[],
  rarity: WordRarity | undefined,
): readonly LackedWord[] {
  const words = omissions.flatMap(omission => {
    const own = terms.filter(({ word, role }) => word === omission.word && role !== 'excluded')
    const isLackedBy = ({ own: said, context, scope }: Candidate) =>
      2 * own.filter(term => [said, context, scope].some(there => isHeld(term, there))).length < own.length
    return own.length > 0 && candidates.some(isLackedBy)
      ? [{ ...omission, rarity: rarity?.of(omission.word) ?? 1, isLackedBy }]
      : []
  })
  return words.toSorted((a, b) => b.rarity - a.rarity).slice(0, MAX_LACKED)
}
