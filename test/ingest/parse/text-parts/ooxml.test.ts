import { docxParser } from '../../../../src/ingest/parse/parsers/docx/docx.ts'
import { pptxParser } from '../../../../src/ingest/parse/parsers/pptx/pptx.ts'
import { xlsxParser } from '../../../../src/ingest/parse/parsers/xlsx/xlsx.ts'
import { docxParts, paragraph } from '../../../fixtures/docx.ts'
import { coreProperties, relationships } from '../../../fixtures/ooxml.ts'
import { frame, pptxParts, shape, slideTable } from '../../../fixtures/pptx.ts'
import { type TextPart, testTextParts, WORD } from '../../../fixtures/text-parts.ts'
import { xlsxParts } from '../../../fixtures/xlsx.ts'
import { zip } from '../../../fixtures/zip.ts'

type PartFile = readonly [type: string, content: string]

/** Packs a part beside the document, as `TYPE` and its XML in turns. */
function listParts(more: readonly string[]): readonly PartFile[] {
  return more.flatMap((type, index) =>
    index % 2 === 0 ? [[type, more[index + 1] ?? ''] as const] : [],
  )
}

const related = (parts: readonly PartFile[], folder: string) => ({
  relations: parts.map(
    ([type], index) => [`x${index}`, type, `${folder}part${index}.xml`] as const,
  ),
  files: (base: string) =>
    Object.fromEntries(parts.map(([, content], index) => [`${base}part${index}.xml`, content])),
})

const run = `<w:r><w:t>${WORD}</w:t></w:r>`
const inLine = (content: string) => `<w:p>${content}</w:p>`
const mark = (type: string, more = '') =>
  `<w:r><w:fldChar w:fldCharType="${type}">${more}</w:fldChar></w:r>`
const field = (instruction: string, result: string) =>
  inLine(
    `${mark('begin')}<w:r><w:instrText>${instruction}</w:instrText></w:r>${mark('separate')}${result}${mark('end')}`,
  )
const text = paragraph(WORD)
const drawing = (content: string) => inLine(`<w:r><w:drawing>${content}</w:drawing></w:r>`)
const chart = (content: string) =>
  `<c:chartSpace xmlns:c="c" xmlns:a="a"><c:chart>${content}</c:chart></c:chartSpace>`
const withShapes = '<c:chartSpace xmlns:c="c"><c:chart/><c:userShapes r:id="x"/></c:chartSpace>'
const rich = `<c:tx><c:rich><a:p><a:r><a:t>${WORD}</a:t></a:r></a:p></c:rich></c:tx>`
const cached = `<c:tx><c:strRef><c:strCache><c:pt idx="0"><c:v>${WORD}</c:v></c:pt></c:strCache></c:strRef></c:tx>`
const category = `<c:cat><c:strRef><c:strCache><c:pt idx="0"><c:v>${WORD}</c:v></c:pt></c:strCache></c:strRef></c:cat>`
const value =
  '<c:val><c:numRef><c:numCache><c:pt idx="0"><c:v>1</c:v></c:pt></c:numCache></c:numRef></c:val>'
const diagram = `<dgm:dataModel xmlns:dgm="d"><dgm:ptLst><dgm:pt><dgm:t><a:p><a:r><a:t>${WORD}</a:t></a:r></a:p></dgm:t></dgm:pt></dgm:ptLst></dgm:dataModel>`
const drawn = `<a:p><a:r><a:t>${WORD}</a:t></a:r></a:p>`
const CHART_PARTS: readonly (readonly [string, string, string])[] = [
  ['21.2.2', 'title of a chart', `<c:title>${rich}</c:title>`],
  [
    '21.2.2',
    'title of an axis',
    `<c:plotArea><c:catAx><c:title>${rich}</c:title></c:catAx></c:plotArea>`,
  ],
  ['21.2.2', 'name of a series', `<c:plotArea><c:ser>${cached}${value}</c:ser></c:plotArea>`],
  ['21.2.2', 'category', `<c:plotArea><c:ser>${category}${value}</c:ser></c:plotArea>`],
  [
    '21.2.2',
    'label of a point',
    `<c:plotArea><c:ser><c:dLbls><c:dLbl>${rich}</c:dLbl></c:dLbls>${value}</c:ser></c:plotArea>`,
  ],
  [
    '21.2.2',
    'name of a trend line',
    `<c:plotArea><c:ser><c:trendline><c:name>${WORD}</c:name></c:trendline>${value}</c:ser></c:plotArea>`,
  ],
]

