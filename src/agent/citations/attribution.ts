import { setImmediate } from 'node:timers/promises'
import type { Span } from '../../ingest/sentences.ts'
import type { Passage } from '../../search/passages/context.ts'
import { CommonWords } from '../language/common-words.ts'
import type { Translation } from '../language/translation.ts'
import { ABSTENTION } from '../phrases.ts'
import { bareText, type Sentence, sentencesOf, wholeOf } from './answer-sentences.ts'
import type { Reference } from './citations.ts'
import { CLAIM_POINTS, namedSources, otherSource } from './claim-sources.ts'
import { findQuote, QuotableTexts, type Quotation, type QuotePlace, quotationsIn } from './quoted.ts'
import { ReadPassages } from './read-passages.ts'
import { withoutSourceList } from './source-list.ts'
import { type SupportOptions, supportFor } from './support.ts'

/** An answer whose every marker points to words of a source. */
export type Attributed = {
  readonly text: string
  readonly references: readonly Reference[]
  /** Sentences that claim something and that no source was found for. */
  readonly unsupported: readonly string[]
}

export type AttributionOptions = Omit<SupportOptions, 'read' | 'words'> & {
  /** Compares claims with sources in another language by what their words mean; without it, vectors alone do. */
  readonly translation?: Translation
  readonly passages: readonly Passage[]
  /** Take sentences without support out of the text, instead of only naming them. */
  readonly removesUnsupported?: boolean
}

type JudgeOptions = AttributionOptions & Pick<SupportOptions, 'read' | 'words'> & { readonly texts: QuotableTexts }
type Edit = { readonly span: Span; readonly text: string }
type Verdict = { readonly references: readonly Reference[]; readonly edits: readonly Edit[]; readonly isOpen: boolean }

/**
 * Each sentence of an answer with the places that it rests on: quotations are looked for in the sources that its markers
 * name, then in all others, and put right where they are a slip away from one place; sentences without quotations are
 * held against the sources that they name, else against all. Markers are rewritten to say what was found.
 */
export async function attribute(written: string, options: AttributionOptions): Promise<Attributed> {
  const text = withoutSourceList(written, options.passages)
  const references: Reference[] = []
  const edits: Edit[] = []
  const unsupported: string[] = []
  const words = new CommonWords(options.terms, options.translation)
  const judging = { ...options, words, read: new ReadPassages(words), texts: new QuotableTexts() }
  const isSource = (id: number) => options.passages.some(passage => passage.id === id)
  for (const sentence of sentencesOf(text, isSource)) {
    const verdict = await judge(sentence, judging)
    if (verdict.isOpen) unsupported.push(bareText(sentence))
    if (verdict.isOpen && options.removesUnsupported) {
      edits.push({ span: wholeOf(sentence), text: '' })
      continue
    }
    references.push(...verdict.references)
    edits.push(...verdict.edits, ...markerEdits(sentence, verdict, text))
  }
  return { text: applied(text, edits).trim(), references: references.filter(isFirst), unsupported }
}

async function judge(sentence: Sentence, options: JudgeOptions): Promise<Verdict> {
  const quotations = quotationsIn(sentence.text)
  if (quotations.length === 0) return await judgeClaim(sentence, options)
  return await judgeQuotations(sentence, quotations, options)
}

/** Every quotation must be found; one that is not is no proof, whatever its marker says. */
async function judgeQuotations(
  { span, markers }: Sentence,
  quotations: readonly Quotation[],
  { passages, texts, signal }: JudgeOptions,
): Promise<Verdict> {
  const named = passages.filter(passage => markers.some(marker => marker.id === passage.id))
  const found: { readonly quotation: Quotation; readonly place: QuotePlace | undefined }[] = []
  for (const quotation of quotations) {
    await setImmediate(undefined, { ...(signal && { signal }) }) // others wait for the same thread
    found.push({ quotation, place: findQuote(quotation.text, { named, all: passages, texts }) })
  }
  const references = found.flatMap(({ place }) =>
    (place?.spans ?? []).map(inside => ({ marker: place!.passage.id, passage: place!.passage, span: inside })),
  )
  const edits = found.flatMap(({ quotation, place }) =>
    place?.repaired === undefined
      ? []
      : [
          {
            span: { start: span.start + quotation.span.start, end: span.start + quotation.span.end },
            text: place.repaired,
          },
        ],
  )
  return { references, edits, isOpen: found.some(({ place }) => !place) }
}

async function judgeClaim({ text, markers }: Sentence, options: JudgeOptions): Promise<Verdict> {
  if (!/[\p{L}\p{N}]/u.test(text)) return { references: [], edits: [], isOpen: false }
  const { passages, terms } = options
  const named = passages.filter(passage => markers.some(marker => marker.id === passage.id))
  const kept = await namedSources(text, named, options)
  const isClaim = terms.pointsOf(text).length >= CLAIM_POINTS && !/[?？:：]$/.test(text.trim()) && !refuses(text)
  const chosen = kept.length > 0 ? kept : isClaim ? await otherSource(text, options) : []
  const references: Reference[] = []
  for (const passage of chosen) {
    const spans = await supportFor(text, passage, options)
    references.push(...spans.map(span => ({ marker: passage.id, passage, span })))
  }
  return { references, edits: [], isOpen: references.length === 0 && isClaim }
}

function refuses(text: string): boolean {
  return Object.values(ABSTENTION).some(sentence => text.includes(sentence.replace(/[.。]$/, '')))
}

/** The sentence's own markers give way to those of what was found, put where the first of them stood. */
function markerEdits({ span, markers }: Sentence, { references }: Verdict, text: string): readonly Edit[] {
  const ids = [...new Set(references.map(reference => reference.marker))]
  const label = ids.map(id => `[${id}]`).join('')
  const spans = [...new Map(markers.map(marker => [marker.span.start, marker.span])).values()]
  if (spans.length === 0)
    return label ? [{ span: { start: closing(span, text), end: closing(span, text) }, text: ` ${label}` }] : []
  const gone = (place: Span) => ({
    start: place.start - (text.slice(0, place.start).match(/[ \t]+$/)?.[0].length ?? 0),
    end: place.end,
  })
  const isSame =
    ids.length === new Set(markers.map(marker => marker.id)).size &&
    ids.every(id => markers.some(marker => marker.id === id))
  if (isSame) {
    return spans.map(place => ({
      span: place,
      text: markers
        .filter(marker => marker.span.start === place.start)
        .map(marker => `[${marker.id}]`)
        .join(''),
    }))
  }
  return spans.map((place, at) => (at === 0 && label ? { span: place, text: label } : { span: gone(place), text: '' }))
}

/** Before the full stop. */
function closing({ start, end }: Span, text: string): number {
  return end - (text.slice(start, end).match(/[.。!！?？]+["'”’)\]]*$/)?.[0].length ?? 0)
}

/** From the end to the beginning, so that places stay true. */
function applied(text: string, edits: readonly Edit[]): string {
  return edits
    .toSorted((a, b) => b.span.start - a.span.start || b.span.end - a.span.end)
    .reduce((rest, { span, text: inserted }) => rest.slice(0, span.start) + inserted + rest.slice(span.end), text)
}

function isFirst(one: Reference, at: number, all: readonly Reference[]): boolean {
  const isSame = (other: Reference) =>
    other.marker === one.marker && other.span.start === one.span.start && other.span.end === one.span.end
  return all.findIndex(isSame) === at
}
