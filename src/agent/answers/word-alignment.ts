import type { Terms } from '../language/terms.ts'
import type { Unit } from '../language/units.ts'
import { isDoubtful } from './abstention.ts'
import type { Evidence } from './evidence.ts'
import { likenessToWords, MIN_WORDS, SAME_WORD, type WordOptions } from './word-likeness.ts'

/** Words of one sentence that are compared; a longer one is read so far. */
const MAX_WORDS = 24

/** One word says too little of a question. */
const MIN_ASKED = 2

/** How many sentences are compared word by word. */
const COMPARED = 6

/** The ranking with what the best sentences in the question's own language hold of its words, in whatever words they have. */
export async function withAlignment(
  question: string,
  ranking: readonly Evidence[],
  options: WordOptions,
): Promise<readonly Evidence[]> {
  const best = ranking.filter(evidence => !evidence.isAcross).slice(0, COMPARED)
  if (!best[0] || !isDoubtful(best[0])) return ranking
  const alignments = await alignmentsOf(question, best, options)
  return ranking.map(evidence => {
    const alignment = alignments[best.indexOf(evidence)]
    return alignment === undefined ? evidence : { ...evidence, alignment }
  })
}

/**
 * For each sentence, the share of the question's words that have a counterpart in it, 0 to 1: by the
 * likeness of single words, as in BERTScore (Zhang et al. 2020), each less its mean over all sentences. What only the
 * headings have counts half. Undefined where there is too little to compare.
 */
async function alignmentsOf(
  question: string,
  evidence: readonly Evidence[],
  options: WordOptions,
): Promise<readonly (number | undefined)[]> {
  const { terms } = options
  const asked = wordsOf(question, terms)
  const own = evidence.map(({ unit }) => wordsOf(unit.text, terms))
  const around = evidence.map(({ unit }) => wordsOf(headOf(unit), terms))
  const words = [...new Set([...own, ...around].flat())]
  if (asked.length < MIN_ASKED || words.length < MIN_WORDS) return evidence.map(() => undefined)
  const likeness = (await likenessToWords(asked, words, options)).map(
    one => new Map([...one].map(([word, near]) => [word, Math.min(1, Math.max(0, near / SAME_WORD))])),
  )
  const best = (likenessOfWord: ReadonlyMap<string, number>, among: readonly string[]) =>
    Math.max(0, ...among.map(word => likenessOfWord.get(word) ?? 0))
  return evidence.map((_, at) => {
    const held = likeness.map(one => Math.max(best(one, own[at]!), best(one, around[at]!) / 2)) // one list each
    return held.reduce((sum, share) => sum + share, 0) / held.length
  })
}

/** In the same language what a unit leans on is weighed with its words. */
function headOf({ passage, columns = [] }: Unit): string {
  return [passage.title, ...passage.headings, ...columns].join(' ')
}

const SEGMENTER = new Intl.Segmenter('zh', { granularity: 'word' })

/** The telling words of a text as they stand. */
export function wordsOf(text: string, terms: Terms): readonly string[] {
  const segments = [...SEGMENTER.segment(text.toLowerCase())].filter(part => part.isWordLike).map(part => part.segment)
  const all = segments.filter(
    word => /^(?:\p{Script=Han}{2,}|\p{Script=Latin}{3,})$/u.test(word) && terms.pointsOf(word).length > 0,
  )
  return [...new Set(all)].slice(0, MAX_WORDS)
}
