import { createPseudoRandom } from '../src/search/evaluation/metrics.ts'

/** Distinct words, and distinct Han characters, of the generated languages. */
const WORDS = 60_000
const CHARACTERS = 3_500

/** Words of a sentence, Han characters of one. */
const SENTENCE_WORDS = 18
const SENTENCE_CHARACTERS = 30

const CONSONANTS = 'bcdfghjklmnprstvwz'
const VOWELS = 'aeiou'

export type ZipfText = { readonly isChinese: boolean; readonly sentences: readonly string[] }

/** Sentences whose words are as rare as in a real language (Zipf's law); the even half of the seeds is Chinese. */
export function zipfText(seed: number, sentences: number): ZipfText {
  const random = createPseudoRandom(seed * 7919 + 1)
  const isChinese = seed % 2 === 0
  const sentence = isChinese
    ? () => `${characters(random, SENTENCE_CHARACTERS)}。`
    : () => `${words(random, SENTENCE_WORDS)}.`
  return { isChinese, sentences: Array.from({ length: sentences }, sentence) }
}

/** A query of a few words of either language. */
export function zipfQuery(seed: number, count: number): string {
  const random = createPseudoRandom(seed * 104_729 + 3)
  return seed % 2 === 0 ? characters(random, count * 2) : words(random, count)
}

function words(random: () => number, count: number): string {
  return Array.from({ length: count }, () => word(rank(random, WORDS))).join(' ')
}

function characters(random: () => number, count: number): string {
  return Array.from({ length: count }, () =>
    String.fromCodePoint(0x4e00 + rank(random, CHARACTERS)),
  ).join('')
}

/** A rank from 0 with probability near 1/(rank + 1): the inverse of the logarithmic distribution. */
function rank(random: () => number, count: number): number {
  return Math.floor((count + 1) ** random()) - 1
}

/** The word of that rank: its number in syllables. */
function word(number: number): string {
  const syllables = CONSONANTS.length * VOWELS.length
  const syllable =
    CONSONANTS[number % CONSONANTS.length]! +
    VOWELS[Math.floor(number / CONSONANTS.length) % VOWELS.length]! // within
  return number < syllables ? syllable : word(Math.floor(number / syllables) - 1) + syllable
}
