/** The two languages whose vectors and words are treated apart; `en` stands for everything that is not Chinese. */
export type Language = (typeof LANGUAGES)[number]

export const LANGUAGES = ['zh', 'en'] as const

/** A Han character says about as much as three Latin letters. */
const LETTERS_PER_HAN = 3

/** Chinese when Han characters carry at least half of the text, or when its other letters are names and code: no English is without small words. */
export function languageOf(text: string): Language {
  const han = count(text, HAN)
  if (han === 0) return 'en'
  return han * LETTERS_PER_HAN >= count(text, LATIN) || (han >= FRAME && !SMALL_WORD.test(text)) ? 'zh' : 'en'
}

/** So many Han characters make a sentence of the names that stand between them. */
const FRAME = 4

const SMALL_WORD =
  /(?<![\p{L}\p{N}_./-])(?:the|of|and|to|is|are|was|were|in|that|this|with|by|or|be|as|on|it|not|an?|has|have|from|can|what|how|which|does)(?![\p{L}\p{N}_./-])/iu

/**
 * A multilingual model puts a text among the Chinese ones as soon as a little of it is Chinese: of 600 chunks, those that have
 * nothing but a heading in it over code or English lie as near to Chinese questions as those that are Chinese throughout.
 */
const LEAST_HAN_SHARE = 0.01

/** The language among whose texts the vector of a text lies, of all that is embedded: what is expected of its cosines. */
export function vectorLanguageOf(embedded: string): Language {
  const han = LETTERS_PER_HAN * count(embedded, HAN)
  return han > 0 && han >= LEAST_HAN_SHARE * (han + count(embedded, LATIN)) ? 'zh' : 'en'
}

const HAN = /\p{Script=Han}/gu
const LATIN = /\p{Script=Latin}/gu

function count(text: string, letter: RegExp): number {
  return text.match(letter)?.length ?? 0
}
