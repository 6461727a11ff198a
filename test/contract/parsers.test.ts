import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Passim } from '../../src/app/passim.ts'
import type { Parser } from '../../src/ingest/parse/parser.ts'
import { cardsParser } from '../../src/ingest/parse/parsers/cards.ts'
import { codeParser } from '../../src/ingest/parse/parsers/code.ts'
import { csvParser, tsvParser } from '../../src/ingest/parse/parsers/csv.ts'
import { docParser } from '../../src/ingest/parse/parsers/doc/doc.ts'
import { docxParser } from '../../src/ingest/parse/parsers/docx/docx.ts'
import { emlParser } from '../../src/ingest/parse/parsers/eml/eml.ts'
import { epubParser } from '../../src/ingest/parse/parsers/epub.ts'
import { htmlParser } from '../../src/ingest/parse/parsers/html/html.ts'
import { ipynbParser } from '../../src/ingest/parse/parsers/ipynb/ipynb.ts'
import { jsonLinesParser, jsonParser } from '../../src/ingest/parse/parsers/json/json.ts'
import { asciidocParser, orgParser } from '../../src/ingest/parse/parsers/line-markup.ts'
import { markdownParser } from '../../src/ingest/parse/parsers/markdown/markdown.ts'
import { mboxParser } from '../../src/ingest/parse/parsers/mbox.ts'
import { msgParser, tnefParser } from '../../src/ingest/parse/parsers/msg/msg.ts'
import { odpParser } from '../../src/ingest/parse/parsers/odp.ts'
import { odsParser } from '../../src/ingest/parse/parsers/ods/ods.ts'
import { odtParser } from '../../src/ingest/parse/parsers/odt/odt.ts'
import { pdfParser } from '../../src/ingest/parse/parsers/pdf/pdf.ts'
import { pptParser } from '../../src/ingest/parse/parsers/ppt/ppt.ts'
import { pptxParser } from '../../src/ingest/parse/parsers/pptx/pptx.ts'
import { rstParser } from '../../src/ingest/parse/parsers/rst/rst.ts'
import { rtfParser } from '../../src/ingest/parse/parsers/rtf/rtf.ts'
import { texParser } from '../../src/ingest/parse/parsers/tex/tex.ts'
import { textParser } from '../../src/ingest/parse/parsers/text/text.ts'
import { xlsParser } from '../../src/ingest/parse/parsers/xls/xls.ts'
import { xlsxParser } from '../../src/ingest/parse/parsers/xlsx/xlsx.ts'
import { xmlParser } from '../../src/ingest/parse/parsers/xml.ts'
import { zipParser } from '../../src/ingest/parse/parsers/zip.ts'
import { runCli } from '../fakes/cli.ts'
import { Sandbox } from '../fakes/store.ts'
import { doc, p, row as wordRow } from '../fixtures/doc.ts'
import { docx, paragraph } from '../fixtures/docx.ts'
import { epub } from '../fixtures/epub.ts'
import { msg } from '../fixtures/msg.ts'
import { odt, odtCell, odtRow, odtTable, openDocument } from '../fixtures/odt.ts'
import { parseBytes } from '../fixtures/parsed.ts'
import { pdf } from '../fixtures/pdf.ts'
import { ppt } from '../fixtures/ppt.ts'
import { pptx, shape, slideTable } from '../fixtures/pptx.ts'
import { tnef, tnefProperties } from '../fixtures/tnef.ts'
import { xls } from '../fixtures/xls.ts'
import { xlsx } from '../fixtures/xlsx.ts'
import { zip } from '../fixtures/zip.ts'
import { parserContract } from './parser.contract.ts'

const cell = (text: string) => `<w:tc>${paragraph(text)}</w:tc>`
const row = (...cells: string[]) => `<w:tr>${cells.map(cell).join('')}</w:tr>`
const wordTable = `<w:tbl>${row('Name', 'Price')}${row('Cup', '9')}</w:tbl>`

