import { setImmediate } from 'node:timers/promises'
import type { Passage } from '../../search/passages/passage.ts'
import { findMarkers } from '../../text/markers.ts'
import { findQuotations, QuotableTexts, type Quotation } from '../../text/quotations.ts'
import type { WordRarity } from '../../text/rarity.ts'
import { areOverlapping, blankSpans } from '../../text/sentences.ts'
import type { Terms } from '../../text/terms.ts'
import { type AcrossOptions, isAcross, judgeAcross } from './across-languages.ts'
import { findNumbers, hasUnit } from './anchors.ts'
import { AnswerEditor, type Edit } from './answer-editor.ts'
import type { AnswerRegions } from './answer-markdown.ts'
import type { Support } from './citation.ts'
import type { Reference } from './citations.ts'
import { type Bearing, type Claim, type ClaimCheck, readClaim } from './claims.ts'
import { judgeCounts, listCounts } from './counts.ts'
import { Judge } from './judgement.ts'
import {
  getCompleteSpan,
  removeMarkers,
  type Sentence,
  splitMarkedSentences,
} from './marked-sentences.ts'
import { findQuote, type QuotePlace } from './quotations.ts'

type Attributed = {
  readonly text: string
  readonly references: readonly Reference[]
  /** Claims that a source contradicts, quotations in no source, and claims without any evidence. */
  readonly unsupported: readonly string[]
  /** Claims that no source states or contradicts, with those without any evidence. */
  readonly unconfirmed: readonly string[]
}

/** Undefined if the check failed. */
type ClaimChecker = (
  checks: readonly ClaimCheck[],
  signal?: AbortSignal,
) => Promise<readonly Support[] | undefined>

type AttributionOptions = Omit<AcrossOptions, 'terms'> & {
  readonly terms: Terms
  readonly rarity?: Pick<WordRarity, 'getRarity'>
  readonly passages: readonly Passage[]
  /** Tool results on which claims may rest. */
  readonly answers?: readonly Passage[]
  readonly checker?: ClaimChecker
  /** Selects sentences that claim nothing, such as a refusal. */
  readonly isNoClaim?: (sentence: string) => boolean
  readonly removesUnsupported?: boolean
}

type Found = { readonly quotation: Quotation; readonly place: QuotePlace | undefined }
type Draft = {
  readonly sentence: Sentence
  readonly found: readonly Found[]
  readonly bearings: readonly Bearing[]
  readonly isClaim: boolean
  /** Names no source and number. */
  readonly isVague: boolean
}
type Verdict = {
  readonly references: readonly Reference[]
  readonly edits: readonly Edit[]
  /** Undefined if the sentence is no claim. */
  readonly support: Support | undefined
  /** No source has evidence for it. */
  readonly isUnlikely: boolean
}

/** Content words, dates and amounts of a sentence that gets a source it does not name. */
const CLAIM_WORDS = 2
/** Weight of these words, so that small talk (`happy to help`) gets no source. */
const CLAIM_WEIGHT = 1

/**
 * Finds quotations in the named sources, then in others, and corrects single slips. Compares
 * other sentences with the named sources, else with all.
 */
export async function relateAnswer(
  written: string,
  options: AttributionOptions,
): Promise<Attributed> {
  const text = removeSourceList(written, options.passages)
  const editor = await AnswerEditor.load(text)
  const drafts = await removeSmallTalk(
    await applyChecker(await toDrafts(text, editor.regions, options), options),
    options,
  )
  const references: Reference[] = []
  const edits: Edit[] = []
  const unsupported: string[] = []
  const unconfirmed: string[] = []
  for (const draft of drafts) {
    const { sentence } = draft
    const verdict = judgeClaim(draft)
    if (options.removesUnsupported && isRemovable(verdict)) {
      edits.push({ span: getCompleteSpan(sentence), text: '' })
      continue
    }
    if (isUnsupported(verdict)) unsupported.push(removeMarkers(sentence))
    if (verdict.support === 'unknown') unconfirmed.push(removeMarkers(sentence))
    references.push(...verdict.references)
    edits.push(...verdict.edits, ...editor.createMarkerEdits(sentence, verdict.references))
  }
  return {
    text: editor.apply(edits).trim(),
    references: references.filter(isFirst),
    unsupported,
    unconfirmed,
  }
}

