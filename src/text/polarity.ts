import { toSimplified } from './simplified.ts'

/** Closed-class words that deny, demand, permit or limit a statement. */

/** `exempt` means not required. */
type Modality = 'oblige' | 'advise' | 'permit' | 'forbid' | 'exempt'
export type Bound = 'up' | 'down'
type Order = 'before' | 'after'

/**
 * Verbal forms of provisions (ISO/IEC Directives, Part 2, 2021, tables 3 to 7), with prohibited
 * and forbidden.
 */
const ENGLISH_MODALITY: readonly (readonly [Modality, string])[] = [
  [
    'exempt',
    "(?:need|needs) ?n['’]t|need not|(?:do|does|did)(?: not|n['’]t) (?:have|need) to|(?:not|n['’]t) (?:be )?(?:required|obliged|necessary|mandatory|compulsory)|no need to",
  ],
  [
    'forbid',
    "(?:must|may|shall|can|could)(?: not|n['’]t| never)|cannot|can['’]t|(?:not|n['’]t|never) (?:be )?(?:allowed|permitted|permissible)|prohibited|forbidden|prohibits?|forbids?",
  ],
  ['oblige', 'must|shall|(?:have|has|had) to|required|obliged|mandatory|compulsory'],
  ['advise', 'should|ought to|recommended'],
  ['permit', 'may|can|could|allowed|permitted|permissible|allows?|permits?'],
]

/** Chinese forms (GB/T 1.1-2020, appendix C; 立法技术规范 2009). */
const CHINESE_MODALITY: readonly (readonly [Modality, string])[] = [
  ['exempt', '不必|无需|无须|毋需|不需要?|不用(?!于)|可以?不|不要求'],
  ['forbid', '禁止|严禁|不得(?!不|已)|不准|不允许|不许|不可(?!抗)|不能(?!不)|不应|切?勿|不可以'],
  ['oblige', '应当|应该|应(?![用急对收付届聘征邀答])|必须|须|需要|需(?!求)|务必|要求|不得不'],
  ['advise', '建议|推荐|宜'],
  ['permit', '可以|可(?![靠能用见行持是])|允许|准许|能够|能(?![源力量耗效])|有权'],
]

/** Negators (Quirk et al. 1985, 10.54 to 10.60) and prepositions of exception (9.57). */
const ENGLISH_NEGATION =
  "not only|(?<negative>not|no(?!\\.? ?\\d)|never|none|neither|nor|nobody|nothing|nowhere|hardly|scarcely|barely|rarely|seldom|without|unless|except(?:ing)?|with the exception of|other than|apart from)|(?<bound>n['’]t)"

/** Chinese negation and conjunctions that contain it (Lü Shuxiang 1999). */
const CHINESE_NEGATION =
  '不仅|不但|不过|不论|不管|不断|不如|不妨|不止|不只|不久|不同|非常|除了?非?|无论|未来|是否|能否|可否|(?<negative>不|没有?|未|无|非|否|莫|毋|别(?=[让把用在]))'
const EXCEPTION = /^除/u

/** Limits of numbers, which may contain a negation (Quirk et al. 1985, 15.69; 现代汉语八百词). */
const BOUNDS: readonly (readonly [Bound, RegExp])[] = [
  [
    'up',
    /\b(?:at least|(?:no|not|never) (?:less|fewer|lower|earlier) than|(?:a )?minimum(?: of)?|(?:more|longer|greater|larger|older|higher|heavier|later) than|over|above|exceed(?:s|ing)?|or (?:more|over|older|above|longer|later))\b|至少|最少|不得?(?:少于|低于|小于|早于)|超过|多于|高于|大于|以上|起码/giu,
  ],
  [
    'down',
    /\b(?:at most|up to|(?:no|not|never) (?:more|longer|greater|larger|older|higher|heavier|later) than|(?:not|never) (?:to )?exceed(?:s|ing)?|(?:a )?maximum(?: of)?|(?:less|fewer|shorter|smaller|younger|lower|lighter|earlier) than|within|under|below|limited to|or (?:less|fewer|under|younger|below|shorter|earlier))\b|最多|至多|不得?(?:超过|高于|大于|多于|晚于|迟于)|不足|少于|低于|小于|不到|不满|以下|以内|之内|(?<=[\d天日月年时周期个])内/giu,
  ],
]

/** Longest first, so that `not more than` precedes `more than`. */
const BOUND = new RegExp(BOUNDS.map(([, { source }]) => source).join('|'), 'giu')

