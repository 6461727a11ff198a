import { describe, expect, test } from 'vitest'
import { docxParser } from '../../../../../src/ingest/parse/parsers/docx/docx.ts'
import { docx, docxParts, paragraph } from '../../../../fixtures/docx.ts'
import { outline, parseBytes } from '../../../../fixtures/parsed.ts'
import { zip } from '../../../../fixtures/zip.ts'

async function check(file: Buffer, expected: readonly string[]) {
  expect(outline((await parseBytes(docxParser, file)).blocks)).toEqual(expected)
}

const style = (id: string, name: string, properties = '') =>
  `<w:style w:type="paragraph" w:styleId="${id}"><w:name w:val="${name}"/>${properties}</w:style>`
const cell = (text: string, properties = '') =>
  `<w:tc><w:tcPr>${properties}</w:tcPr>${paragraph(text)}</w:tc>`

describe('a Word file', () => {
  test('has headings by style', () =>
    check(docx(paragraph('A', 'h2') + paragraph('b'), style('h2', 'heading 2')), [
      'heading2: A',
      'paragraph: b',
    ]))

  test('has headings by the outline level of its own styles', () => {
    const own =
      style('x', '章标题', '<w:pPr><w:outlineLvl w:val="0"/></w:pPr>') +
      style('y', '节', '<w:basedOn w:val="h2"/>')
    return check(docx(paragraph('A', 'x') + paragraph('B', 'y'), own + style('h2', 'heading 2')), [
      'heading1: A',
      'heading2: B',
    ])
  })

  test('has its contents list left out and counted once', async () => {
    const entries = ['A rule....1', 'B rule....2'].map(entry => paragraph(entry, 't')).join('')
    const { blocks, warnings } = await parseBytes(
      docxParser,
      docx(entries + paragraph('b'), style('t', 'toc 1')),
    )
    expect(outline(blocks)).toEqual(['paragraph: b'])
    expect(warnings).toMatchObject([
      { message: 'Skipped: contents lists 1. Their text is not searchable.' },
    ])
  })

  test('repeats cells merged down and across', () => {
    const rows = [
      cell('a', '<w:vMerge w:val="restart"/>') + cell('b', '<w:gridSpan w:val="2"/>'),
      cell('', '<w:vMerge/>') + cell('c') + cell('d'),
    ]
    return check(docx(`<w:tbl>${rows.map(row => `<w:tr>${row}</w:tr>`).join('')}</w:tbl>`), [
      'table: a | b | b / a | c | d',
    ])
  })

  test('keeps its rows where a cell holds a table', () => {
    const inner = `<w:tbl><w:tr>${cell('x')}${cell('y')}</w:tr></w:tbl>`
    const rows = [
      cell('Class') + cell('Fee'),
      `${cell('A')}<w:tc><w:p><w:r><w:t>50</w:t></w:r></w:p>${inner}<w:p/></w:tc>`,
      cell('B') + cell('120'),
      cell('C') + cell('130'),
    ]
    return check(docx(`<w:tbl>${rows.map(row => `<w:tr>${row}</w:tr>`).join('')}</w:tbl>`), [
      'table: Class | Fee / A | 50 x y / B | 120 / C | 130',
    ])
  })

  test('has its formulas read as text', () => {
    const run = (text: string) => `<m:r><m:t>${text}</m:t></m:r>`
    const power = `<m:sSup><m:e>${run('c')}</m:e><m:sup>${run('2')}</m:sup></m:sSup>`
    const half = `<m:f><m:num>${run('a')}</m:num><m:den>${run('b')}</m:den></m:f>`
    const math = 'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"'
    const formula = `<m:oMathPara><m:oMath>${run('E=m')}${power}</m:oMath></m:oMathPara>`
    return check(
      docx(`<w:p ${math}><w:r><w:t>With </w:t></w:r>${formula}<m:oMath>${half}</m:oMath></w:p>`),
      ['paragraph: With E=mc²a/b'],
    )
  })

  const math = (text: string) => `<m:r><m:t>${text}</m:t></m:r>`
  test.each([
    [
      'x=√2',
      `${math('x=')}<m:rad><m:radPr><m:degHide/></m:radPr><m:deg/><m:e>${math('2')}</m:e></m:rad>`,
    ],
    ['∛27', `<m:rad><m:deg>${math('3')}</m:deg><m:e>${math('27')}</m:e></m:rad>`],
    ['k=2·(a+b)', `${math('k=2·')}<m:d><m:e>${math('a+b')}</m:e></m:d>`],
    [
      '|x-3|',
      `<m:d><m:dPr><m:begChr m:val="|"/><m:endChr m:val="|"/></m:dPr><m:e>${math('x-3')}</m:e></m:d>`,
    ],
    ['(a+b)/(c+d)', `<m:f><m:num>${math('a+b')}</m:num><m:den>${math('c+d')}</m:den></m:f>`],
    ['3 1/2', `${math('3')}<m:f><m:num>${math('1')}</m:num><m:den>${math('2')}</m:den></m:f>`],
    ['20^x', `<m:sSup><m:e>${math('20')}</m:e><m:sup>${math('x')}</m:sup></m:sSup>`],
    [
      '∑_(i=1)^n x_i',
      `<m:nary><m:naryPr><m:chr m:val="∑"/></m:naryPr><m:sub>${math('i=1')}</m:sub><m:sup>${math('n')}</m:sup><m:e><m:sSub><m:e>${math('x')}</m:e><m:sub>${math('i')}</m:sub></m:sSub></m:e></m:nary>`,
    ],
    [
      '[a, b; c, d]',
      `<m:m>${[
        ['a', 'b'],
        ['c', 'd'],
      ]
        .map(row => `<m:mr>${row.map(text => `<m:e>${math(text)}</m:e>`).join('')}</m:mr>`)
        .join('')}</m:m>`,
    ],
  ])('has the formula %s keep its meaning', (expected, formula) =>
    check(docx(`<w:p><m:oMath>${formula}</m:oMath></w:p>`), [`paragraph: ${expected}`]),
  )

  const level = (at: number, format: string, shown: string, more = '') =>
    `<w:lvl w:ilvl="${at}"><w:start w:val="1"/><w:numFmt w:val="${format}"/>${more}<w:lvlText w:val="${shown}"/></w:lvl>`
  const list = (id: number, ...levels: readonly string[]) =>
    `<w:abstractNum w:abstractNumId="${id}">${levels.join('')}</w:abstractNum>`
  const use = (id: number, of: number, more = '') =>
    `<w:num w:numId="${id}"><w:abstractNumId w:val="${of}"/>${more}</w:num>`
  const item = (text: string, id: number, at = 0, styled = '') =>
    `<w:p><w:pPr>${styled && `<w:pStyle w:val="${styled}"/>`}<w:numPr><w:ilvl w:val="${at}"/><w:numId w:val="${id}"/></w:numPr></w:pPr>${text && `<w:r><w:t>${text}</w:t></w:r>`}</w:p>`
  const numbered = (body: string, numbering: string, styles = '') =>
    zip({
      ...docxParts(body, styles),
      'word/numbering.xml': `<w:numbering>${numbering}</w:numbering>`,
    })

  test('has the numbers of its lists as Word shows them, and nested items set in', () => {
    const steps = list(
      0,
      level(0, 'decimal', '%1.'),
      level(1, 'lowerLetter', '(%2)'),
      level(2, 'bullet', '•'),
    )
    const body = [
      ...[item('a', 1), item('b', 1, 1), item('c', 1, 1), item('d', 1, 2), item('e', 1)],
      ...[paragraph('f'), item('g', 2), item('h', 3)],
    ]
    return check(
      numbered(
        body.join(''),
        steps +
          use(1, 0) +
          use(2, 0) +
          use(3, 0, '<w:lvlOverride w:ilvl="0"><w:startOverride w:val="1"/></w:lvlOverride>'),
      ),
      [
        ...['list: 1. a', 'list:   (a) b', 'list:   (b) c', 'list:     d', 'list: 2. e'],
        ...['paragraph: f', 'list: 3. g', 'list: 1. h'],
      ],
    )
  })

  test('nests lists of several styles by how far they are set in', () => {
    const indented = (left: number) => `<w:pPr><w:ind w:left="${left}"/></w:pPr>`
    const outer = list(0, level(0, 'decimal', '%1.', `<w:pStyle w:val="n"/>${indented(360)}`))
    const inner = list(1, level(0, 'bullet', '•', `<w:pStyle w:val="m"/>${indented(720)}`))
    const own = style('n', 'List Number', '<w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr>')
    const deeper = style(
      'm',
      'List Bullet 2',
      '<w:pPr><w:numPr><w:numId w:val="2"/></w:numPr></w:pPr>',
    )
    return check(
      numbered(
        paragraph('a', 'n') + paragraph('b', 'm') + paragraph('c', 'n'),
        outer + inner + use(1, 0) + use(2, 1),
        own + deeper,
      ),
      ['list: 1. a', 'list:   b', 'list: 2. c'],
    )
  })

  test('has the numbers of its headings, clauses and cells', () => {
    const clauses = list(
      0,
      level(0, 'chineseCounting', '第%1条'),
      level(1, 'decimal', '%1.%2', '<w:isLgl/>'),
    )
    const rows = ['a', 'b'].map(text => `<w:tr><w:tc>${item('', 2)}</w:tc>${cell(text)}</w:tr>`)
    return check(
      numbered(
        `${item('交货', 1, 0, 'h2')}${item('乙方送货。', 1, 1)}<w:tbl>${rows.join('')}</w:tbl>`,
        `${clauses}${list(1, level(0, 'decimal', '%1'))}${use(1, 0)}${use(2, 1)}`,
        style('h2', 'heading 2'),
      ),
      ['heading2: 第一条 交货', 'list: 1.1 乙方送货。', 'table: 1 | a / 2 | b'],
    )
  })

  const decimals = list(0, level(0, 'decimal', '%1.')) + use(1, 0)
  const two = item('a', 1) + item('b', 1)
  test.each([
    ['in single quotes', two.replaceAll('"', "'"), decimals.replaceAll('"', "'")],
    ['beside empty lists', two, `<w:abstractNum w:abstractNumId="7"/>${decimals}`],
    ['beside empty levels', two, decimals.replace('<w:lvl', '<w:lvl w:ilvl="1"/><w:lvl')],
    ['behind comments', two.replaceAll('<w:pPr>', '<!-- <w:p> --><w:pPr>'), decimals],
    [
      'from a start that is no number',
      two,
      decimals.replace('w:start w:val="1"', 'w:start w:val="abc"'),
    ],
    ['at a level that is none', two.replaceAll('w:ilvl w:val="0"', 'w:ilvl w:val="-5"'), decimals],
    [
      'at a level beyond all',
      two.replaceAll('w:ilvl w:val="0"', 'w:ilvl w:val="4294967295"'),
      decimals,
    ],
  ])('counts lists %s', (_, body, numbering) =>
    check(numbered(body, numbering), ['list: 1. a', 'list: 2. b']),
  )

  test('shows no number of a level that has none', () => {
    const levels = list(0, level(0, 'none', 'Note %1'), level(1, 'decimal', '%1%2.')) + use(1, 0)
    return check(numbered(item('a', 1) + item('b', 1, 1), levels), ['list: Note a', 'list:   1. b'])
  })

  test.each([
    [
      'on from above',
      '<w:lvlRestart w:val="0"/>',
      ['list: 1. a', 'list:   (a) b', 'list: 2. c', 'list:   (b) d'],
    ],
    [
      'anew',
      '<w:lvlRestart w:val="1"/>',
      ['list: 1. a', 'list:   (a) b', 'list: 2. c', 'list:   (a) d'],
    ],
  ])('counts %s where its level says so', (_, restart, shown) => {
    const levels =
      list(0, level(0, 'decimal', '%1.'), level(1, 'lowerLetter', '(%2)', restart)) + use(1, 0)
    return check(
      numbered(item('a', 1) + item('b', 1, 1) + item('c', 1) + item('d', 1, 1), levels),
      shown,
    )
  })

  test('shows the levels that a use of a list has of its own', () => {
    const own = `<w:lvlOverride w:ilvl="0">${level(0, 'chineseLegalSimplified', '%1、')}</w:lvlOverride>`
    return check(
      numbered(
        item('a', 1) + item('b', 2) + item('c', 2, 1),
        list(0, level(0, 'decimal', '%1.'), level(1, 'decimalZero', '%2')) +
          use(1, 0) +
          use(2, 0, own),
      ),
      [...['list: 1. a', 'list: 贰、b', 'list:   01 c']],
    )
  })

  test('counts from the whole part of a start', () =>
    check(
      numbered(two, decimals.replace('w:val="1"', 'w:val="1.5"').replace('decimal', 'lowerLetter')),
      [...['list: a. a', 'list: b. b']],
    ))

  test('counts the items of a text box once', () => {
    const spaces =
      'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" xmlns:v="urn:schemas-microsoft-com:vml"'
    const fallback = `<w:pict><v:textbox><w:txbxContent>${two}</w:txbxContent></v:textbox></w:pict>`
    const box = `<mc:AlternateContent ${spaces}><mc:Choice Requires="wps">${two}</mc:Choice><mc:Fallback>${fallback}</mc:Fallback></mc:AlternateContent>`
    return check(numbered(`<w:p><w:r>${box}</w:r></w:p>${item('c', 1)}`, decimals), [
      ...['list: 1. a', 'list: 2. b', 'list: 3. c'],
    ])
  })

  test('numbers the lists in its notes', async () => {
    const parts = docxParts(
      '<w:p><w:r><w:t>Body</w:t></w:r><w:r><w:footnoteReference w:id="2"/></w:r></w:p>',
    )
    const notes = `<w:footnotes xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:footnote w:id="2">${two}</w:footnote></w:footnotes>`
    const file = {
      ...parts,
      'word/footnotes.xml': notes,
      'word/numbering.xml': `<w:numbering>${decimals}</w:numbering>`,
    }
    await check(zip(file), ['paragraph: Body[1]', 'list:   1. a', 'list:   2. b'])
  })

  test('is refused at once for lists that do not end', async () => {
    const file = numbered(two, '<w:abstractNum w:abstractNumId="1">'.repeat(20_000))
    const start = performance.now()
    await expect(parseBytes(docxParser, file)).rejects.toMatchObject({ code: 'too_large' })
    expect(performance.now() - start).toBeLessThan(2_000)
  })

  test('tells title, author and dates', async () => {
    const core =
      '<cp:coreProperties><dc:title>A &amp; B</dc:title><dc:creator>Ann</dc:creator><dcterms:created xsi:type="dcterms:W3CDTF">2024-05-01T08:00:00Z</dcterms:created></cp:coreProperties>'
    const { metadata } = await parseBytes(
      docxParser,
      zip({ ...docxParts(paragraph('x')), 'docProps/core.xml': core }),
    )
    expect(metadata).toMatchObject({
      title: 'A & B',
      author: 'Ann',
      created: '2024-05-01T08:00:00Z',
    })
  })
})

