import type { Fragment } from './lines.ts'

/** Protects memory; later words of a document are mostly known. */
const MAX_WORDS = 50_000
/** No hyphenated word is longer, so that the collection stays small. */
const MAX_WORD_CHARACTERS = 80
/** Letters before a hyphen, so that `PLAN A-` before `N` is not `AN`. */
const MIN_PART_CHARACTERS = 2

const HYPHENS = new Set(['-', '\u2010'])
const CHAIN = '[\\p{Ll}\\p{M}]+(?:-[\\p{Ll}\\p{M}]+)*'
const WORDS = new RegExp(CHAIN, 'gu')
const PARTED = new RegExp(`(${CHAIN})-$`, 'u')
const BEGINNING = new RegExp(`^${CHAIN}`, 'u')

export class PrintedWords {
  readonly #words = new Set<string>()

  add(fragments: readonly Pick<Fragment, 'text'>[]): void {
    for (const { text } of fragments) {
      if (this.#words.size >= MAX_WORDS) return
      for (const word of foldText(text).match(WORDS) ?? []) this.#words.add(word)
    }
  }

  /**
   * Returns whether the document writes a divided word as one (`ELE-`, `MENT`) or with its
   * hyphen (`ISO-`, `IEC`); undefined for neither, or both.
   */
  classifyWord(before: string, after: string): 'word' | 'compound' | undefined {
    if (!HYPHENS.has(before.at(-1) ?? '')) return undefined
    const [, first] = PARTED.exec(foldText(before.slice(-MAX_WORD_CHARACTERS))) ?? []
    const [second] = BEGINNING.exec(foldText(after.slice(0, MAX_WORD_CHARACTERS))) ?? []
    if (!first || !second || Math.min(first.length, second.length) < MIN_PART_CHARACTERS)
      return undefined
    const isWord = this.#words.has(first + second)
    if (isWord === this.#words.has(`${first}-${second}`)) return undefined
    return isWord ? 'word' : 'compound'
  }
}

function foldText(text: string): string {
  return text.toLowerCase().replaceAll('\u2010', '-')
}
