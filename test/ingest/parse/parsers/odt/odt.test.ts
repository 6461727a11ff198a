import { describe, expect, test } from 'vitest'
import { odtParser } from '../../../../../src/ingest/parse/parsers/odt/odt.ts'
import { odt, odtCell, odtTable } from '../../../../fixtures/odt.ts'
import { outline, parseBytes } from '../../../../fixtures/parsed.ts'
import { zip } from '../../../../fixtures/zip.ts'

async function check(body: string, expected: readonly string[], styles = '') {
  expect(outline((await parseBytes(odtParser, odt(body, styles))).blocks)).toEqual(expected)
}

const p = (text: string, style = '') => `<text:p text:style-name="${style}">${text}</text:p>`
const item = (content: string) => `<text:list-item>${content}</text:list-item>`

describe('an OpenDocument text', () => {
  test('has headings by level and by style', () => {
    const styles =
      '<style:style style:name="P1" style:parent-style-name="Title"/><style:style style:name="P2" style:default-outline-level="2"/>'
    return check(
      `${p('A', 'P1')}${p('B', 'P2')}<text:h text:outline-level="3">C</text:h>`,
      ['heading1: A', 'heading2: B', 'heading3: C'],
      styles,
    )
  })
  test('keeps spaces, tabs and line breaks that are written as elements', () =>
    check(p('a<text:s text:c="2"/>b\n  c<text:line-break/>d<text:span>e</text:span>'), [
      'paragraph: a  b c / de',
    ]))
  test('sets off raised and lowered digits', () => {
    const at = (position: string) => `<style:text-properties style:text-position="${position}"/>`
    const styles = `<style:style style:name="T1">${at('super 58%')}</style:style><style:style style:name="T2">${at('-33% 58%')}</style:style>`
    const span = (style: string, text: string) =>
      `<text:span text:style-name="${style}">${text}</text:span>`
    return check(p(`10${span('T1', '6')} H${span('T2', '2')}O`), ['paragraph: 10⁶ H₂O'], styles)
  })
  test('numbers the levels that its list style numbers', () => {
    const styles =
      '<text:list-style style:name="L"><text:list-level-style-number text:level="1" style:num-format="1"/><text:list-level-style-bullet text:level="2"/></text:list-style>'
    const list = `<text:list text:style-name="L">${item(`${p('a')}<text:list>${item(p('x'))}</text:list>`)}${item(p('b'))}</text:list>`
    return check(list, ['list: 1. a', 'list:   x', 'list: 2. b'], styles)
  })
  test.each([
    ['壹, 贰, 叁, ...', '贰'],
    ['甲, 乙, 丙, ...', '乙'],
    ['子, 丑, 寅, ...', '丑'],
    ['①, ②, ③, ...', '②'],
  ])('numbers its items by %s', (format, second) => {
    const list = `<text:list text:style-name="L">${item(p('a'))}${item(p('b'))}</text:list>`
    const level = `<text:list-level-style-number text:level="1" style:num-format="${format}" style:num-suffix="、"/>`
    const styles = `<text:list-style style:name="L">${level}</text:list-style>`
    return check(list, [`list: ${format[0]}、a`, `list: ${second}、b`], styles)
  })
  test('numbers its items as it shows them, and sets in what stands under them', () => {
    const level = (level: number, number: string) =>
      `<text:list-level-style-number text:level="${level}" ${number}/>`
    const levels =
      level(1, 'style:num-format="一, 二, 三, ..." style:num-suffix="、"') +
      level(2, 'style:num-format="a" style:num-prefix="(" style:num-suffix=")"')
    const list = item(`${p('a')}${p('b')}<text:list>${item(p('x'))}${item(p('y'))}</text:list>`)
    return check(
      `<text:list text:style-name="L">${list}</text:list>`,
      ['list: 一、a', 'list:   b', 'list:   (a) x', 'list:   (b) y'],
      `<text:list-style style:name="L">${levels}</text:list-style>`,
    )
  })
  test.each([
    ['', 'ab'],
    ['style:num-letter-sync="true"', 'bb'],
  ])('goes on after z and aa as its list style tells: %s', async (sync, last) => {
    const list = `<text:list text:style-name="L">${item(p('x')).repeat(28)}</text:list>`
    const styles = `<text:list-style style:name="L"><text:list-level-style-number text:level="1" style:num-format="a" style:num-suffix="." ${sync}/></text:list-style>`
    await check(
      list,
      expect.arrayContaining(['list: z. x', 'list: aa. x', `list: ${last}. x`]),
      styles,
    )
  })
  test('has notes and text boxes after the paragraph they belong to', () =>
    check(
      `${p('a<text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>n</text:p></text:note-body></text:note>b<draw:frame><draw:text-box><text:p>c</text:p></draw:text-box></draw:frame>')}${p('d')}`,
      ['paragraph: ab', 'paragraph: n', 'paragraph: c', 'paragraph: d'],
    ))
  test('leaves out contents lists and deleted text', () =>
    check(
      `<text:tracked-changes>${p('old')}</text:tracked-changes><text:table-of-content><text:index-body>${p('A....1')}</text:index-body></text:table-of-content><text:section>${p('a')}</text:section>`,
      ['paragraph: a'],
    ))
  test('tells title, author and dates', async () => {
    const meta =
      '<x><office:meta><dc:title>A</dc:title><meta:initial-creator>Ann</meta:initial-creator><meta:creation-date>2024-05-01T08:00:00</meta:creation-date></office:meta></x>'
    const { metadata } = await parseBytes(odtParser, odt(p('x'), '', { 'meta.xml': meta }))
    expect(metadata).toMatchObject({ title: 'A', author: 'Ann', created: '2024-05-01T08:00:00' })
  })
})

