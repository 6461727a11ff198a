import { type Span, sentences } from '../ingest/sentences.ts'
import type { Passage } from '../search/context.ts'
import type { Meaning } from './meaning.ts'
import { locate } from './quotation.ts'
import type { Terms } from './terms.ts'

/** A citation shows at most this many characters. */
const MAX_CHARACTERS = 400
const MAX_SENTENCES = 3

/** Quoted words shorter than this name a thing rather than quote a sentence; a Han character says as much as two letters. */
const SHORTEST_QUOTE = 8

const QUOTED = /“([^”]+)”|「([^」]+)」|『([^』]+)』|"([^"]+)"/g

export type SupportOptions = { readonly terms: Terms; readonly meaning?: Meaning; readonly signal?: AbortSignal }

/**
 * The places of a passage that support a claim: where the words that the claim quotes stand; with no quote to be found
 * there, the sentences that share most with it.
 */
export async function supportFor(
  claim: string,
  { documentId, text: passage }: Pick<Passage, 'documentId' | 'text'>,
  options: SupportOptions,
): Promise<readonly Span[]> {
  const quoted = quotesIn(claim).flatMap(quote => locate(passage, quote) ?? [])
  if (quoted.length > 0) return quoted
  const windows = windowsOf(passage)
  const shared = bestShared(claim, passage, windows, options.terms)
  if (shared) return [shared]
  return [await nearestWindow(claim, { documentId, text: passage }, windows, options)]
}

function quotesIn(claim: string): readonly string[] {
  const quotes = [...claim.matchAll(QUOTED)].map(match => match.slice(1).find(Boolean) ?? '')
  const bare = quotes.map(quote => quote.trim().replace(/[.,;:!?。，；：！？…]+$/, ''))
  return bare.filter(quote => quote.replace(/\p{Script=Han}/gu, 'xx').length >= SHORTEST_QUOTE)
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

/** Each further sentence must earn its place by something the claim says. */
function bestShared(claim: string, passage: string, windows: readonly Span[], terms: Terms): Span | undefined {
  const points = terms.pointsOf(claim)
  const scored = windows.map(window => {
    const found = terms.of(passage.slice(window.start, window.end))
    const held = points.filter(point => point.anyOf.some(term => found.has(term))).length
    return { window, held, score: held - (window.end - window.start) / MAX_CHARACTERS }
  })
  const best = scored.filter(({ held }) => held > 0).toSorted((a, b) => b.score - a.score)[0]
  return best?.window
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