const WORD_PARTS: readonly TextPart[] = [
  ['17.3.3', 'text of a run', text],
  ['17.16', 'hyperlink', inLine(`<w:hyperlink>${run}</w:hyperlink>`)],
  ['17.16', 'simple field', inLine(`<w:fldSimple w:instr=" SEQ ">${run}</w:fldSimple>`)],
  ['17.16', 'result of a field', field(' REF x ', run)],
  [
    '17.16.5',
    'equation field',
    inLine(`${mark('begin')}<w:r><w:instrText> EQ \\x(${WORD}) </w:instrText></w:r>${mark('end')}`),
  ],
  [
    '17.16.5',
    'equation field as a simple one',
    inLine(`<w:fldSimple w:instr=" EQ \\x(${WORD})"/>`),
  ],
  [
    '17.16.5',
    'entry of an index',
    inLine(`${mark('begin')}<w:r><w:instrText> XE "${WORD}" </w:instrText></w:r>${mark('end')}`),
    'index entries',
  ],
  [
    '17.16.5',
    'entry of a list of contents',
    inLine(`${mark('begin')}<w:r><w:instrText> TC "${WORD}" </w:instrText></w:r>${mark('end')}`),
    'index entries',
  ],
  [
    '17.16',
    'text field of a form',
    inLine(
      `${mark('begin', '<w:ffData><w:textInput/></w:ffData>')}${mark('separate')}${run}${mark('end')}`,
    ),
  ],
  [
    '17.16',
    'list of a form',
    inLine(
      mark('begin', `<w:ffData><w:ddList><w:listEntry w:val="${WORD}"/></w:ddList></w:ffData>`),
    ),
  ],
  ['17.3.3', 'base of ruby', inLine(`<w:r><w:ruby><w:rubyBase>${run}</w:rubyBase></w:ruby></w:r>`)],
  [
    '17.3.3',
    'reading of ruby',
    inLine(`<w:r><w:ruby><w:rt>${run}</w:rt><w:rubyBase/></w:ruby></w:r>`),
    'reading aids',
  ],
  [
    '17.5.2',
    'content control around paragraphs',
    `<w:sdt><w:sdtContent>${text}</w:sdtContent></w:sdt>`,
  ],
  [
    '17.5.2',
    'content control in a line',
    inLine(`<w:sdt><w:sdtContent>${run}</w:sdtContent></w:sdt>`),
  ],
  ['17.5.1', 'custom XML around paragraphs', `<w:customXml>${text}</w:customXml>`],
  ['17.5.1', 'smart tag', inLine(`<w:smartTag>${run}</w:smartTag>`)],
  [
    '17.13.5',
    'deleted run',
    inLine(`<w:del><w:r><w:delText>${WORD}</w:delText></w:r></w:del>`),
    'deleted texts',
  ],
  ['17.13.5', 'inserted run', inLine(`<w:ins>${run}</w:ins>`)],
  ['17.13.5', 'source of a move', inLine(`<w:moveFrom>${run}</w:moveFrom>`), 'deleted texts'],
  ['17.13.5', 'target of a move', inLine(`<w:moveTo>${run}</w:moveTo>`)],
  [
    '17.13.4',
    'comment',
    [
      inLine('<w:r><w:commentReference w:id="1"/></w:r>'),
      'comments',
      `<w:comments><w:comment w:id="1">${text}</w:comment></w:comments>`,
    ],
  ],
  [
    '17.13.4',
    'comment without a place',
    ['', 'comments', `<w:comments><w:comment w:id="1">${text}</w:comment></w:comments>`],
    'comments',
  ],
  [
    '17.11',
    'footnote',
    [
      inLine('<w:r><w:footnoteReference w:id="2"/></w:r>'),
      'footnotes',
      `<w:footnotes><w:footnote w:id="2">${text}</w:footnote></w:footnotes>`,
    ],
  ],
  [
    '17.11',
    'endnote',
    [
      inLine('<w:r><w:endnoteReference w:id="2"/></w:r>'),
      'endnotes',
      `<w:endnotes><w:endnote w:id="2">${text}</w:endnote></w:endnotes>`,
    ],
  ],
  [
    '17.11',
    'footnote without a place',
    ['', 'footnotes', `<w:footnotes><w:footnote w:id="2">${text}</w:footnote></w:footnotes>`],
    'notes',
  ],
  [
    '17.11',
    'notice of a continued note',
    [
      '',
      'footnotes',
      `<w:footnotes><w:footnote w:id="1" w:type="continuationNotice">${text}</w:footnote></w:footnotes>`,
    ],
    'notes',
  ],
  ['17.10', 'header', ['', 'header', `<w:hdr>${text}</w:hdr>`]],
  ['17.10', 'footer', ['', 'footer', `<w:ftr>${text}</w:ftr>`]],
  [
    '17.4.65',
    'cell',
    `<w:tbl><w:tr><w:tc>${text}</w:tc><w:tc>${paragraph('x')}</w:tc></w:tr></w:tbl>`,
  ],
  [
    '17.4.62',
    'caption of a table',
    `<w:tbl><w:tblPr><w:tblCaption w:val="${WORD}"/></w:tblPr><w:tr><w:tc>${paragraph('y')}</w:tc><w:tc>${paragraph('x')}</w:tc></w:tr></w:tbl>`,
    'text alternatives',
  ],
  [
    '17.4.63',
    'description of a table',
    `<w:tbl><w:tblPr><w:tblDescription w:val="${WORD}"/></w:tblPr><w:tr><w:tc>${paragraph('y')}</w:tc><w:tc>${paragraph('x')}</w:tc></w:tr></w:tbl>`,
    'text alternatives',
  ],
  [
    '17.17.1',
    'text box',
    inLine(
      `<w:r><w:pict><v:shape><v:textbox><w:txbxContent>${text}</w:txbxContent></v:textbox></v:shape></w:pict></w:r>`,
    ),
  ],
  [
    '20.4.2',
    'description of a picture',
    drawing(`<wp:inline><wp:docPr id="1" name="Picture 1" descr="${WORD}"/></wp:inline>`),
    'text alternatives',
  ],
  [
    '20.4.2',
    'title of a picture',
    drawing(`<wp:inline><wp:docPr id="1" name="Picture 1" title="${WORD}"/></wp:inline>`),
    'text alternatives',
  ],
  [
    'Part 4, 19.1.2',
    'description of a VML shape',
    inLine(`<w:r><w:pict><v:shape alt="${WORD}"/></w:pict></w:r>`),
    'text alternatives',
  ],
  [
    'Part 4, 19.1.2',
    'word art',
    inLine(`<w:r><w:pict><v:shape><v:textpath string="${WORD}"/></v:shape></w:pict></w:r>`),
  ],
  [
    '17.17.2',
    'inserted document',
    ['<w:altChunk r:id="x0"/>', 'aFChunk', WORD],
    'inserted documents',
  ],
  [
    '17.12',
    'entry of a glossary document',
    [
      '',
      'glossaryDocument',
      `<w:glossaryDocument><w:docParts><w:docPart><w:docPartBody>${text}</w:docPartBody></w:docPart></w:docParts></w:glossaryDocument>`,
    ],
    'building blocks',
  ],
  ['22.1.2', 'formula', inLine(`<m:oMath><m:r><m:t>${WORD}</m:t></m:r></m:oMath>`)],
  ['17.3.3', 'embedded object', ['', 'oleObject', WORD], 'embedded objects'],
  [
    '21.4.2',
    'diagram',
    [
      drawing('<a:graphic><a:graphicData><dgm:relIds r:dm="x0"/></a:graphicData></a:graphic>'),
      'diagramData',
      diagram,
    ],
  ],
  ...CHART_PARTS.map(
    ([section, name, source]): TextPart => [
      section,
      name,
      [
        drawing('<a:graphic><a:graphicData><c:chart r:id="x0"/></a:graphicData></a:graphic>'),
        'chart',
        chart(source),
      ],
    ],
  ),
  [
    '21.3',
    'text box in a chart',
    [
      drawing('<a:graphic><a:graphicData><c:chart r:id="x0"/></a:graphicData></a:graphic>'),
      'chart',
      withShapes,
    ],
    'text boxes',
  ],
  [
    '17.15.1.31',
    'variable',
    [
      '',
      'settings',
      `<w:settings><w:docVars><w:docVar w:name="x" w:val="${WORD}"/></w:docVars></w:settings>`,
    ],
    'variables',
  ],
  ['15.2.12', 'title of the file', ['', 'core', 'dc:title']],
  ['15.2.12', 'subject of the file', ['', 'core', 'dc:subject']],
  ['15.2.12', 'description of the file', ['', 'core', 'dc:description'], 'document properties'],
  ['15.2.12', 'keywords of the file', ['', 'core', 'cp:keywords']],
  ['15.2.12', 'category of the file', ['', 'core', 'cp:category'], 'document properties'],
  ['15.2.12', 'property of the user', ['', 'custom', ''], 'document properties'],
]

