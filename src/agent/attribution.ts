import { setImmediate } from 'node:timers/promises'
import { languageOf } from '../ingest/language.ts'
import type { Span } from '../ingest/sentences.ts'
import type { Passage } from '../search/context.ts'
import { bareText, type Sentence, sentencesOf, wholeOf } from './answer-sentences.ts'
import type { Reference } from './citations.ts'
import { numbersMissing } from './numbers.ts'
import { ABSTENTION } from './phrases.ts'
import { findQuote, QuotableTexts, type Quotation, type QuotePlace, quotationsIn } from './quoted.ts'
import { ReadPassages } from './read-passages.ts'
import { type SupportOptions, shareOf, supportFor } from './support.ts'

/** An answer whose every marker points to words of a source. */
export type Attributed = {
  readonly text: string
  readonly references: readonly Reference[]
  /** Sentences that claim something and that no source was found for. */
  readonly unsupported: readonly string[]
}

export type AttributionOptions = Omit<SupportOptions, 'read'> & {
  readonly passages: readonly Passage[]
  /** Take sentences without support out of the text, instead of only naming them. */
  readonly removesUnsupported?: boolean
}

/** Share of a claim's words that a passage must hold: for one that the model named itself, and for another. */
const NAMED_SHARE = 0.34
const FOUND_SHARE = 0.6

/** A sentence with fewer telling words claims nothing that could be checked. */
const CLAIM_POINTS = 3

type JudgeOptions = AttributionOptions & Pick<SupportOptions, 'read'> & { readonly texts: QuotableTexts }
type Edit = { readonly span: Span; readonly text: string }
type Verdict = { readonly references: readonly Reference[]; readonly edits: readonly Edit[]; readonly isOpen: boolean }

/**
 * Each sentence of an answer with the places that it rests on: quotations are looked for in the sources that its markers
 * name, then in all others, and put right where they are a slip away from one place; sentences without quotations are
 * held against the sources that they name, else against all. Markers are rewritten to say what was found.
 */
export async function attribute(text: string, options: AttributionOptions): Promise<Attributed> {
  const references: Reference[] = []
  const edits: Edit[] = []
  const unsupported: string[] = []
  const judging = { ...options, read: new ReadPassages(options.terms), texts: new QuotableTexts() }
  for (const sentence of sentencesOf(text)) {
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
  const { passages, terms } = options
  const named = passages.filter(passage => markers.some(marker => marker.id === passage.id))
  const kept = named.filter(passage => mayRestOn(text, passage, options))
  const isClaim = terms.pointsOf(text).length >= CLAIM_POINTS && !/[?？:：]$/.test(text.trim()) && !refuses(text)
  const chosen = kept.length > 0 ? kept : isClaim ? restsOn(text, options) : []
  const references: Reference[] = []
  for (const passage of chosen) {
    const spans = await supportFor(text, passage, options)
    references.push(...spans.map(span => ({ marker: passage.id, passage, span })))
  }
  return { references, edits: [], isOpen: references.length === 0 && isClaim }
}

/** A source that the model names: the numbers have to be there, and some of the words where they could be. */
function mayRestOn(text: string, passage: Passage, { terms, read }: JudgeOptions): boolean {
  if (numbersMissing(text, `${passage.context}\n${passage.text}`)) return false
  const points = terms.pointsOf(text)
  if (points.length < 2 || languageOf(text) !== languageOf(passage.text)) return true
  return shareOf(points, passage, read).share >= NAMED_SHARE
}

/** The source that holds most of a claim, when that is nearly all of it and the numbers stand beside it. */
function restsOn(text: string, { passages, terms, read }: JudgeOptions): readonly Passage[] {
  const points = terms.pointsOf(text)
  const shares = passages.map(passage => ({ passage, ...shareOf(points, passage, read) }))
  const [best] = shares
    .filter(({ share, window }) => share >= FOUND_SHARE && !numbersMissing(text, window))
    .toSorted((a, b) => b.share - a.share)
  return best ? [best.passage] : []
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