describe('a table', () => {
  test('repeats cells merged down and across', () =>
    check(
      odtTable([
        odtCell('a', 'table:number-rows-spanned="2"') +
          odtCell('b', 'table:number-columns-spanned="2"') +
          '<table:covered-table-cell/>',
        `<table:covered-table-cell/>${odtCell('c')}${odtCell('d')}`,
      ]),
      ['table: a | b | b / a | c | d'],
    ))
  test('is not made wide or long by empty cells that repeat', () =>
    check(
      odtTable([
        odtCell('a') + odtCell('b'),
        odtCell('', 'table:number-columns-repeated="1000000"'),
      ]),
      [expect.stringMatching(/^table: a \| b$/)],
    ))
  test('of one column only arranges', () =>
    check(odtTable([odtCell('a'), odtCell('b')]), ['paragraph: a', 'paragraph: b']))
})

describe('text beside the text', () => {
  test('in comments, headers and footers is read, each once', async () => {
    const page = (name: string, text: string) => `<style:${name}>${p(text)}</style:${name}>`
    const styles = `<office:document-styles><style:master-page>${page('header', 'Plan')}${page('header-left', 'Plan')}${page('footer', '7')}</style:master-page></office:document-styles>`
    const comment = `<office:annotation><dc:creator>Kim</dc:creator><dc:date>2024</dc:date>${p('11 May')}</office:annotation>`
    const file = odt(`<text:p>a${comment}</text:p>`, '', { 'styles.xml': styles })
    const { blocks } = await parseBytes(odtParser, file)
    expect(outline(blocks)).toEqual([
      ...['paragraph: a', 'paragraph: Comment by Kim: 11 May', 'paragraph: Plan'],
    ])
  })
  test('that is left out is counted', async () => {
    const body = `<text:tracked-changes><text:changed-region><text:deletion>${p('old')}</text:deletion></text:changed-region></text:tracked-changes><office:forms><form:form/></office:forms><text:p>a<text:ruby><text:ruby-base>東</text:ruby-base><text:ruby-text>と</text:ruby-text></text:ruby><draw:frame><draw:object/></draw:frame></text:p>`
    const { blocks, warnings } = await parseBytes(odtParser, odt(body))
    expect(outline(blocks)).toEqual(['paragraph: a東'])
    expect(warnings.map(({ message }) => message)).toEqual([
      'Skipped: deleted texts 1, embedded objects 1, form controls 1, reading aids 1. Their text is not searchable.',
    ])
  })
})

describe('a file that is no sound text', () => {
  const checkFails = (file: Buffer, code: string) =>
    expect(parseBytes(odtParser, file)).rejects.toMatchObject({ code })
  const locked = '<m><file-entry><encryption-data/></file-entry></m>'

  test('is encrypted', () =>
    checkFails(odt('', '', { 'META-INF/manifest.xml': locked }), 'encrypted'))
  test('is corrupt when cut off', () => checkFails(odt(p('x')).subarray(0, 300), 'corrupt'))
  test('is corrupt without its main part', () => checkFails(zip({ mimetype: 'x' }), 'corrupt'))
  test('is without text when it has none', () => checkFails(odt(p('')), 'no_text'))
  test('is refused when it nests without end', () =>
    checkFails(odt('<text:section>'.repeat(3000)), 'too_large'))
})

test('a bibliography is read, and lists of contents are counted', async () => {
  const index = (kind: string, text: string) =>
    `<text:${kind}><text:index-body>${p(text)}</text:index-body></text:${kind}>`
  const body = `${p('A')}${index('table-of-content', 'A 1')}${index('alphabetical-index', 'a 1')}${index('bibliography', 'Knuth 1984')}`
  const { blocks, warnings } = await parseBytes(odtParser, odt(body))
  expect(outline(blocks)).toEqual(['paragraph: A', 'paragraph: Knuth 1984'])
  expect(warnings.map(({ message }) => message)).toEqual([
    expect.stringContaining('contents lists 2'),
  ])
})

test('headers and footers of a file in one XML file are read once', async () => {
  const master =
    '<office:master-styles><style:master-page><style:header><text:p>Port of Bergen</text:p></style:header><style:footer-first><text:p>Draft of May</text:p></style:footer-first></style:master-page></office:master-styles>'
  const flat = `<office:document xmlns:office="o" xmlns:style="s" xmlns:text="t">${master}<office:body><office:text><text:p>A</text:p></office:text></office:body></office:document>`
  const mediaType = 'application/vnd.oasis.opendocument.text-flat-xml'
  const { blocks } = await parseBytes(odtParser, flat, { mediaType })
  expect(outline(blocks)).toEqual([
    'paragraph: A',
    'paragraph: Port of Bergen',
    'paragraph: Draft of May',
  ])
})
