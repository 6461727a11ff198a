/** Words at a place of a page of 612 x 792 points, `x` and `y` of its lower left; `turn` in degrees, against the clock. */
export type DrawnText = {
  readonly text: string
  readonly x: number
  readonly y: number
  readonly size?: number
  readonly turn?: 0 | 90 | 180 | 270
}

export type DrawnLine = {
  readonly from: readonly [number, number]
  readonly to: readonly [number, number]
}

type DrawnPage = readonly (DrawnText | DrawnLine)[]

/** Characters of 1 em; all others are taken for half as wide. */
const WIDE = /[\u2e80-\u9fff\uff00-\uffef\u3000-\u303f—…“”‘’]/u

/** About how wide a text is, in points. */
export const widthOf = (text: string, size: number): number =>
  [...text].reduce((sum, character) => sum + (WIDE.test(character) ? size : size / 2), 0)

/**
 * A PDF of these pages without Chromium: English in Helvetica, Chinese by the standard font STSong-Light that viewers
 * bring along, other scripts by a font that names its characters. Pages are turned with the clock when they are shown.
 */
export function drawnPdf(pages: readonly DrawnPage[], turned: 0 | 90 | 180 | 270 = 0): Buffer {
  const characters = new Set(pages.flat().flatMap(item => ('text' in item ? [...item.text] : [])))
  const first = OBJECTS_BEFORE_PAGES + 1
  const kids = pages.map((_, index) => `${first + index * 2} 0 R`).join(' ')
  const resources = '<</Font<</En 3 0 R/Zh 4 0 R/Other 7 0 R>>>>'
  return assembled([
    '<</Type/Catalog/Pages 2 0 R>>',
    `<</Type/Pages/Kids[${kids}]/Count ${pages.length}${turned ? `/Rotate ${turned}` : ''}>>`,
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>',
    '<</Type/Font/Subtype/Type0/BaseFont/STSong-Light/Encoding/UniGB-UCS2-H/DescendantFonts[5 0 R]>>',
    '<</Type/Font/Subtype/CIDFontType0/BaseFont/STSong-Light/CIDSystemInfo<</Registry(Adobe)/Ordering(GB1)/Supplement 2>>/DW 1000/W[1 95 500]/FontDescriptor 6 0 R>>',
    '<</Type/FontDescriptor/FontName/STSong-Light/Flags 6/FontBBox[-25 -254 1000 880]/ItalicAngle 0/Ascent 880/Descent -120/CapHeight 880/StemV 93>>',
    '<</Type/Font/Subtype/Type0/BaseFont/Arial/Encoding/Identity-H/DescendantFonts[8 0 R]/ToUnicode 10 0 R>>',
    '<</Type/Font/Subtype/CIDFontType2/BaseFont/Arial/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>/DW 500/FontDescriptor 9 0 R>>',
    '<</Type/FontDescriptor/FontName/Arial/Flags 4/FontBBox[-200 -250 1000 900]/ItalicAngle 0/Ascent 900/Descent -200/CapHeight 700/StemV 80>>',
    stream(unicodeMap([...characters])),
    ...pages.flatMap((page, index) => [
      `<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Resources${resources}/Contents ${first + index * 2 + 1} 0 R>>`,
      stream(page.map(drawn).join('\n')),
    ]),
  ])
}

/** Catalog, list of pages and what belongs to the fonts. */
const OBJECTS_BEFORE_PAGES = 10

const TURNS = { 0: '1 0 0 1', 90: '0 1 -1 0', 180: '-1 0 0 -1', 270: '0 -1 1 0' } as const

function drawn(item: DrawnText | DrawnLine): string {
  if ('from' in item) return `${item.from.join(' ')} m ${item.to.join(' ')} l S`
  const { text, x, y, size = 10, turn = 0 } = item
  const font = fontOf(text)
  return `BT /${font} ${size} Tf ${TURNS[turn]} ${x} ${y} Tm ${shown(text, font)} Tj ET`
}

