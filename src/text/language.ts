/** The two languages whose vectors and words are treated apart; `en` stands for everything that is not Chinese. */
export type Language = (typeof LANGUAGES)[number]

export const LANGUAGES = ['zh', 'en'] as const

/** A Han character says about as much as three Latin letters. */
const LETTERS_PER_HAN = 3

/** Chinese when Han characters carry at least half of the text, or when its other letters are names and code: no English is without small words. */
export function languageOf(text: string): Language {
  const han = HAN.count(text)
  if (han === 0) return 'en'
  return han * LETTERS_PER_HAN >= LATIN.count(text) || (han >= FRAME && !SMALL_WORD.test(text))
    ? 'zh'
    : 'en'
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
  const han = LETTERS_PER_HAN * HAN.count(embedded)
  return han > 0 && han >= LEAST_HAN_SHARE * (han + LATIN.count(embedded)) ? 'zh' : 'en'
}

/** The characters of a script. What is known of one is remembered by its code: a regular expression takes five times as long. */
class Script {
  readonly #pattern: RegExp
  readonly #known = new Uint8Array(0x10000)

  constructor(pattern: RegExp) {
    this.#pattern = pattern
  }

  /** How many characters of a text are of the script. */
  count(text: string): number {
    let count = 0
    for (let at = 0; at < text.length; at++) {
      if ((this.#known[text.charCodeAt(at)] || this.#look(text, at)) === IN) count++
    }
    return count
  }

  /** Of a pair of surrogates, which is one character, the first one alone is looked at, and each time anew. */
  #look(text: string, at: number): number {
    const code = text.codePointAt(at)!
    const found = this.#pattern.test(String.fromCodePoint(code)) ? IN : OUT
    if (code < FIRST_SURROGATE || (code > LAST_SURROGATE && code <= 0xffff))
      this.#known[code] = found
    return found
  }
}

/** Of a character that was looked at. */
const IN = 1
const OUT = 2
const FIRST_SURROGATE = 0xd800
const LAST_SURROGATE = 0xdfff

const HAN = new Script(/\p{Script=Han}/u)
const LATIN = new Script(/\p{Script=Latin}/u)
