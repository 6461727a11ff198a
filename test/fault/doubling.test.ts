import { afterAll, beforeAll, expect, test } from 'vitest'
import { relateAnswer } from '../../src/answer/citations/attribution.ts'
import type { Passim } from '../../src/app/passim.ts'
import { AppError } from '../../src/errors.ts'
import type { Parser } from '../../src/ingest/parse/parser.ts'
import { builtinParsers } from '../../src/ingest/parse/parsers/index.ts'
import { Terms } from '../../src/text/terms.ts'
import { Sandbox } from '../fakes/store.ts'
import { doc, p } from '../fixtures/doc.ts'
import { docx, paragraph } from '../fixtures/docx.ts'
import { epub } from '../fixtures/epub.ts'
import { msg } from '../fixtures/msg.ts'
import { odt, odtCell, odtRow, openDocument } from '../fixtures/odt.ts'
import { parseBytes } from '../fixtures/parsed.ts'
import { pdf } from '../fixtures/pdf.ts'
import { ppt } from '../fixtures/ppt.ts'
import { pptx, shape } from '../fixtures/pptx.ts'
import { tnef } from '../fixtures/tnef.ts'
import { xls } from '../fixtures/xls.ts'
import { xlsx } from '../fixtures/xlsx.ts'
import { zip } from '../fixtures/zip.ts'

/** Twice the text may take so much more CPU: four times would be quadratic. */
const MAX_RATIO = 2.6
/** Less CPU than this is not told from noise, so the text is doubled again. */
const MIN_CPU_MS = 100
const MAX_CHARS = 1_000_000
/** Other work on the machine moves a measure up only, so that the best of a few counts. */
const TRIES = 4

