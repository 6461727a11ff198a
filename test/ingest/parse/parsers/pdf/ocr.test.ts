import { describe, expect, test } from 'vitest'
import { PpOcr } from '../../../../../src/ingest/parse/ocr/pp-ocr.ts'
import { rotateRaster, turnRaster } from '../../../../../src/ingest/parse/ocr/raster.ts'
import { layOutOcrPage } from '../../../../../src/ingest/parse/parsers/ocr-page.ts'
import {
  buildOcrReport,
  buildOcrWarnings,
} from '../../../../../src/ingest/parse/parsers/pdf/ocr.ts'
import { pdfParser } from '../../../../../src/ingest/parse/parsers/pdf/pdf.ts'
import { chinesePicture, OCR, picture } from '../../../../fixtures/drawn.ts'
import { outline, parseBytes } from '../../../../fixtures/parsed.ts'
import { pdf, scan, tiledScan } from '../../../../fixtures/pdf.ts'

const LINES = [
  { text: 'The quick brown fox jumps over the lazy dog and', x: 40, y: 50, size: 12 },
  { text: 'runs away before anybody notices what happened.', x: 40, y: 66, size: 12 },
]
const SAYS =
  'paragraph: The quick brown fox jumps over the lazy dog and runs away before anybody notices what happened.'
const letter = await picture(LINES)
const blank = { ...letter, pixels: new Uint8Array(letter.pixels.length).fill(255) }
const text = (bytes: Buffer, ocr = OCR) => parseBytes(pdfParser, bytes, { ocr })

describe('a scanned page', () => {
  test('is read, each line with its box, and the same in every run', async () => {
    const first = await text(scan([letter], 2))
    expect(outline(first.blocks)).toEqual([SAYS])
    expect(first.pages[0]).toMatchObject({ page: 1, characters: 79, ocr: { engine: 'pp-ocr' } })
    const [, second] = first.blocks[0]!.lines!
    const scale = letter.width / 400 / 2
    expect(first.blocks[0]!.text.slice(second!.start, second!.end)).toBe(LINES[1]!.text)
    expect(second!.box[0] / scale).toBeCloseTo(40, -1)
    expect(second!.box[3] / scale).toBeCloseTo(68, -1)
    expect(await text(scan([letter], 2))).toEqual(first)
  })
  test('is turned when it stands on its head or lies on its side, and its boxes turned back', async () => {
    const pages = [1, 2, 3].map(quarters => turnRaster(letter, quarters))
    const { blocks } = await text(scan(pages, 2))
    expect(outline(blocks).map(line => line.replace(/\.$/, ''))).toEqual(
      Array(3).fill(SAYS.slice(0, -1)),
    )
    const [left, , right] = blocks[1]!.box!
    const width = letter.width / 2
    expect(width - right).toBeCloseTo((40 * width) / 400, -1)
    expect(left).toBeGreaterThan(0)
  })
  test('that leans is made level', async () => {
    expect(outline((await text(scan([rotateRaster(letter, -0.05)], 2))).blocks)).toEqual([SAYS])
  })
  test('is read whole when its picture is cut into strips, tiles, specks or rows, however they are placed', async () => {
    const placings = ['saved', 'unsaved', 'marked', 'clipped', 'inForms'] as const
    const cuts = placings.map(placing => ({ tile: [64, 64] as const, placing }))
    const pages = tiledScan(letter, 2, [
      ...cuts,
      { tile: [letter.width, letter.height], placing: 'asPatterns' },
      { tile: [14, 14], placing: 'saved' },
      { tile: [letter.width, 1], placing: 'unsaved' },
    ])
    expect(outline((await text(pages)).blocks)).toEqual(Array(8).fill(SAYS))
  })
  test('in Chinese has no blanks between its characters', async () => {
    const { blocks } = await text(scan([await chinesePicture(10)], 2))
    const all = blocks.map(block => block.text).join('\n')
    expect(all).toContain('预备知识')
    expect(all).toContain('开发者参考')
  })
  test('has no blanks inside numbers, and a single digit is no turned letter', async () => {
    const items = [
      { text: 'Ferries leave from 7:15 to 11:10 for 14 crowns, and', x: 20, y: 50, size: 11 },
      { text: 'from 9:12 to 16:00 for 11 crowns; 1,141 in 2011.', x: 20, y: 66, size: 11 },
      { text: '7', x: 340, y: 50, size: 14 },
    ]
    const { blocks } = await text(scan([await picture(items)], 2))
    const all = blocks.map(block => block.text).join(' ')
    expect(all).toContain('from 7:15 to 11:10 for 14 crowns, and')
    expect(all).toContain('from 9:12 to 16:00 for 11 crowns; 1,141 in 2011.')
    expect(all.match(/\b\w\b/g)).toContain('7')
  })
  test('keeps the rows and columns of a table that is drawn', async () => {
    const cell = (text: string, column: number, row: number) => ({
      text,
      x: 50 + 110 * column,
      y: 60 + 30 * row,
      size: 12,
    })
    const across = [0, 1, 2, 3].map(
      row => ({ from: [40, 40 + 30 * row], to: [370, 40 + 30 * row] }) as const,
    )
    const down = [0, 1, 2, 3].map(
      column => ({ from: [40 + 110 * column, 40], to: [40 + 110 * column, 130] }) as const,
    )
    const rows = [
      ['City', 'Rooms', 'Price'],
      ['Hamburg', '312', '95 euros'],
      ['Shanghai', '1480', '120 euros'],
    ]
    const table = await picture([
      ...across,
      ...down,
      ...rows.flatMap((row, y) => row.map((text, x) => cell(text, x, y))),
    ])
    const { blocks } = await text(scan([table], 2))
    expect(blocks.map(block => block.rows)).toEqual([rows])
  })
})