/** A document of each format that has a heading, some text and a table. */
const SAMPLES: readonly (readonly [parser: Parser, name: string, sample: string | Uint8Array])[] = [
  [textParser, 'prices.txt', 'First paragraph.\n\nSecond one,\nin two lines.\n'],
  [
    markdownParser,
    'prices.md',
    '---\ndate: 2024-05-01\n---\n# Prices\n\nAll in euros.\n\n| Name | Price |\n|-|-|\n| Cup | 9 |\n',
  ],
  [
    htmlParser,
    'prices.html',
    '<title>Prices</title><h1>Prices</h1><p>All in euros.<table><tr><th>Name<th>Price<tr><td rowspan=2>Cup<td>9<tr><td>8</table>',
  ],
  [docxParser, 'prices.docx', docx(paragraph('Prices') + paragraph('All in euros.') + wordTable)],
  [
    docParser,
    'prices.doc',
    doc({
      paragraphs: [
        p('Prices', 1),
        p('All in euros.'),
        ...wordRow('Name', 'Price'),
        ...wordRow('Cup', '9'),
      ],
    }),
  ],
  [
    pptxParser,
    'prices.pptx',
    pptx([
      {
        shapes:
          shape('Prices', 'title') +
          shape('All in euros.') +
          slideTable([
            ['Name', 'Price'],
            ['Cup', '9'],
          ]),
        notes: 'Be brief.',
      },
    ]),
  ],
  [
    pptParser,
    'prices.ppt',
    ppt({
      slides: [
        {
          shapes: [
            { text: 'Prices', kind: 0, placeholder: 13 },
            { text: 'All in euros.' },
            {
              cells: ['Name', 'Price', 'Cup', '9'].map((text, index) => {
                const [left, top] = [(index % 2) * 10, Math.floor(index / 2) * 10]
                return { text, box: [left, top, left + 10, top + 10] as const }
              }),
            },
          ],
          notes: 'Be brief.',
        },
      ],
    }),
  ],
  [
    xlsxParser,
    'prices.xlsx',
    xlsx([{ name: 'Prices', rows: [['All in euros.'], [], ['Name', 'Price'], ['Cup', 9]] }]),
  ],
  [
    xlsParser,
    'prices.xls',
    xls([{ name: 'Prices', rows: [['All in euros.'], [], ['Name', 'Price'], ['Cup', 9]] }]),
  ],
  [
    epubParser,
    'prices.epub',
    epub(
      [
        '<h1>Prices</h1><p>All in euros.</p>',
        '<table><tr><th>Name</th><th>Price</th></tr><tr><td>Cup</td><td>9</td></tr></table>',
      ],
      '<dc:date>2024-05-01</dc:date>',
    ),
  ],
  [
    odtParser,
    'prices.odt',
    odt(
      `<text:h text:outline-level="1">Prices</text:h><text:p>All in euros.</text:p>${odtTable([
        odtCell('Name') + odtCell('Price'),
        odtCell('Cup') + odtCell('9'),
      ])}`,
    ),
  ],
  [
    odsParser,
    'prices.ods',
    openDocument(
      'spreadsheet',
      `<table:table table:name="Prices">${odtRow(odtCell('All in euros.'))}${odtRow('')}${odtRow(odtCell('Name'), odtCell('Price'))}${odtRow(odtCell('Cup'), odtCell('9', 'office:value-type="float" office:value="9"'))}</table:table>`,
    ),
  ],
  [
    odpParser,
    'prices.odp',
    openDocument(
      'presentation',
      `<draw:page><draw:frame presentation:class="title"><draw:text-box><text:p>Prices</text:p></draw:text-box></draw:frame><draw:frame><draw:text-box><text:p>All in euros.</text:p></draw:text-box></draw:frame>${odtTable([odtCell('Name') + odtCell('Price'), odtCell('Cup') + odtCell('9')])}</draw:page>`,
    ),
  ],
  [
    rtfParser,
    'prices.rtf',
    '{\\rtf1{\\info{\\creatim\\yr2024\\mo5\\dy1}}{\\outlinelevel0 Prices\\par}All in euros.\\par\\trowd\\cellx1\\cellx99\\intbl Name\\cell Price\\cell\\row\\intbl Cup\\cell 9\\cell\\row}',
  ],
  [
    emlParser,
    'prices.eml',
    'Subject: Prices\nDate: Wed, 1 May 2024 08:00:00 +0200\nContent-Type: text/html\n\n<p>All in euros.<table><tr><th>Name<th>Price<tr><td>Cup<td>9</table>',
  ],
  [
    msgParser,
    'prices.msg',
    msg({
      values: {
        55: 'Prices',
        57: new Date('2024-05-01T08:00:00Z'),
        4115: Buffer.from('<p>All in euros.<table><tr><th>Name<th>Price<tr><td>Cup<td>9</table>'),
      },
    }),
  ],
  [
    tnefParser,
    'winmail.dat',
    tnef([
      0x9003,
      tnefProperties(
        [55, 'Prices'],
        [0x0c1a, 'Ada of the office by the harbour'],
        [
          4115,
          {
            type: 0x102,
            bytes: Buffer.from(
              '<p>All in euros.<table><tr><th>Name<th>Price<tr><td>Cup<td>9</table>',
            ),
          },
        ],
      ),
    ]),
  ],
  [
    mboxParser,
    'prices.mbox',
    'From ada@example.org Wed May  1 08:00:00 2024\nSubject: Prices\nMIME-Version: 1.0\n\nAll in euros.\n\nFrom bob@example.org Thu May  2 08:00:00 2024\nSubject: Cups\n\n>From now on, 9 euros.\n',
  ],
  [
    zipParser,
    'prices.zip',
    zip({ 'lists/prices.txt': 'A cup costs 9 euros.', 'notes.md': '# Notes' }),
  ],
  [
    cardsParser,
    'prices.ics',
    'BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nSUMMARY:Prices\r\nDTSTART:20240501T080000Z\r\nDESCRIPTION:All in\r\n  euros\\, a cup 9.\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n',
  ],
  [orgParser, 'prices.org', '* Prices\n\nAll in euros.\n\n- a cup 9\n'],
  [
    texParser,
    'prices.tex',
    '\\section{Prices}\nAll in euros.\n\\begin{tabular}{ll}Name & Price \\\\ Cup & 9\\end{tabular}\n',
  ],
  [
    rstParser,
    'prices.rst',
    'Prices\n======\n\nAll in euros.\n\n====  =====\nName  Price\n====  =====\nCup   9\n====  =====\n',
  ],
  [asciidocParser, 'prices.adoc', '= Prices\n\nAll in euros.\n\n* a cup 9\n'],
  [
    xmlParser,
    'prices.xml',
    '<?xml version="1.0"?><list><title>Prices</title><p>All in <b>euros</b>.</p><item><name>Cup</name><price>9</price></item></list>',
  ],
  [
    ipynbParser,
    'prices.ipynb',
    JSON.stringify({
      cells: [
        { cell_type: 'markdown', source: ['# Prices\n', '\n', 'All in euros.'] },
        {
          cell_type: 'code',
          source: 'cup = 9\ncup',
          outputs: [
            {
              output_type: 'execute_result',
              data: {
                'text/html': ['<table><tr><th>Name<th>Price<tr><td>Cup<td>9</table>'],
                'text/plain': 'Name Price',
              },
            },
            { output_type: 'display_data', data: { 'image/png': 'iVBORw0KGgo=' } },
          ],
        },
      ],
      metadata: {},
      nbformat: 4,
    }),
  ],
  [csvParser, 'prices.csv', 'Prices\nName,Price\nCup,9\nMug,12\n'],
  [tsvParser, 'prices.tsv', 'Prices\nName\tPrice\nCup\t9\nMug\t12\n'],
  [jsonLinesParser, 'prices.jsonl', '{"name":"Cup","price":9}\n{"name":"Mug","price":12}\n'],
  [jsonParser, 'prices.json', '[{"name":"Cup","price":9},{"name":"Mug","price":12}]'],
  [
    codeParser,
    'prices.ts',
    "import x from 'x'\n\n/** Price of a cup. */\nfunction price() {\n  return 9\n}\n",
  ],
  [
    pdfParser,
    'prices.pdf',
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
          ].flatMap((cells, index) =>
            cells.map((text, column) => ({ text, x: 72 + column * 90, y: 150 + index * 14 })),
          ),
        ],
      ],
      "/Title(Prices)/CreationDate(D:20240501120000+02'00')",
    ),
  ],
]

for (const [parser, , sample] of SAMPLES) parserContract(parser, sample)

describe('the command as it is built', () => {
  let sandbox: Sandbox
  let passim: Passim
  beforeAll(async () => {
    sandbox = await Sandbox.make()
    const folder = await sandbox.write(
      Object.fromEntries(SAMPLES.map(([, name, sample]) => [name, sample])),
    )
    await runCli(sandbox.home, ['index', folder, '--no-vectors', '--quiet'])
    passim = await sandbox.open()
  })
  afterAll(() => sandbox.remove())

  const named = SAMPLES.map(([parser, name, sample]) => ({ parser, name, sample }))
  test.each(named)('reads $name as its parser does', async ({ parser, name, sample }) => {
    const expected = await parseBytes(parser, sample, { name })
    const { id, mediaType, metadata, warnings } = await passim.show(name)
    const texts: string[] = []
    for await (const { text } of passim.library.readBlocks(id)) texts.push(text)
    expect(texts).toEqual(expected.blocks.map(({ text }) => text))
    expect({ metadata, warnings }).toEqual({
      metadata: expected.metadata,
      warnings: expected.warnings,
    })
    expect(parser.mediaTypes).toContain(mediaType)
  })
})
