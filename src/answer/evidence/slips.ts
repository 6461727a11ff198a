import type { WordRarity } from '../../text/rarity.ts'
import { isSlip } from '../../text/slips.ts'
import type { Question } from '../question/question.ts'
import { type Candidate, isSaidBy } from './candidates.ts'

/** A word of a question as it is written, and as it was read. */
export type Slip = { readonly written: string; readonly read: string }

/** A shorter word is one slip away from too many. */
const WORD = /^[a-z]{5,24}$/
/**
 * The question with each word that neither its language nor anything found has read as the one word found that is a slip away: a letter more, less, other or
 * out of order. Names are written in many ways, so none is put right.
 */
export function withoutSlips(
  question: Question,
  candidates: readonly Candidate[],
  rarity: Pick<WordRarity, 'knows'>,
): { readonly question: Question; readonly slips: readonly Slip[] } {
  const isUnknown = (term: Question['terms'][number]) =>
    WORD.test(term.text) &&
    !term.isName &&
    !rarity.knows(term) &&
    !candidates.some(candidate => isSaidBy(term, candidate))
  const unknown = question.terms.filter(isUnknown)
  if (unknown.length === 0 || unknown.length === question.terms.length)
    return { question, slips: [] }
  const vocabulary = [
    ...new Set(candidates.flatMap(({ own, context }) => [...own, ...context])),
  ].filter(term => WORD.test(term))
  const slips = unknown.flatMap(({ text }): readonly Slip[] => {
    const near = vocabulary.filter(word => isSlip(text, word))
    return near.length === 1 ? [{ written: text, read: near[0]! }] : [] // just counted
  })
  const readAs = new Map(slips.map(({ written, read }) => [written, read]))
  const terms = question.terms.map(term => {
    const read = readAs.get(term.text)
    return read === undefined ? term : { ...term, text: read, word: read, anyOf: [read] }
  })
  return { question: { ...question, terms }, slips }
}
