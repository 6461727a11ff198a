import { expect, test } from 'vitest'
import { pdfParser } from '../../../../../src/ingest/parse/parsers/pdf/pdf.ts'
import { type Parsed, parseBytes } from '../../../../fixtures/parsed.ts'
import { pdf } from '../../../../fixtures/pdf.ts'
import {
  FONT,
  type Objects,
  packed,
  shown,
  stream,
  unfinished,
} from '../../../../fixtures/unfinished-pdf.ts'

const page = (number: number) => [
  { text: `Page ${number} tells of the bridges of the province.`, x: 72, y: 100 },
]
const told = (number: number) => `Page ${number} tells of the bridges of the province.`

const textsOf = ({ blocks }: Parsed) => blocks.map(block => [block.page, block.text])
const messagesOf = ({ warnings }: Parsed) => warnings.map(warning => warning.message).join('\n')
const parse = (file: Buffer) => parseBytes(pdfParser, file)
const cutAfter = (file: Buffer, words: string) =>
  file.subarray(0, file.indexOf(words) + words.length)

test('the pages before the cut are read, and it is said how many there were', async () => {
  const parsed = await parse(cutAfter(pdf([1, 2, 3, 4, 5].map(page)), `${told(3)}) Tj`))
  expect(textsOf(parsed)).toEqual([
    [1, told(1)],
    [2, told(2)],
    [3, told(3)],
  ])
  expect(parsed.warnings[0]).toMatchObject({ code: 'corrupt' })
  expect(messagesOf(parsed)).toContain('Recovered: 2 pages (1–2), and parts of page 3; it had 5.')
})

test('a document that lost no more than its end is read without a word', async () => {
  const whole = pdf([page(1), page(2)])
  const parsed = await parse(whole.subarray(0, whole.indexOf('startxref')))
  expect(textsOf(parsed)).toEqual([
    [1, told(1)],
    [2, told(2)],
  ])
  expect(parsed.warnings).toEqual([])
})

test('pages whose list is behind the cut stand in the order of the file', async () => {
  const resources = '/Resources<</Font<</F1 9 0 R>>>>'
  const parsed = await parse(
    unfinished([
      [9, FONT],
      [5, shown('The first.')],
      [6, `<</Type/Page/Parent 2 0 R${resources}/Contents 5 0 R>>`],
      [3, shown('The second.')],
      [4, `<</Type/Page/Parent 2 0 R${resources}/Contents 3 0 R>>`],
    ]),
  )
  expect(textsOf(parsed)).toEqual([
    [1, 'The first.'],
    [2, 'The second.'],
  ])
  expect(messagesOf(parsed)).toContain('Recovered: 2 pages (1–2); how many it had is not known.')
})

test('pages of a list keep their numbers when one between them is missing, and one taken out stays out', async () => {
  const parsed = await parse(
    unfinished([
      [1, '<</Type/Pages/Count 3/Kids[4 0 R 5 0 R 6 0 R]/Resources<</Font<</F1 9 0 R>>>>>>'],
      [6, '<</Type/Page/Parent 1 0 R/Contents 7 0 R>>'],
      [7, shown('The third.')],
      [9, FONT],
      [4, '<</Type/Page/Parent 1 0 R/Contents 8 0 R>>'],
      [8, shown('The first.')],
      [10, '<</Type/Page/Parent 1 0 R/Contents 8 0 R>>'],
    ]),
  )
  expect(textsOf(parsed)).toEqual([
    [1, 'The first.'],
    [3, 'The third.'],
  ])
  expect(messagesOf(parsed)).toContain('Recovered: 2 pages (1, 3); it had 3.')
})

test('pages packed in a stream of objects are found', async () => {
  const parsed = await parse(
    unfinished([
      [5, shown('The first.')],
      [
        7,
        packed([
          [9, FONT],
          [6, '<</Type/Page/Parent 2 0 R/Resources<</Font<</F1 9 0 R>>>>/Contents 5 0 R>>'],
        ]),
      ],
    ]),
  )
  expect(textsOf(parsed)).toEqual([[1, 'The first.']])
})

const withoutFont = (text: string) =>
  unfinished([
    [5, shown(text)],
    [6, '<</Type/Page/Resources<</Font<</F1 9 0 R>>>>/Contents 5 0 R>>'],
  ])

test('text whose font is missing is kept where it reads as words, and called a guess', async () => {
  const parsed = await parse(
    withoutFont('The committee met on three days in the spring of that year.'),
  )
  expect(textsOf(parsed)).toEqual([
    [1, 'The committee met on three days in the spring of that year.'],
  ])
  expect(messagesOf(parsed)).toContain('1 page (1) is read without its fonts')
})

