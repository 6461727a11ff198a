import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { findDates, findTimes } from '../../src/text/dates.ts'
import {
  areSameQuantity,
  findQuantities,
  parseScaledUnit,
  type Quantity,
} from '../../src/text/quantities.ts'
import { chooseDraws } from '../suites.ts'

/** `3..5 d «3 to 5 days»`: value, end of the range, unit, and the slice that the span is of. */
const shown =
  (text: string) =>
  ({ value, upTo, unit, span }: Quantity) =>
    `${value}${upTo === undefined ? '' : `..${upTo}`}${unit ? ` ${unit.id}` : ''} «${text.slice(span.start, span.end)}»`

const check = (text: string, ...expected: readonly string[]) =>
  test(text, () => expect(findQuantities(text).map(shown(text))).toEqual(expected))

describe('numbers in digits', () => {
  check('It takes 30 days.', '30 day «30 days»')
  check('2+2 is 4.', '2 «2»', '2 «2»', '4 «4»')
  check('1,310.5 of 3,4', '1310.5 «1,310.5»', '3 «3»', '4 «4»')
  check('1\u202f234\u202f567', '1234567 «1\u202f234\u202f567»')
  check('２５％', '25 % «２５％»')
  check('-5 °C', '-5 °C «-5 °C»')
  check('零下5度', '-5 ° «零下5度»')
  check('2½ hours', '2.5 h «2½ hours»')
  check('3rd, 21st', '3 rank «3rd»', '21 rank «21st»')
})
describe('an identifier, a version and a leading zero are no numbers', () => {
  for (const text of [
    'COVID-19',
    'A100',
    'F2',
    '1.2.3',
    '192.168.1.1',
    '3D',
    '007',
    'PM2.5',
    '00123',
  ])
    check(text)
})
describe('English number words', () => {
  check('twenty-five people', '25 «twenty-five»')
  check('two hundred and five', '205 «two hundred and five»')
  check('three million two hundred thousand', '3200000 «three million two hundred thousand»')
  check('one and a half hours', '1.5 h «one and a half hours»')
  check('half an hour', '0.5 h «half an hour»')
  check('half a million', '500000 «half a million»')
  check('a dozen eggs', '12 «a dozen»')
  check('two thirds of it', `${2 / 3} «two thirds»`)
  check('the third floor', '3 rank «third»')
  check('one second', '1 s «one second»')
  check('one of the best, in a second')
})
describe('Chinese numerals', () => {
  check('三十天', '30 day «三十天»')
  check('一百二十三', '123 «一百二十三»')
  check('一亿五千万元', '150000000 CNY «一亿五千万元»')
  check('3万5千元', '35000 CNY «3万5千元»')
  check('1.5亿', '150000000 «1.5亿»')
  check('500多万元', '5000000 CNY «500多万元»')
  check('百分之三点五', '3.5 % «百分之三点五»')
  check('三分之一', `${1 / 3} «三分之一»`)
  check('三个月', '3 month «三个月»')
  check('半年', '0.5 year «半年»')
  check('一年半', '1.5 year «一年半»')
  check('两个半小时', '2.5 h «两个半小时»')
  check('第三章', '3 rank «第三»')
  check('30台', '30 台 «30台»')
  check('千万不要一般地说，万一五四运动十分好，一个人')
})
describe('units', () => {
  check('2.5kg', '2.5 kg «2.5kg»')
  check('60-day notice', '60 day «60-day»')
  check('40 Nm, 40 nm, 40牛米', '40 Nm «40 Nm»', '40 nm «40 nm»', '40 Nm «40牛米»')
  check('5 MW, 5 mW, 5 mw', '5 MW «5 MW»', '5 mW «5 mW»', '5 MW «5 mw»')
  check('3 square metres', '3 m² «3 square metres»')
  check('80 km/h', '80 km/h «80 km/h»')
  check('100公里/小时', '100 km/h «100公里/小时»')
  check('3千克', '3 kg «3千克»')
  check('1 h 30 min', '1.5 h «1 h 30 min»')
  check('1小时30分钟', '1.5 h «1小时30分钟»')
  check('5 feet 6 inches', '5.5 ft «5 feet 6 inches»')
  check('128 GB', '128 GB «128 GB»')
  check('5 per cent', '5 % «5 per cent»')
})
describe('money', () => {
  check('1,310 EUR', '1310 EUR «1,310 EUR»')
  check('EUR 1,310', '1310 EUR «EUR 1,310»')
  check('€5m', '5000000 EUR «€5m»')
  check('$1.2 billion', '1200000000 USD «$1.2 billion»')
  check('HK$500', '500 HKD «HK$500»')
  check('人民币500元', '500 CNY «人民币500元»')
  check('5€ 3', '5 EUR «5€»', '3 «3»')
  check('5元/公斤', '5 CNY «5元»')
  check('5 euros per night', '5 EUR «5 euros»')
})
describe('ranges', () => {
  check('3-5 days', '3..5 day «3-5 days»')
  check('between 3 and 5 km', '3..5 km «3 and 5 km»')
  check('3至5天', '3..5 day «3至5天»')
  check('$5–$10 million', '5000000..10000000 USD «$5–$10 million»')
  check('5 %-10 %', '5..10 % «5 %-10 %»')
  check('5 and 10', '5 «5»', '10 «10»')
})
describe('dates and times are none, but a year alone may be one', () => {
  check('15 March 2024 at 8:30')
  check('2024年3月15日上午8点')
  check('2000 employees', '2000 «2000»')
})

