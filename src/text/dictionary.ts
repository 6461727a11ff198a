/** Chinese words with what they mean in English, and characters with the syllables that they are read as. */
export type Lexicon = { readonly meanings: Dictionary; readonly readings: Dictionary }

/** Characters of the longest headword in Chinese. */
const MAX_LENGTH = 6

/** Of so many words it is remembered what was found; then from the beginning again. */
const MAX_KNOWN = 50_000
const TAB = 9
const LINE_END = 10

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
    let low = 0
    let high = lines.length
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

  /** A run of Chinese characters as the fewest words: those that it has, and single characters. Of as many, the longer ones come last. */
  words(run: string): readonly string[] {
    const characters = [...run]
    /** How many words what begins at each place is, and how long the first of them is. */
    const counts = new Uint32Array(characters.length + 1)
    const firsts = new Uint8Array(characters.length)
    for (let at = characters.length - 1; at >= 0; at--) {
      const rest = characters.slice(at, at + MAX_LENGTH)
      for (let length = 1; length <= rest.length; length++) {
        const count = counts[at + length]! + 1
        if (length > 1 && (count >= counts[at]! || !this.#has(rest, length))) continue
        counts[at] = count
        firsts[at] = length
      }
    }
    const words: string[] = []
    for (let at = 0; at < characters.length; at += firsts[at]!)
      words.push(characters.slice(at, at + firsts[at]!).join(''))
    return words
  }

  #has(characters: readonly string[], length: number): boolean {
    return this.meanings(characters.slice(0, length).join('')).length > 0
  }
}

function startOfLine(lines: Buffer, at: number): number {
  return at === 0 ? 0 : lines.lastIndexOf(LINE_END, at - 1) + 1
}

function endOfLine(lines: Buffer, at: number): number {
  const end = lines.indexOf(LINE_END, at)
  return end < 0 ? lines.length : end
}
