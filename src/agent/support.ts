import { type Span, sentences } from '../ingest/sentences.ts'
import type { Passage } from '../search/context.ts'
import type { Meaning } from './meaning.ts'
import type { Terms } from './terms.ts'

/** A citation shows at most this many characters. */
const MAX_CHARACTERS = 400
const MAX_SENTENCES = 3

export type SupportOptions = { readonly terms: Terms; readonly meaning?: Meaning; readonly signal?: AbortSignal }

/** The places of a passage that a claim rests on: the sentences that share most with it, else those nearest by meaning. */
export async function supportFor(
  claim: string,
  { documentId, text: passage }: Pick<Passage, 'documentId' | 'text'>,
  options: SupportOptions,
): Promise<readonly Span[]> {
  const windows = windowsOf(passage)
  const [shared] = windowsByWords(claim, passage, windows, options.terms)
  if (shared) return [shared.window]
  return [await nearestWindow(claim, { documentId, text: passage }, windows, options)]
}

/** Every run of up to three sentences that is short enough; a sentence too long for itself is cut at the limit. */
function windowsOf(passage: string): readonly Span[] {
  const spans = sentences(passage)
  const windows = spans.flatMap((first, at) =>
    spans.slice(at, at + MAX_SENTENCES).map(last => ({ start: first.start, end: last.end })),
  )
  const short = windows.filter(window => window.end - window.start <= MAX_CHARACTERS)
  const long = spans.filter(span => span.end - span.start > MAX_CHARACTERS)
  return [...short, ...long.map(span => ({ start: span.start, end: span.start + MAX_CHARACTERS }))]
}

/** How much of a claim's telling words the best few sentences of a passage hold, and these sentences. */
export function shareOf(
  claim: string,
  { text }: Pick<Passage, 'text'>,
  terms: Terms,
): { readonly share: number; readonly window: string } {
  const [best] = windowsByWords(claim, text, windowsOf(text), terms)
  if (!best) return { share: 0, window: '' }
  const asked = terms.pointsOf(claim).length
  return { share: best.held / asked, window: text.slice(best.window.start, best.window.end) }
}

type HeldWindow = { readonly window: Span; readonly held: number }

/** Those that share a word, best first; each further sentence must earn its place by something the claim says. */
function windowsByWords(claim: string, passage: string, windows: readonly Span[], terms: Terms): readonly HeldWindow[] {
  const points = terms.pointsOf(claim)
  const scored = windows.map(window => {
    const found = terms.of(passage.slice(window.start, window.end))
    const held = points.filter(point => point.anyOf.some(term => found.has(term))).length
    return { window, held, score: held - (window.end - window.start) / MAX_CHARACTERS }
  })
  return scored.filter(({ held }) => held > 0).toSorted((a, b) => b.score - a.score)
}

/** Without a shared word, as across languages, vectors decide; without vectors, the passage's beginning stands. */
async function nearestWindow(
  claim: string,
  { documentId, text }: Pick<Passage, 'documentId' | 'text'>,
  windows: readonly Span[],
  { meaning, signal }: SupportOptions,
): Promise<Span> {
  const first = windows[0] ?? { start: 0, end: text.length }
  if (!meaning || windows.length < 2) return first
  const pieces = windows.map(({ start, end }) => ({ documentId, text: text.slice(start, end) }))
  const [near = []] = await meaning.nearness([claim], pieces, signal)
  return windows[near.indexOf(Math.max(...near))] ?? first
}
