import { describe, expect, test } from 'vitest'
import { compileNumberFormat } from '../../../../../src/ingest/parse/parsers/office/number-format.ts'

function check(code: string, value: number, expected: string) {
  expect(compileNumberFormat(code)(value)).toBe(expected)
}

describe('numbers', () => {
  test('without a format lose the noise of binary fractions', () =>
    check('General', 0.1 + 0.2, '0.3'))
  test('without a format stay whole', () => check('General', 12_345_678_901_234, '12345678901234'))
  test('are rounded as written, not as stored', () => check('0.00', 1.005, '1.01'))
  test('have thousands', () => check('#,##0', 1_234_567, '1,234,567'))
  test('may be shown in thousands', () => check('0.0,,"M"', 12_345_678, '12.3M'))
  test('are shares', () => check('0.00%', 0.12345, '12.35%'))
  test('have exponents', () => check('0.00E+00', 12_345, '1.23E+04'))
  test('are fractions', () => check('# ?/?', 1.5, '1 1/2'))
  test('that are negative have a section', () =>
    check('#,##0.00_);[Red](#,##0.00)', -1234.5, '(1,234.50)'))
  test('that are zero have a section', () => check('0;-0;"none"', 0, 'none'))
  test('choose a section by condition', () => check('[>=100]"big" 0;0', 150, 'big 150'))
  test('have a currency', () => check('[$€-407] #,##0.0', 12.25, '€ 12.3'))
  test('fill codes from the right', () => check('000-0000', 5_551_234, '555-1234'))
  test('in cells of text are as they are', () => check('@', 5, '5'))
})

describe('dates', () => {
  test('are days since 1900', () => check('yyyy-mm-dd', 45_292, '2024-01-01'))
  test('before March 1900 allow for the leap day that was none', () =>
    check('yyyy-mm-dd', 59, '1900-02-28'))
  test('have names', () => check('[$-409]mmmm d, yyyy;@', 45_292, 'January 1, 2024'))
  test('are Chinese', () => check('yyyy"年"m"月"d"日" aaaa', 45_292, '2024年1月1日 星期一'))
  test('have times, whose m is minutes', () => check('m/d/yy h:mm', 45_292.3, '1/1/24 7:12'))
  test('have halves of days', () => check('h:mm AM/PM', 0.75, '6:00 PM'))
  test('have hours beyond a day', () => check('[h]:mm:ss', 1.5, '36:00:00'))
  test('round to what is shown', () =>
    check('yyyy-mm-dd hh:mm:ss', 45_292.999_999_9, '2024-01-02 00:00:00'))
  test('count from 1904 where the workbook says so', () => {
    expect(compileNumberFormat('yyyy-mm-dd', { is1904: true })(0)).toBe('1904-01-01')
  })
})
