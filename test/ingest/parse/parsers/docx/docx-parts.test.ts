import { describe, expect, test } from 'vitest'
import { docxParser } from '../../../../../src/ingest/parse/parsers/docx/docx.ts'
import { docx, docxParts, paragraph } from '../../../../fixtures/docx.ts'
import { relationships } from '../../../../fixtures/ooxml.ts'
import { outline, parseBytes } from '../../../../fixtures/parsed.ts'
import { zip } from '../../../../fixtures/zip.ts'

async function check(file: Buffer, expected: readonly string[]) {
  expect(outline((await parseBytes(docxParser, file)).blocks)).toEqual(expected)
}

const cell = (text: string) => `<w:tc>${paragraph(text)}</w:tc>`

describe('the parts of a Word file that carry text', () => {
  const run = (text: string, properties = '') =>
    `<w:r><w:rPr>${properties}</w:rPr><w:t xml:space="preserve">${text}</w:t></w:r>`
  const fieldMark = (type: string) => `<w:r><w:fldChar w:fldCharType="${type}"/></w:r>`
  const tick = (value: number) =>
    `<w:sdt><w:sdtPr><w14:checkbox><w14:checked w14:val="${value}"/></w14:checkbox></w:sdtPr><w:sdtContent>${run('?')}</w:sdtContent></w:sdt>`
  const box = (text: string) => `<w:txbxContent>${paragraph(text)}</w:txbxContent>`

  test.each([
    ['an array', String.raw` EQ \a \al (Milk,Eggs) `, '[Milk; Eggs]'],
    ['a fraction', String.raw`EQ \f(a+b,\r(3,x)) `, '(a+b)/(∛x)'],
    ['scripts', String.raw`EQ x\s\up8(2)\do4(i)`, 'x²_i'],
    ['brackets', String.raw`EQ \b\bc\{(\a\al\co2(1,0,0,1))`, '{1, 0; 0, 1}'],
    ['a sum', String.raw`eq \i\su(1,5,3)`, '∑₁⁵ 3'],
    ['an encircled number', String.raw`eq \o\ac(○,12)`, '⑫'],
    ['encircled words', String.raw`eq \o\ac(○,a b)`, '(a b)'],
    ['text with a reading aid', String.raw`EQ \* hps10 \o\ad(\s\up 9(pīn),拼)`, '拼'],
    [
      'a power printed over its base',
      String.raw`EQ \o(x,\s\up5(2)) + \o(\s\up6(→),AB)`,
      'x² + AB^→',
    ],
    [
      'a raised digit',
      String.raw`EQ \r(b</w:instrText></w:r><w:r><w:rPr><w:vertAlign w:val="superscript"/></w:rPr><w:instrText>2</w:instrText></w:r><w:r><w:instrText> - 4ac)`,
      '√(b² - 4ac)',
    ],
    ['brackets without a switch', String.raw`EQ \f((a,b),2)`, '(a,b)/2'],
    ['signs', String.raw`EQ \(1\,2\)); y`, '(1,2)); y'],
    ['what has no end', String.raw`EQ \f(1`, '1/'],
    ['decimal commas', String.raw`EQ \f(1,5;2,5)`, '1,5/2,5'],
    ['semicolons in an inner list', String.raw`EQ \f(\a(1;2),3)`, '[1; 2]/3'],
    ['a sign of its own', String.raw`EQ \i\fc\∮(a,b,x)`, '∮_a^b x'],
    [
      'an empty result',
      `EQ \\f(1,2)</w:instrText></w:r>${fieldMark('separate')}<w:r><w:instrText>`,
      '1/2',
    ],
    [
      'a stored result',
      `EQ \\f(1,2)</w:instrText></w:r>${fieldMark('separate')}${run('.5')}<w:r><w:instrText>`,
      '.5',
    ],
  ])('have %s of an equation field read', (_, instruction, expected) =>
    check(
      docx(
        `<w:p>${fieldMark('begin')}<w:r><w:instrText>${instruction}</w:instrText></w:r>${fieldMark('end')}</w:p>`,
      ),
      [`paragraph: ${expected}`],
    ),
  )

  test.each([
    [
      'a simple field',
      `<w:p>${run('Table ')}<w:fldSimple w:instr=" SEQ ">${run('3')}</w:fldSimple></w:p>`,
      ['paragraph: Table 3'],
    ],
    [
      'the result of a field, not its instruction',
      `<w:p>${fieldMark('begin')}<w:r><w:instrText> IF </w:instrText></w:r>${run('no')}${fieldMark('separate')}${run('yes')}${fieldMark('end')}</w:p>`,
      ['paragraph: yes'],
    ],
    [
      'what follows a field that never ends',
      `<w:p>${fieldMark('begin')}${run('no')}</w:p>${paragraph('b')}`,
      ['paragraph: b'],
    ],
    [
      'a content control in a line',
      `<w:p><w:sdt><w:sdtContent>${run('a')}</w:sdtContent></w:sdt></w:p>`,
      ['paragraph: a'],
    ],
    [
      'a content control around paragraphs',
      `<w:sdt><w:sdtContent>${paragraph('a')}</w:sdtContent></w:sdt>`,
      ['paragraph: a'],
    ],
    ['a check box that is ticked', `<w:p>${tick(1)}${run(' paid')}</w:p>`, ['paragraph: ☒ paid']],
    ['a check box that is not', `<w:p>${tick(0)}${run(' paid')}</w:p>`, ['paragraph: ☐ paid']],
    [
      'a check box of Word 97',
      '<w:p><w:r><w:fldChar w:fldCharType="begin"><w:ffData><w:checkBox><w:checked/></w:checkBox></w:ffData></w:fldChar></w:r></w:p>',
      ['paragraph: ☒'],
    ],
    [
      'a sign of a symbol font',
      '<w:p><w:r><w:sym w:font="Wingdings" w:char="F0FE"/></w:r></w:p>',
      ['paragraph: 🗹'],
    ],
    [
      'a text box without a stand-in',
      `<w:p><w:r>${'<w:drawing><a:graphic>'}${box('a')}</a:graphic></w:drawing></w:r></w:p>`,
      ['paragraph: a'],
    ],
    [
      'a text box once',
      `<w:p><w:r><mc:AlternateContent><mc:Choice><w:drawing>${box('a')}</w:drawing></mc:Choice><mc:Fallback><w:pict>${box('a')}</w:pict></mc:Fallback></mc:AlternateContent></w:r></w:p>`,
      ['paragraph: a'],
    ],
    [
      'a character with a stand-in',
      `<w:p>${run('a')}<w:r><mc:AlternateContent><mc:Choice Requires="w16se"><w16se:symEx/></mc:Choice><mc:Fallback><w:t>😏</w:t></mc:Fallback></mc:AlternateContent></w:r></w:p>`,
      ['paragraph: a😏'],
    ],
    [
      'a row that begins behind the first column',
      `<w:tbl><w:tr>${cell('a')}${cell('b')}${cell('c')}</w:tr><w:tr><w:trPr><w:gridBefore w:val="1"/></w:trPr>${cell('d')}${cell('e')}</w:tr></w:tbl>`,
      ['table: a | b | c /  | d | e'],
    ],
    [
      'rows and cells in content controls',
      `<w:tbl><w:tr>${cell('a')}<w:sdt><w:sdtContent>${cell('b')}</w:sdtContent></w:sdt></w:tr><w:sdt><w:sdtContent><w:tr>${cell('c')}${cell('d')}</w:tr></w:sdtContent></w:sdt></w:tbl>`,
      ['table: a | b / c | d'],
    ],
    [
      'two paragraphs that a deleted end joins',
      `<w:p><w:pPr><w:rPr><w:del/></w:rPr></w:pPr>${run('a')}</w:p>${paragraph('b')}`,
      ['paragraph: ab'],
    ],
    [
      'inserted and moved text',
      `<w:p><w:ins>${run('a')}</w:ins><w:moveTo>${run('b')}</w:moveTo></w:p>`,
      ['paragraph: ab'],
    ],
  ])('have %s read', (_, body, expected) => check(docx(body), expected))

  const withParts = (
    body: string,
    relations: readonly (readonly [string, string, string])[],
    parts: Record<string, string>,
  ) =>
    zip({
      ...docxParts(body),
      'word/_rels/document.xml.rels': relationships(...relations),
      ...parts,
    })

  test('have headers and footers read once', async () => {
    const header = `<w:hdr>${paragraph('QM-4711')}<w:p>${run('Page ')}</w:p></w:hdr>`
    const number = `<w:ftr><w:p><w:fldSimple w:instr=" PAGE ">${run('7')}</w:fldSimple></w:p>${paragraph('Nora')}</w:ftr>`
    const relations = [
      ['a', 'header', 'header1.xml'],
      ['b', 'header', 'header2.xml'],
      ['c', 'footer', 'footer1.xml'],
    ] as const
    const parts = {
      'word/header1.xml': header,
      'word/header2.xml': header,
      'word/footer1.xml': number,
    }
    await check(withParts(paragraph('a'), relations, parts), [
      ...['paragraph: a', 'paragraph: QM-4711', 'paragraph: Page', 'paragraph: Nora'],
    ])
  })

  test('have comments read behind what they are about', () =>
    check(
      withParts(
        `<w:p>${run('4 May')}<w:r><w:commentReference w:id="0"/></w:r></w:p>${paragraph('b')}`,
        [['c', 'comments', 'comments.xml']],
        {
          'word/comments.xml': `<w:comments><w:comment w:id="0" w:author="Kim">${paragraph('11 May')}</w:comment></w:comments>`,
        },
      ),
      ['paragraph: 4 May', 'paragraph: Comment by Kim: 11 May', 'paragraph: b'],
    ))

  test('have charts, diagrams and inserted pages read', () => {
    const chart =
      '<c:chartSpace><c:chart><c:title><a:p><a:r><a:t>Sales</a:t></a:r></a:p></c:title><c:plotArea><c:ser><c:tx><c:v>North</c:v></c:tx><c:cat><c:strLit><c:pt idx="0"><c:v>Q1</c:v></c:pt></c:strLit></c:cat><c:val><c:numLit><c:pt idx="0"><c:v>417</c:v></c:pt></c:numLit></c:val></c:ser></c:plotArea></c:chart></c:chartSpace>'
    const diagram =
      '<dgm:dataModel><dgm:ptLst><dgm:pt><dgm:t><a:p><a:r><a:t>top</a:t></a:r></a:p></dgm:t></dgm:pt></dgm:ptLst></dgm:dataModel>'
    const body = `<w:p><w:r><w:drawing><c:chart r:id="c"/></w:drawing></w:r><w:r><w:drawing><dgm:relIds r:dm="d"/></w:drawing></w:r></w:p><w:altChunk r:id="h"/>`
    return check(
      withParts(
        body,
        [
          ['c', 'chart', 'charts/chart1.xml'],
          ['d', 'diagramData', 'diagrams/data1.xml'],
          ['h', 'aFChunk', 'chunk.html'],
        ],
        {
          'word/charts/chart1.xml': chart,
          'word/diagrams/data1.xml': diagram,
          'word/chunk.html': '<p>in</p>',
        },
      ),
      ['caption: Sales', 'table:  | North / Q1 | 417', 'list: top', 'paragraph: in'],
    )
  })

  test('that are skipped are counted', async () => {
    const deleted = `<w:del><w:r><w:delText>old</w:delText></w:r></w:del>`
    const ruby = `<w:r><w:ruby><w:rt>${run('と')}</w:rt><w:rubyBase>${run('東')}</w:rubyBase></w:ruby></w:r>`
    const relations = [
      ['o', 'oleObject', 'embeddings/o.bin'],
      ['h', 'aFChunk', 'chunk.rtf'],
    ] as const
    const { blocks, warnings } = await parseBytes(
      docxParser,
      withParts(`<w:p>${deleted}${ruby}${deleted}</w:p><w:altChunk r:id="h"/>`, relations, {
        'word/comments.xml': `<w:comments><w:comment w:id="9">${paragraph('lost')}</w:comment></w:comments>`,
        'word/footnotes.xml': `<w:footnotes><w:footnote w:id="0" w:type="separator"/><w:footnote w:id="9">${paragraph('lost')}</w:footnote></w:footnotes>`,
      }),
    )
    expect(outline(blocks)).toEqual(['paragraph: 東'])
    expect(warnings).toEqual([
      {
        code: 'skipped',
        message:
          'Skipped: comments 1, deleted texts 2, embedded objects 1, inserted documents 1, notes 1, reading aids 1. Their text is not searchable.',
      },
    ])
  })

  test('that a drop-down list does not show are counted', async () => {
    const items = ['Paid', 'Open'].map(
      text => `<w:listItem w:displayText="${text}" w:value="${text[0]}"/>`,
    )
    const list = (content: string, chosen = '') =>
      `<w:sdt><w:sdtPr><w:dropDownList${chosen}>${items.join('')}</w:dropDownList></w:sdtPr><w:sdtContent>${content}</w:sdtContent></w:sdt>`
    const entries = ['One', 'Two', 'Three'].map(text => `<w:listEntry w:val="${text}"/>`)
    const old = `<w:r><w:fldChar w:fldCharType="begin"><w:ffData><w:ddList><w:result w:val="1"/>${entries.join('')}</w:ddList></w:ffData></w:fldChar></w:r>`
    const read = async (body: string) => {
      const { blocks, warnings } = await parseBytes(docxParser, docx(body))
      return [...outline(blocks), ...warnings.map(({ message }) => message)]
    }
    const skipped = (count: number) =>
      `Skipped: choices of lists ${count}. Their text is not searchable.`
    expect(await read(`<w:p>${list(run('Paid'))}</w:p>`)).toEqual(['paragraph: Paid', skipped(1)])
    expect(await read(list(paragraph('Paid'), ' w:lastValue="P"'))).toEqual([
      'paragraph: Paid',
      skipped(1),
    ])
    expect(await read(list(paragraph('Paid')))).toEqual(['paragraph: Paid', skipped(1)])
    expect(await read(list(paragraph('Choose')) + paragraph('Paid'))).toEqual([
      ...['paragraph: Choose', 'paragraph: Paid', skipped(2)],
    ])
    expect(await read(`<w:p>${old}</w:p>`)).toEqual(['paragraph: Two', skipped(2)])
  })

  test('that are hidden are read and told of', async () => {
    const { blocks, warnings } = await parseBytes(
      docxParser,
      docx(`<w:p>${run('a', '<w:vanish/>')}${run('b', '<w:vanish w:val="0"/>')}</w:p>`),
    )
    expect(outline(blocks)).toEqual(['paragraph: ab'])
    expect(warnings.map(({ code }) => code)).toEqual(['hidden_text'])
  })

  test('are read though the properties are damaged', async () => {
    const file = zip({ ...docxParts(paragraph('a')), 'docProps/core.xml': '<a' })
    const { blocks, warnings } = await parseBytes(docxParser, file)
    expect(outline(blocks)).toEqual(['paragraph: a'])
    expect(warnings.map(({ code }) => code)).toEqual(['missing_parts'])
  })
})
