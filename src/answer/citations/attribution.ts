import { setImmediate } from 'node:timers/promises'
import type { Passage } from '../../search/passages/passage.ts'
import { numbersAmong } from '../../text/anchors.ts'
import { bareText, type Sentence, sentencesOf, wholeOf } from '../../text/marked-sentences.ts'
import { findMarkers } from '../../text/markers.ts'
import { QuotableTexts, type Quotation, quotationsIn } from '../../text/quotations.ts'
import type { WordRarity } from '../../text/rarity.ts'
import { blanked, type Span } from '../../text/sentences.ts'
import type { Terms } from '../../text/terms.ts'
import { type AcrossOptions, isAcross, judgeAcross } from './across-languages.ts'
import type { Support } from './citation.ts'
import type { Reference } from './citations.ts'
import { type Bearing, type Claim, type ClaimCheck, readClaim } from './claims.ts'
import { Judge } from './judgement.ts'
import { findQuote, type QuotePlace } from './quotations.ts'

/** An answer whose every marker points to words of a source. */
type Attributed = {
  readonly text: string
  readonly references: readonly Reference[]
  /** Sentences that claim something and that no source was found for. */
  readonly unsupported: readonly string[]
}

/** Judges claims in place of their words, all of an answer at once; undefined where it could not. */
type ClaimChecker = (checks: readonly ClaimCheck[], signal?: AbortSignal) => Promise<readonly Support[] | undefined>

type AttributionOptions = Omit<AcrossOptions, 'terms'> & {
  readonly terms: Terms
  readonly rarity?: Pick<WordRarity, 'of'>
  readonly passages: readonly Passage[]
  /** What tools answered: what a claim may rest on that no passage states. */
  readonly answers?: readonly Passage[]
  readonly checker?: ClaimChecker
  /** Sentences that are no claims, as one that says that the documents do not say. */
  readonly isNoClaim?: (sentence: string) => boolean
  /** Take sentences without support out of the text, instead of only naming them. */
  readonly removesUnsupported?: boolean
}

type Found = { readonly quotation: Quotation; readonly place: QuotePlace | undefined }
/** A sentence with its quotations, where they stand, and how the passages bear on it that it may rest on. */
type Draft = {
  readonly sentence: Sentence
  readonly found: readonly Found[]
  readonly bearings: readonly Bearing[]
  readonly isClaim: boolean
  /** It names no source and no number. */
  readonly isVague: boolean
}
type Edit = { readonly span: Span; readonly text: string }
type Verdict = { readonly references: readonly Reference[]; readonly edits: readonly Edit[]; readonly isOpen: boolean }

/** A sentence with fewer content words beside its numbers is given no source that it does not name. */
const CLAIM_WORDS = 2
/** What these words weigh together, to be more than small talk: two common ones (`happy to help`) do not. */
const CLAIM_WEIGHT = 1

/**
 * Each sentence of an answer with the places that it rests on: quotations are looked for in the sources that its markers
 * name, then in all others, and put right where they are a slip away from one place; sentences without quotations are
 * held against the sources that they name, else against all. Markers are rewritten to say what was found.
 */
export async function attribute(written: string, options: AttributionOptions): Promise<Attributed> {
  const text = withoutSourceList(written, options.passages)
  const drafts = await withoutSmallTalk(await checked(await draftsOf(text, options), options), options)
  const references: Reference[] = []
  const edits: Edit[] = []
  const unsupported: string[] = []
  for (const draft of drafts) {
    const verdict = verdictOn(draft)
    if (verdict.isOpen) unsupported.push(bareText(draft.sentence))
    if (verdict.isOpen && options.removesUnsupported) {
      edits.push({ span: wholeOf(draft.sentence), text: '' })
      continue
    }
    references.push(...verdict.references)
    edits.push(...verdict.edits, ...markerEdits(draft.sentence, verdict, text))
  }
  return { text: applied(text, edits).trim(), references: references.filter(isFirst), unsupported }
}

async function draftsOf(text: string, options: AttributionOptions): Promise<readonly Draft[]> {
  const { passages, signal } = options
  const judge = new Judge(options)
  const texts = new QuotableTexts()
  const drafts: Draft[] = []
  for (const sentence of sentencesOf(text, id => passages.some(passage => passage.id === id))) {
    await setImmediate(undefined, { ...(signal && { signal }) }) // others wait for the same thread
    const quotations = quotationsIn(sentence.text)
    drafts.push(
      quotations.length > 0
        ? await quotationDraft(sentence, quotations, judge, { ...options, texts })
        : await claimDraft(sentence, judge, options),
    )
  }
  return drafts
}

