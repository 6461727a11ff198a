import { zip } from '../../../test/fixtures/zip.ts'
import type { SourceBlock, SourceDocument } from '../document.ts'
import { escaped, xhtmlOf } from './markup.ts'

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const RELATIONSHIPS = 'http://schemas.openxmlformats.org/package/2006/relationships'
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const TYPES = 'application/vnd.openxmlformats-officedocument'

function contentTypes(overrides: Readonly<Record<string, string>>): string {
  const parts = Object.entries(overrides).map(
    ([part, type]) => `<Override PartName="/${part}" ContentType="${TYPES}.${type}+xml"/>`,
  )
  return (
    `${XML}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">` +
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
    `<Default Extension="xml" ContentType="application/xml"/>${parts.join('')}</Types>`
  )
}

/** Relationships rId1, rId2 and so on. */
function relationships(targets: readonly (readonly [type: string, target: string])[]): string {
  const all = targets.map(
    ([type, target], index) =>
      `<Relationship Id="rId${index + 1}" Type="${OFFICE}/${type}" Target="${target}"/>`,
  )
  return `${XML}<Relationships xmlns="${RELATIONSHIPS}">${all.join('')}</Relationships>`
}

/** A Word document: headings by style, lists by numbering, tables. */
export const docx = ({ blocks }: SourceDocument): Buffer => wordFile(blocks.map(wordBlock).join(''))

/** A Word document with this body. */
export function wordFile(body: string): Buffer {
  const w = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
  return zip({
    '[Content_Types].xml': contentTypes({
      'word/document.xml': 'wordprocessingml.document.main',
      'word/styles.xml': 'wordprocessingml.styles',
      'word/numbering.xml': 'wordprocessingml.numbering',
    }),
    '_rels/.rels': relationships([['officeDocument', 'word/document.xml']]),
    'word/_rels/document.xml.rels': relationships([
      ['styles', 'styles.xml'],
      ['numbering', 'numbering.xml'],
    ]),
    'word/styles.xml': `${XML}<w:styles ${w}>${[1, 2, 3].map(wordStyle).join('')}</w:styles>`,
    'word/numbering.xml': `${XML}<w:numbering ${w}>${wordLists()}</w:numbering>`,
    'word/document.xml': `${XML}<w:document ${w}><w:body>${body}</w:body></w:document>`,
  })
}

const wordStyle = (level: number): string =>
  `<w:style w:type="paragraph" w:styleId="Heading${level}"><w:name w:val="heading ${level}"/>` +
  `<w:pPr><w:outlineLvl w:val="${level - 1}"/></w:pPr></w:style>`

function wordLists(): string {
  const list = (id: number, format: string, text: string) =>
    `<w:abstractNum w:abstractNumId="${id}"><w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="${format}"/>` +
    `<w:lvlText w:val="${text}"/></w:lvl></w:abstractNum>`
  const number = (id: number) =>
    `<w:num w:numId="${id + 1}"><w:abstractNumId w:val="${id}"/></w:num>`
  return list(0, 'bullet', '•') + list(1, 'decimal', '%1.') + number(0) + number(1)
}

function wordBlock(block: SourceBlock): string {
  if (block.kind === 'page') return '<w:p><w:r><w:br w:type="page"/></w:r></w:p>'
  if (block.kind === 'table') {
    const row = (cells: readonly string[]) =>
      `<w:tr>${cells.map(cell => `<w:tc>${wordParagraph(cell, '')}</w:tc>`).join('')}</w:tr>`
    return `<w:tbl>${[block.header, ...block.rows].map(row).join('')}</w:tbl>`
  }
  return wordParagraph(block.text, wordProperties(block))
}

function wordProperties(block: SourceBlock): string {
  if (block.kind === 'heading') return `<w:pStyle w:val="Heading${Math.min(block.level, 3)}"/>`
  if (block.kind !== 'item') return ''
  return `<w:numPr><w:ilvl w:val="0"/><w:numId w:val="${block.marker === '-' ? 1 : 2}"/></w:numPr>`
}

export const wordParagraph = (text: string, properties: string): string =>
  `<w:p>${properties && `<w:pPr>${properties}</w:pPr>`}<w:r><w:t xml:space="preserve">${escaped(text)}</w:t></w:r></w:p>`

