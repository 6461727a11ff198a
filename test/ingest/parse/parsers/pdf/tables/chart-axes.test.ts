import { expect, test } from 'vitest'
import { pdfParser } from '../../../../../../src/ingest/parse/parsers/pdf/pdf.ts'
import { outline, parseBytes } from '../../../../../fixtures/parsed.ts'
import { type PdfText, pdf } from '../../../../../fixtures/pdf.ts'

async function outlineRows(rows: readonly (readonly string[])[], leading: number) {
  const texts = rows.flatMap((row, index) =>
    row.map(
      (text, column): PdfText => ({
        text,
        x: 80 + column * 300,
        y: 100 + index * leading,
        size: 8,
      }),
    ),
  )
  return outline((await parseBytes(pdfParser, pdf([texts]))).blocks)
}

test('the labels of two axes are text, with those of the axis below', async () => {
  const rows = ['700', '650', '600', '550'].map((label, index) => [label, `0.${8 - index}0`])
  const blocks = await outlineRows([...rows, ['Spring', 'Autumn']], 28)
  expect(blocks.join(' ')).toContain('700 0.80')
  expect(blocks.filter(block => block.startsWith('table'))).toEqual([])
})

test('years that fall beside other values are a table', async () => {
  const rows = ['2024', '2023', '2022', '2021'].map((year, index) => [
    year,
    `${[71, 12, 40, 38][index]}.5`,
  ])
  expect(await outlineRows(rows, 14)).toEqual([
    'table: 2024 | 71.5 / 2023 | 12.5 / 2022 | 40.5 / 2021 | 38.5',
  ])
})
