import { expect, test } from 'vitest'
import { removeDoubledText } from '../../../../../src/ingest/parse/parsers/pdf/doubled-text.ts'
import { pdfParser } from '../../../../../src/ingest/parse/parsers/pdf/pdf.ts'
import { outline, parseBytes } from '../../../../fixtures/parsed.ts'
import { type PdfText, pdf } from '../../../../fixtures/pdf.ts'

/** Courier is 0.6 em wide: at 10 points, each character takes 6. */
const LINE: PdfText = {
  text: 'The lighthouse was built in 1889 by Holm.',
  x: 72,
  y: 100,
  font: 'mono',
}

function setPiece(text: string, shift = 0): PdfText {
  const start = LINE.text.indexOf(text)
  return { text, x: 72 + start * 6 + shift, y: 103, font: 'mono' }
}

async function outlineOf(page: readonly PdfText[]) {
  return outline((await parseBytes(pdfParser, pdf([page]))).blocks)
}

test('A layer of the same words over a printed line is read once, in whichever order they are drawn', async () => {
  const layer = ['The lighthouse', 'was built', 'in 1889', 'by Holm.'].map(text =>
    setPiece(text, 3),
  )
  const expected = [`paragraph: ${LINE.text}`]
  expect(await outlineOf([LINE, ...layer])).toEqual(expected)
  expect(await outlineOf([...layer, LINE])).toEqual(expected)
})

test('A word that is printed near a line that has it elsewhere stays', () => {
  const plain = {
    top: 92,
    bottom: 102,
    size: 10,
    isAside: false,
    isSpaced: true,
    isBold: false,
    isMono: true,
  }
  const line = { ...plain, text: LINE.text, x0: 72, x1: 72 + LINE.text.length * 6, baseline: 100 }
  const other = { ...plain, text: 'built', x0: 72, x1: 102, baseline: 103 }
  const below = {
    ...plain,
    text: 'built',
    x0: line.x0 + 19 * 6,
    x1: line.x0 + 24 * 6,
    baseline: 112,
  }
  expect(removeDoubledText([line, other, below])).toEqual([line, other, below])
})

test('Bold text whose letters are drawn twice is read once, with its blanks', async () => {
  const drawn = (text: string, x: number): PdfText => ({ text, x, y: 100, font: 'mono' })
  const pieces = ['T', 'Ti', 'id', 'de', 'e t', 'ta', 'ab', 'bl', 'le', 'e']
  let x = 72
  const letters = pieces.map((text, index) => {
    const piece = drawn(text, index === 0 ? x : x + 0.3)
    x += (text.length - 1) * 6
    return piece
  })
  expect(await outlineOf(letters)).toEqual(['paragraph: Tide table'])
  expect(await outlineOf([drawn('skill', 72), drawn('lit', 102)])).toEqual(['paragraph: skilllit'])
  const narrow = { ...drawn('f', 72), font: 'regular' as const }
  expect(await outlineOf([narrow, { ...narrow, text: 'faeces' }])).toEqual(['paragraph: faeces'])
})

test('A copy of a line that lacks letters is no second line', async () => {
  const rows = ['Hefty 53.7 7.7 124.4', 'Stine 54.5 7.6 120.0', 'Asgrow 52.9 7.9 122.0']
  const draw = (row: string, y: number) =>
    row.split(' ').map((text, index) => ({ text, x: 72 + index * 90, y, font: 'mono' as const }))
  const copies = [
    ['H ft', '53 7', '7 7', '4'],
    ['S', '54 5', '7 6', '120 0'],
    ['A', '52 9', '9', ''],
  ]
  const page = rows.flatMap((row, index) => draw(row, 100 + index * 14))
  const lacking = copies.flatMap((row, index) =>
    row.flatMap((text, column) => {
      const [whole] = draw(rows[index]!, 0).slice(column)
      const shift = text.length === 1 ? whole!.text.indexOf(text) * 6 : 0
      const x = 72 + column * 90 + shift
      return text ? [{ text, x, y: 100 + index * 14, font: 'mono' as const }] : []
    }),
  )
  expect(await outlineOf([...lacking, ...page])).toEqual(await outlineOf(page))
  const beside = draw('Hefty', 100).concat({ text: 'y', x: 106, y: 100, font: 'mono' })
  expect(await outlineOf(beside)).toEqual(['paragraph: Hefty y'])
})
