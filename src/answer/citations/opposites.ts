import { readPolarity, splitByPolarity } from '../../text/polarity.ts'
import { isContained, type Term, type Terms } from '../../text/terms.ts'
import { type Claim, type ClaimReading, findSubject, splitClauses } from './claims.ts'
import type { ReadStatement } from './statements.ts'

export function isOpposedInWords(
  claim: Claim,
  { text, cells, statedTerms }: ReadStatement,
  { terms, english }: ClaimReading,
): boolean {
  if (!english) return false
  const claimed = terms.extract(claim.text)
  const parts = (cells ? [text] : splitByPolarity(text)).map(part => readPart(part, claimed, terms))
  return splitByPolarity(claim.text)
    .map(part => readPart(part, statedTerms, terms))
    .some(claimPart =>
      parts.some(
        there =>
          claimPart.isNegative === there.isNegative &&
          claimPart.words.some(word => there.words.some(other => english.areOpposite(word, other))),
      ),
    )
}

function readPart(part: string, elsewhere: ReadonlySet<string>, terms: Terms) {
  const content = terms.listContent(findSubject(part))
  const shared = new Set(
    content.filter(term => isContained(term, elsewhere)).map(({ word }) => word),
  )
  const words = new Set(content.map(({ word }) => word).filter(word => !shared.has(word)))
  return { words: [...words], isNegative: readPolarity(part).negations % 2 === 1 }
}

const UNITS: readonly (readonly [string, string])[] = [
  ['minute', '分钟'],
  ['hour', '个?小时'],
  ['day', '[天日晚]'],
  ['week', '周|个?(?:星期|礼拜)'],
  ['month', '个?月'],
  ['quarter', '个?季度?'],
  ['year', '年'],
]
const ADVERBS: Readonly<Record<string, string>> = {
  hour: 'hourly',
  day: 'daily|nightly',
  week: 'weekly',
  month: 'monthly',
  quarter: 'quarterly',
  year: 'yearly|annual(?:ly)?',
}
/** Rates of time (Quirk et al. 1985, 5.18 and 8.64; 吕叔湘 1999, on 每); `for a week` is a duration. */
const RATES = UNITS.map(([unit, chinese]) => {
  const name = unit === 'day' ? '(?:day|night)' : unit
  const adverb = ADVERBS[unit] ? `|\\b(?:${ADVERBS[unit]})\\b` : ''
  return new RegExp(
    `\\b(?:per|each|every|(?<!\\b(?:for|in|within|after|over|of|takes?|lasts?|about) )an?) ${name}\\b${adverb}|每一?(?:${chinese})|一(?:${chinese})(?=[^，。；]{0,8}[一两二三四五\\d][次回趟])`,
    'iu',
  )
})

export function isRatedOtherwise({ text }: Claim, statement: ReadStatement): boolean {
  const columns = statement.cells?.map(({ column }) => column) ?? []
  const claimedRates = RATES.filter(rate => rate.test(text))
  const there = RATES.filter(rate => rate.test([...columns, statement.text].join('\n')))
  return (
    claimedRates.length > 0 && there.length > 0 && !claimedRates.some(rate => there.includes(rate))
  )
}

const PART_END = /[,;](?=\s)|[，；]|\b(?:and|but|while|whereas)\b|而(?!且)|但是?/iu
/** Words that parallel parts share (a guess, not fitted). */
const MIN_SHARED = 2
const ANYWHERE = new Set(['the', 'a', 'an', 'of', '的'])

type SentencePart = {
  readonly words: ReadonlySet<string>
  readonly claimed: readonly Term[]
  readonly hasOther: boolean
}

export function isJoinedOtherwise(
  claim: Claim,
  { text, cells }: ReadStatement,
  reading: ClaimReading,
): boolean {
  if (cells || splitClauses(claim, reading).length > 1) return false
  const parts = text.split(PART_END).map(part => readSentencePart(part, claim, reading))
  const isUnmatched = (part: SentencePart) =>
    part.claimed.some(term =>
      parts.every(other => other === part || !isContained(term, other.words)),
    )
  const own = parts.filter(part => part.hasOther && isUnmatched(part))
  return own.some((part, index) => own.slice(index + 1).some(other => areAlike(part, other)))
}

function readSentencePart(part: string, claim: Claim, { terms }: ClaimReading): SentencePart {
  const words = terms.extract(part)
  const claimed = terms.extract(claim.text)
  return {
    words,
    claimed: claim.terms.filter(term => isContained(term, words)),
    hasOther: terms.listContent(findSubject(part)).some(term => !isContained(term, claimed)),
  }
}

function areAlike(a: SentencePart, b: SentencePart): boolean {
  return [...a.words].filter(word => b.words.has(word) && !ANYWHERE.has(word)).length >= MIN_SHARED
}
