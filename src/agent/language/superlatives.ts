/** What can be most and least, by units and by what a column of it is called; of any number where neither is said. */
export type Scope = {
  readonly dimensions?: readonly string[]
  readonly called?: RegExp
  /** Dates and times of day. */
  readonly isTime?: boolean
  /** The most is the least of it: who is oldest was born earliest, and has the greatest age. */
  readonly isReversed?: boolean
}

/** A superlative of a question, by its place there: `cheapest` is the least of what is paid. */
export type Superlative = {
  readonly extreme: 'most' | 'least'
  readonly scopes: readonly Scope[]
  /** The place that is asked for: 2 of `second cheapest`. */
  readonly place: number
  /** How many are asked for from there: 3 of `the three cheapest`. */
  readonly count: number
  readonly start: number
  readonly end: number
}

const MONEY: Scope = {
  dimensions: ['money:EUR', 'money:USD', 'money:GBP', 'money:CNY'],
  called: /\b(?:price|cost|fee|fare|rent|charge)s?\b|[价费]|金额/iu,
}
const MASS: Scope = { dimensions: ['mass'], called: /\bweight\b|重/iu }
const LENGTH: Scope = { dimensions: ['length'], called: /\b(?:length|distance)\b|长度|距离|里程/iu }
const DEPTH: Scope = { called: /\bdepth\b|深/iu }
const WIDTH: Scope = { called: /\b(?:width|breadth)\b|宽/iu }
const THICKNESS: Scope = { called: /\bthickness\b|厚/iu }
const AGE: Scope = { called: /\bage\b|年龄/iu, isReversed: true }
const HEIGHT: Scope = { called: /\b(?:height|altitude|elevation)\b|高度?$|海拔/iu }
const DURATION: Scope = {
  dimensions: ['time', 'months'],
  called: /\b(?:duration|time|hours|days|minutes)\b|时[长间]|课时|期限?|天数/iu,
}
const SPEED: Scope = { called: /\b(?:speed|pace)\b|速/iu }
const SIZE: Scope = {
  dimensions: ['area', 'bytes', 'volume'],
  called: /\b(?:size|area|capacity|volume)\b|面积|容量|大小/iu,
}
const WARMTH: Scope = { dimensions: ['temperature'], called: /\btemperature\b|温/iu }
const LOUDNESS: Scope = { dimensions: ['loudness'], called: /\b(?:noise|sound|loudness)\b|噪/iu }
const POWER: Scope = { dimensions: ['power'], called: /\bpower\b|功率/iu }
const TIME: Scope = { isTime: true }
const ANY: Scope = {}

/** What is shortest is so by length or time: the opposite of `tallest` cannot be told from it. */
const NOTHING = '(?!)'

/** English words, as patterns; those of two words are looked for first. */
const ENGLISH: readonly (readonly [most: string, least: string, scopes: readonly Scope[]])[] = [
  ['most (?:expensive|costly)|dearest|priciest|costliest', 'least expensive|cheapest|lowest[- ]priced', [MONEY]],
  ['most recent(?:ly)?|newest|latest', 'earliest', [TIME]],
  ['youngest', 'oldest', [AGE, TIME]],
  ['most powerful|strongest', 'least powerful|weakest', [POWER]],
  ['heaviest', 'lightest', [MASS]],
  ['longest', 'shortest', [DURATION, LENGTH]],
  ['farthest|furthest', 'nearest|closest', [LENGTH]],
  ['tallest', NOTHING, [HEIGHT]],
  ['deepest', 'shallowest', [DEPTH]],
  ['widest|broadest', 'narrowest', [WIDTH]],
  ['thickest', 'thinnest', [THICKNESS]],
  ['fastest', 'slowest', [SPEED]],
  ['hottest|warmest', 'coldest|coolest', [WARMTH]],
  ['loudest|noisiest', 'quietest', [LOUDNESS]],
  ['largest|biggest', 'smallest', [SIZE, ANY]],
  ['highest|greatest|most', 'lowest|least|fewest', [ANY]],
  ['(?<=\\b\\p{L}{2,20}ed )last', '(?<=\\b\\p{L}{2,20}ed |\\bdid .{1,40} )first', [TIME]],
]
const CHINESE: readonly (readonly [most: string, least: string, scopes: readonly Scope[]])[] = [
  ['最贵', '最便宜|最低价|最实惠', [MONEY]],
  ['最远', '(?<=[离距].{0,20})最近', [LENGTH]],
  ['最[晚迟新近]', '最早', [TIME]],
  ['最年轻', '最(?:年长|老)', [AGE, TIME]],
  ['最重', '最轻', [MASS]],
  ['最[长久]', '最短', [DURATION, LENGTH, ANY]],
  ['最深', '最浅', [DEPTH]],
  ['最宽', '最窄', [WIDTH]],
  ['最厚', '最薄', [THICKNESS]],
  ['最快', '最慢', [SPEED]],
  ['最热', '最冷', [WARMTH]],
  ['最吵', '最(?:安静|静音)', [LOUDNESS]],
  ['最大', '最小', [SIZE, ANY]],
  ['最[高多]', '最[低少]', [ANY]],
]

