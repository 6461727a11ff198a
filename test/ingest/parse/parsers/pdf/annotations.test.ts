import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { deflateSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { namesAnnotations } from '../../../../../src/ingest/parse/parsers/pdf/annotation-bytes.ts'
import { pdfParser } from '../../../../../src/ingest/parse/parsers/pdf/pdf.ts'
import { outline, parseBytes, withFile } from '../../../../fixtures/parsed.ts'
import { pdf } from '../../../../fixtures/pdf.ts'

const PAGE = [{ text: 'Invoice 12 of the harbour office', x: 72, y: 100 }]

/** Objects after those of a document with one page, the first with this number. */
const FIRST_OBJECT = 11

const ATTACHED = [
  `<</Type/Filespec/F(figures.csv)/EF<</F ${FIRST_OBJECT + 1} 0 R>>>>`,
  '<</Type/EmbeddedFile/Length 8>>\nstream\na,b\n1,2\n\nendstream',
]

async function outlineOf(file: Buffer) {
  return outline((await parseBytes(pdfParser, file)).blocks)
}

describe('remarks', () => {
  test('follow the text of their page with their authors', async () => {
    const note =
      '<</Type/Annot/Subtype/Text/Contents(Ask Per about this.)/T(Anna)/Rect[300 600 320 620]>>'
    const marked =
      '<</Type/Annot/Subtype/Highlight/Contents(It was paid.)/Rect[72 680 200 700]/QuadPoints[72 700 200 700 72 680 200 680]>>'
    expect(await outlineOf(pdf([PAGE], '', '', [note, marked]))).toEqual([
      'paragraph: Invoice 12 of the harbour office',
      'paragraph: Comment by Anna: Ask Per about this.',
      'paragraph: Comment: It was paid.',
    ])
  })

  test('that are hidden, and pages that only mark a line, add nothing', async () => {
    const hidden = '<</Type/Annot/Subtype/Text/F 2/Contents(Not for you.)/Rect[300 600 320 620]>>'
    const mark = '<</Type/Annot/Subtype/Highlight/Rect[72 680 200 700]>>'
    expect(await outlineOf(pdf([PAGE], '', '', [hidden, mark]))).toEqual([
      'paragraph: Invoice 12 of the harbour office',
    ])
  })
})

describe('annotations in the bytes of a file', () => {
  const compress = (objects: string, extra = '') =>
    Buffer.concat([
      Buffer.from(`1 0 obj<</Type/ObjStm/Filter/FlateDecode${extra}>>stream\n`),
      deflateSync(objects),
      Buffer.from('\nendstream'),
    ])

  test('are found in object streams', () => {
    expect(namesAnnotations(compress('<</Type/Annot/Subtype/FreeText/Contents(Paid)>>'))).toBe(true)
    expect(namesAnnotations(compress('<</Type/Annot/Subtype/Link/URI(x)>>'))).toBe(false)
  })

  test('are taken for possible if an object stream cannot be looked into', () => {
    expect(namesAnnotations(compress('<<>>', '/Encrypt 5 0 R'))).toBe(true)
    expect(namesAnnotations(Buffer.from('<</Type/ObjStm>>stream\nnot deflated\nendstream'))).toBe(
      true,
    )
  })
})

describe('attachments', () => {
  const catalog = `/Names<</EmbeddedFiles<</Names[(figures.csv) ${FIRST_OBJECT} 0 R]>>>>`

  test('are named after the text', async () => {
    expect(await outlineOf(pdf([PAGE], '', catalog, ATTACHED))).toEqual([
      'paragraph: Invoice 12 of the harbour office',
      'list: figures.csv',
    ])
  })

  test('are written to the folder for attachments', () =>
    withFile(pdf([PAGE], '', catalog, ATTACHED), 'a.pdf', async file => {
      const attachmentsFolder = path.join(path.dirname(file), 'attached')
      const input = { path: file, name: 'a.pdf', mediaType: 'application/pdf', attachmentsFolder }
      const attachments = []
      for await (const event of pdfParser.parse(input))
        if (event.type === 'attachment') attachments.push(event.attachment)
      expect(attachments).toEqual([{ name: 'figures.csv', file: '1' }])
      expect(await readFile(path.join(attachmentsFolder, '1'), 'latin1')).toBe('a,b\n1,2\n')
    }))

  test('of a portfolio without pages of text are enough to read it', async () => {
    expect(await outlineOf(pdf([[]], '', catalog, ATTACHED))).toEqual(['list: figures.csv'])
  })
})

test('An XFA form has a warning that its fields were left out', async () => {
  const form = `/AcroForm<</Fields[]/XFA ${FIRST_OBJECT} 0 R>>`
  const xfa = '<</Length 12>>\nstream\n<xdp></xdp> \nendstream'
  const { warnings } = await parseBytes(pdfParser, pdf([PAGE], '', form, [xfa]))
  expect(warnings).toMatchObject([{ code: 'left_out', message: expect.stringContaining('XFA') }])
})