testTextParts(
  {
    specification: 'WordprocessingML (ECMA-376-1)',
    parser: docxParser,
    build: (source, more) => {
      const [first, property = ''] = more
      const parts = first === 'core' || first === 'custom' ? [] : listParts(more)
      const { relations, files } = related(parts, '')
      return zip({
        ...docxParts(paragraph('Base') + source),
        'word/_rels/document.xml.rels': relationships(...relations),
        ...files('word/'),
        ...(first === 'core'
          ? { 'docProps/core.xml': coreProperties(`<${property}>${WORD}</${property}>`) }
          : {}),
        ...(first === 'custom'
          ? {
              'docProps/custom.xml': `<Properties><property name="x"><vt:lpwstr>${WORD}</vt:lpwstr></property></Properties>`,
            }
          : {}),
      })
    },
  },
  WORD_PARTS,
)

const sheetText = (name: string, content: string) => `<${name}>${content}</${name}>`
const printed = (name: string) => `<headerFooter><${name}>&amp;L${WORD}</${name}></headerFooter>`
const anchored = (content: string) =>
  `<xdr:wsDr xmlns:xdr="x" xmlns:a="a" xmlns:c="c" xmlns:r="r"><xdr:twoCellAnchor>${content}</xdr:twoCellAnchor></xdr:wsDr>`
