/** Languages with separate vectors and words; `en` stands for everything except Chinese. */
export type Language = (typeof LANGUAGES)[number]

export const LANGUAGES = ['zh', 'en'] as const

/**
 * Latin letters per Han character, so that mixed text is judged by content (about three in
 * translations).
 */
const LETTERS_PER_HAN = 3

/**
 * Returns Chinese if half of the text is Han, or the rest names and code: English needs function
 * words.
 */
export function detectLanguage(text: string): Language {
  const han = HAN.count(text)
  if (han === 0) return 'en'
  return han * LETTERS_PER_HAN >= LATIN.count(text) || (han >= FRAME && !SMALL_WORD.test(text))
    ? 'zh'
    : 'en'
}

/** Han characters that frame names, so that a single Chinese word does not decide. */
const FRAME = 4

const SMALL_WORD =
  /(?<![\p{L}\p{N}_./-])(?:the|of|and|to|is|are|was|were|in|that|this|with|by|or|be|as|on|it|not|an?|has|have|from|can|what|how|which|does)(?![\p{L}\p{N}_./-])/iu

/** Share of Han characters from which models place a text among Chinese ones (600 chunks, 2026). */
const MIN_HAN_SHARE = 0.01

export function detectVectorLanguage(embedded: string): Language {
  const han = LETTERS_PER_HAN * HAN.count(embedded)
  return han > 0 && han >= MIN_HAN_SHARE * (han + LATIN.count(embedded)) ? 'zh' : 'en'
}

/** Tests characters by code, cached: five times as fast as a regular expression. */
class Script {
  readonly #pattern: RegExp
  readonly #seen = new Uint8Array(0x10000)

  constructor(pattern: RegExp) {
    this.#pattern = pattern
  }

  count(text: string): number {
    let count = 0
    for (let index = 0; index < text.length; index++) {
      if ((this.#seen[text.charCodeAt(index)] || this.#classify(text, index)) === IN) count++
    }
    return count
  }

  /** Takes surrogate pairs as one character, uncached. */
  #classify(text: string, index: number): number {
    const code = text.codePointAt(index) ?? 0
    const found = this.#pattern.test(String.fromCodePoint(code)) ? IN : OUT
    if (code < FIRST_SURROGATE || (code > LAST_SURROGATE && code <= 0xffff))
      this.#seen[code] = found
    return found
  }
}

const IN = 1
const OUT = 2
const FIRST_SURROGATE = 0xd800
const LAST_SURROGATE = 0xdfff

const HAN = new Script(/\p{Script=Han}/u)
const LATIN = new Script(/\p{Script=Latin}/u)