function isRemovable({ support, isUnlikely }: Verdict): boolean {
  return support === 'not-stated' || (support === 'unknown' && isUnlikely)
}

function isUnsupported(verdict: Verdict): boolean {
  return isRemovable(verdict) && verdict.references.length === 0
}

async function toDrafts(
  text: string,
  { code, labels }: AnswerRegions,
  options: AttributionOptions,
): Promise<readonly Draft[]> {
  const { passages, signal } = options
  const judge = new Judge(options)
  const texts = new QuotableTexts()
  const drafts: Draft[] = []
  for (const sentence of splitMarkedSentences(
    text,
    id => passages.some(passage => passage.id === id),
    code,
  )) {
    await setImmediate(undefined, { ...(signal && { signal }) }) // others wait for the thread
    const isLabel =
      !HAS_WORDS.test(sentence.text) || labels.some(label => areOverlapping(sentence.span, label))
    const quotations = isLabel ? [] : findQuotations(sentence.text)
    if (isLabel) drafts.push(await toLabelDraft(sentence, judge, options))
    else if (quotations.length > 0)
      drafts.push(await toQuotationDraft(sentence, quotations, judge, { ...options, texts }))
    else drafts.push(await toClaimDraft(sentence, judge, options))
  }
  return drafts
}

const HAS_WORDS = /\p{L}|\p{N}/u

/** Keeps the sources of a heading or marker, which is no claim. */
async function toLabelDraft(
  sentence: Sentence,
  judge: Judge,
  options: AttributionOptions,
): Promise<Draft> {
  const claim = readClaim(sentence.text, options)
  const bearings: Bearing[] = []
  for (const passage of findNamedSources(sentence, options.passages)) {
    const found = await judgePassage(claim, passage, judge, options)
    const isStatedInWords = (bearing: Bearing) => isStated(bearing) && HAS_WORDS.test(sentence.text)
    bearings.push(
      ...found.map(bearing =>
        isStatedInWords(bearing) ? bearing : { ...bearing, support: 'unknown' as const },
      ),
    )
  }
  return { sentence, found: [], bearings, isClaim: false, isVague: true }
}

async function toQuotationDraft(
  sentence: Sentence,
  quotations: readonly Quotation[],
  judge: Judge,
  options: AttributionOptions & { readonly texts: QuotableTexts },
): Promise<Draft> {
  const { passages, answers = [], texts, signal } = options
  const named = findNamedSources(sentence, passages)
  const all = [...passages, ...answers]
  const found: Found[] = []
  for (const quotation of quotations) {
    await setImmediate(undefined, { ...(signal && { signal }) })
    found.push({ quotation, place: findQuote(quotation.text, { named, all, texts }) })
  }
  const claim = readClaim(sentence.text, options)
  const around = blankSpans(
    sentence.text,
    quotations.map(({ marked }) => marked),
  )
  const isBare = readClaim(around, options).words < CLAIM_WORDS
  const cited = new Set(found.flatMap(({ place }) => place?.passage ?? []))
  const bearings: Bearing[] = []
  for (const passage of cited) {
    if (isBare) bearings.push({ support: 'stated', spans: [], passage })
    else bearings.push(...(await judgePassage(claim, passage, judge, options)))
  }
  return { sentence, found, bearings, isClaim: true, isVague: false }
}

