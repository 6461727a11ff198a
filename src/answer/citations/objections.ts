import { readPolarity, splitAtNegation, splitByPolarity } from '../../text/polarity.ts'
import { isContained, type Term, type Terms } from '../../text/terms.ts'
import {
  fitOfNumbers,
  fitOfPolarity,
  isBoundOtherwise,
  isOfOtherRow,
  isOfOtherWords,
} from './agreement.ts'
import { findAnchors, findNames, findNumbers, isSameAnchor } from './anchors.ts'
import { readDirection } from './changes.ts'
import { type Claim, type ClaimReading, findSubject } from './claims.ts'
import { findConditions, findMainPart, hasCondition } from './conditions.ts'
import { isJoinedOtherwise, isOpposedInWords, isRatedOtherwise } from './opposites.ts'
import type { ReadStatement } from './statements.ts'

/** Reasons against a statement, however similar its words. */
const OBJECTIONS = [
  'number',
  'bound',
  'row',
  'part',
  'denied',
  'demand',
  'name',
  'quantifier',
  'comparison',
  'order',
  'condition',
  'direction',
  'role',
  'contrast',
  'affirmed',
  'reason',
  'opposite',
  'rate',
  'joined',
] as const
export type Objection = (typeof OBJECTIONS)[number]

type Check = (claim: Claim, statement: ReadStatement, reading: ClaimReading) => boolean

const CHECKS: Readonly<Record<Objection, Check>> = {
  number: (claim, statement) => fitOfNumbers(claim, statement).lacked > 0,
  bound: isBoundOtherwise,
  row: isOfOtherRow,
  part: isOfOtherWords,
  denied: (claim, statement, reading) => fitOfPolarity(claim, statement, reading).isDenied,
  demand: (claim, statement, reading) => fitOfPolarity(claim, statement, reading).isOtherDemand,
  name: isNameMissing,
  quantifier: isQuantifiedOtherwise,
  comparison: isComparedOtherwise,
  order: isOrderedOtherwise,
  condition: isConditionDropped,
  direction: isDirectedOtherwise,
  role: hasOtherRole,
  contrast: isContrastChanged,
  affirmed: isDenialAffirmed,
  reason: isReasonMissing,
  opposite: isOpposedInWords,
  rate: isRatedOtherwise,
  joined: isJoinedOtherwise,
}

export function findObjections(
  claim: Claim,
  statement: ReadStatement,
  reading: ClaimReading,
): readonly Objection[] {
  return OBJECTIONS.filter(name => CHECKS[name](claim, statement, reading))
}

/** Compares closed-class words across languages, where content words do not compare. */
export function isOpposedAcross(claim: Claim, statement: ReadStatement): boolean {
  const claimed = readDirection(claim.text)
  const there = readDirection(statement.text)
  return (
    isQuantifiedOtherwise(claim, statement) ||
    isComparedOtherwise(claim, statement) ||
    isOrderedOtherwise(claim, statement) ||
    (claimed !== undefined && there !== undefined && claimed !== there)
  )
}

function joinContext({ about, cells = [], text }: ReadStatement): string {
  return [about, ...cells.map(({ column }) => column), text].join('\n')
}

function isNameMissing(
  claim: Claim,
  { statedTerms, all }: ReadStatement,
  { terms }: ClaimReading,
): boolean {
  return findNames(claim.text, claim.anchors).some(
    name =>
      !terms
        .listContent(name)
        .every(term => isContained(term, statedTerms) || isContained(term, all)),
  )
}

/** Claimed word, and the stated words that confirm it. */
type Pair = { readonly claimed: RegExp; readonly stated: RegExp }

const TIME_UNIT = '(?:day|night|week|month|quarter|year|hour|minute|second)s?'
const HAN_NUMERAL = '[\\d二两三四五六七八九十百千万]'

/**
 * Quantifiers by strength (Quirk et al. 1985, 5.10 to 5.25; 吕叔湘 1999). `Each day` is a rate,
 * `anyone who` a condition, and `only 5` a number.
 */
