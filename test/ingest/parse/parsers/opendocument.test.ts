import { expect, test } from 'vitest'
import { detectMediaType } from '../../../../src/ingest/parse/detection/media-type.ts'
import type { Parser } from '../../../../src/ingest/parse/parser.ts'
import { odpParser } from '../../../../src/ingest/parse/parsers/odp.ts'
import { odsParser } from '../../../../src/ingest/parse/parsers/ods/ods.ts'
import { odtParser } from '../../../../src/ingest/parse/parsers/odt/odt.ts'
import { flatOpenDocument, odt, odtCell, odtRow, openDocument } from '../../../fixtures/odt.ts'
import { outline, parseBytes, withFile } from '../../../fixtures/parsed.ts'

const sheet = (...rows: string[]) => `<table:table table:name="Fees">${rows.join('')}</table:table>`
const number = (shown: string, value: string, type = 'float', more = '') =>
  odtCell(shown, `office:value-type="${type}" office:value="${value}" ${more}`)
const box = (text: string, kind = '') =>
  `<draw:frame ${kind}><draw:text-box><text:p>${text}</text:p></draw:text-box></draw:frame>`

async function readSheet(...rows: string[]) {
  const { blocks, warnings } = await parseBytes(
    odsParser,
    openDocument('spreadsheet', sheet(...rows)),
  )
  return { lines: outline(blocks), blocks, warnings }
}

test('numbers of a sheet have a decimal point, whatever language it is written in', async () => {
  const { lines, blocks } = await readSheet(
    odtRow(odtCell('Port'), odtCell('Fee'), odtCell('Share'), odtCell('Since')),
    odtRow(
      odtCell('Ulm'),
      number('1.234,50 €', '1234.5', 'currency', 'office:currency="EUR"'),
      number('12,50 %', '0.125', 'percentage'),
      odtCell('1.5.24', 'office:value-type="date" office:date-value="2024-05-01"'),
    ),
    odtRow(odtCell('Rees'), number('1.234', '1234'), number('30 %', '0.3', 'percentage'), ''),
  )
  expect(lines).toEqual([
    'heading1: Fees',
    'table: Port | Fee | Share | Since / Ulm | 1234.5 EUR | 12.5% | 2024-05-01 / Rees | 1234 | 30% | ',
  ])
  expect(blocks[1]?.numbers).toBe('native')
})

test('repeated cells and rows are bounded, merged cells are repeated', async () => {
  const { lines } = await readSheet(
    odtRow(
      odtCell('A', 'table:number-columns-spanned="2"'),
      '<table:covered-table-cell/>',
      odtCell('B'),
      '<table:table-cell table:number-columns-repeated="16381"/>',
    ),
    odtRow(odtCell('1', 'table:number-columns-repeated="3"')),
    '<table:table-row table:number-rows-repeated="1048574"><table:table-cell table:number-columns-repeated="16384"/></table:table-row>',
  )
  expect(lines).toEqual(['heading1: Fees', 'table: A | A | B / 1 | 1 | 1'])
})

test('comments of cells are read, embedded charts are counted', async () => {
  const { lines, warnings } = await readSheet(
    odtRow(odtCell('Port'), odtCell('Fee')),
    odtRow(
      odtCell('Ulm'),
      '<table:table-cell><office:annotation><text:p>until May</text:p></office:annotation><text:p>9</text:p><draw:frame><draw:object/></draw:frame></table:table-cell>',
    ),
  )
  expect(lines).toEqual([
    'heading1: Fees',
    'table: Port | Fee / Ulm | 9',
    'paragraph: B2: until May',
  ])
  expect(warnings).toMatchObject([{ message: expect.stringContaining('embedded objects 1') }])
})

test('each slide is a page with its title first, and its notes', async () => {
  const slides = `<draw:page>${box('Open at six')}${box('Port', 'presentation:class="title"')}${box('3', 'presentation:class="page-number"')}<presentation:notes>${box('Be brief')}</presentation:notes></draw:page><draw:page>${box('End')}</draw:page>`
  const { blocks } = await parseBytes(odpParser, openDocument('presentation', slides))
  expect(outline(blocks)).toEqual([
    'heading1: Port',
    'paragraph: Open at six',
    'paragraph: Be brief',
    'paragraph: End',
  ])
  expect(blocks.map(({ page }) => page)).toEqual([1, 1, 1, 2])
})

test.each<[Parser, 'text' | 'spreadsheet' | 'presentation', string, string]>([
  [odtParser, 'text', '<text:p>Nine tonnes</text:p>', 'paragraph: Nine tonnes'],
  [odsParser, 'spreadsheet', sheet(odtRow(odtCell('Nine tonnes'))), 'paragraph: Nine tonnes'],
  [
    odpParser,
    'presentation',
    `<draw:page>${box('Nine tonnes')}</draw:page>`,
    'paragraph: Nine tonnes',
  ],
])('a file of one XML is known by its content: %s', async (parser, kind, body, expected) => {
  const content = flatOpenDocument(kind, body)
  const mediaType = await withFile(content, 'a.xml', file => detectMediaType(file, 'a.xml'))
  expect(parser.mediaTypes).toContain(mediaType)
  const { blocks, metadata } = await parseBytes(parser, content, { mediaType })
  expect(outline(blocks)).toContain(expected)
  expect(outline(blocks).slice(0, -1).join()).not.toContain('Furniture')
  expect(outline(blocks).join().includes('Furniture')).toBe(kind === 'text')
  expect(metadata.title).toBe('Flat')
})

test('headers and footers are read once, unless they only show what is declared', async () => {
  const foot = (text: string) => box(text, 'presentation:class="footer"')
  const read = async (slide: string, master: string) => {
    const page = `<draw:page draw:master-page-name="A">${slide}</draw:page>`
    const file = flatOpenDocument('presentation', `${page}${page}`)
    const masters = `<style:master-page style:name="A">${foot(master)}</style:master-page>`
    const { blocks } = await parseBytes(
      odpParser,
      file.replace(/<style:master-page>.*<\/style:master-page>/, masters),
      { mediaType: odpParser.mediaTypes[2]! },
    )
    return outline(blocks)
  }
  expect(await read('', 'Shop')).toEqual(['paragraph: Shop'])
  expect(await read(box('All') + foot('Ulm'), 'Shop')).toEqual([
    'paragraph: All',
    'paragraph: All',
    'paragraph: Ulm',
    'paragraph: Shop',
  ])
  const field = '<presentation:footer>Foot</presentation:footer>'
  expect(await read(box('All'), field)).toEqual(['paragraph: All', 'paragraph: All'])
})

test('deleted cells and texts of pictures are counted', async () => {
  const checkWarning = async (parser: Parser, file: Buffer, expected: string) => {
    const { warnings } = await parseBytes(parser, file)
    expect(warnings.map(({ message }) => message)).toEqual([
      `Skipped: ${expected}. Their text is not searchable.`,
    ])
  }
  await checkWarning(
    odsParser,
    openDocument(
      'spreadsheet',
      `<table:tracked-changes><table:deletion/><table:cell-content-change><table:previous/></table:cell-content-change></table:tracked-changes><table:table table:name="A">${odtRow(odtCell('a'), odtCell('b'))}${odtRow(odtCell('c'), odtCell('d'))}</table:table>`,
    ),
    'deleted texts 2',
  )
  await checkWarning(
    odtParser,
    odt('<text:p>All<draw:frame><svg:title>A cup</svg:title></draw:frame></text:p>'),
    'text alternatives 1',
  )
})
