import { expect, test } from 'vitest'
import { hasYear, yearPartsIn, yearPartsTold, yearsAsked } from '../../../src/agent/language/periods.ts'

const parts = (text: string, expected: readonly string[]) =>
  expect([text, ...yearPartsIn(text)]).toEqual([text, ...expected])

test('a quarter is one however it is written', () => {
  for (const text of ['Q3 2026', 'q3_2026.pdf', '2026Q3', '3Q26', 'the third quarter', '3rd-quarter results'])
    parts(text, ['Q3'])
  for (const text of ['2026年第三季度', '三季报', '3季度']) parts(text, ['Q3'])
  parts('the fourth fiscal quarter', ['Q4'])
})
test('so is a half of a year', () => {
  for (const text of ['H1 2026', '1H26', 'the first half of 2026', 'first-half year', '上半年', '2026年半年度报告'])
    parts(text, ['H1'])
  parts('下半年', ['H2'])
})
test('what only looks like one is none', () => {
  for (const text of ['前三季度', 'a quarter of the staff', 'the first half of the match', '每季度', 'FAQ3', 'H100'])
    parts(text, [])
})
test('three months that end with a quarter of the calendar are that quarter, unless another is named', () => {
  expect([...yearPartsTold('for the three months to 30 June')]).toEqual(['Q2'])
  expect([...yearPartsTold('for the six months ended 30 June 2026')]).toEqual(['H1'])
  expect([...yearPartsTold('fourth quarter, three months ended June 30')]).toEqual(['Q4'])
})
test('a fiscal year is a year, in two digits or four', () => {
  for (const text of ['revenue in FY24', 'fiscal 2024', 'FY2024 revenue', 'fiscal year ’24'])
    expect([text, ...yearsAsked(text)]).toEqual([text, '2024'])
  expect(hasYear('FY 24', '2024')).toBe(true)
})
