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

test('single letters of merged cells count as words', async () => {
  const xs = [72, 112, 152, 192, 292]
  const ys = Array.from({ length: 9 }, (_, index) => 100 + index * 16)
  const lines = [
    ...xs.map(x => ({ from: [x, 100], to: [x, 228] }) as const),
    ...ys.map((y, index) => ({ from: [index % 2 ? 192 : 72, y], to: [292, y] }) as const),
  ]
  const letters = ['A', 'B', 'C'].flatMap((text, column) =>
    [0, 2, 4, 6].map(index => ({ text, x: 88 + column * 40, y: 120 + index * 16 })),
  )
  const names = ys.slice(0, 8).map(y => ({ text: 'Harbourmast', x: 200, y: y + 12 }))
  const { blocks } = await parseBytes(pdfParser, pdf([[...lines, ...letters, ...names]]))
  const cells = blocks[0]?.rows?.flat() ?? []
  expect(cells.filter(cell => cell === 'Harbourmast')).toHaveLength(8)
  expect(cells.filter(cell => cell.length === 1)).toHaveLength(17)
})
