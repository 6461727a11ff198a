import type { Span } from './sentences.ts'
import { findJson } from './spans/json-spans.ts'
import { findAddresses, findFootnotes, findIndentedCode } from './spans/literal-spans.ts'

/** Source numbers and their position; several may share it. */
export type Marker = { readonly id: number; readonly span: Span }

type MarkerOptions = {
  /** Default: every number may be a source. */
  readonly isSource?: (id: number) => boolean
  /** More text follows, so that open code may extend to its end. */
  readonly isPartial?: boolean
}

const CODE = /(```|~~~)[\s\S]*?(?:\1|$)|`[^`\n]*`/g
const OPEN_CODE = /(```|~~~)[\s\S]*?(?:\1|$)|`[^`\n]*(?:`|$)/g

/** Markdown link definition. */
const DEFINITION = /^[ \t>*+-]*\[[^\]\n]{1,80}\]:[ \t]+(?:<|[a-z][a-z\d+.-]*:|[#/])\S*[ \t]*$/gim

/** Sources of a range `[1-9]`, so that longer ranges stay text. */
const MAX_RANGE = 20

/** Number of no source, for the model's own references. */
const NO_SOURCE = 0

/** Leaves out code and JSON, where `[0]` is a value. */
export function findMarkers(
  text: string,
  { isSource, isPartial = false }: MarkerOptions = {},
): readonly Marker[] {
  const codeMask = new Uint8Array(text.length)
  const code = [...text.matchAll(isPartial ? OPEN_CODE : CODE)].map(toSpan)
  const definitions = [...text.matchAll(DEFINITION)].map(toSpan)
  const literals = [
    ...findJson(text),
    ...findAddresses(text),
    ...findFootnotes(text),
    ...findIndentedCode(text),
  ]
  for (const { start, end } of [...code, ...definitions, ...literals]) codeMask.fill(1, start, end)
  const claimedMask = new Uint8Array(text.length)
  const found = MARKER_FORMS.flatMap(form => toMarkers(form, text, isSource)).filter(
    ({ span: { start, end } }) => {
      if (claimedMask.subarray(start, end).includes(1)) return false // claimed by an earlier form
      claimedMask.fill(1, start, end)
      return true
    },
  )
  return found
    .filter(({ span }) => codeMask[span.start] === 0)
    .toSorted((a, b) => a.span.start - b.span.start)
    .flatMap(({ ids, span }) => ids.map(id => ({ id, span })))
}

type RewriteOptions = {
  readonly within?: Span
  readonly isPartial?: boolean
  /** Called once per kept marker, in order. */
  readonly getNumber?: (id: number) => number
}

/**
 * Rewrites markers as `[n]` by `getNumber`, and removes those that `keep` refuses with the space
 * before.
 */
export function rewriteMarkers(
  text: string,
  keep: (id: number) => boolean,
  {
    within = { start: 0, end: text.length },
    isPartial = false,
    getNumber = id => id,
  }: RewriteOptions = {},
): string {
  const markers = findMarkers(text, { isSource: keep, isPartial })
  const places = new Map<number, { readonly span: Span; readonly ids: number[] }>()
  for (const { id, span } of markers) {
    const place = places.get(span.start) ?? { span, ids: [] }
    places.set(span.start, place)
    if (keep(id)) place.ids.push(id)
  }
  let rewritten = ''
  let from = within.start
  for (const { span, ids } of places.values()) {
    const { start, end } = span
    if (start < within.start || end > within.end) continue
    const before = text.slice(from, start)
    rewritten +=
      ids.length > 0
        ? before + ids.map(id => `[${getNumber(id)}]`).join('')
        : before.replace(/(?<![ \t])[ \t]+$/, '')
    from = end
  }
  return rewritten + text.slice(from, within.end)
}

type Place = { readonly ids: readonly number[]; readonly span: Span }

function toMarkers(
  form: MarkerForm,
  text: string,
  isSource: MarkerOptions['isSource'],
): readonly Place[] {
  return [...text.matchAll(form.pattern)].flatMap(match => {
    const span = trimLinkEnd(toSpan(match), match[0])
    const { ids, isCertain } = parseIds(match[1] ?? '')
    const isSourceList = isSource === undefined || ids.every(isSource)
    const isPlaced = ids.length === 1 || ENDS_CLAIM.test(text.slice(span.end, span.end + 8))
    const isSure = isCertain && isPlaced && !form.needsSources && !LINKED.test(match[0])
    const isLiteral =
      (ids.length > 1 && ids.includes(NO_SOURCE)) ||
      NUMBER_LINK.test(text.slice(span.start, span.start + 80))
    if (ids.length === 0 || isLiteral || !(isSure || isSourceList)) return []
    return form.isMarker(text, span) ? [{ ids, span }] : []
  })
}

/** Excludes the second bracket of `[see [1]](…)`, which closes the link. */
function trimLinkEnd({ start, end }: Span, written: string): Span {
  const overrun = /^[[［【](?![[［【])[^\]］】]*[\]］】](?=[\]］】])/.exec(written)
  return { start, end: overrun ? start + overrun[0].length : end }
}

function parseIds(list: string): { readonly ids: readonly number[]; readonly isCertain: boolean } {
  const digits = list.normalize('NFKC')
  if (digits.includes(':')) return { ids: [NO_SOURCE], isCertain: true }
  const parts = digits.split(/[,˒、;&]|and|和/).map(part => part.match(/\d+/g)?.map(Number) ?? [])
  const ids = parts.flatMap(([first, last]) =>
    first === undefined ? [] : expandRange(first, last ?? first),
  )
  return { ids: [...new Set(ids)], isCertain: parts.every(part => part.length === 1) }
}

function expandRange(first: number, last: number): readonly number[] {
  if (last < first || last - first >= MAX_RANGE) return []
  return Array.from({ length: last - first + 1 }, (_, index) => first + index)
}

function toSpan({ index, 0: found }: RegExpExecArray): Span {
  return { start: index, end: index + found.length }
}

type MarkerForm = {
  /** Group 1 contains the numbers. */
  readonly pattern: RegExp
  /** The form counts only when all numbers are sources. */
  readonly needsSources: boolean
  readonly isMarker: (text: string, span: Span) => boolean
}

const DIGITS = '[\\d０-９]{1,3}'
const LABEL = '(?:sources?|refs?\\.?|references?|citations?|来源|资料|文献)\\s*[:：#]?\\s*'
const LIST = `${DIGITS}(?:\\s*(?:[,，、;；&–—-]|and\\b|和)\\s*(?:${LABEL})?${DIGITS})*`

/** File name or lines that some models add to a number. */
const DAGGER = '(?:†[^\\]】\\n]{0,60})?'
const LINK = '(?:\\((?:https?:|#|/)[^)\\s]{0,300}\\))?'

/** End of a link with a number, which is a marker only for a source. */
const LINKED = /\]\([^)]*\)$/

const NUMBER_LINK = /^[[［【][^[\]\n]*\]\(\s*<?https?:/i

/** At most three digits, so that a year in brackets stays text. */
const BRACKETED = `[[［【]{1,2}\\s*(?:\\^|${LABEL})?(${LIST}|${DIGITS}:${DIGITS})\\s*${DAGGER}\\s*[\\]］】]{1,2}${LINK}`
const LABELLED = `[(（]\\s*${LABEL}(${LIST})\\s*[)）]`
const ROUND = `[(（]\\s*(${LIST})\\s*[)）]`
const SUPERSCRIPT = '([⁰¹²³⁴-⁹]{1,3}(?:[,˒][⁰¹²³⁴-⁹]{1,3})*)'

/** Start of a line, after list and quotation marks. */
const LINE_START = /(?:^|\n)[\s>*•–-]*$/
/** Numbers of `clause (2)`, `第三条（2）`, `three (3)` belong to the word. */
const NUMBERED =
  /(?:\b(?:clause|item|step|section|article|paragraph|sub(?:section|paragraph)|rule|point|option|part|chapter|equation|eq\.|figure|fig\.|table|line|note|phase|level|class|type|group|case|question|schedule|annex|appendix)|[条款项章节图表式步例注第]|\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|[a-z]*(?:teen|ty))(?:[ -](?:one|two|three|four|five|six|seven|eight|nine))?|[一二三四五六七八九十百])\s*$/i
const ENDS_WORDS = /[\s\p{Script=Han}"”’»」』%。.!?！？)\]]$/u
/** End of a clause, sentence, line or row of markers, where a marker stands. */
const ENDS_CLAIM = /^[ \t]*(?:$|[\n.。,，;；!?！？:：[【(（])/

/** Indexes such as `args[0]` and `a[1]`; `days[1]` is a marker. */
const INDEXED = /(?:^|[^\p{L}\p{N}'’])[A-Za-z]$|[A-Za-z]\w*_\w*$/u
const INDEX = '\\[\\d{1,3}(?:\\s*,\\s*\\d{1,3})*\\]'
const INDEXES_BEFORE = new RegExp(`(?:${INDEX})*$`)
const INDEXES_AFTER = new RegExp(`^(?:${INDEX})+`)
/** Value assignments: `x = [1]`, `x∈[1,3]`. */
const ASSIGNS = /[=∈∉⊂⊆][ \t]?$/
/** Key and value on one line, as in YAML, unless it announces sources. */
const KEY = new RegExp(`^[ \\t>*+-]*(?!${LABEL})["']?[\\p{L}\\p{M}\\w.-]+["']?:[ \\t]+$`, 'iu')
const USED_AS_CODE = /^(?:\.[a-z_]\w*|\(|\[?['"]?[A-Za-z_]|\s?=(?!=))/

const UNIT = /(?:met(?:er|re)s?|inch(?:es)?|feet|foot|yards?|miles?|[米里尺寸])$/i
const AFTER_WORDS = /(?:[.。,，;；:：!?！？"”’»」』)）\]]|\p{Script=Han}|\p{Ll}{4})$/u

/** Length of a key line, so that prose is not taken for one. */
const MAX_KEY = 100

const MARKER_FORMS: readonly MarkerForm[] = [
  { pattern: new RegExp(BRACKETED, 'gi'), needsSources: false, isMarker: isNoIndex },
  { pattern: new RegExp(LABELLED, 'gi'), needsSources: false, isMarker: () => true },
  { pattern: new RegExp(ROUND, 'gi'), needsSources: true, isMarker: isClaimEnd },
  { pattern: new RegExp(SUPERSCRIPT, 'g'), needsSources: true, isMarker: isNoPower },
]

/** Spaces in an open marker, so that endless spaces are not held back. */
const MAX_BLANKS = 200
const BLANKS = `(?<![ \\t])[ \\t]{0,${MAX_BLANKS}}`

/** Start of a marker at the end of a text. Bounded, so that streams are not held back. */
export const OPEN_MARKER = new RegExp(
  [
    `${BLANKS}[[［【]{1,2}\\s*(?:\\^|\\p{L}{1,10}\\.?\\s*[:：#]?\\s*)?(?:${DIGITS}[\\s:,，、;；&–—-]{0,3}(?:\\p{L}{1,10}[\\s:：#]{0,3})?){0,20}(?:†[^\\]】\\n]{0,60})?(?:[\\]］】]{1,2}(?:\\([^)\\s]{0,300})?)?$`,
    '(?<=\\w)\\[\\d{1,3}\\]\\.$',
    `${BLANKS}(?:\\[[\\d,;，、 –-]{1,40}\\]){1,20}(?:\\[[\\d, ]{0,40}|[ \\t])?$`,
    `${BLANKS}[(（]\\s*(?:\\p{L}{1,10}\\.?\\s*[:：#]?\\s*)?(?:${DIGITS}[\\s,，、;；&–—-]{0,3}){0,8}[)）]?[ \\t]*$`,
    `${BLANKS}[⁰¹²³⁴-⁹,˒]{1,12}$`,
    `(?<![ \\t])[ \\t]{1,${MAX_BLANKS}}$`,
    '(?<![`~])[`~]{1,2}$',
    '\\[\\d{1,3}\\]:[ \\t]*\\S{0,300}$',
  ].join('|'),
  'u',
)

function isNoIndex(text: string, { start, end }: Span): boolean {
  if (isValue(text, { start, end }) || isOfIndexes(text, start)) return false
  const isPlain = text[start] === '[' && /^\[\d+\]$/.test(text.slice(start, end))
  if (!isPlain || !/\w$/.test(text.slice(0, start).slice(-1))) return true
  if (text.slice(start, end) === '[0]') return false
  return (
    !INDEXED.test(text.slice(Math.max(0, start - 40), start)) &&
    !USED_AS_CODE.test(text.slice(end, end + 8))
  )
}

function isValue(text: string, { start, end }: Span): boolean {
  const line = text.slice(text.lastIndexOf('\n', start - 1) + 1, start).slice(-MAX_KEY)
  return ASSIGNS.test(line) || (KEY.test(line) && /^[ \t]*(?:\n|$)/.test(text.slice(end, end + 8)))
}

/** Returns true for `matrix[2][3]`, `grid[1,2]` inside a clause. */
function isOfIndexes(text: string, start: number): boolean {
  const before = text.slice(Math.max(0, start - 80), start).replace(INDEXES_BEFORE, '')
  const first = start - Math.min(start, 80) + before.length
  const indexes = INDEXES_AFTER.exec(text.slice(first, first + 160))?.[0] ?? ''
  if (!/\w$/.test(before) || !/[,[]/.test(indexes.slice(1))) return false
  const end = first + indexes.length
  return !ENDS_CLAIM.test(text.slice(end, end + 8))
}

function isClaimEnd(text: string, { start, end }: Span): boolean {
  const before = text.slice(Math.max(0, start - 40), start)
  if (LINE_START.test(before) || NUMBERED.test(before)) return false
  return ENDS_WORDS.test(before) && ENDS_CLAIM.test(text.slice(end, end + 8))
}

/** Returns false for `m²`, `x²` and `10²`. */
function isNoPower(text: string, { start, end }: Span): boolean {
  const before = text.slice(Math.max(0, start - 16), start)
  return (
    AFTER_WORDS.test(before) &&
    !UNIT.test(before) &&
    !/^[\p{L}\p{N}^/]/u.test(text.slice(end, end + 1))
  )
}
