import { attributeOf } from '../language/attribute.ts'
import type { Evidence } from './evidence.ts'
import { wordsOf } from './word-alignment.ts'
import { likenessToWords, MIN_WORDS, SAME_WORD, type WordOptions } from './word-likeness.ts'

/** Of the best units so many are looked at for another word, among so many words. */
const COMPARED = 3
const BACKGROUND = 8
const MAX_WORDS = 48

/** The ranking with those of the best units that have another word for what is asked for marked as holding it. */
export async function withSynonyms(
  question: string,
  ranking: readonly Evidence[],
  options: WordOptions,
): Promise<readonly Evidence[]> {
  const asked = attributeOf(question)?.text
  if (asked === undefined) return ranking
  const own = ranking.filter(evidence => !evidence.isAcross && evidence.isBound)
  const lacking = own.slice(0, COMPARED).filter(evidence => !evidence.holdsAsked)
  if (lacking.length === 0) return ranking
  const wordsBy = new Map(
    own.slice(0, BACKGROUND).map(evidence => [evidence, wordsOf(surroundedText(evidence), options.terms)]),
  )
  const words = [...new Set([...wordsBy.values()].flat())].slice(0, MAX_WORDS)
  if (words.length < MIN_WORDS) return ranking
  const [likeness = new Map()] = await likenessToWords([asked], words, options)
  const same = new Set(words.filter(word => likeness.get(word) >= SAME_WORD))
  const isHeld = (evidence: Evidence) => (wordsBy.get(evidence) ?? []).some(word => same.has(word))
  return ranking.map(evidence =>
    lacking.includes(evidence) && isHeld(evidence) ? { ...evidence, holdsAsked: true } : evidence,
  )
}

function surroundedText({ unit: { text, passage, columns = [] } }: Evidence): string {
  return [text, ...columns, passage.headings.at(-1) ?? ''].join('\n')
}
