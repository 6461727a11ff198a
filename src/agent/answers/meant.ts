import type { AskedWord, Translation } from '../language/translation.ts'
import type { Words } from './coverage.ts'

/** A few words of a question as texts in the other language may have them. The lexicon is read when they are first looked for. */
export class Meant {
  readonly #text: string
  readonly #translation: Translation
  #words: readonly AskedWord[] | undefined

  constructor(text: string, translation: Translation) {
    this.#text = text
    this.#translation = translation
  }

  /**
   * The share of the words, by weight, of which a unit or what it stands under has a meaning by its last word, 0 to 1: 水泵, a water
   * pump, is a pump, and 净水器, a water purifier, no water. 1 where none of them has a meaning, as names in other letters.
   */
  share({ terms, surroundings, scope }: Words): number {
    this.#words ??= this.#translation.asked(this.#text).filter(hasMeaning)
    const isThere = (term: string) => terms.has(term) || surroundings.has(term) || scope.has(term)
    const held = this.#words.filter(({ meanings }) => meanings.some(meaning => isThere(meaning.at(-1) ?? '')))
    return this.#words.length === 0 ? 1 : weightOf(held) / weightOf(this.#words)
  }
}

function weightOf(words: readonly AskedWord[]): number {
  return words.reduce((sum, { weight }) => sum + weight, 0)
}

/** A name in other letters falls apart into single characters. */
function hasMeaning({ weight, meanings }: AskedWord): boolean {
  return weight > 1 && meanings.length > 0
}
