/** franc's: what a trigram costs that a language does not have. */
const MAX_DIFFERENCE = 300

const UNITS = 0x10000

/**
 * The languages of one script, each by its most frequent trigrams (Cavnar and Trenkle 1994). Their characters are few, so
 * that a trigram's number is its place in a table.
 */
export class TrigramModel {
  readonly #languages: readonly string[]
  /** Numbers of the characters in the trigrams, by UTF-16 unit; 0 for every other one. */
  readonly #characters = new Uint8Array(UNITS)
  /** Characters and one more, for all that are not among them. */
  readonly #base: number
  /** Places in `#ranked`, by the numbers of a trigram's characters; 0 where no language has it. */
  readonly #places: Uint16Array
  /** Language and rank, in turns, of each trigram. */
  readonly #ranked: number[][] = [[]]
  /** How often the trigrams of a text occur, by place; zeros but while one is looked at. */
  readonly #counts: Int32Array

  /** `trigrams` by language, as franc lists them: the most frequent first, `|` between two. */
  constructor(trigrams: readonly (readonly [language: string, trigrams: string])[]) {
    this.#languages = trigrams.map(([language]) => language)
    const units = new Set(trigrams.flatMap(([, list]) => [...list.replaceAll('|', '')].map(one => one.charCodeAt(0))))
    for (const [index, unit] of [...units].entries()) this.#characters[unit] = index + 1
    this.#base = units.size + 1
    this.#places = new Uint16Array(this.#base ** 3)
    for (const [language, [, list]] of trigrams.entries()) {
      for (const [rank, trigram] of list.split('|').entries()) this.#ranksOf(trigram).push(language, rank)
    }
    this.#counts = new Int32Array(this.#ranked.length)
  }

  /** The language that the text's trigrams cost least in; only those that it has make a difference. */
  nearest(text: string): string | undefined {
    const saved: number[] = new Array(this.#languages.length).fill(0)
    for (const place of this.#count(text)) {
      const count = this.#counts[place]!
      this.#counts[place] = 0
      const ranked = this.#ranked[place]!
      for (let at = 0; at < ranked.length; at += 2) {
        const language = ranked[at]!
        saved[language] = saved[language]! + MAX_DIFFERENCE - Math.abs(count - ranked[at + 1]! - 1)
      }
    }
    return this.#languages[saved.indexOf(Math.max(...saved))]
  }

  #ranksOf(trigram: string): number[] {
    const number = [...trigram].reduce((sum, one) => sum * this.#base + this.#characters[one.charCodeAt(0)]!, 0)
    const place = this.#places[number] || this.#ranked.push([]) - 1
    this.#places[number] = place
    return this.#ranked[place]!
  }

  /** Places of the trigrams that are there, each once, their numbers in `#counts`. */
  #count(text: string): readonly number[] {
    const found: number[] = []
    const least = this.#base ** 2
    let number = 0
    for (let at = 0; at < text.length; at++) {
      number = (number % least) * this.#base + this.#characters[text.charCodeAt(at)]!
      const place = at < 2 ? 0 : this.#places[number]!
      if (place === 0) continue
      if (this.#counts[place] === 0) found.push(place)
      this.#counts[place] = this.#counts[place]! + 1
    }
    return found
  }
}