const QUANTIFIERS: readonly Pair[] = [
  {
    claimed: new RegExp(
      `(?<!\\b(?:above|after|at|in) )\\ball\\b|\\bevery(?:one|body|thing|where)?\\b(?! (?:other|\\d+|${TIME_UNIT})\\b)|\\beach\\b(?! (?:other|${TIME_UNIT})\\b)|\\bany(?:one|body|thing|where)?\\b(?! (?:who|that)\\b)|\\b(?:always|invariably|entire(?:ly)?)\\b|每一?(?:次|个(?![半多]?(?:月|小时|星期|礼拜|季度|工作日))|种|位|名|项|条|家|人)|所有|全部|全体|全都|一切|任何|一律|一概|总是|始终|无一例外`,
      'iu',
    ),
    stated:
      /\b(?:all|every\p{L}*|each|any\p{L}*|always|invariably|entire(?:ly)?|both|per|whole)\b|[每各凡均都全]|所有|一切|任何|一律|一概|总|始终/iu,
  },
  {
    claimed: new RegExp(
      `\\bonly\\b(?! (?:\\p{L}+ )?\\d)|\\b(?:solely|exclusively)\\b|(?:只(?![要是不])|仅(?!供)|唯一|惟一)(?![^，。；]{0,2}${HAN_NUMERAL})`,
      'iu',
    ),
    stated: /\b(?:only|solely|exclusively|just|sole|alone|no other|none but)\b|[只仅唯惟才限专]/iu,
  },
  {
    claimed: /\bmost of\b|\bmajority\b|\bmostly\b|大多数|多数|大部分/iu,
    stated: /\b(?:most|majority|mostly|mainly|all|every)\b|多数|大部分|[都均全]/iu,
  },
  {
    claimed: /\b(?:sometimes|occasionally)\b|有时|偶尔/iu,
    stated: /\b(?:sometimes|occasionally|may|might|can|times)\b|有时|偶|[可或]/iu,
  },
  {
    claimed: /\b(?:last|final(?:ly)?)\b(?! (?:year|month|week|quarter|night|name))|最后|最终|末/iu,
    stated: /\b(?:last|final\p{L}*|end\p{L}*|latest)\b|最|末|终|尾/iu,
  },
]

function isQuantifiedOtherwise({ text }: Claim, statement: ReadStatement): boolean {
  return isCounterpartMissing(text, joinContext(statement), QUANTIFIERS)
}

function isCounterpartMissing(claim: string, context: string, pairs: readonly Pair[]): boolean {
  return pairs.some(({ claimed, stated }) => claimed.test(claim) && !stated.test(context))
}

const GRADES = '[高低多少大小长短快慢早晚好差贵重轻远近强弱新旧]'
/** Comparisons (Quirk et al. 1985, 15.63 to 15.75; 吕叔湘 1999). Those with a number are limits. */
const COMPARISONS: readonly Pair[] = [
  {
    claimed: new RegExp(
      `\\b(?:more|less|fewer|(?!rather|other)\\p{L}{2,}er)\\b[^.;:]{0,80}?\\bthan\\b(?! (?:an? )?(?:\\d|one|two|three|four|five|six|seven|eight|nine|ten|half)\\b)|(?<![占同环可对])比(?![例如较率重赛分值])[^，。；]{1,40}?${GRADES}|[高低多少大小早晚](?:于|过)(?!\\s*[一\\d二两三四五六七八九十百千万])`,
      'iu',
    ),
    stated: new RegExp(`\\bthan\\b|比(?![例如])|${GRADES}[于过]|超过|不[如及]`, 'iu'),
  },
  {
    claimed: new RegExp(`最${GRADES}(?![^，。；]{0,8}[一\\d二两三四五六七八九十百千万])`, 'iu'),
    stated: /最/u,
  },
]

function isComparedOtherwise({ text }: Claim, statement: ReadStatement): boolean {
  return isCounterpartMissing(text, joinContext(statement), COMPARISONS)
}

/** Orders of events (Quirk et al. 1985, 14.21 and 15.25), and other words for them. */
const ORDERS: readonly Pair[] = [
  {
    claimed: /\b(?:before|prior to|until|till)\b|之前|以前/iu,
    stated:
      /\b(?:before|prior|until|till|ahead|advance|earlier|by|within|preced\p{L}*)\b|前|[截为]止|截至|直到/iu,
  },
  {
    claimed: /\bafter\b(?! (?:every|each|\d))|之后|以后/iu,
    stated:
      /\b(?:after|since|from|following|once|upon|when|later|then|past)\b|后|起|以来|完|[过满]/iu,
  },
]

function isOrderedOtherwise({ text }: Claim, statement: ReadStatement): boolean {
  return isCounterpartMissing(text, joinContext(statement), ORDERS)
}

const CLAUSE_MARK = /[,;，；、]\s*\S/u

function isConditionDropped(
  claim: Claim,
  { text, cells }: ReadStatement,
  { terms }: ClaimReading,
): boolean {
  if (cells) return false
  const claimed = terms.extract(claim.text)
  const isConditional = hasCondition(claim.text)
  const isSimple = !isConditional && !CLAUSE_MARK.test(claim.text)
  const countWords = (part: string) =>
    claim.terms.filter(term => isContained(term, terms.extract(part))).length
  return findConditions(text, findMainPart(text, countWords)).some(part => {
    const numbers = findNumbers(findAnchors(part))
    if (!numbers.every(stated => claim.anchors.some(anchor => isSameAnchor(stated, anchor))))
      return true
    if (!isConditional && claim.words > 0 && countWords(part) === claim.terms.length) return true
    const words = terms.listContent(findSubject(part))
    return isSimple && words.filter(term => isContained(term, claimed)).length * 2 < words.length
  })
}

function isDirectedOtherwise(
  claim: Claim,
  statement: ReadStatement,
  { terms }: ClaimReading,
): boolean {
  return splitByPolarity(claim.text).some(part => {
    const direction = readDirection(part)
    if (!direction) return false
    const words = terms.listContent(findSubject(part))
    const others = splitByPolarity(statement.text).flatMap(text => {
      const there = readDirection(text)
      const own = terms.extract(text)
      return there ? [{ there, share: words.filter(term => isContained(term, own)).length }] : []
    })
    const best = Math.max(0, ...others.map(({ share }) => share))
    const closest = others.filter(({ share }) => share === best)
    return closest.length > 0 && closest.every(({ there }) => there !== direction)
  })
}