const SHEET_PARTS: readonly TextPart[] = [
  ['18.3.1', 'value of a cell', `<sheetData><row><c t="str"><v>${WORD}</v></c></row></sheetData>`],
  [
    '18.3.1',
    'inline text',
    `<sheetData><row><c t="inlineStr"><is><t>${WORD}</t></is></c></row></sheetData>`,
  ],
  ['18.4', 'shared text', '<sheetData><row><c t="s"><v>0</v></c></row></sheetData>'],
  [
    '18.4',
    'reading of a shared text',
    '<sheetData><row><c t="s"><v>1</v></c></row></sheetData>',
    'reading aids',
  ],
  ['18.8', 'text of a number format', '<sheetData><row><c s="1"><v>5</v></c></row></sheetData>'],
  ['18.3.1', 'sheet name', '<name/>'],
  ['18.3.1', 'header', printed('oddHeader'), 'headers'],
  ['18.3.1', 'header of even pages', printed('evenHeader'), 'headers'],
  ['18.3.1', 'footer', printed('oddFooter'), 'footers'],
  ['18.3.1', 'footer of the first page', printed('firstFooter'), 'footers'],
  [
    '18.3.1',
    'prompt of a validation',
    `<dataValidations><dataValidation promptTitle="x" prompt="${WORD}" sqref="A1"/></dataValidations>`,
    'validation texts',
  ],
  [
    '18.3.1',
    'error of a validation',
    `<dataValidations><dataValidation error="${WORD}" sqref="A1"/></dataValidations>`,
    'validation texts',
  ],
  [
    '18.3.1',
    'values of a validation',
    `<dataValidations><dataValidation type="list" sqref="A1"><formula1>"${WORD},b"</formula1></dataValidation></dataValidations>`,
    'validation texts',
  ],
  [
    '18.3.1',
    'tip of a hyperlink',
    `<hyperlinks><hyperlink ref="A1" tooltip="${WORD}"/></hyperlinks>`,
    'text alternatives',
  ],
  [
    '18.3.1',
    'scenario',
    `<scenarios><scenario name="x" comment="${WORD}"><inputCells r="A1" val="1"/></scenario></scenarios>`,
    'scenarios',
  ],
  [
    '18.7',
    'comment',
    [
      '',
      'comments',
      sheetText(
        'comments',
        `<commentList><comment ref="A1"><text><t>${WORD}</t></text></comment></commentList>`,
      ),
    ],
  ],
  [
    '20.5.2',
    'text box',
    ['', 'drawing', anchored(`<xdr:sp><xdr:txBody>${drawn}</xdr:txBody></xdr:sp>`)],
  ],
  [
    '20.5.2',
    'description of a picture',
    [
      '',
      'drawing',
      anchored(
        `<xdr:pic><xdr:nvPicPr><xdr:cNvPr id="1" name="Picture 1" descr="${WORD}"/></xdr:nvPicPr></xdr:pic>`,
      ),
    ],
    'text alternatives',
  ],
  [
    '20.5.2',
    'picture',
    [
      '',
      'drawing',
      anchored('<xdr:pic><xdr:blipFill><a:blip r:embed="p"/></xdr:blipFill></xdr:pic>'),
    ],
    'pictures',
  ],
  ['18.3.1', 'picture behind the sheet', ['', 'image', WORD], 'pictures'],
  [
    '18.10.1',
    'cells of a pivot table',
    [
      '',
      'book:pivotCacheDefinition',
      `<pivotCacheDefinition><cacheSource type="external"/><cacheFields><cacheField name="${WORD}"/></cacheFields></pivotCacheDefinition>`,
    ],
    'pivot tables',
  ],
  [
    '18.14',
    'cells of another workbook',
    [
      '',
      'book:externalLink',
      `<externalLink><externalBook><sheetNames><sheetName val="${WORD}"/></sheetNames></externalBook></externalLink>`,
    ],
    'linked files',
  ],
  [
    '18.5.1',
    'comment of a table',
    ['', 'table', `<table comment="${WORD}"/>`],
    'text alternatives',
  ],
  ['15.2', 'embedded object', ['', 'oleObject', WORD], 'embedded objects'],
  ['12.3', 'control of a form', ['', 'ctrlProp', WORD], 'form controls'],
]

