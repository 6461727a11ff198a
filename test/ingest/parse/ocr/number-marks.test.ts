import { expect, test } from 'vitest'
import { fixNumberMarks } from '../../../../src/ingest/parse/ocr/number-marks.ts'

function read(...texts: string[]): string[] {
  const lines = texts.map(text => ({
    text,
    box: [0, 0, 100, 10] as const,
    size: 8,
    confidence: 0.9,
  }))
  return fixNumberMarks(lines).map(line => line.text)
}

test('thousands that are parted by both marks get the one that the number can have', () => {
  expect(read('净利润738.421,905.16元')).toEqual(['净利润738,421,905.16元'])
  expect(read('51，206.880.43', '8,812.400.00', '增长12.7%')).toEqual([
    '51,206,880.43',
    '8,812,400.00',
    '增长12.7%',
  ])
  expect(read('Umsatz 1,284.512,37', 'Steuer 94.218,55')).toEqual([
    'Umsatz 1.284.512,37',
    'Steuer 94.218,55',
  ])
})

test('a fraction behind the mark of the thousands gets that of the other numbers', () => {
  expect(read('1.204.715.92', '0.85', '3.4')).toEqual(['1,204,715.92', '0.85', '3.4'])
  expect(read('1.204.715.92')).toEqual(['1.204.715.92'])
})

test('thousands without a fraction are parted by the mark that is of no fraction', () => {
  expect(read('312.000，000股', '0.85', '12.7', '3.4')).toEqual([
    '312,000,000股',
    '0.85',
    '12.7',
    '3.4',
  ])
  expect(read('312.000，000股')).toEqual(['312.000，000股'])
})

test.each([
  '1.284.512,37',
  '1,284,512.37',
  '312,000.000',
  '12.3.2021',
  '192.168.100.20',
  'Section 1.204.92',
  '100，200，300',
])('%s may be right as it was read', text => {
  expect(read(text, '0.85', '0.25', '3.5')[0]).toBe(text)
})
