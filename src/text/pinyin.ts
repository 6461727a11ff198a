import type { Dictionary } from './dictionary.ts'

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