describe('dates of a template are none of the document', () => {
  const statesDates = async (
    stated: { created?: string; modified?: string; revision?: number },
    expected: { created?: string; modified?: string },
  ) => {
    const facts = Object.entries(stated).map(([name, value]) => `<x:${name}>${value}</x:${name}>`)
    const core = `<cp:coreProperties>${facts.join('')}</cp:coreProperties>`
    const file = zip(
      { ...docxParts(paragraph('x')), 'docProps/core.xml': core },
      { written: { year: 2024, month: 6, day: 1 } },
    )
    const { created, modified } = (await parseBytes(docxParser, file)).metadata
    expect({ created, modified }).toEqual(expected)
  }
  const [MADE, SAVED, LATER] = ['2013-03-04T09:00:00Z', '2013-03-04T09:02:00Z', '2014-01-05']

  test('of one that a program filled years after it was made', () =>
    statesDates({ created: MADE, modified: SAVED, revision: 1 }, {}))
  test('of a change before the creation', () =>
    statesDates({ created: '2024-05-31', modified: MADE }, { created: '2024-05-31' }))
  test('unlike those of one that was changed', () =>
    statesDates({ created: MADE, modified: LATER }, { created: MADE, modified: LATER }))
  test('unlike those of one that was saved again', () =>
    statesDates(
      { created: MADE, modified: SAVED, revision: 2 },
      { created: MADE, modified: SAVED },
    ))
  test('unlike a creation that is stated alone', () =>
    statesDates({ created: MADE }, { created: MADE }))
  test('unlike an earlier day of the year in which the file was written', () =>
    statesDates(
      { created: '2023-11-02', modified: '2023-11-02' },
      { created: '2023-11-02', modified: '2023-11-02' },
    ))
  test('unlike those of the day when the file was written', () =>
    statesDates({ created: '2024-05-31' }, { created: '2024-05-31' }))
})