/** Words of time (Quirk et al. 1985, 14.21 and 15.25), and Chinese words after a noun. */
const ORDERS: readonly (readonly [Order, RegExp])[] = [
  [
    'before',
    /\b(?:before|prior to|until|till)\b|之前|以前|(?<=\p{Script=Han})前(?=[，。；、]|$)|(?<=[日号天月年时点周])前/giu,
  ],
  [
    'after',
    /\b(?:after|since|following|once)\b|之后|以后|(?<=\p{Script=Han})后(?=[，。；、]|$)|(?<=[日号天月年时点周])后|以来/giu,
  ],
]

const MODALITY = new RegExp(
  [
    ...ENGLISH_MODALITY.map(([name, words]) => `(?<${name}E>\\b(?:${words})\\b)`),
    ...CHINESE_MODALITY.map(([name, words]) => `(?<${name}C>${words})`),
  ].join('|'),
  'giu',
)
const NEGATION = new RegExp(
  `\\b(?:${ENGLISH_NEGATION.replace('|(?<bound>', ')\\b|(?<bound>')}|${CHINESE_NEGATION.replace('<negative>', '<han>')}`,
  'giu',
)

export type Polarity = {
  readonly negations: number
  readonly modality?: Modality
}

/** Leaves out limits of numbers: `not more than` denies nothing. */
export function readPolarity(clause: string): Polarity {
  const rest = toSimplified(clause).replace(BOUND, ' ')
  const [modal] = rest.matchAll(MODALITY)
  const found = Object.entries(modal?.groups ?? {}).find(([, words]) => words !== undefined)?.[0]
  const modality = found?.slice(0, -1) as Modality | undefined
  const isDenial = modality === 'forbid' || modality === 'exempt'
  const negations = findNegations(rest.replace(MODALITY, ' ')) + (isDenial ? 1 : 0)
  if (modality === 'permit' && negations % 2 === 1) return { negations, modality: 'forbid' } // no dogs are allowed
  return { negations, ...(modality && { modality }) }
}

function findNegations(text: string): number {
  const found = [...text.matchAll(NEGATION)]
  return found.filter(
    ({ 0: word, groups = {} }) =>
      groups.negative ?? groups.bound ?? groups.han ?? (EXCEPTION.test(word) || undefined),
  ).length
}

export function splitAtNegation(clause: string): readonly [affirmed: string, denied: string] {
  const rest = toSimplified(clause).replace(BOUND, ' ')
  const [first] = findDenials(rest).toSorted((a, b) => a.index - b.index)
  if (!first) return [rest, '']
  return [rest.slice(0, first.index), removePolarity(rest.slice(first.index + first[0].length))]
}

export function findDenied(clause: string): readonly string[] {
  const rest = toSimplified(clause).replace(BOUND, ' ')
  return findDenials(rest).map(({ index, 0: word }) =>
    removePolarity(rest.slice(index + word.length)),
  )
}

function findDenials(text: string): readonly RegExpExecArray[] {
  return [...text.matchAll(MODALITY), ...text.matchAll(NEGATION)].filter(
    ([word]) => readPolarity(word).negations > 0,
  )
}

export function removePolarity(text: string): string {
  return toSimplified(text).replace(BOUND, ' ').replace(MODALITY, ' ').replace(NEGATION, ' ')
}

const EXCEPTING =
  /\b(?=(?:except(?:ing)?|unless|without|with the exception of|other than|apart from)\b)|(?=除非|除了|除)/giu

/** Gives a part without content to the one before. */
export function splitByPolarity(text: string): readonly string[] {
  return text
    .split(
      /[,;:](?=\s|$)|[，；：。！？]|[.!?](?=\s|$)|\b(?:but|whereas|while|although)\b|但是?|而(?![且是])/iu,
    )
    .flatMap(part => part.split(EXCEPTING))
    .filter(part => part.trim() !== '')
}

export function boundAround(before: string, after: string): Bound | undefined {
  const near = toSimplified(`${before.slice(-28)} ⌖ ${after.slice(0, 12)}`)
  const sides = BOUNDS.map(([side, pattern]) => {
    const places = [...near.matchAll(pattern)].map(({ index, 0: words }) =>
      measureDistance(near, index, words),
    )
    return { side, nearest: Math.min(...places) }
  })
  const [first] = sides.toSorted((a, b) => a.nearest - b.nearest)
  return first && Number.isFinite(first.nearest) ? first.side : undefined
}

/** Returns undefined if a clause lies between. */
function measureDistance(near: string, index: number, words: string): number {
  const number = near.indexOf('⌖')
  const between =
    index < number ? near.slice(index + words.length, number) : near.slice(number + 1, index)
  return /[,.;:，。；：、]|\d/.test(between)
    ? Number.POSITIVE_INFINITY
    : between.trim().length - words.length / 100
}

export function findOrders(text: string): ReadonlySet<Order> {
  const simple = toSimplified(text)
  return new Set(ORDERS.flatMap(([order, pattern]) => (simple.search(pattern) >= 0 ? [order] : [])))
}
