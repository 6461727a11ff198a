import { foldLetters } from './word-forms.ts'

/** Bounds memory and a query's time. */
const MAX_TERMS = 100_000

const WORD = /^[\p{L}\p{M}]{3,}$/u
const PAIR = /^\p{Script=Han}{2}$/u
const HAN = /\p{Script=Han}/u

export class TermLexicon {
  readonly #byFolded = new Map<string, string[]>()
  readonly #byFirst = new Map<string, string[]>()
  readonly #byCharacter = new Map<string, string[]>()

  readonly #words = new Map<string, readonly string[]>()
  readonly #isWord: (pair: string) => boolean

  constructor(terms: Iterable<string>, isWord: (pair: string) => boolean) {
    this.#isWord = isWord
    let count = 0
    for (const term of terms) {
      if (count >= MAX_TERMS) break
      if (PAIR.test(term)) {
        const [first = '', second = ''] = term
        append(this.#byCharacter, `${first}_`, term)
        append(this.#byCharacter, `_${second}`, term)
        count++
      } else if (WORD.test(term) && !HAN.test(term)) {
        append(this.#byFirst, term.charAt(0), term)
        append(this.#byFolded, foldLetters(term), term)
        count++
      }
    }
  }

  listFolded(word: string): readonly string[] {
    return this.#byFolded.get(foldLetters(word)) ?? []
  }

  listWordsWithFirst(letter: string): readonly string[] {
    return this.#byFirst.get(letter) ?? []
  }

  listPairsWithFirst(character: string): readonly string[] {
    return this.#listPairs(`${character}_`)
  }

  listPairsWithSecond(character: string): readonly string[] {
    return this.#listPairs(`_${character}`)
  }

  #listPairs(key: string): readonly string[] {
    const cached = this.#words.get(key)
    if (cached) return cached
    const words = (this.#byCharacter.get(key) ?? []).filter(pair => this.#isWord(pair))
    this.#words.set(key, words)
    return words
  }
}

function append(lists: Map<string, string[]>, key: string, term: string): void {
  const list = lists.get(key)
  if (list) list.push(term)
  else lists.set(key, [term])
}