describe('a file that is no sound Word file', () => {
  const checkFails = (file: Buffer, code: string) =>
    expect(parseBytes(docxParser, file)).rejects.toMatchObject({ code })

  test('is corrupt when cut off', () =>
    checkFails(docx(paragraph('x')).subarray(0, 700), 'corrupt'))
  test('is corrupt without its main part', () =>
    checkFails(zip({ 'word/other.xml': 'x' }), 'corrupt'))
  test('is refused unread when it is a bomb', () =>
    checkFails(zip({ ...docxParts(''), 'word/big.xml': Buffer.alloc(40_000_000) }), 'too_large'))
  test('is refused when it nests without end', async () => {
    await checkFails(docx('<w:smartTag>'.repeat(3000)), 'too_large')
    await checkFails(
      docx(`${'<w:smartTag>'.repeat(90_000)}${'</w:smartTag>'.repeat(90_000)}`),
      'too_large',
    )
  })
  test('is refused so whatever its values and comments look like', async () => {
    const inside = `${paragraph('x')}${'</w:smartTag>'.repeat(90_000)}`
    await checkFails(docx(`${'<w:smartTag w:uri="/>">'.repeat(90_000)}${inside}`), 'too_large')
    await checkFails(docx(`${'<!--</a>--><w:smartTag>'.repeat(90_000)}${inside}`), 'too_large')
  })
  test('is corrupt when no tag of it ends', () =>
    checkFails(docx(`${'<a '.repeat(300_000)}/>`), 'corrupt'))
  test('is read when it only seems to', () =>
    check(docx(`${'<w:bookmarkStart w:name="a > b"/>'.repeat(300)}${paragraph('x')}`), [
      'paragraph: x',
    ]))
  test('is without text when it has none', () => checkFails(docx(''), 'no_text'))
  test('does not read other files for its entities', async () => {
    const parts = docxParts(paragraph('safe &x;'))
    const evil = `<!DOCTYPE d [<!ENTITY x SYSTEM "file:///etc/passwd">]>${parts['word/document.xml']}`
    const outcome = await parseBytes(
      docxParser,
      zip({ ...parts, 'word/document.xml': evil }),
    ).catch(error => error)
    expect(JSON.stringify(outcome)).not.toContain('root:')
  })
})
