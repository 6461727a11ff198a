import type { PlacedNumber } from './cell-number.ts'

/** How a cell has to stand to a number. */
export type Relation = 'above' | 'least' | 'below' | 'most' | 'equal'

/** A number that something is compared with, and all the words of the question that say so. */
export type Comparison = PlacedNumber & { readonly relation: Relation; readonly from: number; readonly to: number }

/** Before the number, the more exact first. */
const BEFORE: readonly (readonly [Relation, RegExp])[] = [
  [
    'most',
    /(?:at most|(?:no|not) (?:more|greater|higher|larger|longer|later) than|not (?:over|above|after)|up to|<=|≤)$/,
  ],
  [
    'least',
    /(?:at least|(?:no|not) (?:less|fewer|lower|smaller|shorter|earlier) than|not (?:under|below|before)|>=|≥)$/,
  ],
  ['most', /(?:不超过|不高于|不大于|不多于|不晚于|至多|最多)$/],
  ['least', /(?:不低于|不小于|不少于|不早于|至少|最少)$/],
  [
    'below',
    /(?:\b(?:less|fewer|lower|smaller|shorter|lighter|cheaper|younger|earlier) than|\b(?:under|below|before)|<)$/,
  ],
  ['above', /(?:\b(?:more|\p{L}+er) than|\b(?:over|above|beyond|after|exceed(?:s|ed|ing)?)|>)$/u],
  ['below', /(?:低于|小于|少于|早于|短于|轻于|不足|不到|未满)$/],
  ['above', /(?:高于|大于|多于|晚于|长于|重于|超过|超出)$/],
  ['equal', /(?:等于|\bexactly|\bequals?(?: to)?|=)$/],
]

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
  const before = question.slice(Math.max(0, number.start - REACH), number.start).replace(CURRENCY, '')
  const after = question.slice(number.end, number.end + REACH)
  const start = Math.max(0, number.start - REACH)
  for (const [relation, pattern] of BEFORE) {
    const found = pattern.exec(before)
    if (found) return { ...number, relation, from: start + found.index, to: number.end }
  }
  for (const [relation, pattern] of BEHIND) {
    const found = pattern.exec(after)
    if (found) return { ...number, relation, from: number.start, to: number.end + found[0].length }
  }
  return undefined
}

/** Whether a cell's number stands so to the other. */
export function holdsBetween(cell: number, relation: Relation, other: number): boolean {
  if (relation === 'above') return cell > other
  if (relation === 'least') return cell >= other
  if (relation === 'below') return cell < other
  return relation === 'most' ? cell <= other : cell === other
}
