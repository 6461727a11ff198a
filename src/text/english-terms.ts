import { Analyzer } from './analyzer.ts'
import { Dictionary, type Lexicon } from './dictionary.ts'
import { remembered } from './remembered.ts'
import type { Terms } from './terms.ts'

const HAN = /\p{Script=Han}/u
const HAN_RUNS = /\p{Script=Han}+/gu

/** An English word, or a name, weighs what most Chinese words do. */
const WORD_WEIGHT = 2

/** Longer words are also read as those they are made of: 采暖期 holds 采暖, the heating. */
const COMPOUND = 3
const LEAST_PART = 2

/** Reads texts of both languages in English: Chinese words by what the lexicon says that they mean, names by their sound. */
export class EnglishTerms {
  readonly #dictionary: Dictionary
  readonly #pinyin: Pinyin
  readonly #terms: Terms
  readonly #analyzer = new Analyzer()
  readonly #english = remembered(text => this.#read(text))
  readonly #meanings = new Map<string, readonly (readonly string[])[]>()

  /** Without a lexicon, only what is written alike in both languages is compared. */
  constructor(lexicon: Lexicon | undefined, terms: Terms) {
    const nothing = new Dictionary(() => Buffer.alloc(0))
    this.#dictionary = lexicon?.meanings ?? nothing
    this.#pinyin = new Pinyin(lexicon?.readings ?? nothing)
    this.#terms = terms
  }

  /** The Chinese words of a text that the dictionary has, each with the heads of its meanings, as terms. */
  heads(text: string): readonly { readonly word: string; readonly anyOf: readonly string[] }[] {
    return this.#wordsOf(text).flatMap(word => {
      const anyOf = this.#meaningsOf(word).flatMap(meaning => meaning.slice(-1))
      return anyOf.length === 0 ? [] : [{ word, anyOf }]
    })
  }

  /** The telling words of a text, each with what it may mean, as terms, and its weight in Chinese characters. */
  asked(text: string) {
    const words = this.#wordsOf(text).map(word => ({
      weight: word.length,
      meanings: this.#meaningsOf(word),
    }))
    const other = this.#terms.contentOf(text).filter(term => !HAN.test(term.text))
    return [...words, ...other.map(({ anyOf }) => ({ weight: WORD_WEIGHT, meanings: [anyOf] }))]
  }

  /** English terms of a text, those of its Chinese words and of the names that it spells in Chinese among them. */
  of(text: string, names: readonly string[] = []): ReadonlySet<string> {
    const spelled = names.filter(name => this.spells(name, text))
    return new Set([...this.#english(text), ...spelled.flatMap(name => [...this.#terms.of(name)])])
  }

  #read(text: string): ReadonlySet<string> {
    const terms = new Set(this.#terms.of(text))
    for (const word of this.#wordsOf(text).flatMap(partsOf))
      for (const meaning of this.#meaningsOf(word)) for (const term of meaning) terms.add(term)
    return terms
  }

  /** A name in Latin letters, in Chinese characters. */
  spells(name: string, text: string): boolean {
    return this.#pinyin.isSpelled(name, this.#analyzer.plain(text))
  }

  #wordsOf(text: string): readonly string[] {
    return (this.#analyzer.plain(text).match(HAN_RUNS) ?? []).flatMap(run =>
      this.#dictionary.words(run),
    )
  }

  /** Each meaning by its content words. */
  #meaningsOf(word: string): readonly (readonly string[])[] {
    const known = this.#meanings.get(word)
    if (known) return known
    const told = this.#dictionary.meanings(word)
    if (told.length === 0) return [] // most parts of words are none
    const meanings = told.map(meaning =>
      this.#terms.contentOf(meaning).flatMap(({ anyOf }) => anyOf),
    )
    this.#meanings.set(word, meanings)
    return meanings
  }
}

function partsOf(word: string): readonly string[] {
  const parts = [word]
  if (word.length < COMPOUND) return parts
  for (let at = 0; at + LEAST_PART <= word.length; at++)
    for (let length = LEAST_PART; length < word.length && at + length <= word.length; length++)
      parts.push(word.slice(at, at + length))
  return parts
}

const HAN_RUN = /\p{Script=Han}{2,}/gu
/** One syllable sounds like too many characters. */
const LEAST_SYLLABLES = 2
/** What is longer is no name. */
const MAX_LETTERS = 40
const POSSESSIVE = /['’]s$/u

/** Finds names that are written by their sound in Latin letters among Chinese characters: Haituo is 海拓, Xi'an 西安. */
export class Pinyin {
  readonly #readings: Dictionary

  /** `readings` has characters with their syllables in Hanyu Pinyin, without tones. */
  constructor(readings: Dictionary) {
    this.#readings = readings
  }

  /** Characters of the text, simplified and next to each other, sound like the name. */
  isSpelled(name: string, text: string): boolean {
    const letters = name
      .replace(POSSESSIVE, '')
      .normalize('NFD')
      .toLowerCase()
      .replace(/[^a-z]/g, '')
    if (letters === '' || letters.length > MAX_LETTERS) return false
    return (text.match(HAN_RUN) ?? []).some(run => {
      const characters = [...run]
      return characters.some((_, at) => this.#spells(characters, at, letters, 0))
    })
  }

  /** From one character on; `syllables` were read before. */
  #spells(characters: readonly string[], at: number, letters: string, syllables: number): boolean {
    if (letters === '') return syllables >= LEAST_SYLLABLES
    const readings = this.#readings.meanings(characters[at] ?? '')
    return readings.some(
      reading =>
        letters.startsWith(reading) &&
        this.#spells(characters, at + 1, letters.slice(reading.length), syllables + 1),
    )
  }
}
