import type { Meaning } from '../language/meaning.ts'
import type { Terms } from '../language/terms.ts'

/**
 * So much nearer than the average word of a text, one says the same: cosines of single words crowd together. `became` and
 * `succeeded` are .051, `teaches` and `taught` .072, where a text has nothing of the kind mostly under .045. Seen on the
 * sets of test/eval that are not held out.
 */
export const SAME_WORD = 0.05

/** Fewer words give no average. */
export const MIN_WORDS = 12

/** What words are compared with. */
export type WordOptions = { readonly terms: Terms; readonly meaning: Meaning; readonly signal?: AbortSignal }

/** Of each that is asked for, how much nearer it is to each of the words than to their average. */
export async function likenessToWords(
  asked: readonly string[],
  words: readonly string[],
  { meaning, signal }: WordOptions,
): Promise<readonly ReadonlyMap<string, number>[]> {
  const nearness = await meaning.nearness(
    asked,
    words.map(text => ({ text })),
    signal,
  )
  return nearness.map(({ cosines }) => {
    const mean = cosines.reduce((sum, cosine) => sum + cosine, 0) / cosines.length
    return new Map(words.map((word, at) => [word, cosines[at]! - mean])) // one each
  })
}
