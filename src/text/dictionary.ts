/** Characters of the longest headword in Chinese. */
const MAX_LENGTH = 6

/**
 * Words with what they mean, as text: a line for each, `word<TAB>meaning;meaning`, in the order of UTF-16 units. Read with the
 * first word that is looked up, and searched by halving: nothing of it is taken apart but the lines that are looked at.
 */
export class Dictionary {
  readonly #read: () => string
  #text: string | undefined

  /** `read` gives no text where there is no dictionary: then it has no word. */
  constructor(read: () => string) {
    this.#read = read
  }

  /** The commonest first, where the text has them so. */
  meanings(word: string): readonly string[] {
    this.#text ??= this.#read()
    const text = this.#text
    let [low, high] = [0, text.length]
    while (low < high) {
      const start = text.lastIndexOf('\n', Math.floor((low + high) / 2) - 1) + 1
      const end = endOfLine(text, start)
      const tab = text.indexOf('\t', start)
      const found = text.slice(start, tab)
      if (found === word) return text.slice(tab + 1, end).split(';')
      if (found < word) low = end + 1
      else high = start
    }
    return []
  }

  /** A run of Chinese characters as words: from the left always the longest that it has, else one character. */
  words(run: string): readonly string[] {
    const characters = [...run]
    const found: string[] = []
    for (let at = 0; at < characters.length; at += [...found.at(-1)!].length)
      found.push(this.#longest(characters.slice(at, at + MAX_LENGTH))) // just pushed
    return found
  }

  #longest(characters: readonly string[]): string {
    for (let length = characters.length; length > 1; length--) {
      const word = characters.slice(0, length).join('')
      if (this.meanings(word).length > 0) return word
    }
    return characters[0]! // of a run that is not empty
  }
}

function endOfLine(text: string, at: number): number {
  const end = text.indexOf('\n', at)
  return end < 0 ? text.length : end
}
