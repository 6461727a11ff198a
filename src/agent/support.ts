import type { Span } from '../ingest/sentences.ts'
import type { Passage } from '../search/context.ts'
import type { Meaning } from './meaning.ts'
import type { HeldWindow, ReadPassages } from './read-passages.ts'
import type { Point, Terms } from './terms.ts'

export type SupportOptions = {
  readonly terms: Terms
  /** The passages as far as they were read for earlier claims of the same answer. */
  readonly read: ReadPassages
  readonly meaning?: Meaning
  readonly signal?: AbortSignal
}

/** The places of a passage that a claim rests on: the sentences that share most with it, else those nearest by meaning. */
export async function supportFor(
  claim: string,
  { documentId, text }: Pick<Passage, 'documentId' | 'text'>,
  options: SupportOptions,
): Promise<readonly Span[]> {
  const windows = options.read.windows(text, options.terms.pointsOf(claim))
  const best = bestOf(windows)
  if (best) return [best.window]
  const spans = windows.map(({ window }) => window)
  return [await nearestWindow(claim, { documentId, text }, spans, options)]
}

/** How much of a claim's telling words the best few sentences of a passage hold, and these sentences. */
export function shareOf(
  points: readonly Point[],
  { text }: Pick<Passage, 'text'>,
  read: ReadPassages,
): { readonly share: number; readonly window: string } {
  const best = bestOf(read.windows(text, points))
  if (!best) return { share: 0, window: '' }
  return { share: best.held / points.length, window: text.slice(best.window.start, best.window.end) }
}

/** Of those that share a word; each further sentence must earn its place by something the claim says. */
function bestOf(windows: readonly HeldWindow[]): HeldWindow | undefined {
  const shared = windows.filter(({ held }) => held > 0)
  return shared.reduce<HeldWindow | undefined>((best, one) => (best && best.score >= one.score ? best : one), undefined)
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
  const [nearness] = await meaning.nearness([claim], pieces, signal)
  const near = nearness?.cosines ?? []
  return windows[near.indexOf(Math.max(...near))] ?? first
}
