import { chineseNumber } from '../../search/analysis/chinese-number.ts'

/** `2019`, not `2,019`, `2019.5` or `2019 words`. */
const YEAR = /(?<![\d.,/-]|[€$£¥]\s?)(?:19|20)\d\d(?![\d%]|[.,]\d|\s+(?!years?\b)[a-z]+s\b)/giu
/** `FY24`, `fiscal 24`; with four digits it is a year as any other. */
const FISCAL_YEAR = /(?<![\p{L}\p{N}])(?:FY|CY|fiscal(?: year)?)\s?['’]?(\d\d)(?!\d)/giu

/** The years that a question names, with four digits. */
export function yearsAsked(question: string): readonly string[] {
  const short = [...question.matchAll(FISCAL_YEAR)].map(([, digits]) => `20${digits}`)
  const joined = [...question.matchAll(/(?<=\b(?:FY|CY))20\d\d(?!\d)/giu)].map(([year]) => year)
  return [...new Set([...(question.match(YEAR) ?? []), ...joined, ...short])]
}

/** In digits, as `FY19`, `'19`, `2018/19` or `二〇一九年`, or between two that are named as a span. */
export function hasYear(text: string, year: string): boolean {
  const short = year.slice(2)
  const han = [...year].map(digit => `[${'〇零 一 二 三 四 五 六 七 八 九'.split(' ')[Number(digit)]}]`).join('')
  const written = new RegExp(
    `(?<!\\d)${year}(?!\\d)|(?:FY|CY|['’])\\s?${short}(?!\\d)|\\d{4}\\s?[/–-]\\s?${short}(?!\\d)|${han}`,
    'iu',
  )
  const spans = text.matchAll(/((?:19|20)\d\d)年?\s?(?:to|until|through|and|[–—~～-]|至|到)\s?((?:19|20)\d\d)/giu)
  return (
    written.test(text) || [...spans].some(([, from, to]) => Number(from) <= Number(year) && Number(year) <= Number(to))
  )
}

/** The text names a year, whichever. */
export function namesYear(text: string): boolean {
  return /(?<!\d)(?:19|20)\d\d(?!\d)|\bFY\s?\d\d\b/iu.test(text)
}

/** A quarter or a half of a year: `Q1` to `Q4`, `H1`, `H2`. */
export type YearPart = string

const ORDINALS = { first: 1, second: 2, third: 3, fourth: 4 } as const
const ORDINAL = '(first|second|third|fourth|[1-4](?:st|nd|rd|th))'
const QUARTERS: readonly RegExp[] = [
  /(?<![\p{L}])Q\s?([1-4])(?!\d)/giu,
  /(?<![\p{L}\p{N}])([1-4])Q(?=\d\d(?:\d\d)?(?!\d)|FY|\b)/giu,
  new RegExp(String.raw`\b${ORDINAL}(?:[\s-](?:fiscal|financial|calendar))?[\s-]quarter`, 'giu'),
  /(?<!前)([一二三四1-4])\s?季(?:度|报)/gu,
]
const HALVES: readonly RegExp[] = [
  /(?<![\p{L}])H([12])(?!\d)/gu,
  /(?<![\p{L}\p{N}])([12])H(?=\d\d(?:\d\d)?(?!\d)|FY|\b)/gu,
  new RegExp(
    String.raw`\b${ORDINAL}[\s-]half(?=[\s-](?:year|of\s(?:the\s)?(?:(?:fiscal|financial)\s)?(?:year|(?:19|20)\d\d|FY))|\s(?:19|20)\d\d)`,
    'giu',
  ),
]
const HAN_HALVES: readonly (readonly [RegExp, YearPart])[] = [
  [/上半年|半年度|中期报告/u, 'H1'],
  [/下半年/u, 'H2'],
]

/** What a text names quarters and halves of a year by: another text may have other words for them. */
export function yearPartWords(text: string): readonly string[] {
  const forms = [...QUARTERS, ...HALVES, ...HAN_HALVES.map(([form]) => new RegExp(form, 'gu'))]
  return forms.flatMap(form => [...text.matchAll(form)].map(([words]) => words))
}

/** The quarters and halves of a year that a text names. */
export function yearPartsIn(text: string): ReadonlySet<YearPart> {
  const numbered = (letter: string, forms: readonly RegExp[]) =>
    forms.flatMap(form => [...text.matchAll(form)].map(([, number = '']) => `${letter}${numberOf(number)}`))
  const han = HAN_HALVES.flatMap(([form, part]) => (form.test(text) ? [part] : []))
  return new Set([...numbered('Q', QUARTERS), ...numbered('H', HALVES), ...han])
}

const QUARTER_MONTHS = ['march', 'june', 'september', 'december']
const SPAN = String.raw`(?:ended|ending|to)\s(?:\d{1,2}\s)?(march|june|september|december)\b`
const THREE_MONTHS = new RegExp(String.raw`\b(?:quarter|three\smonths)(?:\speriod)?\s${SPAN}`, 'giu')
const SIX_MONTHS = new RegExp(String.raw`\b(?:half[\s-]year|six\smonths)(?:\speriod)?\s${SPAN}`, 'giu')

/** The quarters and halves that a text of a document is about: those it names, else those of the calendar that its months are. */
export function yearPartsTold(text: string): ReadonlySet<YearPart> {
  const named = yearPartsIn(text)
  if (named.size > 0) return named
  const quarterOf = (month = '') => QUARTER_MONTHS.indexOf(month.toLowerCase()) + 1
  return new Set([
    ...[...text.matchAll(THREE_MONTHS)].map(([, month]) => `Q${quarterOf(month)}`),
    ...[...text.matchAll(SIX_MONTHS)].map(([, month]) => `H${quarterOf(month) / 2}`),
  ])
}

function numberOf(written: string): number {
  const ordinal = ORDINALS[written.toLowerCase() as keyof typeof ORDINALS] // undefined for digits
  return ordinal ?? (/^\d/.test(written) ? Number.parseInt(written, 10) : chineseNumber(written)) ?? 0
}
