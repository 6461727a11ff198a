import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { docxParser } from '../../../../../src/ingest/parse/parsers/docx/docx.ts'
import { epubParser } from '../../../../../src/ingest/parse/parsers/epub.ts'
import { odtParser } from '../../../../../src/ingest/parse/parsers/odt/odt.ts'
import { pptxParser } from '../../../../../src/ingest/parse/parsers/pptx/pptx.ts'
import { docxParts, paragraph } from '../../../../fixtures/docx.ts'
import { OCR, picture } from '../../../../fixtures/drawn.ts'
import { epub } from '../../../../fixtures/epub.ts'
import { odt } from '../../../../fixtures/odt.ts'
import { relationships } from '../../../../fixtures/ooxml.ts'
import { outline, parseBytes } from '../../../../fixtures/parsed.ts'
import { pptxParts, shape } from '../../../../fixtures/pptx.ts'
import { zip } from '../../../../fixtures/zip.ts'

const { width, height, pixels } = await picture(
  [{ text: 'Meeting moved to Thursday.', x: 20, y: 30, size: 14 }],
  240,
  60,
)
const note = await sharp(pixels, { raw: { width, height, channels: 1 } })
  .png()
  .toBuffer()
const LONG = 'The minutes are below, with all that was said.'

/** A Word file with these paragraphs and then the picture, as Word writes it or as WPS and older programs do. */
function withPicture(text: string, drawing: string): Buffer {
  const parts = docxParts(paragraph(text) + drawing)
  const image = relationships(['i1', 'image', 'media/image1.png'])
  return zip({ ...parts, 'word/_rels/document.xml.rels': image, 'word/media/image1.png': note })
}

const DRAWN =
  '<w:p><w:r><w:drawing><a:blip xmlns:a="a" xmlns:r="r" r:embed="i1"/></w:drawing></w:r></w:p>'
const OLDER =
  '<w:p><w:r><w:pict><v:imagedata xmlns:v="v" xmlns:r="r" r:id="i1"/></w:pict></w:r></w:p>'
const read = (bytes: Buffer, ocr = OCR) => parseBytes(docxParser, bytes, { ocr })

describe('pictures in a Word file', () => {
  test('are read where there is almost no text', async () => {
    expect(outline((await read(withPicture('', DRAWN))).blocks)).toEqual([
      'paragraph: Meeting moved to Thursday.',
    ])
  })
  test('beside text are read when OCR is set to always', async () => {
    expect(outline((await read(withPicture(LONG, DRAWN))).blocks)).toEqual([`paragraph: ${LONG}`])
    const { blocks } = await read(withPicture(LONG, OLDER), { ...OCR, mode: 'always' })
    expect(blocks.map(block => block.text)).toEqual([LONG, 'Meeting moved to Thursday.'])
  })
  test('after the time for the pictures of a file are named', async () => {
    const parts = docxParts(DRAWN + DRAWN.replace('i1', 'i2'))
    const images = relationships(
      ['i1', 'image', 'media/image1.png'],
      ['i2', 'image', 'media/image2.png'],
    )
    const two = zip({
      ...parts,
      'word/_rels/document.xml.rels': images,
      'word/media/image1.png': note,
      'word/media/image2.png': note,
    })
    const { blocks, warnings } = await read(two, { ...OCR, pageTimeMs: 1 })
    expect(outline(blocks)).toEqual(['paragraph: Meeting moved to Thursday.'])
    expect(warnings).toEqual([
      {
        code: 'too_large',
        message: expect.stringContaining('other pictures were not read. The time'),
        advice: expect.stringContaining('ocr.pageTimeMs'),
      },
    ])
  })
  test('that are not read are told of', async () => {
    const off = { ...OCR, mode: 'off' } as const
    const { warnings } = await read(withPicture('Annex', DRAWN), off)
    expect(warnings).toEqual([
      {
        code: 'no_text',
        message: expect.stringContaining('OCR is off.'),
        advice: expect.stringContaining('--ocr auto'),
      },
    ])
    await expect(read(withPicture('', DRAWN), off)).rejects.toMatchObject({ code: 'no_text' })
  })
})

describe('a book of pictures', () => {
  const page = '<div><img src="../scans/page%201.png"/></div>'
  const drawing = '<svg><image xlink:href="../scans/page%201.png"/></svg>'
  const book = (...chapters: readonly string[]) => epub(chapters, '', { 'scans/page 1.png': note })

  test('is read, each picture once', async () => {
    const { blocks } = await parseBytes(epubParser, book(page, drawing), { ocr: OCR })
    expect(outline(blocks)).toEqual(['paragraph: Meeting moved to Thursday.'])
  })
  test('that has text is left at its text', async () => {
    const { blocks, warnings } = await parseBytes(epubParser, book(page, `<p>${LONG}</p>`), {
      ocr: OCR,
    })
    expect([outline(blocks), warnings]).toEqual([[`paragraph: ${LONG}`], []])
  })
  test('that shows nothing has no text', () =>
    expect(parseBytes(epubParser, epub(['<img src="gone.png"/>']), { ocr: OCR })).rejects.toThrow(
      'holds no text.',
    ))
})

test('an OpenDocument text of pictures is read, in a paragraph or beside it', async () => {
  const frame = '<draw:frame><draw:image xlink:href="Pictures/1.png"/></draw:frame>'
  for (const body of [frame, `<text:p>${frame}</text:p>`]) {
    const { blocks } = await parseBytes(odtParser, odt(body, '', { 'Pictures/1.png': note }), {
      ocr: OCR,
    })
    expect(outline(blocks)).toEqual(['paragraph: Meeting moved to Thursday.'])
  }
})

test('a slide that is a picture is read, and one that cannot be is named', async () => {
  const pic = (id: string) => `<p:pic><p:blipFill><a:blip r:embed="${id}"/></p:blipFill></p:pic>`
  const slides = ['good', 'torn'].map(name => ({
    shapes: pic('i1'),
    relations: [['i1', 'image', `../media/${name}.png`]] as const,
  }))
  const parts = pptxParts([{ shapes: shape(LONG, 'title') + pic('i1') }, ...slides])
  const bytes = zip({
    ...parts,
    'ppt/media/good.png': note,
    'ppt/media/torn.png': note.subarray(0, 99),
  })
  const { blocks, warnings } = await parseBytes(pptxParser, bytes, { ocr: OCR })
  expect(blocks.map(({ page, text }) => [page, text])).toEqual([
    [1, LONG],
    [2, 'Slide 2'],
    [2, 'Meeting moved to Thursday.'],
  ])
  expect(warnings[0]).toMatchObject({
    code: 'corrupt',
    page: 3,
    message: expect.stringContaining('Slide 3'),
  })
})
