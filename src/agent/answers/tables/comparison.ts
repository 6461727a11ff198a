import { isYear, type PlacedNumber } from './asked-numbers.ts'

/** How a cell has to stand to a number. */
export type Relation = 'above' | 'least' | 'below' | 'most' | 'equal' | 'between'

/** A number that something is compared with, and all the words of the question that say so. */
export type Comparison = PlacedNumber & {
  readonly relation: Relation
  readonly from: number
  readonly to: number
  /** Of a range, whose number is its least. */
  readonly upTo?: number
  /** Only a hyphen tells that it is a range. */
  readonly isLoose?: boolean
}

/** What a cell's number is compared with. */
export type Bound = Pick<Comparison, 'relation' | 'value' | 'upTo'>

/** Adjectives of more and of less; the direction of any other is not known. */
const MORE =
  'more|greater|higher|larger|longer|later|bigger|older|taller|heavier|wider|broader|deeper|thicker|faster|stronger|louder|hotter|warmer|brighter|steeper|farther|further|dearer|pricier|costlier|richer|more (?:expensive|costly|populous)'
const LESS =
  'less|fewer|lower|smaller|shorter|lighter|cheaper|younger|earlier|thinner|quieter|closer|colder|cooler|narrower|slower|sooner|nearer|shallower|weaker|poorer|dimmer|less (?:expensive|costly|populous)'

/** Before the number. */
const BEFORE: readonly (readonly [Relation, RegExp])[] = [
  ['most', /(?:\b(?:at most|up to)|<=|≤|至多|最多)$/],
  ['least', /(?:\bat least|>=|≥|至少|最少)$/],
  ['below', new RegExp(`(?:\\b(?:(?:${LESS}) than|under|below|before)|<)$`)],
  ['above', new RegExp(`(?:\\b(?:(?:${MORE}) than|over|above|beyond|after|in excess of|exceed(?:s|ed|ing)?)|>)$`)],
  ['below', /(?:低于|小于|少于|早于|短于|轻于|窄于|薄于|浅于|不足|不到|不满|未满|未达到?|没到)$/],
  ['above', /(?:高于|大于|多于|晚于|长于|重于|宽于|厚于|深于|超过|超出)$/],
  ['equal', /(?:等于|\bexactly|\bequals?(?: to)?|=)$/],
]

const OR_EQUAL = /(?:\s+or\s+equals?(?:\s+to)?|或?者?等于)$/
const WITH_EQUAL: Readonly<Partial<Record<Relation, Relation>>> = { above: 'least', below: 'most' }

/** What turns a comparison that follows into its opposite: `do not exceed`, `没有超过`. */
const NEGATOR =
  /(?:\b(?:not|no|never|cannot)|n['’]t|没有?|未曾?|不(?:会|能|可以?|得|应该?|要|曾|允许)?)\s*(?:\b(?:be|been|have|has|had|cost|weigh|earn|take|last|contain|pay|need|use|any|ever|much|even)\s+)*$/
const OPPOSITE: Readonly<Partial<Record<Relation, Relation>>> = {
  ...{ above: 'most', most: 'above', below: 'least', least: 'below' },
}

/** By age they say one thing, by year another. */
const BY_AGE = /\b(?:older|younger) than$/
/** A comparison that cannot be told: of an adjective not known, with words before its number, or of a speed by its time. */
const UNTOLD = /\b(?:(?:\p{L}+er|worse|(?:more|less) \p{L}+) than|exceed(?:s|ed|ing)?(?: \p{L}+){1,4})$/u
const SPEED = /\b(?:faster|slower) than$/
const TIME = /^\s*(?:m?s|secs?|seconds?|min|minutes?|h|hours?|days?)\b/

/** Behind the number and its unit. */
const BEHIND: readonly (readonly [Relation, RegExp])[] = [
  ['least', /^\s*\p{L}{0,8}?\s*(?:(?:or|and) (?:more|above|over|higher|longer|larger|later)\b|及?以上|起)/u],
  ['most', /^\s*\p{L}{0,8}?\s*(?:(?:or|and) (?:less|fewer|below|under|lower|shorter|smaller|earlier)\b|及?以下|以内)/u],
  ['below', /^\s*年?\s*(?:之前|以前)/],
  ['above', /^\s*年?\s*(?:之后|以后)/],
]

/** So far before a number its comparison is looked for. */
const REACH = 40
/** Between a comparison and its number. */
const CURRENCY = /\s*(?:\b(?:a|an|the|the year|year|eur|usd|gbp|nok|sek|dkk|chf|cny|rmb|jpy)\s*)?[€$£¥]?\s*$/

/** What the question compares the number with; undefined where it compares nothing. In lower case. */
export function comparisonOf(question: string, number: PlacedNumber): Comparison | undefined {
  const before = textBefore(question, number)
  const start = Math.max(0, number.start - REACH)
  const equal = OR_EQUAL.test(before) ? firstIn(before.replace(OR_EQUAL, ''), BEFORE) : undefined
  const found = equal ?? firstIn(before, BEFORE)
  if (found) {
    const from = start + found.index
    const told = (equal && WITH_EQUAL[equal.relation]) ?? found.relation
    const relation = BY_AGE.test(before) && isYear(number.value) ? turned(told) : told
    const negator = NEGATOR.exec(question.slice(0, from))
    const opposite = OPPOSITE[relation]
    if (negator && opposite) return { ...number, relation: opposite, from: negator.index, to: number.end }
    return { ...number, relation, from, to: number.end }
  }
  const behind = firstIn(question.slice(number.end, number.end + REACH), BEHIND)
  return behind && { ...number, relation: behind.relation, from: number.start, to: number.end + behind.length }
}

/** The question compares the number, and which way cannot be told. */
export function isUntold(question: string, number: PlacedNumber): boolean {
  const before = textBefore(question, number)
  if (SPEED.test(before)) return TIME.test(question.slice(number.end))
  return UNTOLD.test(before) && !comparisonOf(question, number)
}

function textBefore(question: string, number: PlacedNumber): string {
  return question.slice(Math.max(0, number.start - REACH), number.start).replace(CURRENCY, '')
}

/** The first of the patterns that is there. */
function firstIn(text: string, patterns: readonly (readonly [Relation, RegExp])[]) {
  for (const [relation, pattern] of patterns) {
    const found = pattern.exec(text)
    if (found) return { relation, index: found.index, length: found[0].length }
  }
  return undefined
}

/** `older than 2005` is before 2005. */
function turned(relation: Relation): Relation {
  return relation === 'above' ? 'below' : 'above'
}

/** Whether a cell's number stands so to what it is compared with. */
export function holdsBetween(cell: number, { relation, value, upTo }: Bound): boolean {
  if (relation === 'between') return value <= cell && cell <= (upTo ?? value)
  if (relation === 'above') return cell > value
  if (relation === 'least') return cell >= value
  if (relation === 'below') return cell < value
  return relation === 'most' ? cell <= value : cell === value
}
