import { expect, test } from 'vitest'
import { LetterSpacing } from '../../../../../src/ingest/parse/parsers/pdf/letter-spacing.ts'
import { pdfParser } from '../../../../../src/ingest/parse/parsers/pdf/pdf.ts'
import { outline, parseBytes } from '../../../../fixtures/parsed.ts'
import { pdf } from '../../../../fixtures/pdf.ts'

const NOTE = { text: 'The office is open on weekdays.', x: 72, y: 200 }

/** A page whose first line is drawn by these operators. */
async function readFirst(operators: string): Promise<string | undefined> {
  const file = pdf([[NOTE]]).toString('latin1')
  const line = `BT /regular 12 Tf 1 0 0 1 72 700 Tm ${operators} ET\n`
  const { blocks } = await parseBytes(
    pdfParser,
    Buffer.from(file.replace('BT /regular', `${line}BT /regular`), 'latin1'),
  )
  return outline(blocks)[0]
}

test.each([
  ['by the character spacing', '4 Tc (Harbour office 1904) Tj'],
  [
    'by moves of the pen',
    '[(H) -400 (a) -400 (r) -400 (b) -400 (o) -400 (u) -400 (r) -900 (o) -400 (f) -400 (f) -400 (i) -400 (c) -400 (e)] TJ',
  ],
  ['by blanks', '(H a r b o u r   o f f i c e) Tj'],
])('Letters that are set apart %s are words', async (_, operators) => {
  expect(await readFirst(operators)).toMatch(/: Harbour office( 1904)?$/)
})

test.each([
  ['a row of digits', '(1 2 3 4 5 6) Tj', '1 2 3 4 5 6'],
  ['a short row of letters', '(A B C D) Tj', 'A B C D'],
  ['words of a usual line', '0.2 Tc (I am a man) Tj', 'I am a man'],
])('%s stays apart', async (_, operators, text) => {
  expect(await readFirst(operators)).toContain(text)
})

test('A word that only holds the same letters is left as it is', () => {
  const glyph = (unicode: string) => ({ unicode, width: 500, isSpace: false })
  const spacing = new LetterSpacing()
  spacing.addGlyphs([...'OF'].map(glyph), { size: 10, characterSpacing: 3, wordSpacing: 0 })
  const items = ['SOFTLY', 'O F'].map((str, index) => {
    const transform = [10, 0, 0, 10, 72 + index * 100, 700]
    return { str, transform, width: 20, height: 10, dir: 'ltr', fontName: 'f', hasEOL: false }
  })
  expect(spacing.join(items).map(({ str }) => str)).toEqual(['SOFTLY', 'OF'])
})