/** A workbook with a sheet for each heading that has a table. */
export function xlsx({ blocks }: SourceDocument): Buffer {
  const sheets = blocks.flatMap((block, index) => {
    const heading = blocks[index - 1]
    return block.kind === 'table'
      ? [
          {
            name: heading?.kind === 'heading' ? heading.text : `Sheet${index}`,
            rows: [block.header, ...block.rows],
          },
        ]
      : []
  })
  return workbook(sheets)
}

export type Sheet = {
  readonly name: string
  readonly rows: readonly (readonly string[])[]
  /** Cells that are one, as A1:B1. */
  readonly merges?: readonly string[]
}

export function workbook(sheets: readonly Sheet[]): Buffer {
  const s = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
  const tabs = sheets.map(
    ({ name }, index) =>
      `<sheet name="${escaped(name)}" sheetId="${index + 1}" r:id="rId${index + 1}"/>`,
  )
  const files = sheets.map((_, index) => `xl/worksheets/sheet${index + 1}.xml`)
  return zip({
    '[Content_Types].xml': contentTypes({
      'xl/workbook.xml': 'spreadsheetml.sheet.main',
      ...Object.fromEntries(files.map(file => [file, 'spreadsheetml.worksheet'])),
    }),
    '_rels/.rels': relationships([['officeDocument', 'xl/workbook.xml']]),
    'xl/_rels/workbook.xml.rels': relationships(
      files.map(file => ['worksheet', file.slice('xl/'.length)] as const),
    ),
    'xl/workbook.xml': `${XML}<workbook ${s} xmlns:r="${OFFICE}"><sheets>${tabs.join('')}</sheets></workbook>`,
    ...Object.fromEntries(
      sheets.map(({ rows, merges = [] }, index) => [
        files[index]!,
        `${XML}<worksheet ${s}><sheetData>${rows.map(sheetRow).join('')}</sheetData>${mergedCells(merges)}</worksheet>`,
      ]),
    ),
  })
}

const mergedCells = (merges: readonly string[]): string =>
  merges.length === 0
    ? ''
    : `<mergeCells count="${merges.length}">${merges.map(cells => `<mergeCell ref="${cells}"/>`).join('')}</mergeCells>`

const sheetRow = (cells: readonly string[], index: number): string =>
  `<row r="${index + 1}">${cells.map((cell, column) => sheetCell(cell, `${String.fromCharCode(65 + column)}${index + 1}`)).join('')}</row>`

/** Whole numbers are numbers; 3.20 stays text, so that its nought is seen as in the source. */
const sheetCell = (cell: string, at: string): string =>
  /^-?\d+$/.test(cell)
    ? `<c r="${at}"><v>${cell}</v></c>`
    : `<c r="${at}" t="inlineStr"><is><t xml:space="preserve">${escaped(cell)}</t></is></c>`

/** Slides: what stands between two page marks. */
export function pptx({ blocks }: SourceDocument): Buffer {
  return presentation(slidesOf(blocks).map(slideShapes))
}

/** A presentation with the shapes of each slide. */
export function presentation(slides: readonly string[]): Buffer {
  const p =
    'xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"'
  const files = slides.map((_, index) => `ppt/slides/slide${index + 1}.xml`)
  const ids = slides
    .map((_, index) => `<p:sldId id="${256 + index}" r:id="rId${index + 1}"/>`)
    .join('')
  return zip({
    '[Content_Types].xml': contentTypes({
      'ppt/presentation.xml': 'presentationml.presentation.main',
      ...Object.fromEntries(files.map(file => [file, 'presentationml.slide'])),
    }),
    '_rels/.rels': relationships([['officeDocument', 'ppt/presentation.xml']]),
    'ppt/_rels/presentation.xml.rels': relationships(
      files.map(file => ['slide', file.slice('ppt/'.length)] as const),
    ),
    'ppt/presentation.xml': `${XML}<p:presentation ${p} xmlns:r="${OFFICE}"><p:sldIdLst>${ids}</p:sldIdLst></p:presentation>`,
    ...Object.fromEntries(
      slides.map((slide, index) => [
        files[index]!,
        `${XML}<p:sld ${p}><p:cSld><p:spTree>${slide}</p:spTree></p:cSld></p:sld>`,
      ]),
    ),
  })
}

