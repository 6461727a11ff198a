import type { Meaning } from '../../search/meaning.ts'
import type { Passage } from '../../search/passages/passage.ts'
import type { EnglishTerms } from '../../text/english-terms.ts'
import { detectLanguage, detectVectorLanguage, type Language } from '../../text/language.ts'
import { readPolarity } from '../../text/polarity.ts'
import type { Span } from '../../text/sentences.ts'
import { isContained, type Terms } from '../../text/terms.ts'
import { fitOfNumbers } from './agreement.ts'
import { findNames } from './anchors.ts'
import type { Claim, Judgement } from './claims.ts'
import { isOpposedAcross } from './objections.ts'
import { MAX_CITED, type ReadStatement, readStatements } from './statements.ts'

export type AcrossOptions = {
  readonly terms: Terms
  readonly meaning?: Meaning
  readonly english?: Pick<
    EnglishTerms,
    'listContentTerms' | 'listTerms' | 'hasSpelling' | 'areOpposite'
  >
  /** With one, nothing is `stated`: this comparison has no score. */
  readonly minSupport?: Readonly<Record<Language, number>>
  readonly signal?: AbortSignal
}

/** Share of translated words in a statement; a lexicon covers only part (bench/attribution.ts). */
const STATES = 0.5
/** Minimum words of a comparison, so that chance matches do not count. */
const MIN_WORDS = 3
/** Minimum lift of the nearest sentence, the limit of a weak hit. */
const NEAR = 0.05

export function isAcross(claim: Claim, { text }: Pick<Passage, 'text'>): boolean {
  return detectLanguage(text) !== detectLanguage(claim.text)
}

/** Compares numbers and names, then translated words; vectors alone give `unknown`. */
export async function judgeAcross(
  claim: Claim,
  passage: Passage,
  options: AcrossOptions,
): Promise<Judgement> {
  const { terms, english } = options
  const names = findNames(claim.text, claim.anchors)
  const isThere = (name: string, { about, text, statedTerms }: ReadStatement) =>
    terms.listContent(name).every(term => isContained(term, statedTerms)) ||
    english?.hasSpelling(name, `${about}\n${text}`) === true
  const likely = readStatements(passage, terms).filter(
    statement =>
      fitOfNumbers(claim, statement).lacked === 0 && names.every(name => isThere(name, statement)),
  )
  const [first] = likely
  if (!first) return toUnlikely([{ start: 0, end: Math.min(passage.text.length, MAX_CITED) }])
  const shares = computeLexiconShares({ claim, names }, likely, options)
  const maxShare = Math.max(...shares)
  const best = likely[shares.indexOf(maxShare)] ?? first
  if (
    maxShare >= STATES &&
    !options.minSupport &&
    !isOpposedAcross(claim, best) &&
    readPolarity(claim.text).negations % 2 === readPolarity(best.text).negations % 2
  )
    return { support: 'stated', spans: best.spans }
  if (!options.meaning) return { support: 'unknown', spans: best.spans }
  return await compareByMeaning(claim, passage, likely, options.meaning, options.signal)
}

function computeLexiconShares(
  { claim, names }: { readonly claim: Claim; readonly names: readonly string[] },
  statements: readonly ReadStatement[],
  { english }: AcrossOptions,
): readonly number[] {
  const claimTerms =
    english
      ?.listContentTerms(claim.text)
      .filter(({ weight, meanings }) => weight > 1 && meanings.length > 0) ?? []
  if (!english || claimTerms.length < MIN_WORDS) return statements.map(() => 0)
  return statements.map(({ text, about, cells = [] }) => {
    const there = english.listTerms(
      [about, ...cells.map(({ column }) => column), text].join('\n'),
      names,
    )
    const matchedTerms = claimTerms.filter(({ meanings }) =>
      meanings.some(
        meaning =>
          meaning.length > 0 &&
          meaning.filter(term => there.has(term)).length * 2 >= meaning.length,
      ),
    )
    return matchedTerms.length / claimTerms.length
  })
}

function toUnlikely(spans: readonly Span[]): Judgement {
  return { support: 'unknown', isUnlikely: true, spans }
}

async function compareByMeaning(
  claim: Claim,
  { documentId, text }: Passage,
  statements: readonly ReadStatement[],
  meaning: Meaning,
  signal?: AbortSignal,
): Promise<Judgement> {
  const pieces = statements.map(statement => ({ documentId, text: statement.text }))
  const { cosines, unrelated } = await meaning.measureNearness(claim.text, pieces, signal)
  const best = Math.max(...cosines)
  const index = cosines.indexOf(best)
  const expected = unrelated[detectVectorLanguage(pieces[index]?.text ?? text)]
  const isNear = expected === undefined || best - expected >= NEAR
  const spans = statements[index]?.spans ?? []
  return isNear ? { support: 'unknown', spans } : toUnlikely(spans)
}