function fontOf(text: string): 'En' | 'Zh' | 'Other' {
  if (/[\u2e80-\u9fff]/u.test(text)) return 'Zh'
  return /^[\x20-\x7e]*$/.test(text) ? 'En' : 'Other'
}

function shown(text: string, font: 'En' | 'Zh' | 'Other'): string {
  if (font === 'En') return `(${text.replace(/[\\()]/g, '\\$&')})`
  return `<${Buffer.from(text, 'utf16le').swap16().toString('hex')}>`
}

/** Of a font whose glyphs are numbered by their characters. */
function unicodeMap(characters: readonly string[]): string {
  const hex = (character: string) => Buffer.from(character, 'utf16le').swap16().toString('hex')
  const plain = characters
    .filter(character => character.length === 1)
    .map(one => `<${hex(one)}> <${hex(one)}>`)
  const blocks = Array.from({ length: Math.ceil(plain.length / 100) }, (_, at) =>
    plain.slice(at * 100, at * 100 + 100),
  )
  return [
    '/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /Own def /CMapType 2 def',
    '1 begincodespacerange <0000> <ffff> endcodespacerange',
    ...blocks.map(block => `${block.length} beginbfchar\n${block.join('\n')}\nendbfchar`),
    'endcmap CMapName currentdict /CMap defineresource pop end end',
  ].join('\n')
}

/** A page for each picture, and nothing else on it, at 200 dots to the inch. */
export function scannedPdf(pictures: readonly Picture[]): Buffer {
  const kids = pictures.map((_, index) => `${3 + index * 3} 0 R`).join(' ')
  const pages = pictures.flatMap(({ width, height, pixels }, index) => {
    const wide = (width * 72) / 200
    const high = (height * 72) / 200
    const number = 3 + index * 3
    const bytes = Buffer.from(pixels).toString('latin1')
    return [
      `<</Type/Page/Parent 2 0 R/MediaBox[0 0 ${wide} ${high}]/Resources<</XObject<</Im ${number + 1} 0 R>>>>/Contents ${number + 2} 0 R>>`,
      `<</Type/XObject/Subtype/Image/Width ${width}/Height ${height}/BitsPerComponent 8/ColorSpace/DeviceGray/Length ${bytes.length}>>\nstream\n${bytes}\nendstream`,
      stream(`q ${wide} 0 0 ${high} 0 0 cm /Im Do Q`),
    ]
  })
  return assembled([
    '<</Type/Catalog/Pages 2 0 R>>',
    `<</Type/Pages/Kids[${kids}]/Count ${pictures.length}>>`,
    ...pages,
  ])
}

/** Grey values, a byte a pixel, row by row. */
export type Picture = {
  readonly width: number
  readonly height: number
  readonly pixels: Uint8Array
}

/** A picture that lies on its right side. */
export function lyingOnItsSide({ width, height, pixels }: Picture): Picture {
  const turned = new Uint8Array(pixels.length)
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) turned[x * height + (height - 1 - y)] = pixels[y * width + x]! // within the picture
  return { width: height, height: width, pixels: turned }
}

const stream = (content: string): string =>
  `<</Length ${Buffer.byteLength(content, 'latin1')}>>\nstream\n${content}\nendstream`

function assembled(objects: readonly string[]): Buffer {
  let file = '%PDF-1.4\n'
  const entries = objects.map((body, index) => {
    const entry = `${String(file.length).padStart(10, '0')} 00000 n \n`
    file += `${index + 1} 0 obj\n${body}\nendobj\n`
    return entry
  })
  const table = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${entries.join('')}`
  const trailer = `trailer<</Size ${objects.length + 1}/Root 1 0 R>>\nstartxref\n${file.length}\n%%EOF\n`
  return Buffer.from(file + table + trailer, 'latin1')
}
