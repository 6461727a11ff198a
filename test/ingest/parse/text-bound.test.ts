import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { BLOCK_SEPARATOR, type Block } from '../../../src/ingest/block.ts'
import { ZipArchive } from '../../../src/ingest/parse/detection/zip.ts'
import { ParserProcesses } from '../../../src/ingest/parse/isolation/parser-processes.ts'
import type { Parser } from '../../../src/ingest/parse/parser.ts'
import { csvParser } from '../../../src/ingest/parse/parsers/csv.ts'
import { docxParser } from '../../../src/ingest/parse/parsers/docx/docx.ts'
import { emlParser } from '../../../src/ingest/parse/parsers/eml/eml.ts'
import { epubParser } from '../../../src/ingest/parse/parsers/epub.ts'
import { htmlParser } from '../../../src/ingest/parse/parsers/html/html.ts'
import { jsonLinesParser, jsonParser } from '../../../src/ingest/parse/parsers/json/json.ts'
import { markdownParser } from '../../../src/ingest/parse/parsers/markdown/markdown.ts'
import { odtParser } from '../../../src/ingest/parse/parsers/odt/odt.ts'
import { pdfParser } from '../../../src/ingest/parse/parsers/pdf/pdf.ts'
import { pptxParser } from '../../../src/ingest/parse/parsers/pptx/pptx.ts'
import { rtfParser } from '../../../src/ingest/parse/parsers/rtf/rtf.ts'
import { textParser } from '../../../src/ingest/parse/parsers/text/text.ts'
import { xlsxParser } from '../../../src/ingest/parse/parsers/xlsx/xlsx.ts'
import { docx, docxParts, paragraph } from '../../fixtures/docx.ts'
import { epub } from '../../fixtures/epub.ts'
import { odt, odtCell, odtTable } from '../../fixtures/odt.ts'
import { type Parsed, parseBytes, withFile } from '../../fixtures/parsed.ts'
import { pdf } from '../../fixtures/pdf.ts'
import { pptx, slideTable } from '../../fixtures/pptx.ts'
import { xlsx, xlsxParts } from '../../fixtures/xlsx.ts'
import { zip } from '../../fixtures/zip.ts'

type Rows = readonly (readonly string[])[]

const html = (rows: Rows) =>
  `<table>${rows.map(row => `<tr>${row.map(cell => `<td>${cell}`).join('')}`).join('')}</table>`
const wordCell = (text: string) => `<w:tc>${paragraph(text)}</w:tc>`
const wordTable = (rows: Rows) =>
  `<w:tbl>${rows.map(row => `<w:tr>${row.map(wordCell).join('')}</w:tr>`).join('')}</w:tbl>`
const rtfRow = (row: readonly string[]) =>
  `\\trowd${row.map((_, at) => `\\cellx${100 * (at + 1)}`).join('')}\\intbl ${row.map(cell => `${cell}\\cell `).join('')}\\row `
const markdownRows = ([head = [], ...rows]: Rows) =>
  [head, head.map(() => '-'), ...rows].map(row => `|${row.join('|')}|`)

/** A table in each format, as a program writes it. */
const WRITERS: ReadonlyMap<Parser, (rows: Rows) => string | Buffer> = new Map<
  Parser,
  (rows: Rows) => string | Buffer
>([
  [csvParser, rows => rows.map(row => row.join(',')).join('\n')],
  [textParser, rows => rows.map(row => row.join('  ')).join('\n')],
  [markdownParser, rows => markdownRows(rows).join('\n')],
  [htmlParser, html],
  [emlParser, rows => `Subject: Prices\nContent-Type: text/html\n\n${html(rows)}`],
  [epubParser, rows => epub([html(rows)])],
  [docxParser, rows => docx(wordTable(rows))],
  [odtParser, rows => odt(odtTable(rows.map(row => row.map(cell => odtCell(cell)).join(''))))],
  [rtfParser, rows => `{\\rtf1 ${rows.map(rtfRow).join('')}}`],
  [pptxParser, rows => pptx([{ shapes: slideTable(rows) }])],
  [xlsxParser, rows => xlsx([{ rows: rows.map(row => row.slice(0, 26)) }])],
  [jsonParser, rows => JSON.stringify(rows)],
  [jsonLinesParser, rows => rows.map(row => JSON.stringify({ row })).join('\n')],
])
const FORMATS = [...WRITERS].map(([parser, write]) => ({ id: parser.id, parser, write }))

const processes = new ParserProcesses({ processes: 1 })
afterAll(() => processes.close())
const parse = (parser: Parser, bytes: string | Buffer) =>
  parseBytes(processes.isolate(parser), bytes)

const charactersOf = (blocks: readonly Block[]) =>
  blocks.reduce((sum, { text }) => sum + text.length + BLOCK_SEPARATOR.length, 0)