test('text whose font is missing is not taken for what it may not mean', async () => {
  const parsed = parse(
    withoutFont('I8 J EP X T d P Q L s K O hQB U Ii c 8J OEPXT dP Q L 7 E 6OJY d Pz k'),
  )
  await expect(parsed).rejects.toMatchObject({
    code: 'corrupt',
    message: expect.stringContaining('complete copy'),
  })
})

test('what holds no page stays corrupt', () =>
  expect(parse(unfinished([[5, shown('The first.')]]))).rejects.toMatchObject({
    code: 'corrupt',
    message: expect.stringContaining('no page of it could be found. Add a complete copy'),
  }))

const inOwnSigns = (font: Objects) =>
  unfinished([
    [9, FONT],
    ...font,
    [
      5,
      stream('BT /F1 10 Tf 72 700 Td (The angle is small.) Tj 0 -20 Td /F2 10 Tf (! = 3:14) Tj ET'),
    ],
    [6, '<</Type/Page/Parent 2 0 R/Resources<</Font<</F1 9 0 R/F2 11 0 R>>>>/Contents 5 0 R>>'],
    [2, '<</Type/Pages/Count 2/Kids[6 0 R 16 0 R]>>'],
  ])

const DESCRIPTOR = '<</Type/FontDescriptor/FontName/ABCDEF+CMMI10/Flags 4/FontFile 33 0 R>>'

test('text in a font whose program is missing is not read by the signs of another', async () => {
  const font =
    '<</Type/Font/Subtype/Type1/BaseFont/ABCDEF+CMMI10/FirstChar 0/LastChar 127/FontDescriptor 12 0 R>>'
  const parsed = await parse(
    inOwnSigns([
      [11, font],
      [12, DESCRIPTOR],
    ]),
  )
  expect(textsOf(parsed)).toEqual([[1, 'The angle is small.']])
  expect(messagesOf(parsed)).toContain('Some of the text on 1 page (1) is left out')
})

test('a font that says what it shows needs no program', async () => {
  const font =
    '<</Type/Font/Subtype/Type1/BaseFont/Times/Encoding/WinAnsiEncoding/FontDescriptor 12 0 R>>'
  const parsed = await parse(
    inOwnSigns([
      [11, font],
      [12, DESCRIPTOR],
    ]),
  )
  expect(textsOf(parsed)).toEqual([[1, 'The angle is small. ! = 3:14']])
  expect(messagesOf(parsed)).not.toContain('left out')
})

test('the name of a font may have the word stream in it', async () => {
  const font =
    '<</Type/Font/Subtype/Type0/BaseFont/BitstreamVera/Encoding/Identity-H/DescendantFonts[12 0 R]/ToUnicode 13 0 R>>'
  const parsed = await parse(
    inOwnSigns([
      [11, font],
      [12, '<</Type/Font/Subtype/CIDFontType2/BaseFont/BitstreamVera/DW 500>>'],
    ]),
  )
  expect(textsOf(parsed)).toEqual([[1, 'The angle is small.']])
  expect(messagesOf(parsed)).toContain('left out')
})

test('a page that lacks a drawing in a drawing is there in part', async () => {
  const drawing =
    '/Type/XObject/Subtype/Form/BBox[0 0 600 800]/Resources<</XObject<</Inner 40 0 R>>>>'
  const parsed = await parse(
    unfinished([
      [9, FONT],
      [5, stream('/Outer Do BT /F1 10 Tf 72 700 Td (The page says.) Tj ET')],
      [7, stream('/Inner Do', drawing)],
      [
        6,
        '<</Type/Page/Parent 2 0 R/Resources<</Font<</F1 9 0 R>>/XObject<</Outer 7 0 R>>>>/Contents 5 0 R>>',
      ],
      [2, '<</Type/Pages/Count 2/Kids[6 0 R 16 0 R]>>'],
    ]),
  )
  expect(messagesOf(parsed)).toContain('Recovered: 0 pages (none), and parts of page 1; it had 2.')
})

test('of a scan that is cut off it is told that OCR would read it', () =>
  expect(
    parse(
      unfinished([
        [5, stream('q 500 0 0 700 0 0 cm /Scan Do Q')],
        [
          7,
          stream(
            'x'.repeat(300),
            '/Subtype/Image/Width 10/Height 10/BitsPerComponent 8/ColorSpace/DeviceRGB',
          ),
        ],
        [
          6,
          '<</Type/Page/Parent 2 0 R/MediaBox[0 0 500 700]/Resources<</XObject<</Scan 7 0 R>>>>/Contents 5 0 R>>',
        ],
        [2, '<</Type/Pages/Count 2/Kids[6 0 R 16 0 R]>>'],
      ]),
    ),
  ).rejects.toMatchObject({
    code: 'no_text',
    message: expect.stringMatching(/cut off.*pictures are left of it\. OCR is off/),
  }))