testTextParts(
  {
    specification: 'SpreadsheetML (ECMA-376-1)',
    parser: xlsxParser,
    build: (source, more) => {
      const parts = listParts(more)
      const { relations, files } = related(
        parts.filter(([type]) => !type.startsWith('book:')),
        '',
      )
      const ofBook = parts.flatMap(([type, content]) =>
        type.startsWith('book:') ? [[type.slice(5), content] as const] : [],
      )
      const book = related(ofBook, 'own/')
      const isName = source === '<name/>'
      const base = xlsxParts([{ name: isName ? WORD : 'Base', rows: [['Base']] }], {
        formats: [`0 "${WORD}"`],
        strings: source.includes('<v>1</v></c>')
          ? ['', `<t>x</t><rPh sb="0" eb="1"><t>${WORD}</t></rPh>`]
          : [`<t>${WORD}</t>`],
      })
      const sheet = 'xl/worksheets/sheet1.xml'
      const own = source.startsWith('<sheetData>')
        ? `<worksheet><sheetData><row><c t="str"><v>Base</v></c></row></sheetData>${source}</worksheet>`
        : String(base[sheet]).replace('</worksheet>', `${isName ? '' : source}</worksheet>`)
      return zip({
        ...base,
        [sheet]: own,
        'xl/_rels/workbook.xml.rels': String(base['xl/_rels/workbook.xml.rels']).replace(
          '</Relationships>',
          relationships(...book.relations).replace(/^<Relationships[^>]*>/, ''),
        ),
        ...book.files('xl/own/'),
        'xl/worksheets/_rels/sheet1.xml.rels': relationships(...relations),
        ...files('xl/worksheets/'),
      })
    },
  },
  SHEET_PARTS,
)

