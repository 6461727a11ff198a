import { describe, expect, test } from 'vitest'
import { pptxParser } from '../../../../../src/ingest/parse/parsers/pptx/pptx.ts'
import { outline, parseBytes } from '../../../../fixtures/parsed.ts'
import {
  frame,
  pptx,
  pptxParts,
  type SlideContent,
  shape,
  slideTable,
} from '../../../../fixtures/pptx.ts'
import { zip } from '../../../../fixtures/zip.ts'

async function check(
  slide: SlideContent,
  expected: readonly string[],
  parts: Record<string, string> = {},
) {
  expect(outline((await parseBytes(pptxParser, pptx([slide], parts))).blocks)).toEqual(expected)
}

const title = shape('Plan', 'title')
const numbered = (text: string) =>
  `<a:p><a:pPr><a:buAutoNum type="arabicPeriod"/></a:pPr><a:r><a:t>${text}</a:t></a:r></a:p>`

describe('a slide', () => {
  test('is a page and a heading, whatever the order of its shapes', async () => {
    const { blocks, pages, metadata } = await parseBytes(
      pptxParser,
      pptx([{ shapes: shape('x') }, { shapes: shape('b') + title }]),
    )
    expect(blocks.map(({ page, text }) => `${page}: ${text}`)).toEqual([
      '1: Slide 1',
      '1: x',
      '2: Plan',
      '2: b',
    ])
    expect(pages.map(({ page, characters }) => [page, characters])).toEqual([
      [1, 9],
      [2, 6],
    ])
    expect(metadata.pages).toBe(2)
  })
  test('has notes', () =>
    check({ shapes: title, notes: 'Be brief.' }, [
      'heading1: Plan',
      'heading2: Notes',
      'paragraph: Be brief.',
    ]))
  test('opens groups', () =>
    check({ shapes: `${title}<p:grpSp>${shape('a')}<p:grpSp>${shape('b')}</p:grpSp></p:grpSp>` }, [
      'heading1: Plan',
      'paragraph: a',
      'paragraph: b',
    ]))
  test('leaves out date and number, and has the footer last', () =>
    check({ shapes: title + shape('1 May', 'dt') + shape('ACME', 'ftr') + shape('7', 'sldNum') }, [
      'heading1: Plan',
      'paragraph: ACME',
    ]))
  test('numbers its lists', () =>
    check({ shapes: title + shape(`${numbered('a')}\n${numbered('b')}`) }, [
      'heading1: Plan',
      'list: 1. a',
      'list: 2. b',
    ]))
  test('sets in what is on a deeper level, counted as it shows', () => {
    const at = (level: number, text: string, type = '') =>
      `<a:p><a:pPr lvl="${level}">${type && `<a:buAutoNum type="${type}"/>`}</a:pPr><a:r><a:t>${text}</a:t></a:r></a:p>`
    const body = at(0, 'a') + at(1, 'b') + at(0, 'c', 'romanUcPeriod') + at(1, 'd', 'alphaLcParenR')
    return check({ shapes: title + shape(body) }, [
      ...['heading1: Plan', 'paragraph: a', 'list:   b', 'list: I. c', 'list:   a) d'],
    ])
  })
  test('sets off raised and lowered digits', () => {
    const run = (text: string, baseline = 0) =>
      `<a:r><a:rPr baseline="${baseline}"/><a:t>${text}</a:t></a:r>`
    const body = `<a:p>${run('10')}${run('6', 30000)}${run(' H')}${run('2', -25000)}${run('O')}</a:p>`
    return check({ shapes: title + shape(body) }, ['heading1: Plan', 'paragraph: 10⁶ H₂O'])
  })
  test('has tables with merged cells repeated', () =>
    check(
      {
        shapes:
          title +
          slideTable([
            ['a', '#', 'c'],
            ['x', 'y', '^'],
          ]),
      },
      ['heading1: Plan', 'table: a | a | c / x | y | c'],
    ))
  test('of alternatives shows one', () =>
    check(
      {
        shapes: `${title}<mc:AlternateContent><mc:Choice>${shape('new')}</mc:Choice><mc:Fallback>${shape('old')}</mc:Fallback></mc:AlternateContent>`,
      },
      ['heading1: Plan', 'paragraph: new'],
    ))
  test('that is hidden is read and named', async () => {
    const { blocks, warnings } = await parseBytes(
      pptxParser,
      pptx([{ shapes: title }, { shapes: shape('x'), isHidden: true }]),
    )
    expect(blocks.at(-1)!.text).toBe('x')
    expect(warnings).toEqual([{ code: 'hidden_slides', message: expect.stringContaining('2') }])
  })
})