async function toClaimDraft(
  sentence: Sentence,
  judge: Judge,
  options: AttributionOptions,
): Promise<Draft> {
  const { passages, isNoClaim } = options
  const { text } = sentence
  const claim = readClaim(text, options)
  const says = !/[?？:：]$/.test(text.trim()) && !isNoClaim?.(text)
  const named: Bearing[] = []
  for (const passage of findNamedSources(sentence, passages))
    named.push(...(await judgePassage(claim, passage, judge, options)))
  const numbers = findNumbers(claim.anchors)
  const amounts = numbers.filter(number => !number.quantity || hasUnit(number)).length
  const isWorded = claim.words + amounts >= CLAIM_WORDS && claim.weight + amounts >= CLAIM_WEIGHT
  const isEmpty = claim.words === 0 && claim.anchors.length === 0 // such as `Yes [1].`
  const losesMarker = !isEmpty && sentence.markers.length > 0 && named.every(isRefuted)
  const isClaim = says && (isWorded || losesMarker)
  const isVague = sentence.markers.length === 0 && numbers.length === 0
  const draft = { sentence, found: [], isClaim, isVague }
  if (!says) return { ...draft, bearings: named.map(removeRefutation) }
  const counts = listCounts(claim.text, options.terms)
  if (!isClaim && counts.length === 0) return { ...draft, bearings: named }
  const bearings = await findBearings(claim, named, judge, options)
  if (isClaim) return { ...draft, bearings }
  const deciding = judgeCounts(counts, bearings, options)
  return deciding.length > 0
    ? { ...draft, isClaim: true, bearings: deciding }
    : { ...draft, bearings: named }
}

async function findBearings(
  claim: Claim,
  named: readonly Bearing[],
  judge: Judge,
  options: AttributionOptions,
): Promise<readonly Bearing[]> {
  if (named.some(isStated)) return named
  const others = await findOtherSources(claim, judge, options)
  if (others.some(isStated)) return [...named, ...others]
  const fromAnswers = await findOtherSources(claim, judge, {
    ...options,
    passages: options.answers ?? [],
  })
  if (fromAnswers.some(isStated)) return [...named, ...fromAnswers]
  return named.length > 0 ? named : [...others, ...fromAnswers]
}

function isStated({ support }: Bearing): boolean {
  return support === 'stated'
}

function isRefuted({ support }: Bearing): boolean {
  return support === 'not-stated'
}

function removeRefutation(bearing: Bearing): Bearing {
  return isRefuted(bearing) ? { ...bearing, support: 'unknown' } : bearing
}

function findNamedSources({ markers }: Sentence, passages: readonly Passage[]): readonly Passage[] {
  return passages.filter(passage => markers.some(marker => marker.id === passage.id))
}

async function judgePassage(
  claim: Claim,
  passage: Passage,
  judge: Judge,
  options: AttributionOptions,
): Promise<readonly Bearing[]> {
  const verbatim = judge.findVerbatim(claim, [passage])
  if (verbatim) return [verbatim]
  if (isAcross(claim, passage))
    return [{ ...(await judgeAcross(claim, passage, options)), passage }]
  return await judge.judge(claim, [passage])
}

async function findOtherSources(
  claim: Claim,
  judge: Judge,
  options: AttributionOptions,
): Promise<readonly Bearing[]> {
  const verbatim = judge.findVerbatim(claim, options.passages)
  if (verbatim) return [verbatim]
  const own = options.passages.filter(passage => !isAcross(claim, passage))
  const bearings = await judge.judge(claim, own)
  if (bearings.length > 0 && bearings.every(isStated)) return bearings
  const contradicting = bearings.filter(isRefuted)
  if (!options.english || contradicting.length > 0) return contradicting
  for (const passage of options.passages.filter(passage => isAcross(claim, passage))) {
    const judgement = await judgeAcross(claim, passage, options)
    if (judgement.support === 'stated') return [{ ...judgement, passage }]
  }
  return []
}

async function applyChecker(
  drafts: readonly Draft[],
  { checker, signal }: AttributionOptions,
): Promise<readonly Draft[]> {
  const checks = drafts.flatMap(({ sentence, bearings, isClaim }) =>
    isClaim ? bearings.map(({ passage }) => ({ claim: removeMarkers(sentence), passage })) : [],
  )
  const supports = checker && checks.length > 0 ? await checker(checks, signal) : undefined
  if (!supports) return drafts
  let index = 0
  return drafts.map(draft => {
    if (!draft.isClaim) return draft
    const bearings = draft.bearings.map(bearing => ({
      ...bearing,
      support: supports[index++] ?? bearing.support,
    }))
    return { ...draft, bearings }
  })
}

