import { expect, test } from 'vitest'
import { pptxParser } from '../../../../../src/ingest/parse/parsers/pptx/pptx.ts'
import { relationships } from '../../../../fixtures/ooxml.ts'
import { outline, parseBytes } from '../../../../fixtures/parsed.ts'
import { pptx, type SlideContent, shape, slideTable } from '../../../../fixtures/pptx.ts'

async function check(
  slide: SlideContent,
  expected: readonly string[],
  parts: Record<string, string> = {},
) {
  const { blocks } = await parseBytes(pptxParser, pptx([slide], parts))
  expect(outline(blocks.slice(1))).toEqual(expected)
}

/** A shape at a place: left, top, width, height. */
const place = (xml: string, [x, y, width, height]: readonly number[]) =>
  xml.replace(
    '</p:nvSpPr>',
    `</p:nvSpPr><p:spPr><a:xfrm><a:off x="${x}" y="${y}"/><a:ext cx="${width}" cy="${height}"/></a:xfrm></p:spPr>`,
  )
const placed = (text: string, ...box: readonly number[]) => place(shape(text), box)
const paragraphs = (...texts: readonly string[]) => texts.map(text => `paragraph: ${text}`)

test.each([
  ['from top to bottom', placed('b', 0, 50, 90, 10) + placed('a', 0, 10, 90, 10), 'ab'],
  ['from left to right', placed('b', 50, 0, 40, 90) + placed('a', 0, 0, 40, 90), 'ab'],
  [
    'column by column',
    placed('c', 50, 10, 40, 10) +
      placed('d', 50, 30, 40, 40) +
      placed('a', 0, 10, 40, 30) +
      placed('b', 0, 50, 40, 20),
    'abcd',
  ],
  [
    'a grid as it is stored, by rows',
    placed('a', 0, 0, 40, 40) +
      placed('b', 50, 0, 40, 40) +
      placed('c', 0, 50, 40, 40) +
      placed('d', 50, 50, 40, 40),
    'abcd',
  ],
  [
    'a grid as it is stored, by columns',
    placed('a', 0, 0, 40, 40) +
      placed('b', 0, 50, 40, 40) +
      placed('c', 50, 0, 40, 40) +
      placed('d', 50, 50, 40, 40),
    'abcd',
  ],
  ['without places as they are stored', shape('a') + shape('b'), 'ab'],
  [
    'without a place behind the one before',
    placed('b', 0, 50, 90, 10) + shape('c') + placed('a', 0, 10, 90, 10),
    'abc',
  ],
])('shapes are read %s', (_, shapes, expected) =>
  check({ shapes: shape('T', 'title') + shapes }, paragraphs(...expected)),
)

test('a placeholder has its place from the layout', () =>
  check(
    {
      shapes:
        '<p:sp><p:nvSpPr><p:nvPr><p:ph idx="1"/></p:nvPr></p:nvSpPr><p:txBody><a:p><a:r><a:t>b</a:t></a:r></a:p></p:txBody></p:sp>' +
        placed('a', 0, 10, 90, 10),
      relations: [['l', 'slideLayout', '../slideLayouts/slideLayout1.xml']],
    },
    paragraphs('a', 'b', 'Confidential'),
    {
      'ppt/slideLayouts/slideLayout1.xml': `<p:sldLayout><p:cSld><p:spTree>${place(shape('Click').replace('<p:nvPr>', '<p:nvPr><p:ph idx="1"/>'), [0, 50, 90, 10])}${shape('Confidential')}</p:spTree></p:cSld></p:sldLayout>`,
    },
  ))

test('comments of both forms are read', () =>
  check(
    {
      shapes: shape('a'),
      relations: [
        ['c', 'comments', '../comments/comment1.xml'],
        ['m', 'comments', '../comments/modernComment.xml'],
      ],
    },
    paragraphs('a', 'Comment: 90 tonnes', 'Comment: why?', 'Comment: because'),
    {
      'ppt/comments/comment1.xml':
        '<p:cmLst><p:cm authorId="0"><p:text>90 tonnes</p:text></p:cm></p:cmLst>',
      'ppt/comments/modernComment.xml':
        '<cmLst><cm><replyLst><reply><txBody><a:p><a:r><a:t>because</a:t></a:r></a:p></txBody></reply></replyLst><txBody><a:p><a:r><a:t>why?</a:t></a:r></a:p></txBody></cm></cmLst>',
    },
  ))

