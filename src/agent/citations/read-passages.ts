import { type Span, sentences } from '../../ingest/sentences.ts'
import type { Point, Terms } from '../language/terms.ts'

/** A citation shows at most this many characters. */
const MAX_CHARACTERS = 400
const MAX_SENTENCES = 3

type ReadSentence = { readonly span: Span; readonly terms: ReadonlySet<string> }

/** A few sentences in a row, with the number of points that they hold; each further sentence costs some of the score. */
export type HeldWindow = { readonly window: Span; readonly held: number; readonly score: number }

/** Passages by sentence with the terms of each: read once, however many sentences of an answer are held against them. */
export class ReadPassages {
  readonly #terms: Terms
  readonly #sentences = new Map<string, readonly ReadSentence[]>()

  constructor(terms: Terms) {
    this.#terms = terms
  }

  /** Every run of up to three sentences that is short enough; a sentence too long for itself is cut at the limit. */
  windows(text: string, points: readonly Point[]): readonly HeldWindow[] {
    const held = this.#read(text).map(({ span, terms }) => ({
      span,
      points: points.filter(point => holds(terms, point)),
    }))
    return held.flatMap(({ span: first }, at) => {
      const rows = held.slice(at, at + MAX_SENTENCES).map((_, size) => held.slice(at, at + size + 1))
      const short = rows.filter(row => row.at(-1)!.span.end - first.start <= MAX_CHARACTERS) // a row has at least one
      return short.map(row => heldWindow(first, row))
    })
  }

  #read(text: string): readonly ReadSentence[] {
    const known = this.#sentences.get(text)
    if (known) return known
    const read = sentences(text).map(({ start, end }) => {
      const span = { start, end: Math.min(end, start + MAX_CHARACTERS) }
      return { span, terms: this.#terms.of(text.slice(span.start, span.end)) }
    })
    this.#sentences.set(text, read)
    return read
  }
}

function holds(terms: ReadonlySet<string>, { anyOf }: Point): boolean {
  return anyOf.some(term => terms.has(term))
}

function heldWindow(
  { start }: Span,
  row: readonly { readonly span: Span; readonly points: readonly Point[] }[],
): HeldWindow {
  const { end } = row.at(-1)!.span // a row has at least one
  const held = new Set(row.flatMap(({ points }) => points)).size
  return { window: { start, end }, held, score: held - (end - start) / MAX_CHARACTERS }
}