describe('quantities are compared over the units of a dimension', () => {
  const same = (a: string, b: string) =>
    areSameQuantity(findQuantities(a)[0]!, findQuantities(b)[0]!)
  for (const [a, b] of [
    ['1 day', '24小时'],
    ['12 months', '一年'],
    ['50%', '0.5'],
    ['5 kg', '十斤'],
    ['32 °F', '0 °C'],
    ['30台', '30'],
    ['€5m', '500万欧元'],
    ['25 degrees', '25 °C'],
    ['3-5 days', '72 to 120 hours'],
  ] as const)
    test(`${a} is ${b}`, () => expect(same(a, b)).toBe(true))
  for (const [a, b] of [
    ['30 days', '30 hours'],
    ['€5', '$5'],
    ['1 month', '30 days'],
    ['3 days', '3-5 days'],
    ['第三', '三个'],
  ] as const)
    test(`${a} is not ${b}`, () => expect(same(a, b)).toBe(false))
})

describe('a header names a unit and what it is multiplied by', () => {
  for (const [text, scale, id] of [
    ['万元', 1e4, 'CNY'],
    ['百万元', 1e6, 'CNY'],
    ['EUR million', 1e6, 'EUR'],
    ['thousands of USD', 1e3, 'USD'],
    ['$m', 1e6, 'USD'],
    ["£'000", 1e3, 'GBP'],
    ['€/month', 1, 'EUR'],
    ['元/公斤', 1, 'CNY'],
    ['分', 1, 'min'],
    ['million sheets', 1e6, undefined],
    ['KM', 1, 'km'],
  ] as const)
    test(text, () =>
      expect(parseScaledUnit(text)).toEqual({
        scale,
        ...(id && { unit: expect.objectContaining({ id }) }),
      }),
    )
  test('a word is none', () => expect(parseScaledUnit('colour')).toBeUndefined())
})

const PIECES =
  '1 2024 -5 3.5 , . : - – / % ° € $ k m kg km/h h min one two hundred million half and a to 一 二 十 百 万 亿 点 半 个 年 月 日 元 第 百分之 分之 March Q1 first quarter am ½'
const texts = fc.array(
  fc.oneof(fc.constantFrom(...PIECES.split(' '), ' '), fc.string({ maxLength: 3 })),
  {
    maxLength: 30,
  },
)

test('spans lie in the text, in order, and none over another', () => {
  fc.assert(
    fc.property(texts, pieces => {
      const text = pieces.join('')
      for (const read of [findQuantities, findDates, findTimes]) {
        let end = 0
        for (const { span } of read(text)) {
          expect(span.start).toBeGreaterThanOrEqual(end)
          expect(span.end).toBeGreaterThan(span.start)
          end = span.end
        }
        expect(end).toBeLessThanOrEqual(text.length)
      }
    }),
    { numRuns: chooseDraws(100, 2_000) },
  )
})
/** Characters: enough to see a reader that grows faster than its text. */
const LONG = chooseDraws(20_000, 100_000)

test('a long text is read to its end, whatever repeats in it', () => {
  for (const piece of '1 , - k one and 一 十 个 月 百分之 March'
    .split(' ')
    .concat('1,', '1.', '1-', '1 and ', '二十', '2024年', '$1', '1 h ', '\u202f1')) {
    const text = `${piece.repeat(Math.ceil(LONG / piece.length))} 7 kg`
    const last = [...findQuantities(text), ...findDates(text), ...findTimes(text)].at(-1)
    expect(last === undefined || last.span.end <= text.length).toBe(true)
  }
}, 60_000)
