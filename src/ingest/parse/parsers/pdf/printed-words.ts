import type { Fragment } from './lines.ts'

/** Maximum number of words collected. Protects memory; later words of a document are mostly known. */
const MAX_WORDS = 50_000
/**
 * Maximum length of a collected word, so that the collection stays small: no hyphenated word is
 * longer.
 */
const MAX_WORD_CHARACTERS = 80
/** Minimum letters before a hyphen, so that `PLAN A-` before `N` is not `AN`. */
const MIN_PART_CHARACTERS = 2

const HYPHENS = new Set(['-', '\u2010'])
const CHAIN = '[\\p{Ll}\\p{M}]+(?:-[\\p{Ll}\\p{M}]+)*'
const WORDS = new RegExp(CHAIN, 'gu')
const PARTED = new RegExp(`(${CHAIN})-$`, 'u')
const BEGINNING = new RegExp(`^${CHAIN}`, 'u')

/**
 * Words in the document without a line end inside. They decide what a hyphen at a line's end
 * means.
 */
export class PrintedWords {
  readonly #words = new Set<string>()

  add(fragments: readonly Pick<Fragment, 'text'>[]): void {
    for (const { text } of fragments) {
      if (this.#words.size >= MAX_WORDS) return
      for (const word of foldText(text).match(WORDS) ?? []) this.#words.add(word)
    }
  }

  /**
   * Returns whether the document writes a word that a line end parts as one (`ELE-`, `MENT`) or
   * with its hyphen (`ISO-`, `IEC`); undefined if it writes neither, or both.
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