async function measureCpuMs(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

/** Returns the least ratio of CPU for twice the text; 0 if even the longest text takes next to none. */
async function measureRatio(
  read: (chars: number) => Promise<unknown>,
  chars: number,
  maxChars: number,
): Promise<number> {
  await read(1_000) // loads what it needs
  let size = chars
  let single = await measureCpuMs(() => read(size))
  while (single < MIN_CPU_MS && 4 * size <= maxChars) {
    size *= 2
    single = await measureCpuMs(() => read(size))
  }
  let least = Number.POSITIVE_INFINITY
  for (let attempt = 0; attempt < TRIES && least >= MAX_RATIO; attempt++) {
    const double = await measureCpuMs(() => read(2 * size))
    if (double < MIN_CPU_MS) return 0
    least = Math.min(least, double / single)
    single = Math.max(single, await measureCpuMs(() => read(size)))
  }
  return least
}

const repeat = (unit: string, chars: number) => unit.repeat(Math.ceil(chars / unit.length))

/** Texts that readers of words, of markup and of lines find hard. */
const UNITS = [
  'The rent is 950 euros. ',
  'a',
  '_a',
  '[a](',
  '"a ',
  '{a ',
  '第一条 ',
  '- a\n',
  '<a ',
  '\\a',
] as const

const count = (length: number) => Array.from({ length }, (_, index) => index)

/** Texts without a repeated word, because readers remember words. */
const DISTINCT: Readonly<Record<string, (chars: number) => string>> = {
  'distinct words': chars =>
    count(chars / 6)
      .map(index => index.toString(36).padStart(4, 'q'))
      .join(', '),
  'distinct characters': chars =>
    count(chars)
      .map(index => String.fromCodePoint(0x4e00 + ((index * 7919) % 20_000)))
      .join(''),
}

/** Number of the attribute for a plain body ([MS-OXTNEF] 2.1.3). */
const TNEF_BODY = 0x800c

type Form = (text: string) => string | Uint8Array

const FORMS: Readonly<Record<string, Form>> = {
  text: text => text,
  markdown: text => text,
  html: text => `<p>${text}`,
  docx: text => docx(paragraph(escapeXml(text))),
  doc: text => doc({ paragraphs: [p(text.replaceAll('\n', ' '))] }),
  pptx: text => pptx([{ shapes: shape(escapeXml(text)) }]),
  xlsx: text => xlsx([{ rows: splitCells(text).map(cell => [escapeXml(cell)]) }]),
  odt: text => odt(`<text:p>${escapeXml(text)}</text:p>`),
  ods: text =>
    openDocument(
      'spreadsheet',
      `<table:table table:name="a">${splitCells(text)
        .map(cell => odtRow(odtCell(escapeXml(cell))))
        .join('')}</table:table>`,
    ),
  odp: text => {
    const words = `<text:p>${escapeXml(text)}</text:p>`
    return openDocument(
      'presentation',
      `<draw:page><draw:frame><draw:text-box>${words}</draw:text-box></draw:frame></draw:page>`,
    )
  },
  ppt: text => ppt({ slides: [{ shapes: [{ text }] }] }),
  xls: text => xls([{ name: 'a', rows: splitCells(text).map(cell => [cell]) }]),
  tnef: text => tnef([TNEF_BODY, Buffer.from(text)]),
  rtf: text => `{\\rtf1 ${text}}`,
  eml: text =>
    `From: a@example.org\nSubject: ${text.slice(0, 1_000).replaceAll('\n', ' ')}\n\n${text}`,
  mbox: text => `From a@example.org Mon Jan  1 00:00:00 2024\nSubject: a\n\n${text}`,
  msg: text => msg({ values: { 55: 'a', 4096: text } }),
  json: text => JSON.stringify({ a: text }),
  jsonl: text => JSON.stringify({ a: text }),
  csv: text => text,
  tsv: text => text,
  xml: text => `<a>${escapeXml(text)}</a>`,
  epub: text => epub([`<p>${escapeXml(text)}</p>`]),
  ipynb: text =>
    JSON.stringify({ cells: [{ cell_type: 'markdown', source: text }], metadata: {}, nbformat: 4 }),
  zip: text => zip({ 'a.txt': text }),
  tex: text => text,
  rst: text => text,
  org: text => text,
  asciidoc: text => text,
  cards: text =>
    `BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nSUMMARY:${text.replaceAll('\n', ' ')}\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n`,
  code: text => text,
  pdf: text =>
    pdf(splitCells(text).map(cell => [{ text: cell.replace(/[^ -~]/g, 'x'), x: 72, y: 72 }])),
}

function splitCells(text: string): readonly string[] {
  return text.match(/[\s\S]{1,1000}/g) ?? []
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}

let sandbox: Sandbox
let passim: Passim

beforeAll(async () => {
  sandbox = await Sandbox.make()
  passim = await sandbox.open()
  await passim.index([await sandbox.write({ 'lease.md': 'The rent is 950 euros.' })])
})
afterAll(() => sandbox.remove())

/** Returns the texts whose doubling takes more. */
async function listSteep(
  read: (text: string) => Promise<unknown>,
  chars: number,
  maxChars: number,
) {
  const steep: string[] = []
  const repeated = UNITS.map(unit => [unit, (size: number) => repeat(unit, size)] as const)
  for (const [name, write] of [...repeated, ...Object.entries(DISTINCT)]) {
    const ratio = await measureRatio(size => read(write(size)), chars, maxChars)
    if (ratio >= MAX_RATIO) steep.push(`${name}: ${ratio}`)
  }
  return steep
}

/** Files may be refused, as soon as one likes. */
async function parse(parser: Parser, content: string | Uint8Array): Promise<void> {
  await parseBytes(parser, content).catch(ignoreRefusal)
}

function ignoreRefusal(error: unknown): void {
  if (!(error instanceof AppError)) throw error
}

test.each(Object.keys(FORMS))(
  '%s is parsed in time proportional to its text',
  { timeout: 600_000 },
  async form => {
    const parser = builtinParsers.find(({ id }) => id.startsWith(`${form}@`))
    const write = FORMS[form]
    if (!parser || !write) throw new Error(`There is no parser ${form}.`)
    expect(await listSteep(text => parse(parser, write(text)), 32_000, MAX_CHARS / 4)).toEqual([])
  },
)

test('a formula of many fractions is written in time proportional to them', {
  timeout: 600_000,
}, async () => {
  const parser = builtinParsers.find(({ id }) => id.startsWith('docx@'))!
  const field = (text: string) =>
    `<w:p><w:fldSimple w:instr="EQ ${text}"><w:r><w:t></w:t></w:r></w:fldSimple></w:p>`
  const read = (chars: number) => parse(parser, docx(field(repeat('\\f(1,2)', chars))))
  expect(await measureRatio(read, MAX_CHARS / 4, MAX_CHARS)).toBeLessThan(MAX_RATIO)
})

test('every parser that reads text is among them', () => {
  const ids = builtinParsers.map(({ id }) => id.replace(/@.*/, ''))
  expect(ids.filter(id => !(id in FORMS)).toSorted()).toEqual(['image', 'passage'])
})

/** A pasted page; a longer one is cut by what a model reads. */
const MAX_QUERY_CHARS = 20_000

const SEARCHES: Readonly<Record<string, (query: string) => Promise<unknown>>> = {
  keyword: query => passim.search({ query, mode: 'keyword', limit: 5 }),
  hybrid: query => passim.search({ query, limit: 5 }),
  'quoted words': query => passim.search({ query: `"${query}"`, mode: 'keyword', limit: 5 }),
  filter: filter => passim.search({ query: 'rent', filter: `name = "${filter}"`, limit: 5 }),
  quotation: text => passim.find({ text }),
}

test.each(Object.entries(SEARCHES))(
  'a search by %s takes time proportional to its length',
  {
    timeout: 600_000,
  },
  async (_, search) => {
    const searchOrRefuse = (query: string) => search(query).catch(ignoreRefusal)
    expect(await listSteep(searchOrRefuse, 5_000, MAX_QUERY_CHARS)).toEqual([])
  },
)

test('a question is answered in time proportional to its length', {
  timeout: 600_000,
}, async () => {
  const ask = (question: string) => passim.ask({ question }).result
  expect(await listSteep(ask, 4_000, MAX_QUERY_CHARS)).toEqual([])
})

test('claims are checked in time proportional to the answer', { timeout: 600_000 }, async () => {
  const terms = new Terms()
  const text = 'The rent is 950 euros. The notice period is three months.'
  const place = {
    documentId: 'd',
    source: '/d',
    name: 'd.md',
    title: '',
    headings: [],
    context: '',
  }
  const passage = { id: 1, ...place, charStart: 0, charEnd: text.length, text, parts: [] }
  const check = (answer: string) => relateAnswer(answer, { terms, passages: [passage] })
  expect(await listSteep(check, 8_000, 64_000)).toEqual([])
})
