import { antecedentOf } from '../language/leaning.ts'
import { stemOf } from '../language/stem.ts'
import type { Terms } from '../language/terms.ts'
import { questionOver, type Unit, unitsOf } from '../language/units.ts'
import { isDoubtful } from './abstention.ts'
import type { Evidence } from './evidence.ts'
import { likenessToWords, MIN_WORDS, SAME_WORD, type WordOptions } from './word-likeness.ts'

/** Words of one sentence that are compared; a longer one is read so far. */
const MAX_WORDS = 24

/** One word says too little of a question. */
const MIN_ASKED = 2

/** How many sentences are compared word by word, and how much that says beside their score. */
const COMPARED = 8
const COMPARED_WITHIN = 6
const WEIGHT = 0.8

/** The best sentences in the other language in the order of their scores and alignments; the others are left out. */
export async function byAlignment(
  question: string,
  ranking: readonly Evidence[],
  options: WordOptions,
): Promise<readonly Evidence[]> {
  const best = ranking.filter(evidence => evidence.isAcross && evidence.isBound).slice(0, COMPARED)
  const alignments = await alignmentsOf(question, best, ACROSS, options)
  const aligned = best.map((evidence, at): Evidence => {
    const alignment = alignments[at]
    if (alignment === undefined) return evidence
    return { ...evidence, alignment, score: evidence.score + WEIGHT * alignment }
  })
  return aligned.toSorted((a, b) => b.score - a.score)
}

/** The ranking with what the best sentences in the question's own language hold of its words, in whatever words they have. */
export async function withAlignment(
  question: string,
  ranking: readonly Evidence[],
  options: WordOptions,
): Promise<readonly Evidence[]> {
  const best = ranking.filter(evidence => !evidence.isAcross).slice(0, COMPARED_WITHIN)
  if (!best[0] || !isDoubtful(best[0])) return ranking
  const alignments = await alignmentsOf(question, best, WITHIN, options)
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
  { words: wordsIn, own: ownOf, around: aroundOf }: Reading,
  options: WordOptions,
): Promise<readonly (number | undefined)[]> {
  const { terms } = options
  const asked = wordsIn(question, terms)
  const own = evidence.map(({ unit }) => wordsIn(ownOf(unit), terms))
  const around = evidence.map(({ unit }) => wordsIn(aroundOf(unit), terms))
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

/** What is read of a question and of units: words, what a unit says itself, and what it stands under. */
type Reading = {
  readonly words: (text: string, terms: Terms) => readonly string[]
  readonly own: (unit: Unit) => string
  readonly around: (unit: Unit) => string
}

/** In the same language the other words of a question are told by their terms, and what a unit leans on is weighed with these. */
const WITHIN: Reading = {
  words: wordsOf,
  own: ({ text }) => text,
  around: ({ passage, columns = [] }) => [passage.title, ...passage.headings, ...columns].join(' '),
}

const ACROSS: Reading = {
  words: joinedWordsOf,
  own: ({ text, columns = [] }) => [text, ...columns].join('\n'),
  around: unit => {
    const { passage } = unit
    const units = unitsOf(passage)
    const at = units.findIndex(other => other.span.start === unit.span.start)
    const leant = [antecedentOf(units, at), stemOf(units, at), questionOver(unit)].map(other => other?.text ?? '')
    return [...leant, passage.title, ...passage.headings].join('\n')
  },
}

const SEGMENTER = new Intl.Segmenter('zh', { granularity: 'word' })

/** Characters that the dictionary gives one by one are a word it does not know, but for these. */
const SINGLE =
  /^(?![的了是在有和与或及为要会能可对从由把被将给让向到也都就还不没很最各每其该此哪几谁吗呢吧个])\p{Script=Han}$/u

/** The telling words of a text as they stand. */
export function wordsOf(text: string, terms: Terms): readonly string[] {
  return telling(segmentsOf(text), terms)
}

/** The same, with words that the dictionary does not know, and without words that ask. */
function joinedWordsOf(text: string, terms: Terms): readonly string[] {
  return telling(withUnknown(segmentsOf(text)), terms).filter(word => !/^[几哪何多]/u.test(word))
}

function segmentsOf(text: string): readonly string[] {
  return [...SEGMENTER.segment(text.toLowerCase())].filter(part => part.isWordLike).map(part => part.segment)
}

function telling(words: readonly string[], terms: Terms): readonly string[] {
  const all = words.filter(
    word => /^(?:\p{Script=Han}{2,}|\p{Script=Latin}{3,})$/u.test(word) && terms.pointsOf(word).length > 0,
  )
  return [...new Set(all)].slice(0, MAX_WORDS)
}

/** `网`, `关`, `固`, `件` as `网关`, `固件`: most words have two characters. */
function withUnknown(segments: readonly string[]): readonly string[] {
  const words: string[] = []
  for (const segment of segments) {
    const isSecond = SINGLE.test(words.at(-1) ?? '') && SINGLE.test(segment)
    words.push(isSecond ? `${words.pop()}${segment}` : segment)
  }
  return words
}
