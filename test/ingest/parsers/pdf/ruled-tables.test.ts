import { expect, test } from 'vitest'
import { pdfParser } from '../../../../src/ingest/parsers/pdf.ts'
import { outline, parseBytes } from '../../../fixtures/parsed.ts'
import { type PdfLine, type PdfText, pdf } from '../../../fixtures/pdf.ts'

/** Widths of Helvetica at 10 points. */
function widthOf(text: string): number {
  return [...text].reduce((sum, letter) => sum + (/[,. il]/.test(letter) ? 2.78 : /[A-Z]/.test(letter) ? 6.9 : 5.4), 0)
}

const ROW = 16
/** Between a cell's text and its lines, as office programs leave it. */
const PADDING = 2.5

/** A table with all lines drawn, its columns as wide as their longest cell. */
function ruled(rows: readonly (readonly string[])[], merged: readonly number[] = []): (PdfText | PdfLine)[] {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map(row => widthOf(row[column] ?? ''))) + 2 * PADDING)
  const xs = [72]
  for (const width of widths) xs.push(xs.at(-1)! + width)
  const top = 100
  const flat = Array.from({ length: rows.length + 1 }, (_, row): PdfLine => {
    return { from: [xs[0]!, top + row * ROW], to: [xs.at(-1)!, top + row * ROW] }
  })
  const upright = rows.flatMap((_, row) =>
    xs.flatMap((x, column): PdfLine[] => {
      const isInner = column > 0 && column < xs.length - 1
      if (isInner && merged.includes(row)) return []
      return [{ from: [x, top + row * ROW], to: [x, top + (row + 1) * ROW] }]
    }),
  )
  const texts = rows.flatMap((row, at) =>
    row.flatMap((text, column): PdfText[] =>
      text ? [{ text, x: xs[column]! + PADDING, y: top + at * ROW + 12 }] : [],
    ),
  )
  return [...flat, ...upright, ...texts]
}

async function tableOf(rows: readonly (readonly string[])[], merged?: readonly number[]) {
  const { blocks } = await parseBytes(pdfParser, pdf([ruled(rows, merged)]))
  return outline(blocks)
}

test('cells that stand closer together than words are told apart by the lines between them', async () => {
  const rows = [
    ['Item', '2021', '2022', '2023'],
    ['Boats and oars', '18,400', '21,750', '9,300'],
    ['Rent of the house', '12,000', '12,600', '13,200'],
    ['Total', '30,400', '34,350', '22,500'],
  ]
  expect(await tableOf(rows)).toEqual([`table: ${rows.map(row => row.join(' | ')).join(' / ')}`])
})

test('a text that lies over several columns is not parted where no line crosses it', async () => {
  const rows = [
    ['All amounts are given in euros', '', ''],
    ['Rent', '12,000', '12,600'],
    ['Wages', '30,400', '34,350'],
  ]
  expect((await tableOf(rows, [0])).join()).toContain('All amounts are given in euros')
})