test('a table in the notes is read', () =>
  check(
    { shapes: shape('a'), notes: 'n' },
    ['paragraph: a', 'heading2: Notes', 'table: b | c / d | e'],
    {
      'ppt/notesSlides/notesSlide1.xml': `<p:notes><p:cSld><p:spTree>${slideTable([
        ['b', 'c'],
        ['d', 'e'],
      ])}</p:spTree></p:cSld></p:notes>`,
    },
  ))

const newChart =
  '<p:graphicFrame><a:graphic><a:graphicData><cx:chart r:id="x"/></a:graphicData></a:graphic></p:graphicFrame>'

test('charts of Office 2016 are read with all levels of their categories', () =>
  check(
    { shapes: newChart, relations: [['x', 'chartEx', '../charts/chartEx1.xml']] },
    [
      'table:  | 2026 / North / Coast / Ports | 417 / North / Coast / Beaches | 50% / North / Forests | 8',
    ],
    {
      'ppt/charts/chartEx1.xml': `<cx:chartSpace><cx:chartData><cx:data id="7"><cx:strDim type="cat">
        <cx:lvl><cx:pt idx="0">Ports</cx:pt><cx:pt idx="1">Beaches</cx:pt></cx:lvl>
        <cx:lvl><cx:pt idx="0">Coast</cx:pt><cx:pt idx="2">Forests</cx:pt></cx:lvl>
        <cx:lvl><cx:pt idx="0">North</cx:pt></cx:lvl></cx:strDim><cx:numDim type="size">
        <cx:lvl formatCode="General"><cx:pt idx="0">417</cx:pt><cx:pt idx="1">50%</cx:pt><cx:pt idx="2">8</cx:pt></cx:lvl>
        </cx:numDim></cx:data></cx:chartData><cx:chart><cx:plotArea><cx:plotAreaRegion><cx:series><cx:tx><cx:txData>
        <cx:v>2026</cx:v></cx:txData></cx:tx><cx:dataId val="7"/></cx:series></cx:plotAreaRegion></cx:plotArea></cx:chart></cx:chartSpace>`,
    },
  ))

test('a chart of many levels with long names gives no more text than its file', async () => {
  const level = (...texts: readonly string[]) =>
    `<cx:lvl>${texts.map((text, index) => `<cx:pt idx="${index}">${text}</cx:pt>`).join('')}</cx:lvl>`
  const levels = level(...Array(5_000).fill('a')) + level('b'.repeat(1_000)).repeat(20)
  const chart = `<cx:chartSpace><cx:chartData><cx:data id="7"><cx:strDim>${levels}</cx:strDim></cx:data></cx:chartData><cx:chart><cx:plotArea><cx:series><cx:dataId val="7"/></cx:series></cx:plotArea></cx:chart></cx:chartSpace>`
  const slide = { shapes: newChart, relations: [['x', 'chartEx', '../charts/c.xml']] } as const
  const { blocks } = await parseBytes(pptxParser, pptx([slide], { 'ppt/charts/c.xml': chart }))
  const text = blocks.map(block => block.text).join('')
  expect(text).toContain(`${'b'.repeat(1_000)} / a`)
  expect(text.length).toBeLessThan(chart.length)
})

test('embedded objects and charts without data of their own are counted', async () => {
  const slide = {
    shapes: `${shape('a')}${newChart}`,
    relations: [
      ['o', 'oleObject', '../embeddings/o.bin'],
      ['x', 'chartEx', '../charts/chartEx1.xml'],
    ],
  } as const
  const parts = {
    'ppt/charts/chartEx1.xml':
      '<cx:chartSpace><cx:chart><cx:plotArea><cx:series/></cx:plotArea></cx:chart></cx:chartSpace>',
  }
  const { warnings } = await parseBytes(pptxParser, pptx([slide], parts))
  expect(warnings).toEqual([
    {
      code: 'skipped',
      message: 'Skipped: charts 1, embedded objects 1. Their text is not searchable.',
    },
  ])
})

test('the names of those who commented are read', () =>
  check(
    { shapes: shape('a'), relations: [['c', 'comments', '../comments/comment1.xml']] },
    paragraphs('a', 'Comment by Kim: x'),
    {
      'ppt/_rels/presentation.xml.rels': relationships(
        ['s1', 'slide', 'slides/slide1.xml'],
        ['a', 'commentAuthors', 'commentAuthors.xml'],
      ),
      'ppt/commentAuthors.xml': '<p:cmAuthorLst><p:cmAuthor id="0" name="Kim"/></p:cmAuthorLst>',
      'ppt/comments/comment1.xml':
        '<p:cmLst><p:cm authorId="0"><p:text>x</p:text></p:cm></p:cmLst>',
    },
  ))
