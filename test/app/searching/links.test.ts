import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Passim } from '../../../src/app/passim.ts'
import { Sandbox } from '../../fakes/store.ts'
import { docxParts, paragraph } from '../../fixtures/docx.ts'
import { pdf } from '../../fixtures/pdf.ts'
import { pptx, shape, slideTable } from '../../fixtures/pptx.ts'
import { xlsx, xlsxParts } from '../../fixtures/xlsx.ts'
import { zip } from '../../fixtures/zip.ts'

const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'

/** Relations to pages of the web, called h1, h2 and so on. */
function linkParts(...targets: readonly string[]): string {
  const entries = targets.map(
    (target, at) =>
      `<Relationship Id="h${at + 1}" Type="${OFFICE}/hyperlink" Target="${target}" TargetMode="External"/>`,
  )
  return `<Relationships>${entries.join('')}</Relationships>`
}

function writeDocx(): Buffer {
  const link = (id: string, text: string) =>
    `<w:hyperlink r:id="${id}"><w:r><w:t>${text}</w:t></w:r></w:hyperlink>`
  const field = `<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText> HYPERLINK "https://field.example.org/osprey-31" </w:instrText></w:r><w:r><w:fldChar w:fldCharType="separate"/></w:r><w:r><w:t>there</w:t></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r>`
  const cell = (content: string) => `<w:tc><w:p>${content}</w:p></w:tc>`
  const row = (...cells: readonly string[]) => `<w:tr>${cells.map(cell).join('')}</w:tr>`
  const run = (text: string) => `<w:r><w:t>${text}</w:t></w:r>`
  const body = [
    paragraph('Hiking'),
    `<w:p>${run('Fill in ')}${link('h1', 'the form')}${run(' or look ')}${field}</w:p>`,
    `<w:tbl>${row(run('Hut'), run('Plan'))}${row(run('North'), link('h2', 'here'))}</w:tbl>`,
  ]
  return zip({
    ...docxParts(body.join('')),
    'word/_rels/document.xml.rels': linkParts(
      'https://forms.example.org/alderfly-5501.pdf',
      'https://huts.example.org/curlew-4417.html',
    ),
  })
}

function writePptx(): Buffer {
  const run = (text: string, id: string) =>
    `<a:p><a:r><a:rPr><a:hlinkClick r:id="${id}"/></a:rPr><a:t>${text}</a:t></a:r></a:p>`
  const button = shape('Press').replace(
    '<p:nvSpPr>',
    '<p:nvSpPr><p:cNvPr id="9"><a:hlinkClick r:id="h3"/></p:cNvPr>',
  )
  const shapes = [
    shape(run('Harbour', 'h1'), 'title'),
    shape(`The quay is new\n${run('Read more', 'h2')}`),
    button,
    slideTable([
      ['Berth', 'Map'],
      ['East', run('map', 'h4')],
    ]),
  ]
  return pptx([{ shapes: shapes.join('') }], {
    'ppt/slides/_rels/slide1.xml.rels': linkParts(
      ...['title-61', 'plover-62', 'button-63', 'dunlin-64'].map(
        name => `https://port.example.org/${name}`,
      ),
    ),
  })
}

function writeXlsx(): Buffer {
  const rows = [
    ['Part', 'Sheet'],
    ['Gasket', 'sheet one'],
    [
      'Flange',
      {
        xml: '<c t="str"><f>HYPERLINK("https://parts.example.org/redshank-72","open")</f><v>open</v></c>',
      },
    ],
  ]
  const sheet = 'xl/worksheets/sheet1.xml'
  const link = '<hyperlinks><hyperlink ref="B2" r:id="h1"/></hyperlinks>'
  const plain = xlsxParts([{ rows }])[sheet]
  return xlsx([{ rows }], {
    parts: {
      [sheet]: String(plain).replace('</worksheet>', `${link}</worksheet>`),
      'xl/worksheets/_rels/sheet1.xml.rels': linkParts('https://parts.example.org/whimbrel-71'),
    },
  })
}