describe('what is left unread is named', () => {
  test('a document of pictures, when OCR is off', async () => {
    await expect(text(scan([letter]), { ...OCR, mode: 'off' })).rejects.toMatchObject({
      code: 'no_text',
      advice: expect.stringContaining('--ocr auto'),
    })
  })
  test('the part of a picture that gave no characters', async () => {
    const reader = await PpOcr.open()
    const regions = await reader.detect(letter)
    const strange = regions.map(region => ({ ...region, y: region.y + 200 })) // holds no letters
    const known = await reader.readRegions(letter, regions)
    const partly = await reader.readRegions(letter, [...regions, ...strange])
    await reader.close()
    expect([known.unreadShare, partly.unreadShare]).toEqual([0, 0.5])
    const turn = { quarters: 0, lean: 0 }
    const warn = (read: typeof known) => {
      const reading = { ...letter, ...read, rules: [], turn, confidence: 0.99 }
      const content = { ...layOutOcrPage(7, reading, letter), ocr: buildOcrReport(reading) }
      return [...buildOcrWarnings(content, undefined)]
    }
    expect(warn(known)).toEqual([])
    expect(warn(partly)).toEqual([
      {
        code: 'low_confidence',
        message:
          'About 50 % of the text in the picture on page 7 could not be read by OCR: compare it with the original.',
        page: 7,
      },
    ])
  })
  test('pages after the time for the pictures of a file, beside text too', async () => {
    const hurried = { ...OCR, pageTimeMs: 1 }
    const { warnings, blocks } = await text(scan([letter, turnRaster(letter, 1)], 2), hurried)
    expect(outline(blocks)).toEqual([SAYS])
    expect(warnings).toEqual([
      {
        code: 'no_text',
        page: 2,
        message: expect.stringMatching(/^Page 2 is a picture without text\. The time .* used up\./),
        advice: expect.stringContaining('ocr.pageTimeMs'),
      },
    ])
    const printed = { text: 'This line is printed as text beside the picture.', x: 40, y: 120 }
    const beside = scan([letter, letter], 2, [[], [printed]])
    expect((await text(beside, { ...hurried, mode: 'always' })).warnings).toEqual([
      {
        code: 'too_large',
        page: 2,
        message: expect.stringMatching(/^The picture on page 2 was not read\. The time/),
        advice: expect.stringContaining('ocr.pageTimeMs'),
      },
    ])
  })
  test('a page whose letters are mapped wrongly is read from its picture, and says so', async () => {
    const shift = (line: string) =>
      line.replace(/[a-z]/g, letter => String.fromCharCode(((letter.charCodeAt(0) - 95) % 26) + 97))
    const words = 'every boat that enters the outer basin must report before it passes'
    const wrong = Array.from({ length: 5 }, (_, row) => {
      return { text: shift(words), x: 40, y: 120 + row * 14 }
    })
    const { warnings, pages } = await text(pdf([wrong]))
    expect(pages[0]).toMatchObject({ page: 1, ocr: { engine: 'pp-ocr' } })
    expect(warnings).toMatchObject([
      { code: 'garbled', page: 1, message: expect.stringContaining('OCR read the page instead') },
    ])
  })
  test('a picture in which nothing is found', async () => {
    const { warnings, blocks } = await text(scan([letter, blank], 2))
    expect(outline(blocks)).toEqual([SAYS])
    expect(warnings).toEqual([
      { code: 'no_text', message: 'OCR found no text in the picture on page 2.', page: 2 },
    ])
    await expect(text(scan([blank]))).rejects.toMatchObject({
      code: 'no_text',
      message: expect.stringContaining('OCR found'),
    })
  })
})

describe('a page with text of its own', () => {
  const printed = [
    { text: 'This line is printed as text, and needs no eyes at all.', x: 40, y: 120 },
  ]
  test('is left alone, picture or not', async () => {
    const { pages, blocks } = await text(scan([letter], 2, [printed]))
    expect(pages[0]!.ocr).toBeUndefined()
    expect(outline(blocks)).toEqual([
      'paragraph: This line is printed as text, and needs no eyes at all.',
    ])
    expect((await text(pdf([printed]))).pages[0]!.ocr).toBeUndefined()
  })
  test('is read beside its pictures when OCR is set to always, nothing twice', async () => {
    const { blocks } = await text(scan([letter], 2, [printed]), { ...OCR, mode: 'always' })
    const all = blocks.map(block => block.text).join(' ')
    expect(all).toContain('brown fox')
    expect(all.match(/printed as text/g)).toHaveLength(1)
  })
  test('in the middle of a scan is read as it is', async () => {
    const { pages } = await text(scan([letter, blank], 2, [[], printed]))
    expect(pages.map(page => page.ocr?.engine)).toEqual(['pp-ocr', undefined])
  })
})
