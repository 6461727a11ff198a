import { chineseNumber } from '../../search/analysis/chinese-number.ts'

/** An amount in the base unit of what it measures. */
export type Quantity = { readonly number: string; readonly dimension: string; readonly amount: number }

/** Unit, what it measures, and how many base units it is. A month is no number of days. */
const UNITS: readonly (readonly [names: string, dimension: string, factor: number])[] = [
  ['seconds?|secs?|秒', 'time', 1],
  ['minutes?|mins?|分钟', 'time', 60],
  ['hours?|hrs?|个?小时|个?钟头', 'time', 3600],
  ['days?|天|日', 'time', 86_400],
  ['weeks?|周|个?星期', 'time', 604_800],
  ['months?|个月', 'months', 1],
  ['quarters?|个?季度', 'months', 3],
  ['years?|年', 'months', 12],
  ['mg|毫克', 'mass', 1e-6],
  ['g|grams?|克', 'mass', 1e-3],
  ['kg|kilos?|kilograms?|公斤|千克', 'mass', 1],
  ['tons?|tonnes?|吨', 'mass', 1000],
  ['mm|毫米', 'length', 1e-3],
  ['cm|厘米|公分', 'length', 1e-2],
  ['m|met(?:re|er)s?|米', 'length', 1],
  ['km|kilomet(?:re|er)s?|公里|千米', 'length', 1000],
  ['kW|千瓦', 'power', 1000],
  ['W|watts?|瓦', 'power', 1],
  ['V|volts?|伏', 'voltage', 1],
  ['KB', 'bytes', 1e3],
  ['MB', 'bytes', 1e6],
  ['GB', 'bytes', 1e9],
  ['TB', 'bytes', 1e12],
  ['ml|毫升', 'volume', 1e-3],
  ['l|lit(?:re|er)s?|升', 'volume', 1],
  ['%|percent|per cent', 'share', 1],
  ['°C|℃|degrees?|摄氏度', 'temperature', 1],
  ['euros?|EUR|€|欧元', 'EUR', 1],
  ['dollars?|USD|美元', 'USD', 1],
  ['元|块钱|RMB|CNY', 'CNY', 1],
]
const UNIT = UNITS.map(([names]) => names).join('|')
const BY_NAME = UNITS.map(([names, dimension, factor]) => ({
  name: new RegExp(`^(?:${names})$`, 'iu'),
  dimension,
  factor,
}))

/** A number with its unit: `30 days`, `60-day`, `三十天`, `2.5kg`. */
const QUANTITY = new RegExp(
  `(?<![\\p{N}.,月])(?<digits>\\d{1,12}(?:,\\d{3}){0,4}(?:\\.\\d{1,6})?|(?<![第月〇零一二两三四五六七八九十百千])[〇零一二两三四五六七八九十百千]{1,7})\\s?-?(?<unit>${UNIT})(?![a-z])`,
  'giu',
)

/** So many of a text count: one that has more is no question. */
const MAX_QUANTITIES = 64

/** Amounts with their units; years of the calendar and ordinals are none. */
export function quantitiesIn(text: string): readonly Quantity[] {
  const found = [...text.normalize('NFKC').matchAll(QUANTITY)].slice(0, MAX_QUANTITIES)
  return found.flatMap(({ groups: { digits = '', unit = '' } = {} }) => {
    const value = /\d/.test(digits) ? Number(digits.replaceAll(',', '')) : chineseNumber(digits)
    const known = BY_NAME.find(({ name }) => name.test(unit))
    if (value === undefined || !known || (unit === '年' && value > 1900)) return []
    return [
      { number: String(value), dimension: known.dimension, amount: Number((value * known.factor).toPrecision(12)) },
    ]
  })
}

/** What is asked about an amount, and not whether it is right. */
const ASKS_ABOUT = /\b(?:what|which|who|whose|when|where|why|how)\b|什么|多少|多[久长大高]|哪|谁|几|怎|如何|何时|为何/iu

/** The text states a number of the question with another unit, and nowhere as the question does: `30 minutes`, for 30 days. */
export function isOfOtherUnit(question: string, text: string): boolean {
  if (!ASKS_ABOUT.test(question)) return false
  const asked = quantitiesIn(question)
  if (asked.length === 0) return false
  const there = quantitiesIn(text)
  return asked.some(one => {
    const isSame = (other: Quantity) => other.dimension === one.dimension && other.amount === one.amount
    return there.some(other => other.number === one.number) && !there.some(isSame)
  })
}