/** Every quotation must be found; one that is not is no proof, whatever its marker says. */
async function quotationDraft(
  sentence: Sentence,
  quotations: readonly Quotation[],
  judge: Judge,
  options: AttributionOptions & { readonly texts: QuotableTexts },
): Promise<Draft> {
  const { passages, answers = [], texts, signal } = options
  const [named, all] = [namedIn(sentence, passages), [...passages, ...answers]]
  const found: Found[] = []
  for (const quotation of quotations) {
    await setImmediate(undefined, { ...(signal && { signal }) })
    found.push({ quotation, place: findQuote(quotation.text, { named, all, texts }) })
  }
  const claim = readClaim(sentence.text, options)
  const around = blanked(
    sentence.text,
    quotations.map(({ marked }) => marked),
  )
  const isBare = readClaim(around, options).words < CLAIM_WORDS
  const cited = new Set(found.flatMap(({ place }) => place?.passage ?? []))
  const bearings: Bearing[] = []
  for (const passage of cited) {
    if (isBare) bearings.push({ support: 'stated', spans: [], passage })
    else bearings.push(...(await judged(claim, passage, judge, options)))
  }
  return { sentence, found, bearings, isClaim: true, isVague: false }
}

async function claimDraft(sentence: Sentence, judge: Judge, options: AttributionOptions): Promise<Draft> {
  const { passages, answers = [], isNoClaim } = options
  const { text } = sentence
  if (!/[\p{L}\p{N}]/u.test(text)) return { sentence, found: [], bearings: [], isClaim: false, isVague: true }
  const claim = readClaim(text, options)
  const says = !/[?？:：]$/.test(text.trim()) && !isNoClaim?.(text)
  const isClaim = says && claim.words >= CLAIM_WORDS && claim.weight >= CLAIM_WEIGHT
  const bearings: Bearing[] = []
  for (const passage of namedIn(sentence, passages)) bearings.push(...(await judged(claim, passage, judge, options)))
  const isKept = bearings.some(({ support }) => support !== 'not-stated')
  const others = isKept || !isClaim ? [] : await otherSource(claim, judge, options)
  const isOpen = isClaim && [...bearings, ...others].every(({ support }) => support === 'not-stated')
  const told = isOpen && answers.length > 0 ? await otherSource(claim, judge, { ...options, passages: answers }) : []
  const isVague = sentence.markers.length === 0 && numbersAmong(claim.anchors).length === 0
  return { sentence, found: [], bearings: [...bearings, ...others, ...told], isClaim, isVague }
}

function namedIn({ markers }: Sentence, passages: readonly Passage[]): readonly Passage[] {
  return passages.filter(passage => markers.some(marker => marker.id === passage.id))
}

async function judged(
  claim: Claim,
  passage: Passage,
  judge: Judge,
  options: AttributionOptions,
): Promise<readonly Bearing[]> {
  if (isAcross(claim, passage)) return [{ ...(await judgeAcross(claim, passage, options)), passage }]
  return await judge.judge(claim, [passage])
}

/** Sources that state the claim though no marker says so: in its own language, else one in the other where none in its own denies it. */
async function otherSource(claim: Claim, judge: Judge, options: AttributionOptions): Promise<readonly Bearing[]> {
  const own = options.passages.filter(passage => !isAcross(claim, passage))
  const bearings = await judge.judge(claim, own)
  if (bearings.every(({ support }) => support === 'stated') && bearings.length > 0) return bearings
  if (!options.english) return []
  for (const passage of options.passages.filter(one => isAcross(claim, one))) {
    const judgement = await judgeAcross(claim, passage, options)
    if (judgement.support === 'stated') return [{ ...judgement, passage }]
  }
  return []
}

/** The drafts with what the checker says of each claim and passage, where there is one and it could. */
async function checked(drafts: readonly Draft[], { checker, signal }: AttributionOptions): Promise<readonly Draft[]> {
  const checks = drafts.flatMap(({ sentence, bearings, isClaim }) =>
    isClaim ? bearings.map(({ passage }) => ({ claim: bareText(sentence), passage })) : [],
  )
  const supports = checker && checks.length > 0 ? await checker(checks, signal) : undefined
  if (!supports) return drafts
  let at = 0
  return drafts.map(draft => {
    if (!draft.isClaim) return draft
    const bearings = draft.bearings.map(bearing => ({ ...bearing, support: supports[at++] ?? bearing.support }))
    return { ...draft, bearings }
  })
}