const SLIDE_PARTS: readonly TextPart[] = [
  ['19.3.1', 'shape', shape(WORD)],
  ['19.3.1', 'title', shape(WORD, 'title')],
  ['19.3.1', 'group', `<p:grpSp>${shape(WORD)}</p:grpSp>`],
  [
    '19.3.1',
    'connector',
    `<p:cxnSp><p:nvCxnSpPr><p:cNvPr id="1" name="x" descr="${WORD}"/></p:nvCxnSpPr></p:cxnSp>`,
    'text alternatives',
  ],
  [
    '21.1.2',
    'field',
    `<p:sp><p:txBody><a:p><a:fld type="datetime"><a:t>${WORD}</a:t></a:fld></a:p></p:txBody></p:sp>`,
  ],
  [
    '21.1.2',
    'tip of a hyperlink',
    `<p:sp><p:txBody><a:p><a:r><a:rPr><a:hlinkClick tooltip="${WORD}"/></a:rPr><a:t>x</a:t></a:r></a:p></p:txBody></p:sp>`,
    'text alternatives',
  ],
  ['21.1.3', 'cell of a table', slideTable([[WORD, 'x']])],
  [
    '19.3.1',
    'picture',
    '<p:pic><p:blipFill><a:blip r:embed="p"/></p:blipFill></p:pic>'.replace(
      '<p:pic>',
      `<p:pic><p:nvPicPr><p:cNvPr id="1" name="x" descr="${WORD}"/></p:nvPicPr>`,
    ),
    'text alternatives',
  ],
  [
    '22.1.2',
    'formula',
    `<p:sp><p:txBody><a:p><a14:m><m:oMath><m:r><m:t>${WORD}</m:t></m:r></m:oMath></a14:m></a:p></p:txBody></p:sp>`,
  ],
  ['19.3.1', 'notes', ['', 'notes']],
  [
    '19.3.1',
    'header of the notes',
    [
      '',
      'notesSlide',
      `<p:notes><p:cSld><p:spTree>${shape(WORD, 'hdr')}</p:spTree></p:cSld></p:notes>`,
    ],
  ],
  ['19.7', 'footer', shape(WORD, 'ftr')],
  ['19.7', 'date', shape(WORD, 'dt'), 'footers'],
  [
    '19.4',
    'comment',
    ['', 'comments', `<p:cmLst><p:cm authorId="0"><p:text>${WORD}</p:text></p:cm></p:cmLst>`],
  ],
  [
    '19.3.1',
    'layout',
    [
      '',
      'slideLayout',
      `<p:sldLayout><p:cSld><p:spTree>${shape(WORD)}</p:spTree></p:cSld></p:sldLayout>`,
    ],
  ],
  ['19.3.1', 'sound or film', ['', 'video', WORD], 'recordings'],
  ['15.2', 'embedded object', ['', 'oleObject', WORD], 'embedded objects'],
  ['21.4.2', 'diagram', [frame('<dgm:relIds r:dm="x0"/>'), 'diagramData', diagram]],
  ...CHART_PARTS.map(
    ([section, name, source]): TextPart => [
      section,
      name,
      [frame('<c:chart r:id="x0"/>'), 'chart', chart(source)],
    ],
  ),
  [
    '21.3',
    'text box in a chart',
    [frame('<c:chart r:id="x0"/>'), 'chart', withShapes],
    'text boxes',
  ],
  ['19.2.1', 'name of a section', ['', 'section'], 'section names'],
]

testTextParts(
  {
    specification: 'PresentationML (ECMA-376-1)',
    parser: pptxParser,
    build: (source, more) => {
      const isNote = more[0] === 'notes'
      const isSection = more[0] === 'section'
      const { relations, files } = related(isNote || isSection ? [] : listParts(more), '')
      const parts = pptxParts([
        { shapes: shape('Base') + source, relations, ...(isNote ? { notes: WORD } : {}) },
      ])
      const presentation = 'ppt/presentation.xml'
      const sections = `<p:extLst><p:ext><p14:sectionLst><p14:section name="${WORD}"/></p14:sectionLst></p:ext></p:extLst></p:presentation>`
      return zip({
        ...parts,
        ...(isSection
          ? { [presentation]: parts[presentation]!.replace('</p:presentation>', sections) }
          : {}),
        ...files('ppt/slides/'),
      })
    },
  },
  SLIDE_PARTS,
)
