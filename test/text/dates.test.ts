import { describe, expect, test } from 'vitest'
import { findDates, findTimes } from '../../src/text/dates.ts'

/** As `2024-3-15`, `2024 Q1`, `H2`; what is not said is left out. */
const check = (text: string, ...expected: readonly string[]) =>
  test(text, () =>
    expect(
      findDates(text).map(({ year, month, day, quarter, half }) =>
        [
          [year, month && `m${month}`, day && `d${day}`].filter(Boolean).join('-'),
          quarter && `Q${quarter}`,
          half && `H${half}`,
        ]
          .filter(Boolean)
          .join(' '),
      ),
    ).toEqual(expected),
  )

describe('days', () => {
  check('on 2024-03-15 and 2024/3/5', '2024-m3-d15', '2024-m3-d5')
  check('2024年3月15日', '2024-m3-d15')
  check('10月1日至10月7日', 'm10-d1', 'm10-d7')
  check('三月十五日', 'm3-d15')
  check('15th of March, 2024', '2024-m3-d15')
  check('Mar. 15', 'm3-d15')
  check('15/03/2024', '2024-m3-d15')
})
describe('in which order day and month stand is not guessed', () => check('03/04/2024', '2024'))
describe('months', () => {
  check('二〇二四年三月', '2024-m3')
  check('in March 2024 and in May', '2024-m3', 'm5')
  check('三月份', 'm3')
})
describe('words that are also verbs name a month beside a preposition or a number with a capital', () => {
  check('you may 5 times march on')
  check('May 5', 'm5-d5')
})
describe('years and parts of years', () => {
  check('from 2018 to 2020, 2018-2020', '2018', '2020', '2018', '2020')
  check('Q1 2024, 2024Q2, 3Q24', '2024 Q1', '2024 Q2', '2024 Q3')
  check('the first quarter of 2024', '2024 Q1')
  check('2024年第一季度和二季度', '2024 Q1', 'Q2')
  check('2023年上半年', '2023 H1')
  check('H2 2023, the second half of 2022', '2023 H2', '2022 H2')
  check('FY24 and fiscal 2023', '2024', '2023')
})
describe('what only looks like a date is none', () => {
  check('2,024 and 2024.5')
  check('GB/T 7714-2015')
  check('3个月，24年，四季，前三季度，1990s')
  check('the second half was better')
})

describe('times of day, by the 24-hour clock', () => {
  for (const [text, ...expected] of [
    ['08:30', '8:30'],
    ['9:00-17:00', '9:0', '17:0'],
    ['8 am to 12 pm', '8:0', '12:0'],
    ['12am', '0:0'],
    ['8.30 p.m.', '20:30'],
    ['上午8点到下午三点半', '8:0', '15:30'],
    ['20时', '20:0'],
    ['8点30分', '8:30'],
    ['晚上十一点四十五分', '23:45'],
    ['a ratio of 16:9, 1:2:3, 三点'],
  ] as const)
    test(text, () =>
      expect(findTimes(text).map(({ hour, minute }) => `${hour}:${minute}`)).toEqual(expected),
    )
})
