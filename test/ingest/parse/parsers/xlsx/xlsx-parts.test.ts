import { expect, test } from 'vitest'
import { xlsxParser } from '../../../../../src/ingest/parse/parsers/xlsx/xlsx.ts'
import { relationships } from '../../../../fixtures/ooxml.ts'
import { outline, parseBytes } from '../../../../fixtures/parsed.ts'
import { type CellContent, xlsx } from '../../../../fixtures/xlsx.ts'

const SHEET = 'xl/worksheets/sheet1.xml'
const SHEET_RELATIONS = 'xl/worksheets/_rels/sheet1.xml.rels'
const text = (words: string) => `<a:p><a:r><a:t>${words}</a:t></a:r></a:p>`
const formula = (value: string, type = ''): CellContent => ({
  xml: `<c${type && ` t="${type}"`} ><f>A1*2</f><v>${value}</v></c>`,
})

test('text boxes, diagrams and titles of charts are read', async () => {
  const drawing = `<xdr:wsDr><xdr:sp><xdr:txBody>${text('inflation of 2.5 percent')}</xdr:txBody></xdr:sp><c:chart r:id="c"/><dgm:relIds r:dm="d"/></xdr:wsDr>`
  const chart = `<c:chartSpace><c:chart><c:title>${text('Sales')}</c:title><c:plotArea><c:valAx><c:title><c:tx><c:strRef><c:f>A1</c:f><c:strCache><c:pt><c:v>Euro</c:v></c:pt></c:strCache></c:strRef></c:tx></c:title></c:valAx><c:ser><c:tx><c:v>North</c:v></c:tx></c:ser></c:plotArea></c:chart></c:chartSpace>`
  const parts = {
    [SHEET_RELATIONS]: relationships(['d', 'drawing', '../drawings/drawing1.xml']),
    'xl/drawings/drawing1.xml': drawing,
    'xl/drawings/_rels/drawing1.xml.rels': relationships(
      ['c', 'chart', '../charts/chart1.xml'],
      ['d', 'diagramData', '../diagrams/data1.xml'],
    ),
    'xl/charts/chart1.xml': chart,
    'xl/diagrams/data1.xml': `<m><ptLst><pt><t>${text('top')}</t></pt></ptLst></m>`,
  }
  const { blocks } = await parseBytes(
    xlsxParser,
    xlsx([{ name: 'A', rows: [['Budget']] }], { parts }),
  )
  expect(outline(blocks)).toEqual([
    ...['heading1: A', 'paragraph: Budget', 'paragraph: inflation of 2.5 percent'],
    ...['caption: Sales', 'caption: Euro', 'caption: North', 'list: top'],
  ])
})

test('what stands in for a chart that is read is left out', async () => {
  const drawing = `<xdr:wsDr><mc:AlternateContent><mc:Choice Requires="cx1"><xdr:graphicFrame><cx:chart r:id="c"/></xdr:graphicFrame></mc:Choice><mc:Fallback><xdr:sp><xdr:txBody>${text('This chart cannot be shown')}</xdr:txBody></xdr:sp></mc:Fallback></mc:AlternateContent></xdr:wsDr>`
  const parts = {
    [SHEET_RELATIONS]: relationships(['d', 'drawing', '../drawings/drawing1.xml']),
    'xl/drawings/drawing1.xml': drawing,
    'xl/drawings/_rels/drawing1.xml.rels': relationships([
      'c',
      'chartEx',
      '../charts/chartEx1.xml',
    ]),
    'xl/charts/chartEx1.xml': `<cx:chartSpace><cx:chart><cx:title>${text('Sales')}</cx:title><cx:plotArea><cx:series><cx:tx><cx:txData><cx:v>North</cx:v></cx:txData></cx:tx></cx:series></cx:plotArea></cx:chart></cx:chartSpace>`,
  }
  const { blocks } = await parseBytes(
    xlsxParser,
    xlsx([{ name: 'A', rows: [['Budget']] }], { parts }),
  )
  expect(outline(blocks)).toEqual([
    ...['heading1: A', 'paragraph: Budget', 'caption: Sales', 'caption: North'],
  ])
})

test('formulas without a stored value are named by cell', async () => {
  const rows = [
    ['Item', 'Price', 'Tax'],
    ['Rope', formula(''), formula('12')],
    ['Buoy', formula('', 'str'), formula('')],
  ]
  const { warnings } = await parseBytes(xlsxParser, xlsx([{ name: 'A', rows }]))
  expect(warnings).toEqual([
    {
      code: 'missing_values',
      message: expect.stringContaining('2 formulas have no stored value: A!B2, A!C3.'),
    },
  ])
})

