import type { Analyzer } from '../../text/analyzer.ts'
import { toCommonSpelling } from '../../text/values.ts'

/** Phrases, compared without case, width and Traditional or Simplified script. */
export type Wording = { readonly phrases: readonly string[]; readonly excluded: readonly string[] }

type QueryText = { readonly text: string; readonly wording: Wording | undefined }

/** Limits, so that checking a text stays cheap; more are read as plain words. */
const MAX_PHRASES = 8
const MAX_PHRASE_CHARS = 200

/** Matches `"a phrase"`, `-word` and `-"a phrase"` between spaces, but no negative numbers. */
const MARKED =
  /(?<=^|[\s(])(-?)["＂]([^"＂]+)["＂](?=$|[\s,.;:!?)])|(?<=^|\s)-([^\s"＂\-\d][^\s"＂]*)/g

/**
 * Parses `"red fox" den -hunting`: with `red fox`, without `hunting`, about `red fox den`.
 * Exclusions alone are searched literally.
 */
export function readQueryText(query: string): QueryText {
  const phrases: string[] = []
  const excluded: string[] = []
  const text = query.replace(
    MARKED,
    (match, minus: string | undefined, phrase?: string, word?: string) => {
      const marked = (word ?? phrase ?? '').trim()
      const list = word !== undefined || minus === '-' ? excluded : phrases
      if (marked === '' || marked.length > MAX_PHRASE_CHARS || list.length >= MAX_PHRASES)
        return match
      list.push(marked)
      return list === phrases ? marked : ''
    },
  )
  if (phrases.length + excluded.length === 0 || text.trim() === '')
    return { text: query, wording: undefined }
  return { text: text.trim(), wording: { phrases, excluded } }
}

const RESPELLED = /(\d{4}-\d\d-\d\d|(?<![\p{L}\d.,])\d{4,}(?:\.\d+)?(?![\p{L}\d]))/u

const SPACED =
  /^(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}])[\p{L}\p{M}\p{N}]$/u

export class WordingCheck {
  readonly #analyzer: Analyzer
  readonly #phrases: readonly string[]
  readonly #respelledPhrases: readonly string[]
  readonly #excluded: readonly string[]

  constructor(analyzer: Analyzer, { phrases, excluded }: Wording) {
    this.#analyzer = analyzer
    this.#phrases = phrases.map(phrase => analyzer.normalizeText(phrase))
    this.#respelledPhrases = this.#phrases.map(toCommonSpelling)
    this.#excluded = excluded.map(phrase => analyzer.normalizeText(phrase))
  }

  hasAllPhrases(text: string): boolean {
    const plain = this.#analyzer.normalizeText(text)
    return this.#phrases.every(phrase => hasPhrase(plain, phrase))
  }

  hasAllPhrasesRespelled(text: string): boolean {
    const plain = toCommonSpelling(this.#analyzer.normalizeText(text))
    return this.#respelledPhrases.every(phrase => hasPhrase(plain, phrase))
  }

  /** Empty if no phrase has a day or long number. */
  listRespelledSequences(): readonly (readonly string[])[] {
    if (!this.#respelledPhrases.some(phrase => RESPELLED.test(phrase))) return []
    return this.#respelledPhrases.flatMap(phrase =>
      phrase
        .split(RESPELLED)
        .map((part, index) => (index % 2 === 1 ? [part] : this.#analyzer.listSequence(part)))
        .filter(sequence => sequence.length > 0),
    )
  }

  hasExcluded(text: string): boolean {
    const plain = this.#analyzer.normalizeText(text)
    return this.#excluded.some(phrase => hasPhrase(plain, phrase))
  }
}

/** Matches complete words in scripts with spaces. */
function hasPhrase(text: string, phrase: string): boolean {
  for (let index = text.indexOf(phrase); index >= 0; index = text.indexOf(phrase, index + 1)) {
    const [first = '', last = ''] = [phrase[0], phrase.at(-1)]
    const [before = '', after = ''] = [text[index - 1], text[index + phrase.length]]
    const isCut = (inside: string, outside: string) => SPACED.test(inside) && SPACED.test(outside)
    if (!isCut(first, before) && !isCut(last, after)) return true
  }
  return false
}
