import { deflateSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { pdfParser } from '../../../../../../src/ingest/parse/parsers/pdf/pdf.ts'
import { parseBytes } from '../../../../../fixtures/parsed.ts'
import {
  FONT,
  type Objects,
  shown,
  stream,
  unfinished,
} from '../../../../../fixtures/unfinished-pdf.ts'

const PAGE = '<</Type/Page/Parent 2 0 R/Resources<</Font<</F1 9 0 R>>>>/Contents 5 0 R>>'
const LIST = '<</Type/Pages/Count 2/Kids[6 0 R 16 0 R]>>'
const OUTER: Objects = [
  [9, FONT],
  [5, shown('The outer page says this.')],
  [6, PAGE],
  [2, LIST],
]

const parse = (file: Buffer) => parseBytes(pdfParser, file)
const check = async (objects: Objects, expected: readonly (readonly [number, string])[]) => {
  const { blocks } = await parse(unfinished(objects))
  expect(blocks.map(block => [block.page, block.text])).toEqual(expected)
}

const attached = `${unfinished([
  [9, FONT],
  [5, shown('The attached page says that.')],
  [6, PAGE],
])}trailer\n%%EOF\n`

test('the objects of an attached PDF are not those of the document', () =>
  check(
    [...OUTER, [30, stream(attached, '/Type/EmbeddedFile')]],
    [[1, 'The outer page says this.']],
  ))

test('nor are they where the length of the attachment is told elsewhere', () =>
  check(
    [...OUTER, [30, stream(attached).replace(/Length \d+/, 'Length 31 0 R')]],
    [[1, 'The outer page says this.']],
  ))

test('nor where the document is cut off inside the attachment', async () => {
  const whole = unfinished([...OUTER, [30, stream(attached)]])
  const { blocks } = await parse(whole.subarray(0, whole.lastIndexOf('trailer')))
  expect(blocks.map(block => block.text)).toEqual(['The outer page says this.'])
})

test('a stream ends at its word where its length is wrong', () =>
  check(
    [
      ...OUTER.slice(0, 1),
      [5, shown('The page.').replace(/Length \d+/, 'Length 7')],
      ...OUTER.slice(2),
    ],
    [[1, 'The page.']],
  ))

test('a name with stream in it begins no stream', () =>
  check(
    [
      ...OUTER.slice(0, 2),
      [6, PAGE.replace('/Resources<<', '/Resources<</ProcSet[/Bitstream]')],
      [2, LIST],
    ],
    [[1, 'The outer page says this.']],
  ))

test('objects in a stream that are said to lie in each other are taken one after the other', async () => {
  const places = Array.from(
    { length: 4000 },
    (_, index) => `${index + 100} ${index % 2 ? 4_000_000 : 0}`,
  ).join(' ')
  const content = deflateSync(`${places} ${'x'.repeat(4_000_000)}`)
  const entries = `/Type/ObjStm/N 4000/First ${places.length + 1}/Filter/FlateDecode`
  await check([...OUTER, [30, stream(content, entries)]], [[1, 'The outer page says this.']])
})

test('digits and brackets without end are no references', async () => {
  const digits = `[${'1'.repeat(100_000)}]`
  const parsed = parse(
    unfinished([
      [5, digits],
      [6, PAGE],
      [2, `<</Type/Pages ${'/Kids['.repeat(20_000)}>>`],
    ]),
  )
  await expect(parsed).rejects.toMatchObject({ code: 'corrupt' })
})