/** Words that give the next noun its role (Quirk et al. 1985, chapter 9; 吕叔湘 1999). */
const AGENT = /\bby\b|由(?!于)|被/giu
const ROLES: readonly RegExp[] = [
  AGENT,
  /\bfrom\b|从/giu,
  /\b(?:to|into|onto)\b|向/giu,
  /\bthan\b|比/giu,
]
/** Characters after such a word in which its noun is looked for. */
const MAX_NOUN = 60

function hasOtherRole(
  claim: Claim,
  { text, cells, statedTerms, all }: ReadStatement,
  { terms }: ClaimReading,
): boolean {
  if (cells) return false
  const own = terms.extract(text)
  const claimed = terms.extract(claim.text)
  return ROLES.some(pattern => {
    const claimNouns = findNouns(claim.text, pattern, terms)
    const there = findNouns(text, pattern, terms)
    const isAmong = (noun: Term, nouns: readonly Term[]) =>
      nouns.some(other => other.word === noun.word)
    const exchanged = there.filter(noun => !isAmong(noun, claimNouns) && isContained(noun, claimed))
    const isOtherAgent =
      pattern === AGENT &&
      claimNouns.some(
        noun =>
          !isContained(noun, statedTerms) &&
          (isContained(noun, all) || there.some(other => !isContained(other, claimed))),
      )
    if (isOtherAgent) return true
    return (
      exchanged.length > 0 &&
      claimNouns.some(noun => !isAmong(noun, there) && isContained(noun, own))
    )
  })
}

/** Reasons (Quirk et al. 1985, 15.45 and 9.49); `since` and `as` may state times. */
const CAUSE =
  /(?:\b(?:because(?: of)?|due to|owing to|thanks to)\b|因为|由于|原因是?|因(?![此而之素果特应人故]))([^,.;，。；]+)/giu

function isReasonMissing(
  claim: Claim,
  { statedTerms }: ReadStatement,
  { terms }: ClaimReading,
): boolean {
  return [...claim.text.matchAll(CAUSE)].some(([, reason = '']) => {
    const words = terms.listContent(findSubject(reason))
    return words.length > 0 && !words.some(term => isContained(term, statedTerms))
  })
}

/** Contrasts (Quirk et al. 1985, 13.42): what follows is denied. */
const CONTRAST = /\b(?:rather than|instead of|as opposed to)\b|而不是|而非/giu

const PART_END = /[,;:](?=\s)|[，；：、。]|\b(?:and|or|but|while|whereas)\b|和|及|或|而|但/giu

/** A word is only denied: `use onions` for `use peppers, not onions`. */
function isDenialAffirmed(
  claim: Claim,
  { text, cells }: ReadStatement,
  { terms }: ClaimReading,
): boolean {
  if (cells || readPolarity(claim.text).negations > 0) return false
  const parts = text.split(PART_END).map(splitAtNegation)
  const affirmed = terms.extract(parts.map(([before]) => before).join('\n'))
  const denied = terms.extract(parts.map(([, after]) => after).join('\n'))
  return terms
    .listContent(findSubject(claim.text.split(CONTRAST)[0] ?? ''))
    .some(term => isContained(term, denied) && !isContained(term, affirmed))
}

function findNouns(text: string, pattern: RegExp, terms: Terms): readonly Term[] {
  return [...text.matchAll(pattern)].flatMap(({ index, 0: word }) => {
    const start = index + word.length
    return terms.listContent(text.slice(start, start + MAX_NOUN)).slice(0, 1)
  })
}

function isContrastChanged(
  claim: Claim,
  { text, cells }: ReadStatement,
  { terms }: ClaimReading,
): boolean {
  if (cells) return false
  if (isAccompaniedOtherwise(claim.text, text, terms)) return true
  const denied = findNouns(claim.text, CONTRAST, terms)
  const affirmed = splitByPolarity(text.replace(CONTRAST, match => `, not ${match}`)).filter(
    part => readPolarity(part).negations % 2 === 0,
  )
  return denied.some(noun => affirmed.some(part => isContained(noun, terms.extract(part))))
}

/** Prepositions of opposite sense (Quirk et al. 1985, 9.51 and 9.57). */
const WITH = /\bwith\b|(?<!不)带有?/giu
const WITHOUT = /\bwithout\b|不带有?/giu

function isAccompaniedOtherwise(claim: string, statement: string, terms: Terms): boolean {
  const listWords = (text: string, pattern: RegExp) =>
    findNouns(text, pattern, terms).map(({ word }) => word)
  return [
    [WITH, WITHOUT],
    [WITHOUT, WITH],
  ].some(([own = WITH, other = WITHOUT]) => {
    const stated = listWords(statement, own)
    const opposed = listWords(statement, other).filter(word => !stated.includes(word))
    return listWords(claim, own).some(word => opposed.includes(word))
  })
}
