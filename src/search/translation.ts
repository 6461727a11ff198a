import type { Analyzer } from '../text/analyzer.ts'
import type { Dictionary } from '../text/dictionary.ts'
import { detectLanguage, type Language } from '../text/language.ts'

/** Chinese words in English, and English stems in Chinese. */
export type Dictionaries = Readonly<Record<Language, Dictionary>>

/** Terms of an English entry, so that lookups stay few. */
const MAX_TERMS = 3

/** Meanings per word, so that queries stay short; common ones come first. */
const MAX_MEANINGS = 8

/** Words per query, so that pasted text stays cheap. */
const MAX_WORDS = 32

/**
 * Characters of more than 500 words of data/lexicon/zh-en.tsv: 子 of 耗子 is in 1,536. Without those of
 * more than 300, nDCG@10 falls by .016 (test/eval/cross-language/tuning, 2026).
 */
const PRODUCTIVE_CHARACTERS = new Set(
  '不子大人县区一市头学水心生山斯地中性国儿尔无马动小机天拉白化气体手花行电分海家金发自面上物力法有克高',
)

const SINGLE_HAN = /^\p{Script=Han}$/u
const HAN_RUN = /\p{Script=Han}+/gu

/** `share` of the query, 0 to 1. */
type TranslatedWords = { readonly meanings: readonly (readonly string[])[]; readonly share: number }

export class Translation {
  readonly #analyzer: Analyzer
  readonly #dictionaries: Dictionaries

  constructor(analyzer: Analyzer, dictionaries: Dictionaries) {
    this.#analyzer = analyzer
    this.#dictionaries = dictionaries
  }

  translate(text: string): TranslatedWords {
    const { meanings, share } =
      detectLanguage(text) === 'zh' ? this.#translateChinese(text) : this.#translateEnglish(text)
    const listTerms = (some: readonly string[]) =>
      some.flatMap(meaning => this.#analyzer.listQueryTerms(meaning))
    const terms = meanings.map(some => [...new Set(listTerms(some.slice(0, MAX_MEANINGS)))])
    const [only = [], ...others] = terms
    if (others.length === 0) return { meanings: [only.filter(isWord)], share }
    const isTelling = (term: string, index: number) =>
      !PRODUCTIVE_CHARACTERS.has(term) || (meanings[index] ?? []).includes(term)
    return {
      meanings: terms.map((some, index) => some.filter(term => isTelling(term, index))),
      share,
    }
  }

  /** Skips single characters, which mean too much. */
  #translateChinese(text: string): TranslatedWords {
    const { zh } = this.#dictionaries
    const words = (this.#analyzer.normalizeText(text).match(HAN_RUN) ?? []).flatMap(run =>
      zh.splitWords(run),
    )
    const translatable = words.filter(word => [...word].length > 1).slice(0, MAX_WORDS)
    const measureLength = (some: readonly string[]) => [...some.join('')].length
    return {
      meanings: translatable.map(word => zh.findMeanings(word)),
      share: measureLength(translatable) / Math.max(1, measureLength(words)),
    }
  }

  /** Looks up entries of several terms and each of their terms. */
  #translateEnglish(text: string): TranslatedWords {
    const terms = this.#analyzer.listSequence(text)
    const contentTerms = new Set(this.#analyzer.listQueryTerms(text))
    const found = new Map<string, readonly string[]>()
    for (const [index, term] of terms.entries()) {
      if (found.size >= MAX_WORDS) break
      const { length, meanings } = this.#findLongest(terms.slice(index, index + MAX_TERMS))
      if (length > 1) found.set(terms.slice(index, index + length).join(' '), meanings)
      const own = contentTerms.has(term) ? this.#dictionaries.en.findMeanings(term) : []
      if (own.length > 0) found.set(term, own)
    }
    const foundCount = [...contentTerms].filter(term => found.has(term)).length
    return { meanings: [...found.values()], share: foundCount / Math.max(1, contentTerms.size) }
  }

  #findLongest(parts: readonly string[]) {
    for (let length = parts.length; length > 1; length--) {
      const meanings = this.#dictionaries.en.findMeanings(parts.slice(0, length).join(' '))
      if (meanings.length > 0) return { length, meanings }
    }
    return { length: 1, meanings: [] }
  }
}

/** Rejects single Chinese characters, mostly parts of other words: 子 of 耗子. */
function isWord(term: string): boolean {
  return !SINGLE_HAN.test(term)
}