const PATTERNS = [...ENGLISH.map(row => bounded(row)), ...CHINESE].map(([most, least, scopes]) => ({
  ...{ most: new RegExp(most, 'u'), least: new RegExp(least, 'u'), scopes },
}))

function bounded([most, least, scopes]: (typeof ENGLISH)[number]) {
  return [`\\b(?:${most})\\b`, `\\b(?:${least})\\b`, scopes] as const
}

/** `at most`, `最多可借`, `the most of it`: these ask for no extreme. */
const NONE = /\bat (?:the )?(?:most|least|latest|earliest)\b|\bmost of\b|最[多少晚迟早高低](?:可以?|能|不|为|要)/u

/** The one superlative of a question in lower case; undefined where it has none, or two that differ. */
export function superlativeIn(question: string): Superlative | undefined {
  if (NONE.test(question)) return undefined
  for (const { most, least, scopes } of PATTERNS) {
    const [high, low] = [most.exec(question), least.exec(question)]
    if (high && low) return undefined
    const found = high ?? low
    const extreme = high ? 'most' : 'least'
    if (found) return { extreme, scopes, ...placed(question, found.index, found.index + found[0].length) }
  }
  return undefined
}

const PLACES = 'second third fourth fifth'.split(' ')
const PLACE = new RegExp(`\\b(?:(?<word>${PLACES.join('|')})|(?<digit>[2-5])(?:nd|rd|th))[- ]$`, 'u')
const COUNTS = 'two three four five'.split(' ')
const COUNT_BEFORE = new RegExp(
  `\\b(?:(?<word>${COUNTS.join('|')})|(?<digit>[2-5]))\\s(?:\\p{L}{1,30}s\\s(?:with|have|had)\\sthe\\s)?$`,
  'u',
)
const COUNT_BEHIND = new RegExp(
  `^(?:\\s(?<word>${COUNTS.join('|')})(?=\\s\\p{L}+s\\b)|的?前?(?:(?<han>[两三四五])|(?<digit>[2-5]))(?=[个家门种款台位条座名项所支只本份]))`,
  'u',
)

/** With what says which place, or how many, before or behind the superlative. */
function placed(question: string, start: number, end: number) {
  const [before, behind] = [question.slice(0, start), question.slice(end)]
  const place = PLACE.exec(before)
  if (place) return { place: numberOf(place.groups, PLACES), count: 1, start: start - place[0].length, end }
  const count = COUNT_BEFORE.exec(before)
  if (count) return { place: 1, count: numberOf(count.groups, COUNTS), start: start - count[0].length, end }
  const next = COUNT_BEHIND.exec(behind)
  return { place: 1, count: numberOf(next?.groups, COUNTS), start, end: end + (next?.[0].length ?? 0) }
}

/** 1 where nothing says so. */
function numberOf({ word = '', digit, han }: Partial<Record<string, string>> = {}, words: readonly string[]): number {
  if (word) return words.indexOf(word) + 2
  return han ? '两三四五'.indexOf(han) + 2 : Number(digit ?? 1)
}