test('a chart is its title and its numbers', () => {
  const points = (kind: string, values: readonly string[]) =>
    `<c:${kind}><c:formatCode>0.0</c:formatCode>${values.map((value, index) => `<c:pt idx="${index}"><c:v>${value}</c:v></c:pt>`).join('')}</c:${kind}>`
  const series = `<c:ser><c:tx><c:strRef>${points('strCache', ['Sales'])}</c:strRef></c:tx><c:cat><c:strRef>${points('strCache', ['Q1', 'Q2'])}</c:strRef></c:cat><c:val><c:numRef>${points('numCache', ['1.25', '2'])}</c:numRef></c:val></c:ser>`
  const chart = `<c:chartSpace><c:chart><c:title><a:p><a:r><a:t>Growth</a:t></a:r></a:p></c:title><c:plotArea><c:barChart>${series}</c:barChart></c:plotArea></c:chart></c:chartSpace>`
  const slide = {
    shapes: title + frame('<c:chart r:id="c1"/>'),
    relations: [['c1', 'chart', '../charts/chart1.xml']] as const,
  }
  return check(
    slide,
    ['heading1: Plan', 'caption: Growth', 'table:  | Sales / Q1 | 1.3 / Q2 | 2.0'],
    {
      'ppt/charts/chart1.xml': chart,
    },
  )
})

test('a diagram is the text of its points', () => {
  const model =
    '<dgm:dataModel><dgm:ptLst><dgm:pt><dgm:t><a:p><a:r><a:t>Step</a:t></a:r></a:p></dgm:t></dgm:pt><dgm:pt type="pres"><dgm:t><a:p><a:r><a:t>no</a:t></a:r></a:p></dgm:t></dgm:pt></dgm:ptLst></dgm:dataModel>'
  const slide = {
    shapes: title + frame('<dgm:relIds r:dm="d1" r:lo="d2"/>'),
    relations: [['d1', 'diagramData', '../d.xml']] as const,
  }
  return check(slide, ['heading1: Plan', 'list: Step'], { 'ppt/d.xml': model })
})

describe('a file that is no sound presentation', () => {
  const checkFails = (file: Buffer, code: string) =>
    expect(parseBytes(pptxParser, file)).rejects.toMatchObject({ code })
  const parts = pptxParts([{ shapes: title }])

  test('is corrupt when cut off', () => checkFails(zip(parts).subarray(0, 700), 'corrupt'))
  test('is corrupt without its main part', () =>
    checkFails(zip({ 'ppt/other.xml': 'x' }), 'corrupt'))
  test('may have no other text than a footer', () =>
    check({ shapes: shape('ACME', 'ftr') }, ['paragraph: ACME']))
  test('is without text when its slides are', () => checkFails(pptx([{ shapes: '' }]), 'no_text'))
  test('is refused unread when it is a bomb', () =>
    checkFails(zip({ ...parts, 'ppt/big.xml': Buffer.alloc(40_000_000) }), 'too_large'))
})

test('a slide that is not there is told, and the others keep their numbers', async () => {
  const { 'ppt/slides/slide1.xml': _, ...parts } = pptxParts([
    { shapes: shape('a') },
    { shapes: shape('b') },
  ])
  const { blocks, warnings, metadata } = await parseBytes(pptxParser, zip(parts))
  expect(blocks.map(({ page, text }) => `${page}: ${text}`)).toEqual(['2: Slide 2', '2: b'])
  expect([metadata.pages, warnings]).toEqual([
    2,
    [{ code: 'missing_parts', message: expect.stringMatching(/not in it: 1\./) }],
  ])
})

test('a presentation without any of its slides is corrupt', async () => {
  const { 'ppt/slides/slide1.xml': _, ...parts } = pptxParts([{ shapes: shape('a') }])
  await expect(parseBytes(pptxParser, zip(parts))).rejects.toMatchObject({ code: 'corrupt' })
})