test('headers, footers, objects and controls are counted', async () => {
  const parts = {
    [SHEET]:
      '<worksheet><sheetData><row r="1"><c r="A1" t="str"><v>a</v></c></row></sheetData><headerFooter><oddHeader>&amp;L&amp;"Arial,Bold"Secret</oddHeader><oddFooter>&amp;CPage &amp;P</oddFooter><evenFooter>&amp;P/&amp;N</evenFooter></headerFooter></worksheet>',
    [SHEET_RELATIONS]: relationships(
      ['o', 'oleObject', '../embeddings/o.bin'],
      ['c', 'ctrlProp', '../ctrlProps/c.xml'],
    ),
  }
  const { warnings } = await parseBytes(xlsxParser, xlsx([{ rows: [['a']] }], { parts }))
  expect(warnings).toEqual([
    {
      code: 'skipped',
      message:
        'Skipped: embedded objects 1, footers 1, form controls 1, headers 1. Their text is not searchable.',
    },
  ])
})

test('headers of sheets that are charts are counted, too', async () => {
  const sheets = ['s0', 's1'].map(id => `<sheet name="${id}" r:id="${id}"/>`).join('')
  const parts = {
    'xl/workbook.xml': `<workbook xmlns:r="r"><sheets>${sheets}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relationships(
      ['s0', 'worksheet', 'worksheets/sheet1.xml'],
      ['s1', 'chartsheet', 'chartsheets/sheet1.xml'],
    ),
    'xl/chartsheets/sheet1.xml':
      '<chartsheet><headerFooter><oddHeader>&amp;CSecret</oddHeader></headerFooter></chartsheet>',
  }
  const { warnings } = await parseBytes(xlsxParser, xlsx([{ rows: [['a']] }], { parts }))
  expect(warnings.map(({ message }) => message)).toEqual([
    'Skipped: headers 1. Their text is not searchable.',
  ])
})

test('names that stand for a text are counted, those of cells and formulas are not', async () => {
  const names = [
    '"Ask the harbour office"',
    '{"north","south"}',
    '"2026"',
    'Sheet1!$A$1',
    '1+IF(A1="x",1,2)',
  ]
  const defined = names.map((text, index) => `<definedName name="n${index}">${text}</definedName>`)
  const parts = {
    'xl/workbook.xml': `<workbook xmlns:r="r"><sheets><sheet name="A" sheetId="1" r:id="s0"/></sheets><definedNames>${defined.join('')}</definedNames></workbook>`,
  }
  const { warnings } = await parseBytes(xlsxParser, xlsx([{ rows: [['a']] }], { parts }))
  expect(warnings.map(({ message }) => message)).toEqual([
    'Skipped: named texts 2. Their text is not searchable.',
  ])
})

test('a workbook with damaged properties is read', async () => {
  const parts = { 'docProps/core.xml': '<cp:coreProperties><dc:title>a &' }
  const { blocks, warnings } = await parseBytes(
    xlsxParser,
    xlsx([{ rows: [['nine tonnes']] }], { parts }),
  )
  expect(outline(blocks)).toContain('paragraph: nine tonnes')
  expect(warnings.map(({ code }) => code)).toEqual(['missing_parts'])
})

test('a conversation about a cell is read instead of the note that stands in for it', async () => {
  const note = (ref: string, words: string) =>
    `<comment ref="${ref}"><text><r><t>${words}</t></r></text></comment>`
  const parts = {
    [SHEET_RELATIONS]: relationships(
      ['n', 'comments', '../comments1.xml'],
      ['t', 'threadedComment', '../threadedComments/threadedComment1.xml'],
    ),
    'xl/comments1.xml': `<comments><commentList>${note('A1', '[Threaded comment] Your version')}${note('B1', 'old')}</commentList></comments>`,
    'xl/threadedComments/threadedComment1.xml':
      '<ThreadedComments><threadedComment ref="A1"><text>why?</text></threadedComment><threadedComment ref="A1"><text>because</text></threadedComment></ThreadedComments>',
  }
  const { blocks } = await parseBytes(xlsxParser, xlsx([{ name: 'A', rows: [['a']] }], { parts }))
  expect(outline(blocks)).toEqual([
    ...['heading1: A', 'paragraph: a', 'paragraph: A1: why?', 'paragraph: A1: because'],
    'paragraph: B1: old',
  ])
})
