import { expect, test } from 'vitest'
import { pdfParser } from '../../../../../../src/ingest/parse/parsers/pdf/pdf.ts'
import { outline, parseBytes } from '../../../../../fixtures/parsed.ts'
import { type PdfText, pdf } from '../../../../../fixtures/pdf.ts'

const place = (texts: readonly string[], x: number, leading = 13): PdfText[] =>
  texts.map((text, row) => ({ text, x, y: 100 + row * leading }))

const NAMES = ['Weir', 'Lock', 'Mill', 'Ford', 'Pond']
const LENGTHS = ['31', '12', '55', '8', '40']

const TEXT = [
  'The keepers measure the water at each of the weirs in the',
  'morning, and again in the evening if there was rain upstream.',
  'Where the two differ, the higher one is written down, since',
  'the lower may have been read before the wave arrived from the',
  'hills and says little about the night that is to come.',
]

const TABLE = `table: ${NAMES.map((name, row) => `${name} | ${LENGTHS[row]}`).join(' / ')}`

async function outlinePage(texts: readonly PdfText[]) {
  return outline((await parseBytes(pdfParser, pdf([texts]))).blocks)
}

test('a text that runs on beside the rows of a table is no column of it, on either side', async () => {
  const left = [...place(NAMES, 60), ...place(LENGTHS, 140), ...place(TEXT, 230)]
  expect(await outlinePage(left)).toEqual([TABLE, `paragraph: ${TEXT.join(' ')}`])
  const right = [...place(TEXT, 60), ...place(NAMES, 380, 15), ...place(LENGTHS, 460, 15)]
  expect(await outlinePage(right)).toEqual([`paragraph: ${TEXT.join(' ')}`, TABLE])
})

test('sentences that begin with their rows are cells', async () => {
  const cells = TEXT.map(line => `${line[0]!.toUpperCase()}${line.slice(1, 45)}.`)
  const rows = NAMES.map((name, row) => `${name} | ${LENGTHS[row]} | ${cells[row]}`)
  expect(
    await outlinePage([...place(NAMES, 60), ...place(LENGTHS, 140), ...place(cells, 230)]),
  ).toEqual([`table: ${rows.join(' / ')}`])
})
