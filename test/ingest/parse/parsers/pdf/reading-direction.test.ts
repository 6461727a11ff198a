import { expect, test } from 'vitest'
import { type Fragment, toSegments } from '../../../../../src/ingest/parse/parsers/pdf/lines.ts'

/** Pieces of one line in their places from left to right, a blank of 3 points apart. */
function readLine(pieces: readonly string[], blank = 3): readonly string[] {
  let x0 = 72
  const fragments = pieces.map((text): Fragment => {
    const place = { x0, x1: x0 + text.length * 5, top: 92, bottom: 102, baseline: 100, size: 10 }
    x0 = place.x1 + blank
    const traits = { isBold: false, isMono: false, isAside: false, isSpaced: false }
    return { text, ...place, ...traits }
  })
  return toSegments(fragments).map(({ text }) => text)
}

test.each([
  ['words', ['العربية', 'الخطوط', 'أنواع'], 'أنواع الخطوط العربية'],
  ['numbers', ['הזה', '2026', '14', 'במאי', 'ביום'], 'ביום במאי 14 2026 הזה'],
  ['words from left to right', ['עולם', 'ISO', '2026', 'שלום'], 'שלום ISO 2026 עולם'],
  ['signs', ['המדינה', '-', 'מבקר'], 'מבקר - המדינה'],
])('%s of a line that runs from right to left are read in their order', (_, pieces, line) => {
  expect(readLine(pieces)).toEqual([line])
})

test('words from right to left in another line are read in their order', () => {
  expect(readLine(['The word', 'עולם', 'שלום', 'means peace'])).toEqual([
    'The word שלום עולם means peace',
  ])
})

test('words of two directions are apart, wherever the blank is drawn', () => {
  expect(readLine(['الأدوات', 'Python', 'بلغة'], 0)).toEqual(['بلغة Python الأدوات'])
  expect(readLine(['Nr', '. 7'], 0)).toEqual(['Nr. 7'])
})

test('words that are drawn over each other are apart', () => {
  expect(readLine(['M00069', 'ACOGUT', 'I01032'], -29)).toEqual(['M00069 ACOGUT I01032'])
  expect(readLine(['Kaf', 'fee'], -2)).toEqual(['Kaffee'])
})
