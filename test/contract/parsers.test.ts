import { docxParser } from '../../src/ingest/parsers/docx.ts'
import { htmlParser } from '../../src/ingest/parsers/html.ts'
import { markdownParser } from '../../src/ingest/parsers/markdown.ts'
import { pdfParser } from '../../src/ingest/parsers/pdf.ts'
import { textParser } from '../../src/ingest/parsers/text.ts'
import { docx, paragraph } from '../fixtures/docx.ts'
import { pdf } from '../fixtures/pdf.ts'
import { parserContract } from './parser.contract.ts'

const cell = (text: string) => `<w:tc>${paragraph(text)}</w:tc>`
const row = (...cells: string[]) => `<w:tr>${cells.map(cell).join('')}</w:tr>`
const wordTable = `<w:tbl>${row('Name', 'Price')}${row('Cup', '9')}</w:tbl>`

parserContract(textParser, 'First paragraph.\n\nSecond one,\nin two lines.\n')
parserContract(
  markdownParser,
  '---\ndate: 2024-05-01\n---\n# Prices\n\nAll in euros.\n\n| Name | Price |\n|-|-|\n| Cup | 9 |\n',
)
parserContract(
  htmlParser,
  '<title>Prices</title><h1>Prices</h1><p>All in euros.<table><tr><th>Name<th>Price<tr><td rowspan=2>Cup<td>9<tr><td>8</table>',
)
parserContract(docxParser, docx(paragraph('Prices') + paragraph('All in euros.') + wordTable))
parserContract(
  pdfParser,
  pdf(
    [
      [
        { text: 'Prices', x: 72, y: 72, size: 18, font: 'bold' },
        { text: 'All the prices of this list are in euros and hold until', x: 72, y: 100 },
        { text: 'the next list comes out.', x: 72, y: 112 },
        ...[
          ['Name', 'Size', 'Price'],
          ['Cup', 'small', '9'],
          ['Mug', 'large', '12'],
        ].flatMap((cells, index) => cells.map((text, column) => ({ text, x: 72 + column * 90, y: 150 + index * 14 }))),
      ],
    ],
    "/Title(Prices)/CreationDate(D:20240501120000+02'00')",
  ),
)
