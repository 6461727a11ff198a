import { Analyzer } from './analyzer.ts'
import { Dictionary, type Lexicon } from './dictionary.ts'
import { memoize } from './memoize.ts'
import type { Terms } from './terms.ts'

const HAN = /\p{Script=Han}/u
const HAN_RUNS = /\p{Script=Han}+/gu

/** Weight of an English word: that of a typical Chinese one, so that both languages compare. */
const WORD_WEIGHT = 2

/** Length of a Chinese compound that is split, so that 采暖期 also contains 采暖. */
const COMPOUND = 3
const MIN_PART = 2

/** Represents both languages in English: words by meanings, names by sound. */
export class EnglishTerms {
  readonly #dictionary: Dictionary
  readonly #antonyms: Dictionary
  readonly #pinyin: Pinyin
  readonly #terms: Terms
  readonly #analyzer = new Analyzer()
  readonly #english = memoize(text => this.#read(text))
  readonly #meanings = new Map<string, readonly (readonly string[])[]>()

  /** Compares only text written alike without a lexicon. */
  constructor(lexicon: Lexicon | undefined, terms: Terms) {
    const nothing = new Dictionary(() => Buffer.alloc(0))
    this.#dictionary = lexicon?.meanings ?? nothing
    this.#antonyms = lexicon?.antonyms ?? nothing
    this.#pinyin = new Pinyin(lexicon?.readings ?? nothing)
    this.#terms = terms
  }

  /** Returns Chinese words with the head terms of their meanings. */
  listHeads(text: string): readonly { readonly word: string; readonly anyOf: readonly string[] }[] {
    return this.#splitWords(text).flatMap(word => {
      const anyOf = this.#findMeanings(word).flatMap(meaning => meaning.slice(-1))
      return anyOf.length === 0 ? [] : [{ word, anyOf }]
    })
  }

  /** Returns content words with terms of their meanings, weighted in Chinese characters. */
  listContentTerms(text: string) {
    const words = this.#splitWords(text).map(word => ({
      weight: word.length,
      meanings: this.#findMeanings(word),
    }))
    const other = this.#terms.listContent(text).filter(term => !HAN.test(term.text))
    return [...words, ...other.map(({ anyOf }) => ({ weight: WORD_WEIGHT, meanings: [anyOf] }))]
  }

  /** Includes meanings and Chinese spellings of names. */
  listTerms(text: string, names: readonly string[] = []): ReadonlySet<string> {
    const spelled = names.filter(name => this.hasSpelling(name, text))
    return new Set([
      ...this.#english(text),
      ...spelled.flatMap(name => [...this.#terms.extract(name)]),
    ])
  }

  #read(text: string): ReadonlySet<string> {
    const terms = new Set(this.#terms.extract(text))
    for (const word of this.#splitWords(text).flatMap(splitCompound))
      for (const meaning of this.#findMeanings(word)) for (const term of meaning) terms.add(term)
    return terms
  }

  hasSpelling(name: string, text: string): boolean {
    return this.#pinyin.isSpelled(name, this.#analyzer.normalizeText(text))
  }

  /** Compares English stems and Chinese words, single characters by their first two. */
  areOpposite(a: string, b: string): boolean {
    const others = new Set(this.#listStems(b))
    return this.#listStems(a).some(stem =>
      this.#antonyms.findMeanings(stem).some(opposite => others.has(opposite)),
    )
  }

  #listStems(word: string): readonly string[] {
    if (!HAN.test(word)) return [word]
    const meanings = this.#findMeanings(word)
    const main = [...word].length === 1 ? meanings.slice(0, 2) : meanings
    return main.flatMap(meaning => (meaning.length === 1 ? meaning : []))
  }

  #splitWords(text: string): readonly string[] {
    return (this.#analyzer.normalizeText(text).match(HAN_RUNS) ?? []).flatMap(run =>
      this.#dictionary.splitWords(run),
    )
  }

  #findMeanings(word: string): readonly (readonly string[])[] {
    const cached = this.#meanings.get(word)
    if (cached) return cached
    const phrases = this.#dictionary.findMeanings(word)
    if (phrases.length === 0) return []
    const meanings = phrases.map(meaning =>
      this.#terms.listContent(meaning).flatMap(({ anyOf }) => anyOf),
    )
    this.#meanings.set(word, meanings)
    return meanings
  }
}

function splitCompound(word: string): readonly string[] {
  const parts = [word]
  if (word.length < COMPOUND) return parts
  for (let index = 0; index + MIN_PART <= word.length; index++)
    for (let length = MIN_PART; length < word.length && index + length <= word.length; length++)
      parts.push(word.slice(index, index + length))
  return parts
}

const HAN_RUN = /\p{Script=Han}{2,}/gu
/** Syllables of a name, so that a common sound is not taken for one. */
const MIN_SYLLABLES = 2
/** Letters of a name; protects the search from long words. */
const MAX_LETTERS = 40
const POSSESSIVE = /['’]s$/u

/** Matches Latin names with Chinese characters: Haituo and 海拓, Xi'an and 西安. */
export class Pinyin {
  readonly #readings: Dictionary

  /** `readings` maps characters to toneless Hanyu Pinyin (ISO 7098). */
  constructor(readings: Dictionary) {
    this.#readings = readings
  }

  isSpelled(name: string, text: string): boolean {
    const letters = name
      .replace(POSSESSIVE, '')
      .normalize('NFD')
      .toLowerCase()
      .replace(/[^a-z]/g, '')
    if (letters === '' || letters.length > MAX_LETTERS) return false
    return (text.match(HAN_RUN) ?? []).some(run => {
      const characters = [...run]
      return characters.some((_, index) => this.#matchSpelling(characters, index, letters, 0))
    })
  }

  #matchSpelling(
    characters: readonly string[],
    index: number,
    letters: string,
    syllables: number,
  ): boolean {
    if (letters === '') return syllables >= MIN_SYLLABLES
    const readings = this.#readings.findMeanings(characters[index] ?? '')
    return readings.some(
      reading =>
        letters.startsWith(reading) &&
        this.#matchSpelling(characters, index + 1, letters.slice(reading.length), syllables + 1),
    )
  }
}