/** The bytes of a file, and of what a container inflates to. */
async function bytesRead(content: string | Buffer): Promise<number> {
  let bytes = Buffer.byteLength(content)
  if (typeof content === 'string') return bytes
  await withFile(content, 'a.zip', async filePath => {
    const archive = await ZipArchive.open(filePath, 'a.zip', inflated => {
      bytes += inflated
    })
    await archive.verify()
    archive.close()
  })
  return bytes
}

async function checkBound(parser: Parser, content: string | Buffer): Promise<void> {
  const result = await parse(parser, content).catch((error: unknown) => error)
  if (result instanceof Error) expect(result).toMatchObject({ code: 'too_large' })
  else
    expect(charactersOf((result as Parsed).blocks)).toBeLessThanOrEqual(
      4 * (await bytesRead(content)) + 64 * 1024,
    )
}

describe('the text of a document is bounded by the bytes that are read of it', () => {
  const hostile = fc.record({
    width: fc.constantFrom(2, 26, 2_000),
    headerChars: fc.constantFrom(1, 100, 20_000),
    rows: fc.constantFrom(10, 800),
  })
  test.each(FORMATS)('$id: long and wide headers over short rows', async ({ parser, write }) => {
    await fc.assert(
      fc.asyncProperty(hostile, async ({ width, headerChars, rows }) => {
        const header = Array.from({ length: width }, (_, at) =>
          `n${at}`.padEnd(at === 0 ? headerChars : 1, 'x'),
        )
        await checkBound(
          parser,
          write([header, ...Array.from({ length: rows }, (_, at) => [`v${at}`, 'w'])]),
        )
      }),
      { numRuns: 3 },
    )
  })

  const cell = fc.constantFrom('a', 'name', '合同编号', '12.5', '', 'a longer cell of some words')
  const rowsOfCells = fc.integer({ min: 2, max: 20 }).chain(width =>
    fc.array(fc.array(cell, { minLength: width, maxLength: width }), {
      minLength: 5,
      maxLength: 9,
    }),
  )
  test.each(FORMATS)(
    '$id: a table that is in the file as often as in the text is read',
    async ({ parser, write }) => {
      await fc.assert(
        fc.asyncProperty(rowsOfCells, async rows => {
          const header = rows[0]!.map((_, at) => `name ${at}`)
          const many = Array.from({ length: 100 }, () => rows).flat()
          expect((await parse(parser, write([header, ...many]))).blocks.length).toBeGreaterThan(0)
        }),
        { numRuns: 1 },
      )
    },
  )
})

test('of a PDF only what is deflated counts for more than its bytes', async () => {
  const stream = `\n99 0 obj\n<</Filter/FlateDecode>>\nstream${'x'.repeat(100)}endstream\nendobj\n`
  const plain = pdf([[{ text: 'Prices', x: 50, y: 100, size: 12 }]])
  const count = (content: Buffer) =>
    withFile(content, 'a.pdf', async path => {
      let counted = 0
      const countBytes = (bytes: number) => {
        counted += bytes
      }
      for await (const _ of pdfParser.parse({
        path,
        name: 'a.pdf',
        mediaType: 'application/pdf',
        countBytes,
      }));
      return counted
    })
  expect(await count(plain)).toBe(0)
  expect(await count(Buffer.concat([plain, Buffer.from(stream)]))).toBeGreaterThanOrEqual(100)
})

describe('what a file repeats by reference', () => {
  test('sheets that are all the same part are too large, and the document is named', async () => {
    const parts = xlsxParts([{ rows: [['x'.repeat(10_000)]] }])
    const sheets = Array.from(
      { length: 1_000 },
      (_, at) => `<sheet name="S${at}" sheetId="${at + 1}" r:id="s0"/>`,
    )
    const workbook = `<workbook xmlns:r="r"><sheets>${sheets.join('')}</sheets></workbook>`
    await expect(
      parse(xlsxParser, zip({ ...parts, 'xl/workbook.xml': workbook })),
    ).rejects.toMatchObject({
      ...{ code: 'too_large', message: expect.stringContaining('test-file') },
    })
  })
  test('a number of a list that is a page long is too large', async () => {
    const level = `<w:lvl w:ilvl="0"><w:numFmt w:val="decimal"/><w:lvlText w:val="${'x'.repeat(10_000)}%1"/></w:lvl>`
    const numbering = `<w:numbering><w:abstractNum w:abstractNumId="0">${level}</w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num></w:numbering>`
    const item =
      '<w:p><w:pPr><w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr></w:pPr><w:r><w:t>a</w:t></w:r></w:p>'
    const content = zip({ ...docxParts(item.repeat(50)), 'word/numbering.xml': numbering })
    await expect(parse(docxParser, content)).rejects.toMatchObject({ code: 'too_large' })
  })
})
