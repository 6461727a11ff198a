import { expect, test } from 'vitest'
import { pdfParser } from '../../../../../../src/ingest/parse/parsers/pdf/pdf.ts'
import { outline, parseBytes } from '../../../../../fixtures/parsed.ts'
import { type PdfText, pdf } from '../../../../../fixtures/pdf.ts'

const row = (y: number, ...texts: readonly string[]): PdfText[] =>
  texts.map((text, column) => ({ text, x: 72 + (column && 40 + column * 60), y }))

const ROWS = ['Weir', 'Lock', 'Mill', 'Quay', 'Ford', 'Dyke', 'Well', 'Pond'].map(place => [
  ...[place, '31.5', '19.2', '44.7', '23.3'],
])
const VALUES = ROWS.map(cells => cells.join(' | ')).join(' / ')

async function readTable(head: string): Promise<readonly string[]> {
  const page: PdfText[] = [
    { text: 'Place', x: 72, y: 100 },
    { text: head, x: 172, y: 100 },
    ...ROWS.flatMap((cells, index) => row(116 + index * 16, ...cells)),
  ]
  return outline((await parseBytes(pdfParser, pdf([page]))).blocks)
}

test('a short head over columns without lines is repeated in each', async () => {
  expect(await readTable('Water of every year')).toEqual([
    `table: Place | Water of every year | Water of every year |  |  / ${VALUES}`,
  ])
})

test('a head is written once if repeating it makes the table grow by more than a fifth', async () => {
  const head = 'Water that ran over them in each season of 1904'
  expect(await readTable(head)).toEqual([`table: Place | ${head} |  |  |  / ${VALUES}`])
})