function writePdf(): Buffer {
  const page = [
    { text: 'The ferry is new.', x: 72, y: 100 },
    { text: 'Read the plan of the pier before.', x: 72, y: 300 },
  ]
  const link = (y: number, action: string) =>
    `<</Type/Annot/Subtype/Link/Rect[70 ${792 - y} 200 ${804 - y}]/A<<${action}>>>>`
  return pdf([page], '', '', [
    link(302, '/S/URI/URI(https://pier.example.org/turnstone-81)'),
    link(102, '/S/GoToR/F(ferries/dotterel-82.pdf)/D[0/Fit]'),
  ])
}

const LONG = `https://forms.example.org/${'x'.repeat(3_000)}`

let sandbox: Sandbox
let passim: Passim
beforeAll(async () => {
  sandbox = await Sandbox.make()
  passim = await sandbox.open()
  const many = Array.from({ length: 200 }, (_, at) => `[entry](https://example.org/entry-${at})`)
  await sandbox.write({
    'trip.md':
      '# Trips\n\nFill in **[the form](https://forms.example.org/trip-7731.pdf)** or write to [us](mailto:desk@example.org?subject=x).\n\n| Form |\n| --- |\n| [hotel](../hotels/night-26.html) |\n',
    'page.html': `<h1>Rooms</h1><p>See <a href="https://forms.example.org/room%20plan-9923.pdf">the plan</a>, <a href="javascript:runner88()">hide</a>, <a href="${LONG}">long</a>.<table><tr><th>Form<th>Use</tr><tr><td><a href="/f/key-404.docx">key</a><td>doors</tr></table>`,
    'bare.md': 'The address is <https://bare.example.org/spot-5>.',
    'many.md': many.join(' '),
    'hike.docx': writeDocx(),
    'port.pptx': writePptx(),
    'parts.xlsx': writeXlsx(),
    'pier.pdf': writePdf(),
  })
  await passim.index([sandbox.path('.')])
})
afterAll(() => sandbox.remove())

const find = async (query: string) =>
  (await passim.search({ query, mode: 'keyword' })).map(({ name }) => name)

test.each([
  ['trip-7731', 'trip.md'],
  ['https://forms.example.org/trip-7731.pdf', 'trip.md'],
  ['desk@example.org', 'trip.md'],
  ['night-26', 'trip.md'],
  ['plan-9923', 'page.html'],
  ['key-404', 'page.html'],
  ['alderfly-5501', 'hike.docx'],
  ['osprey-31', 'hike.docx'],
  ['curlew-4417', 'hike.docx'],
  ['title-61', 'port.pptx'],
  ['plover-62', 'port.pptx'],
  ['button-63', 'port.pptx'],
  ['dunlin-64', 'port.pptx'],
  ['whimbrel-71', 'parts.xlsx'],
  ['redshank-72', 'parts.xlsx'],
  ['turnstone-81', 'pier.pdf'],
  ['dotterel-82', 'pier.pdf'],
])('the target %s of a link finds its text', async (query, name) => {
  expect((await find(query))[0]).toBe(name)
})

test('the target of a link in a PDF belongs to the text under it', async () => {
  const [hit] = await passim.search({ query: 'turnstone-81', mode: 'keyword' })
  const found = []
  for await (const { text, links } of passim.library.readBlocks(hit?.documentId ?? ''))
    found.push([text, links])
  expect(found).toEqual([
    ['The ferry is new.', ['ferries/dotterel-82.pdf']],
    ['Read the plan of the pier before.', ['https://pier.example.org/turnstone-81']],
  ])
})

test('what a link runs is not searched', async () => {
  expect(await find('runner88')).toEqual([])
})

test('targets are no part of the text, few in number, and no address that the text shows', async () => {
  const blocks = []
  for (const query of ['trip-7731', 'spot-5', 'entry-3']) {
    const [hit] = await passim.search({ query, mode: 'keyword' })
    expect(hit?.context).not.toContain('forms')
    for await (const block of passim.library.readBlocks(hit?.documentId ?? '')) blocks.push(block)
  }
  expect(blocks.map(({ text }) => text).join()).not.toContain('trip-7731')
  expect(blocks.filter(({ text }) => text.includes('spot-5')).every(({ links }) => !links)).toBe(
    true,
  )
  for (const { links = [] } of blocks) expect(links.join('').length).toBeLessThanOrEqual(500)
  expect(blocks.some(({ links = [] }) => links.length > 10)).toBe(true)
})
