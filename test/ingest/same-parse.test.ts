import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ParserProcesses } from '../../src/ingest/parse/isolation/parser-processes.ts'
import type { OcrOptions, Parser, ParserEvent } from '../../src/ingest/parse/parser.ts'
import { builtinParsers } from '../../src/ingest/parse/parsers/index.ts'
import { doc, p, row } from '../fixtures/doc.ts'
import { picture } from '../fixtures/drawn.ts'
import { epub } from '../fixtures/epub.ts'
import { msg } from '../fixtures/msg.ts'
import { odt, odtCell, odtRow, odtTable, openDocument } from '../fixtures/odt.ts'
import { pdf, scan } from '../fixtures/pdf.ts'
import { ppt } from '../fixtures/ppt.ts'
import { pptx, shape, slideTable } from '../fixtures/pptx.ts'
import { tnef } from '../fixtures/tnef.ts'
import { xls } from '../fixtures/xls.ts'
import { xlsx } from '../fixtures/xlsx.ts'
import { zip } from '../fixtures/zip.ts'

const sample = (name: string) =>
  readFile(fileURLToPath(new URL(`../../data/samples/${name}`, import.meta.url)))
const note = await picture(
  [{ text: 'Meeting moved to Thursday.', x: 20, y: 30, size: 14 }],
  240,
  60,
)
const { width, height, pixels } = note
const rows = [
  ['Name', 'Price'],
  ['Cup', '9'],
]
const csv = 'Name,Price\nCup,9\nMug,12\n'
const json = '{"name": "Cup", "prices": [9, 8]}'

/** A document of each format that has a parser. */
const DOCUMENTS: Readonly<Record<string, string | Uint8Array>> = {
  pdf: pdf([
    [{ text: 'Prices', x: 72, y: 72, size: 20 }],
    [{ text: 'All in euros.', x: 72, y: 72 }],
  ]),
  doc: doc({ paragraphs: [p('Prices', 1), p('All in euros.'), ...row('Cup', '9')] }),
  docx: await sample('udhr-zh.docx'),
  ppt: ppt({ slides: [{ shapes: [{ text: 'Prices', kind: 0, placeholder: 13 }] }] }),
  pptx: pptx([{ shapes: shape('Prices', 'title') + slideTable(rows), notes: 'Be brief.' }]),
  xls: xls([{ name: 'Prices', rows }]),
  xlsx: xlsx([{ name: 'Prices', rows }]),
  html: await sample('sqlite-when-to-use.html'),
  markdown: await sample('zhlint-zh.md'),
  epub: epub(['<h1>Prices</h1><p>All in euros.</p>']),
  odt: odt(`<text:p>All in euros.</text:p>${odtTable([odtCell('Cup') + odtCell('9')])}`),
  rtf: '{\\rtf1{\\outlinelevel0 Prices\\par}All in euros.\\par}',
  eml: 'Subject: Prices\nContent-Type: text/html\n\n<p>All in euros.<ul><li>Cup</ul>',
  csv,
  tsv: csv.replaceAll(',', '\t'),
  json,
  jsonl: `${json}\n${json}\n`,
  code: 'export function price(cup: Cup): number {\n  return cup.price\n}\n',
  rst: 'Prices\n======\n\nAll in euros.\n',
  tex: '\\section{Prices}\nAll in euros.\n',
  text: '价格以欧元计。\n\nAll in euros.\n',
  image: await sharp(pixels, { raw: { width, height, channels: 1 } })
    .png()
    .toBuffer(),
  msg: msg({ values: { 55: 'Prices', 4096: 'All in euros.' } }),
  tnef: tnef([0x8004, Buffer.from('Prices\0')], [0x800c, Buffer.from('All in euros.\0')]),
  passage: '{"text": "All in euros."}',
  asciidoc: '= Prices\n\nAll in euros.\n\n* Cup\n',
  cards: 'BEGIN:VCARD\nVERSION:4.0\nFN:Ada Cup\nEND:VCARD\n',
  ipynb: JSON.stringify({
    nbformat: 4,
    nbformat_minor: 5,
    metadata: {},
    cells: [{ cell_type: 'markdown', metadata: {}, source: ['# Prices'] }],
  }),
  mbox: 'From ada Sat Jan  3 01:05:34 2026\nSubject: Prices\n\nAll in euros.\n',
  odp: openDocument(
    'presentation',
    '<draw:page><draw:frame><draw:text-box><text:p>All in euros.</text:p></draw:text-box></draw:frame></draw:page>',
  ),
  ods: openDocument(
    'spreadsheet',
    `<table:table table:name="Prices">${odtRow(odtCell('Cup'), odtCell('9'))}</table:table>`,
  ),
  org: '* Prices\nAll in euros.\n',
  xml: '<prices><cup currency="EUR">9</cup></prices>',
  zip: zip({ 'prices.txt': 'All in euros.' }),
}

let folder: string
/** One process that reads one file after another, and two that read at the same time. */
const alone = new ParserProcesses({ processes: 1 })
const together = new ParserProcesses({ processes: 2 })

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'passim-same-'))
  for (const [name, content] of Object.entries(DOCUMENTS))
    await writeFile(path.join(folder, name), content)
  await writeFile(path.join(folder, 'scan'), scan([note], 2))
})
afterAll(async () => {
  await Promise.all([alone.close(), together.close(), rm(folder, { recursive: true })])
})

async function events(processes: ParserProcesses, parser: Parser, name: string, ocr: OcrOptions) {
  const all: ParserEvent[] = []
  const input = { path: path.join(folder, name), name, mediaType: parser.mediaTypes[0]!, ocr }
  for await (const event of processes.isolate(parser).parse(input)) all.push(event)
  return all
}

const OCR: OcrOptions = { mode: 'auto' }
const named = (id: string) => builtinParsers.find(parser => parser.id.startsWith(`${id}@`))!

test('a document of each format is read alike by any process, whatever that read before', async () => {
  expect(builtinParsers.map(({ id }) => id.split('@')[0]).toSorted()).toEqual(
    Object.keys(DOCUMENTS).toSorted(),
  )
  const read = (processes: ParserProcesses, name: string) =>
    events(processes, named(name), name, OCR)
  const first = new Map<string, readonly ParserEvent[]>()
  for (const name in DOCUMENTS) first.set(name, await read(alone, name))
  const names = Object.keys(DOCUMENTS).toReversed()
  const again = await Promise.all(
    names.map(async name => [name, await read(together, name)] as const),
  )
  for (const [name, found] of again) expect(found, name).toEqual(first.get(name))
})

test('so is a scan', async () => {
  const first = await events(alone, named('pdf'), 'scan', OCR)
  expect(first.some(event => event.type === 'block' && event.block.text.includes('Thursday'))).toBe(
    true,
  )
  const [left, right] = [1, 2].map(() => events(together, named('pdf'), 'scan', OCR))
  expect(await left).toEqual(first)
  expect(await right).toEqual(first)
})