function slidesOf(blocks: readonly SourceBlock[]): SourceBlock[][] {
  const slides: SourceBlock[][] = [[]]
  for (const block of blocks) {
    if (block.kind === 'page') slides.push([])
    else slides.at(-1)?.push(block)
  }
  return slides
}

function slideShapes(blocks: readonly SourceBlock[]): string {
  return blocks.map((block, index) => slideShape(block, index + 2)).join('')
}

function slideShape(block: SourceBlock, id: number): string {
  const name = `<p:cNvPr id="${id}" name="Shape ${id}"/>`
  if (block.kind === 'page') return ''
  if (block.kind === 'table') {
    const cell = (text: string) => slideCell(text)
    return slideTable(
      [block.header, ...block.rows].map(row => row.map(cell)),
      id,
    )
  }
  const place = block.kind === 'heading' ? '<p:ph type="title"/>' : ''
  const body = `<p:txBody><a:bodyPr/><a:p><a:r><a:t>${escaped(block.text)}</a:t></a:r></a:p></p:txBody>`
  return `<p:sp><p:nvSpPr>${name}<p:cNvSpPr/><p:nvPr>${place}</p:nvPr></p:nvSpPr><p:spPr/>${body}</p:sp>`
}

/** A cell of a slide's table; the attributes say what it is merged with. */
export const slideCell = (text: string, attributes = ''): string =>
  `<a:tc${attributes}><a:txBody><a:bodyPr/><a:p><a:r><a:t>${escaped(text)}</a:t></a:r></a:p></a:txBody></a:tc>`

/** A table of cells that are written already. */
export function slideTable(cells: readonly (readonly string[])[], id: number): string {
  const name = `<p:cNvPr id="${id}" name="Shape ${id}"/>`
  const rows = cells.map(row => `<a:tr h="370840">${row.join('')}</a:tr>`).join('')
  const columns = (cells[0] ?? []).map(() => '<a:gridCol w="2000000"/>').join('')
  const table = `<a:tbl><a:tblGrid>${columns}</a:tblGrid>${rows}</a:tbl>`
  const graphic = `<a:graphic><a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/table">${table}</a:graphicData></a:graphic>`
  return `<p:graphicFrame><p:nvGraphicFramePr>${name}<p:cNvGraphicFramePr/><p:nvPr/></p:nvGraphicFramePr>${graphic}</p:graphicFrame>`
}

/** A book with a chapter for each heading of the first level. */
export function epub({ id, title, language, blocks }: SourceDocument): Buffer {
  const chapters: SourceBlock[][] = []
  for (const block of blocks) {
    if (block.kind === 'heading' && block.level === 1) chapters.push([])
    chapters.at(-1)?.push(block)
  }
  const page = (body: string) =>
    `<?xml version="1.0" encoding="UTF-8"?>\n<html xmlns="http://www.w3.org/1999/xhtml" lang="${language}"><head><title>${escaped(title)}</title></head><body>\n${body}\n</body></html>\n`
  const items = chapters
    .map(
      (_, index) =>
        `<item id="c${index}" href="c${index}.xhtml" media-type="application/xhtml+xml"/>`,
    )
    .join('')
  const links = chapters
    .map(
      ([first], index) =>
        `<li><a href="c${index}.xhtml">${escaped(first?.kind === 'heading' ? first.text : '')}</a></li>`,
    )
    .join('')
  const spine = chapters.map((_, index) => `<itemref idref="c${index}"/>`).join('')
  return zip({
    mimetype: 'application/epub+zip',
    'META-INF/container.xml':
      '<?xml version="1.0"?><container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile full-path="book.opf" media-type="application/oebps-package+xml"/></rootfiles></container>',
    'book.opf':
      '<?xml version="1.0"?><package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id"><metadata xmlns:dc="http://purl.org/dc/elements/1.1/">' +
      `<dc:identifier id="id">${id}</dc:identifier><dc:title>${escaped(title)}</dc:title><dc:language>${language}</dc:language></metadata>` +
      `<manifest>${items}<item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/></manifest><spine>${spine}</spine></package>`,
    'nav.xhtml': page(
      `<nav xmlns:epub="http://www.idpf.org/2007/ops" epub:type="toc"><ol>${links}</ol></nav>`,
    ),
    ...Object.fromEntries(
      chapters.map((chapter, index) => [`c${index}.xhtml`, page(xhtmlOf(chapter))]),
    ),
  })
}
