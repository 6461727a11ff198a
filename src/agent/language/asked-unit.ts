import { type MeasureUnit, namesPattern, unitNamed, unitWritten } from './measure-units.ts'
import { CARDINALS } from './number-words.ts'

/** Units that a question may name; one letter alone names none. */
const NAMES = namesPattern()
  .split('|')
  .filter(name => name.length > 1 || /\p{Script=Han}/u.test(name))

const HAN = NAMES.filter(name => /\p{Script=Han}/u.test(name)).join('|')
const LATIN = NAMES.filter(name => /^[a-z]+$/.test(name)).join('|')

/** `多少万元`, `几个小时`, `how many calendar days`, `in seconds`. */
const ASKED = [
  new RegExp(`(?:多少|几)个?[十百千万亿]{0,2}(${HAN})`, 'u'),
  new RegExp(String.raw`\bhow many\s+(?:[a-z]+\s+){0,2}?(${LATIN})\b`, 'iu'),
  new RegExp(String.raw`^(?=.*\b(?:what|which|how)\b).*\bin (${LATIN})\b(?! of\b)`, 'iu'),
]

const HAN_NUMBER = '[〇零一二三四五六七八九十百千万亿两半几数壹贰叁肆伍陆柒捌玖拾佰仟]'
const NUMBER = String.raw`(?:\d|${HAN_NUMBER}|\b(?:half(?: an?)?|an?|${CARDINALS.join('|')}))[)）]?`
/** A number, what may stand between it and its unit, the unit: `30 days`, `thirty (30) calendar days`, `25 vacation days`, `五个工作日`. */
const TOLD = new RegExp(
  String.raw`${NUMBER}(?:[\s-]?(?:\p{Script=Latin}+[\s-]){0,2}?|\s?[个多余来十百千万亿]{0,3}(?:工作|自然|日历|交易|整)?)(?<unit>${namesPattern()})(?![a-z])`,
  'giu',
)
/** A sign behind a number, or as the unit of a column: `38.5 h`, `Timeout (s)`. */
const SIGNED = /\d\s?(?<unit>[a-z°²³%]{1,4})(?![a-z])|[（(](?<column>[^()（）\s]{1,6})[)）]/giu
/** `$500`, `EUR 59`, 人民币伍佰元. */
const MONEY = /[$€£¥￥]\s?\d|\d\s?[$€£]|\b(?:USD|EUR|GBP|CHF|CNY|RMB|HKD|JPY|CAD|AUD)\s?\d|人民币/iu

/** Dates and ages are no amounts of time. */
const DATES = /(?:\d{4}|[〇零一二三四五六七八九]{4})\s*年|\d{1,2}\s*月\s*\d{1,2}\s*[日号]|周岁/gu

/** What tells an amount without a number. */
const WITHOUT_NUMBER =
  /\b(?:unlimited|free|no (?:limit|charge|fee)|never|daily|weekly|monthly|quarterly|annual(?:ly)?|yearly)\b|免费|免收|全额|不限|无限|永久|长期|终身|每[天日周月年]|当[天日月年]|[天日周月年]内|年度/iu

/** Whether a text has an amount of what a question asks for by its unit: of money in any currency, of time in any unit. True where the question names none. */
export function tellsAskedUnit(question: string, text: string): boolean {
  const dimension = askedDimension(question)
  if (dimension === undefined || WITHOUT_NUMBER.test(text)) return true
  const plain = text.normalize('NFKC').replace(DATES, ' ')
  if (dimension === 'money' && MONEY.test(plain)) return true
  const told = [...plain.matchAll(TOLD)].map(({ groups }) => dimensionOf(unitNamed(groups?.unit ?? '')))
  const signed = [...plain.matchAll(SIGNED)].map(({ groups }) =>
    dimensionOf(unitWritten(groups?.unit ?? groups?.column ?? '')),
  )
  return [...told, ...signed].includes(dimension)
}

function askedDimension(question: string): string | undefined {
  const [unit] = ASKED.flatMap(pattern => pattern.exec(question.normalize('NFKC'))?.[1] ?? [])
  return unit === undefined ? undefined : dimensionOf(unitNamed(unit))
}

function dimensionOf(unit: MeasureUnit | undefined): string | undefined {
  const dimension = unit?.dimension
  if (dimension === 'months') return 'time'
  return dimension?.startsWith('money:') ? 'money' : dimension
}