async function removeSmallTalk(
  drafts: readonly Draft[],
  { meaning, signal }: AttributionOptions,
): Promise<readonly Draft[]> {
  const open = drafts.filter(draft => draft.isVague && judgeClaim(draft).support !== 'stated')
  if (!meaning || open.length === 0) return drafts
  const texts = open.map(({ sentence }) => removeMarkers(sentence))
  const areTalk = await meaning.areSmallTalk(texts, signal)
  const talk = new Set(open.filter((_, index) => areTalk[index]))
  return drafts.map(draft => (talk.has(draft) ? { ...draft, isClaim: false } : draft))
}

/** Needs one stating source. Of uncertain ones keeps only the named. */
function judgeClaim(draft: Draft): Verdict {
  const { sentence, found, bearings, isClaim } = draft
  if (found.length > 0) return judgeQuotations(draft)
  const stated = bearings.filter(isStated)
  const named = new Set(sentence.markers.map(({ id }) => id))
  const open = bearings.filter(
    ({ support, passage }) => support === 'unknown' && named.has(passage.id),
  )
  const supporting = stated.length > 0 ? stated : open
  const references = supporting.flatMap(bearing => findReferences(bearing, bearing.support))
  const isContradicted = supporting.length === 0 && bearings.some(isRefuted)
  const support = stated.length > 0 ? 'stated' : isContradicted ? 'not-stated' : 'unknown'
  const isUnlikely = supporting.every(({ isUnlikely }) => isUnlikely)
  return { references, edits: [], support: isClaim ? support : undefined, isUnlikely }
}

function judgeQuotations({ sentence: { span: within }, found, bearings }: Draft): Verdict {
  const places = found.flatMap(({ place }) => place ?? [])
  const computeSupport = (of: Passage) =>
    bearings.find(({ passage }) => passage === of)?.support ?? 'unknown'
  const edits = found.flatMap(({ quotation: { span }, place }) => {
    const own = { start: within.start + span.start, end: within.start + span.end }
    return place?.repaired === undefined ? [] : [{ span: own, text: place.repaired }]
  })
  const references = places.flatMap(place => findReferences(place, computeSupport(place.passage)))
  const support = places.length < found.length ? 'not-stated' : 'stated'
  return { references, edits, support, isUnlikely: false }
}

function findReferences(
  { passage, spans }: Pick<Bearing, 'passage' | 'spans'>,
  support: Support,
): readonly Reference[] {
  return spans.map(span => ({ marker: passage.id, passage, span, support }))
}

function isFirst(reference: Reference, index: number, all: readonly Reference[]): boolean {
  const isSame = (other: Reference) =>
    other.marker === reference.marker &&
    other.span.start === reference.span.start &&
    other.span.end === reference.span.end
  return all.findIndex(isSame) === index
}

const HEADING =
  /^[\s#>*_-]*(?:sources?|references?|citations?|footnotes?|参考(?:资料|文献|来源)?|来源|资料来源|引用|出处)[\s*_]*[:：]?[\s*_-]*$/i

/** Characters of page or section in a source list; longer ones are sentences. */
const MAX_PLACE = 40

function removeSourceList(text: string, passages: readonly Passage[]): string {
  const lines = text.trimEnd().split('\n')
  let end = lines.length
  while (end > 0 && (isEntry(lines[end - 1]!, passages) || lines[end - 1]!.trim() === '')) end--
  if (lines.slice(end).every(line => line.trim() === '')) return text
  const body = lines.slice(0, HEADING.test(lines[end - 1] ?? '') ? end - 1 : end)
  return body.join('\n').trimEnd() || text
}

function isEntry(written: string, passages: readonly Passage[]): boolean {
  const line = written.replace('[^', '[') // a footnote with a document name
  const [marker] = findMarkers(line)
  if (!marker || !/^[\s>*•-]*$/.test(line.slice(0, marker.span.start))) return false
  const passage = passages.find(({ id }) => id === marker.id)
  const rest = line.slice(marker.span.end).toLowerCase()
  const [before, after] = passage ? rest.split(passage.name.toLowerCase(), 2) : []
  return before !== undefined && after !== undefined && before.length + after.length <= MAX_PLACE
}
