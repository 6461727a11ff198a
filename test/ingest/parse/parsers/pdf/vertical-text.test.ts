import { expect, test } from 'vitest'
import { joinTurnedItems } from '../../../../../src/ingest/parse/parsers/pdf/layout/turned-lines.ts'
import { pdfParser } from '../../../../../src/ingest/parse/parsers/pdf/pdf.ts'
import { outline, parseBytes } from '../../../../fixtures/parsed.ts'
import { type PdfText, pdf } from '../../../../fixtures/pdf.ts'

const COLUMNS = ['寺在山之南建于唐门前有松', '百株皆数百年物僧云此松开', '山祖师手植。']
const TEXT = `paragraph: ${COLUMNS.join('')}`

const toHex = (text: string) =>
  [...text].map(character => character.charCodeAt(0).toString(16).padStart(4, '0')).join('')

/** A page in a Chinese font that stands for itself, written downwards (V) or level (H). */
function chinese(encoding: 'H' | 'V', drawn: string): Buffer {
  const descriptor =
    '<</Type/FontDescriptor/FontName/STSong-Light/Flags 6/Ascent 752/Descent -271/CapHeight 737/ItalicAngle 0/StemV 58/FontBBox[-25 -254 1000 880]>>'
  const descendant = `<</Type/Font/Subtype/CIDFontType0/BaseFont/STSong-Light/CIDSystemInfo<</Registry(Adobe)/Ordering(GB1)/Supplement 4>>/FontDescriptor ${descriptor}/DW 1000>>`
  const objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Resources<</Font<</F 4 0 R>>>>/Contents 5 0 R>>',
    `<</Type/Font/Subtype/Type0/BaseFont/STSong-Light/Encoding/UniGB-UCS2-${encoding}/DescendantFonts[${descendant}]>>`,
    `<</Length ${drawn.length}>>\nstream\n${drawn}\nendstream`,
  ]
  let file = '%PDF-1.4\n'
  const offsets = objects.map((object, index) => {
    const offset = file.length
    file += `${index + 1} 0 obj\n${object}\nendobj\n`
    return `${String(offset).padStart(10, '0')} 00000 n \n`
  })
  const xref = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${offsets.join('')}`
  const trailer = `trailer<</Size ${objects.length + 1}/Root 1 0 R>>\nstartxref\n${file.length}\n%%EOF`
  return Buffer.from(file + xref + trailer, 'latin1')
}

const show = (text: string, x: number, y: number) =>
  `BT /F 16 Tf 1 0 0 1 ${x} ${y} Tm <${toHex(text)}> Tj ET`

async function read(file: Buffer) {
  const { blocks } = await parseBytes(pdfParser, file)
  return { texts: outline(blocks), box: blocks[0]?.box }
}

test('lines that run downwards are read from right to left, by writing mode or by place', async () => {
  const written = COLUMNS.map((column, index) => show(column, 450 - index * 28, 700))
  const placed = COLUMNS.flatMap((column, index) =>
    [...column.replaceAll('。', '︒')].map((character, row) =>
      show(character, 442 - index * 28, 686 - row * 16),
    ),
  )
  const mode = await read(chinese('V', written.join('\n')))
  expect(mode.texts).toEqual([TEXT])
  expect((await read(chinese('H', placed.join('\n')))).texts).toEqual([TEXT])
  expect(mode.box?.map(value => Math.round(value))).toEqual([386, 92, 458, 284])
})

test('a few lines that run downwards stay whole', async () => {
  const lines = [show('寺在山之', 100, 700), show('百株皆数', 60, 700)]
  const down = await read(chinese('V', lines.join('\n')))
  expect(down.texts).toEqual(['paragraph: 寺在山之', 'paragraph: 百株皆数'])
})

test('the pieces of a line that is not level are joined', async () => {
  const [cos, sin] = [Math.cos(Math.PI / 6), Math.sin(Math.PI / 6)]
  const place = (text: string, along: number, size: number): PdfText => {
    return { text, x: 100 + along * cos, y: 500 - along * sin, size, turn: 30 }
  }
  // Helvetica's widths: "Jan" is 1.612 em, "uary" 2.001 em, a blank .278 em
  const pieces = [place('Jan', 0, 10), place('uary', 16.12, 10), place('2026', 38.9, 12)]
  const other = place('March 2026', 120, 10)
  const lines = [{ text: 'Downloads of each month', x: 72, y: 80 }, ...pieces, other]
  expect(outline((await parseBytes(pdfParser, pdf([lines]))).blocks).slice(1)).toEqual([
    'paragraph: January 2026',
    'paragraph: March 2026',
  ])
})

test('pieces that only part level lines stay', () => {
  const toItem = (str: string, x: number, hasEOL = false) => {
    const place = { width: 90, height: 40, transform: [40, 0, 0, 40, x, 700] }
    return { str, dir: 'ltr', fontName: 'F', hasEOL, ...place }
  }
  const items = [toItem('YOUR', 72), toItem('', 164, true), toItem('One-Stop', 164)]
  expect(joinTurnedItems(items, () => false)).toEqual(items)
})
