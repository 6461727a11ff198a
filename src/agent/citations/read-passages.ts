import { languageOf } from '../../ingest/language.ts'
import { type Span, sentences } from '../../ingest/sentences.ts'
import type { CommonWords, Comparison, Wanted } from '../language/common-words.ts'

/** A citation shows at most this many characters. */
const MAX_CHARACTERS = 400
const MAX_SENTENCES = 3

type ReadSentence = { readonly span: Span; readonly terms: ReadonlySet<string> }

/** A few sentences in a row, with the share of a claim's words that they hold; each further sentence costs some of the score. */
export type HeldWindow = { readonly window: Span; readonly share: number; readonly score: number }

/** Passages by sentence with the terms of each: read once, however many sentences of an answer are held against them. */
export class ReadPassages {
  readonly #words: CommonWords
  readonly #sentences = new Map<string, readonly ReadSentence[]>()

  constructor(words: CommonWords) {
    this.#words = words
  }

  /** Every run of up to three sentences that is short enough; a sentence too long for itself is cut at the limit. */
  windows(text: string, claim: string): readonly HeldWindow[] {
    const comparison = this.#words.comparison(claim, languageOf(text))
    const { wanted } = comparison
    const held = this.#read(text, comparison).map(({ span, terms }) => ({
      span,
      words: wanted.filter(isHeld => isHeld(terms)),
    }))
    return held.flatMap(({ span: first }, at) => {
      const rows = held.slice(at, at + MAX_SENTENCES).map((_, size) => held.slice(at, at + size + 1))
      const short = rows.filter(row => row.at(-1)!.span.end - first.start <= MAX_CHARACTERS) // a row has at least one
      return short.map(row => heldWindow(first, row, wanted.length))
    })
  }

  #read(text: string, { isAcross, termsOf }: Comparison): readonly ReadSentence[] {
    const key = `${isAcross} ${text}`
    const known = this.#sentences.get(key)
    if (known) return known
    const read = sentences(text).map(({ start, end }) => {
      const span = { start, end: Math.min(end, start + MAX_CHARACTERS) }
      return { span, terms: termsOf(text.slice(span.start, span.end)) }
    })
    this.#sentences.set(key, read)
    return read
  }
}

function heldWindow(
  { start }: Span,
  row: readonly { readonly span: Span; readonly words: readonly Wanted[] }[],
  wanted: number,
): HeldWindow {
  const { end } = row.at(-1)!.span // a row has at least one
  const held = new Set(row.flatMap(({ words }) => words)).size
  return {
    window: { start, end },
    share: held / Math.max(1, wanted),
    score: held - (end - start) / MAX_CHARACTERS,
  }
}
