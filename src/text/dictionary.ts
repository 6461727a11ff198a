/** Characters of the longest headword in Chinese. */
const MAX_LENGTH = 6

/** Of so many words it is remembered what was found; then from the beginning again. */
const MAX_KNOWN = 50_000
const [TAB, LINE_END] = [9, 10]

/**
 * Words with what they mean, as UTF-8: a line for each, `word<TAB>meaning;meaning`, in the order of UTF-16 units. Read with the
 * first word that is looked up, and searched by halving: nothing of it is decoded but the lines that are looked at.
 */
export class Dictionary {
  readonly #read: () => Buffer
  #lines: Buffer | undefined
  readonly #known = new Map<string, readonly string[]>()

  /** `read` gives nothing where there is no dictionary: then it has no word. */
  constructor(read: () => Buffer) {
    this.#read = read
  }

  /** The commonest first, where the text has them so. */
  meanings(word: string): readonly string[] {
    const known = this.#known.get(word)
    if (known) return known
    if (this.#known.size >= MAX_KNOWN) this.#known.clear()
    const found = this.#find(word)
    this.#known.set(word, found)
    return found
  }

  #find(word: string): readonly string[] {
    this.#lines ??= this.#read()
    const lines = this.#lines
    let [low, high] = [0, lines.length]
    while (low < high) {
      const start = startOfLine(lines, Math.floor((low + high) / 2))
      const tab = lines.indexOf(TAB, start)
      const end = endOfLine(lines, tab)
      const found = lines.toString('utf8', start, tab)
      if (found === word) return lines.toString('utf8', tab + 1, end).split(';')
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

function startOfLine(lines: Buffer, at: number): number {
  return at === 0 ? 0 : lines.lastIndexOf(LINE_END, at - 1) + 1
}

function endOfLine(lines: Buffer, at: number): number {
  const end = lines.indexOf(LINE_END, at)
  return end < 0 ? lines.length : end
}