/** What only keeps a conversation going claims nothing that a source could state. */
async function withoutSmallTalk(
  drafts: readonly Draft[],
  { meaning, signal }: AttributionOptions,
): Promise<readonly Draft[]> {
  const open = drafts.filter(draft => draft.isVague && verdictOn(draft).isOpen)
  if (!meaning || open.length === 0) return drafts
  const texts = open.map(({ sentence }) => bareText(sentence))
  const areTalk = await meaning.areSmallTalk(texts, signal)
  const talk = new Set(open.filter((_, at) => areTalk[at]))
  return drafts.map(draft => (talk.has(draft) ? { ...draft, isClaim: false } : draft))
}

function verdictOn(draft: Draft): Verdict {
  const { found, bearings, isClaim } = draft
  if (found.length > 0) return verdictOnQuotations(draft)
  const stated = bearings.filter(({ support }) => support === 'stated')
  const kept = stated.length > 0 ? stated : bearings.filter(({ support }) => support === 'unknown')
  const references = kept.flatMap(one => referencesTo(one, one.support))
  return { references, edits: [], isOpen: references.length === 0 && isClaim }
}

/** The quoted words stand there, whatever is said around them. */
function verdictOnQuotations({ sentence: { span: within }, found, bearings }: Draft): Verdict {
  const places = found.flatMap(({ place }) => place ?? [])
  const supportOf = (of: Passage) => bearings.find(({ passage }) => passage === of)?.support ?? 'unknown'
  const edits = found.flatMap(({ quotation: { span }, place }) => {
    const own = { start: within.start + span.start, end: within.start + span.end }
    return place?.repaired === undefined ? [] : [{ span: own, text: place.repaired }]
  })
  const references = places.flatMap(place => referencesTo(place, supportOf(place.passage)))
  return { references, edits, isOpen: places.length < found.length }
}

function referencesTo({ passage, spans }: Pick<Bearing, 'passage' | 'spans'>, support: Support): readonly Reference[] {
  return spans.map(span => ({ marker: passage.id, passage, span, support }))
}

/** The sentence's own markers give way to those of what was found, put where the first of them stood. */
function markerEdits({ span, markers }: Sentence, { references }: Verdict, text: string): readonly Edit[] {
  const ids = [...new Set(references.map(reference => reference.marker))]
  const label = labelOf(ids)
  const spans = [...new Map(markers.map(marker => [marker.span.start, marker.span])).values()]
  if (spans.length === 0)
    return label ? [{ span: { start: closing(span, text), end: closing(span, text) }, text: ` ${label}` }] : []
  const named = new Set(markers.map(marker => marker.id))
  const isSame = ids.length === named.size && ids.every(id => named.has(id))
  return spans.map((place, at) => {
    const own = markers.filter(marker => marker.span.start === place.start).map(marker => marker.id)
    const told = isSame ? labelOf(own) : at === 0 ? label : ''
    const blanks = told === '' ? (text.slice(0, place.start).match(/[ \t]+$/)?.[0].length ?? 0) : 0
    return { span: { start: place.start - blanks, end: place.end }, text: told }
  })
}

function labelOf(ids: readonly number[]): string {
  return ids.map(id => `[${id}]`).join('')
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

const HEADING =
  /^[\s#>*_-]*(?:sources?|references?|citations?|footnotes?|参考(?:资料|文献|来源)?|来源|资料来源|引用|出处)[\s*_]*[:：]?[\s*_-]*$/i

/** Beside the name, an entry says where: page, section. More is a sentence. */
const MAX_PLACE = 40

/** An answer without the list of sources that a model wrote under it: the citations are that list, checked. */
function withoutSourceList(text: string, passages: readonly Passage[]): string {
  const lines = text.trimEnd().split('\n')
  let end = lines.length
  while (end > 0 && (isEntry(lines[end - 1]!, passages) || lines[end - 1]!.trim() === '')) end-- // inside the lines
  if (lines.slice(end).every(line => line.trim() === '')) return text
  const body = lines.slice(0, HEADING.test(lines[end - 1] ?? '') ? end - 1 : end)
  return body.join('\n').trimEnd() || text
}

/** A line that begins with the marker of a source and names its document. */
function isEntry(line: string, passages: readonly Passage[]): boolean {
  const [marker] = findMarkers(line)
  if (!marker || !/^[\s>*•-]*$/.test(line.slice(0, marker.span.start))) return false
  const passage = passages.find(({ id }) => id === marker.id)
  const rest = line.slice(marker.span.end).toLowerCase()
  const [before, after] = passage ? rest.split(passage.name.toLowerCase(), 2) : []
  return before !== undefined && after !== undefined && before.length + after.length <= MAX_PLACE
}
