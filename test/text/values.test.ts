import { expect, test } from 'vitest'
import { findIndexedValues, findValues } from '../../src/text/values.ts'

const check = (text: string, expected: readonly string[]) =>
  expect([...findValues(text)]).toEqual(expected)

test.each([
  '设备于2024年1月13日停机',
  'It stood still on 13 January 2024.',
  'January 13th, 2024',
  'Jan 13 2024',
  '2024/1/13',
  '13/1/2024',
  '13.01.2024',
  '20240113',
  '2024-01-13',
])('a day is one value, however it is written: %s', text => check(text, ['2024-01-13']))

test('with points the day is first; with other signs both orders count', () => {
  check('05.01.2024', ['2024-01-05'])
  check('05/01/2024', ['2024-01-05', '2024-05-01'])
})
test('a day that no calendar has is none', () => check('20241399 and 30.02.2024', []))

test.each([
  ['1 234 567 kWh', ['1234567']],
  ['1.234.567', ['1234567']],
  ["1'234'567", ['1234567']],
  ['1,234,567', []],
  ['330,435.30', ['330435.3']],
  ['1200.00', ['1200']],
  ['合计1,200.050元', ['1200.05']],
  ['1,200.5', []],
  ['version 3.10, section 12.20', []],
  ['三万元', ['30000']],
  ['5万', ['50000']],
  ['1.2亿', ['120000000']],
  ['十五天', ['15']],
  ['二〇二五年', ['2025']],
  ['twenty-five boxes', ['25']],
  ['$5 million', ['5000000']],
  ['three of them', []],
  ['一个人', []],
] as const)('a number is in digits: %s', check)

test.each([
  ['80%', ['80%']],
  ['百分之八十', ['80%']],
  ['12.5 per cent', ['12.5%']],
  ['三分之一', ['1/3']],
] as const)('a share has one form: %s', check)

test.each(['138-1234-5678', '138 1234 5678', '电话+86 138 1234 5678，', '0086 138 1234 5678'])(
  'a telephone number is its national digits: %s',
  text => check(text, ['13812345678']),
)
test('rows of small numbers, spans of years and addresses are no telephone numbers', () => {
  check('10 20 30 40 50', [])
  check('in 2024-2025', [])
  check('192.168.1.1', [])
})

test('a code is found without its separators, and so is a hyphenated word', () => {
  check('HX711-9604.1', ['hx71196041'])
  check('A4.5709', ['a45709'])
  check('e-mail and Wi-Fi', ['email', 'wifi'])
  check('a state-of-the-art well-known unit', [])
})

test('days of the week have one name', () => check('星期天和礼拜一', ['周日', '周一']))

test('an index also has the last digits of long numbers, and no value twice', () => {
  expect([...findIndexedValues('Call 13812345678 on 2024-01-13.')]).toEqual(['5678'])
})

test('is found in a time that grows as the text', () => {
  for (const part of [
    '1 ',
    '12-',
    'a-1.',
    '1/',
    '138 ',
    '十',
    '2024-',
    '(1) ',
    '100.0 ',
    '1000',
    '100,000',
    '0.00',
  ])
    expect(findIndexedValues(part.repeat(40_000)).size).toBeLessThan(40_000)
})
