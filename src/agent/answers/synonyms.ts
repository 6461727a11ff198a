import { attributeOf } from '../language/attribute.ts'
import type { Meaning } from '../language/meaning.ts'
import type { Terms } from '../language/terms.ts'
import type { Evidence } from './evidence.ts'
import { wordsOf } from './word-alignment.ts'

/**
 * So much nearer than the average word, one says the same as what is asked for: `became` and `succeeded` .051, `teaches`
 * and `taught` .072, where a text has nothing of the kind mostly under .045. Seen on the sets of test/eval that are not held out.
 */
const SAME_WORD = 0.05

/** Of the best units so many are looked at for another word, among so many words; fewer give no average. */
const COMPARED = 3
const BACKGROUND = 8
const MAX_WORDS = 48
const MIN_WORDS = 12

type Options = { readonly terms: Terms; readonly meaning: Meaning; readonly signal?: AbortSignal }

/** The ranking with those of the best units that have another word for what is asked for marked as holding it. */
export async function withSynonyms(
  question: string,
  ranking: readonly Evidence[],
  { terms, meaning, signal }: Options,
): Promise<readonly Evidence[]> {
  const asked = attributeOf(question)?.text
  if (asked === undefined) return ranking
  const own = ranking.filter(evidence => !evidence.isAcross && evidence.isBound)
  const lacking = own.slice(0, COMPARED).filter(evidence => !evidence.holdsAsked)
  if (lacking.length === 0) return ranking
  const wordsBy = new Map(
    own.slice(0, BACKGROUND).map(evidence => [evidence, wordsOf(surroundedText(evidence), terms)]),
  )
  const words = [...new Set([...wordsBy.values()].flat())].slice(0, MAX_WORDS)
  if (words.length < MIN_WORDS) return ranking
  const [near] = await meaning.nearness(
    [asked],
    words.map(text => ({ text })),
    signal,
  )
  const { cosines = [] } = near ?? {}
  const mean = cosines.reduce((sum, cosine) => sum + cosine, 0) / cosines.length
  const same = new Set(words.filter((_, at) => cosines[at]! - mean >= SAME_WORD)) // one cosine each
  const isHeld = (evidence: Evidence) => (wordsBy.get(evidence) ?? []).some(word => same.has(word))
  return ranking.map(evidence =>
    lacking.includes(evidence) && isHeld(evidence) ? { ...evidence, holdsAsked: true } : evidence,
  )
}

function surroundedText({ unit: { text, passage, columns = [] } }: Evidence): string {
  return [text, ...columns, passage.headings.at(-1) ?? ''].join('\n')
}
