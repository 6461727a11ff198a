/** Chinese words with English meanings, characters with readings, English stems with antonyms. */
export type Lexicon = {
  readonly meanings: Dictionary
  readonly readings: Dictionary
  readonly antonyms: Dictionary
}

/** Characters of a Chinese headword, so that lookups stay few. */
const MAX_LENGTH = 6

/** Lookups before the cache is cleared; protects memory. */
const MAX_KNOWN = 50_000
const TAB = 9
const LINE_END = 10

type Entry = {
  readonly meanings: readonly string[]
  readonly isBeginning: boolean
}

/**
 * UTF-8 lines `word<TAB>meaning;meaning`, sorted by UTF-16 units. Loaded on first use; decodes
 * only lines visited by bisection.
 */
export class Dictionary {
  readonly #read: () => Buffer
  #lines: Buffer | undefined
  readonly #cached = new Map<string, Entry>()

  /** An empty `read` means no dictionary. */
  constructor(read: () => Buffer) {
    this.#read = read
  }

  findMeanings(word: string): readonly string[] {
    return this.#get(word).meanings
  }

  #get(word: string): Entry {
    const cached = this.#cached.get(word)
    if (cached) return cached
    if (this.#cached.size >= MAX_KNOWN) this.#cached.clear()
    const entry = this.#find(word)
    this.#cached.set(word, entry)
    return entry
  }

  #find(word: string): Entry {
    this.#lines ??= this.#read()
    const lines = this.#lines
    const bytes = Buffer.from(word)
    const begins = (start: number) => lines.subarray(start, start + bytes.length).equals(bytes)
    let low = 0
    let high = lines.length
    while (low < high) {
      const start = startOfLine(lines, Math.floor((low + high) / 2))
      const tab = lines.indexOf(TAB, start)
      const end = endOfLine(lines, tab)
      const found = lines.toString('utf8', start, tab)
      if (found === word) {
        const meanings = lines.toString('utf8', tab + 1, end).split(';')
        return { meanings, isBeginning: begins(end + 1) }
      }
      if (found < word) low = end + 1
      else high = start
    }
    return { meanings: [], isBeginning: begins(low) }
  }

  /** Finds the fewest words; among equals the longer come last. */
  splitWords(run: string): readonly string[] {
    const characters = [...run]
    /** number of words and length of the first word from each place */
    const counts = new Uint32Array(characters.length + 1)
    const firsts = new Uint8Array(characters.length)
    for (let index = characters.length - 1; index >= 0; index--) {
      const rest = characters.slice(index, index + MAX_LENGTH)
      for (let length = 1; length <= rest.length; length++) {
        const count = (counts[index + length] ?? 0) + 1
        const { meanings, isBeginning } = this.#get(rest.slice(0, length).join(''))
        if (length === 1 || (count < (counts[index] ?? 0) && meanings.length > 0)) {
          counts[index] = count
          firsts[index] = length
        }
        if (!isBeginning) break
      }
    }
    const words: string[] = []
    for (let offset = 0; offset < characters.length; ) {
      const end = offset + (firsts[offset] || 1)
      words.push(characters.slice(offset, end).join(''))
      offset = end
    }
    return words
  }
}

function startOfLine(lines: Buffer, offset: number): number {
  return offset === 0 ? 0 : lines.lastIndexOf(LINE_END, offset - 1) + 1
}

function endOfLine(lines: Buffer, offset: number): number {
  const end = lines.indexOf(LINE_END, offset)
  return end < 0 ? lines.length : end
}
