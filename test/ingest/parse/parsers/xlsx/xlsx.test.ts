import { describe, expect, test } from 'vitest'
import { xlsxParser } from '../../../../../src/ingest/parse/parsers/xlsx/xlsx.ts'
import { coreProperties, relationships } from '../../../../fixtures/ooxml.ts'
import { outline, parseBytes } from '../../../../fixtures/parsed.ts'
import {
  type SheetContent,
  styled,
  type WorkbookOptions,
  xlsx,
  xlsxParts,
} from '../../../../fixtures/xlsx.ts'
import { zip } from '../../../../fixtures/zip.ts'

async function check(
  sheet: SheetContent,
  expected: readonly string[],
  options: WorkbookOptions = {},
) {
  expect(outline((await parseBytes(xlsxParser, xlsx([sheet], options))).blocks.slice(1))).toEqual(
    expected,
  )
}

describe('a sheet', () => {
  test('is a heading and a table', async () => {
    const { blocks } = await parseBytes(
      xlsxParser,
      xlsx([
        {
          name: 'Prices',
          rows: [
            ['Name', 'Price'],
            ['Cup', 9],
          ],
        },
      ]),
    )
    expect(outline(blocks)).toEqual(['heading1: Prices', 'table: Name | Price / Cup | 9'])
    expect(blocks[1]?.numbers).toBe('native')
  })
  test('tells the numbers that are texts of it', async () => {
    const rows = [
      [],
      ['Weights'],
      ['Name', undefined, 'Price', 'Weight'],
      ['Cup', undefined, 9.75, '1.234'],
      ['Mug', undefined, '2,345', 3],
    ]
    const { blocks } = await parseBytes(xlsxParser, xlsx([{ rows }]))
    expect(blocks.at(-1)).toMatchObject({
      numbers: 'native',
      textNumbers: [
        [1, 2],
        [2, 1],
      ],
    })
  })
  test('has titles above its table', () =>
    check(
      {
        rows: [
          ['Prices of 2024'],
          ['in', 'euros'],
          ['Name', 'Size', 'Price'],
          ['Cup', 'S', 9],
          ['Mug', 'L', 12],
        ],
      },
      [
        'paragraph: Prices of 2024',
        'table: in | euros |  / Name | Size | Price / Cup | S | 9 / Mug | L | 12',
      ],
    ))
  test('may hold several tables, parted by blank rows', () =>
    check({ rows: [['Name', 'Price'], ['Cup', 9], [], ['City', 'Shops'], ['Rome', 3]] }, [
      'table: Name | Price / Cup | 9',
      'table: City | Shops / Rome | 3',
    ]))
  test('goes on behind a gap when no header follows', () =>
    check({ rows: [['Name', 'Price'], ['Cup', 9], [], ['Mug', 12]] }, [
      'table: Name | Price / Cup | 9 / Mug | 12',
    ]))
  test('repeats merged cells, in titles once', () =>
    check(
      {
        rows: [
          ['Prices'],
          ['Name', 'Size', 'Price'],
          ['Cup', 'S', 9],
          [undefined, 'L', 12],
          ['none'],
        ],
        merges: ['A1:C1', 'A3:A4', 'A5:C5'],
      },
      [
        'paragraph: Prices',
        'table: Name | Size | Price / Cup | S | 9 / Cup | L | 12 / none | none | none',
      ],
    ))
  test('merged over all of its rows stays short', () =>
    check(
      {
        rows: [
          ['Name', 'Price'],
          ['Cup', 9],
        ],
        merges: ['A2:A1048576'],
      },
      ['table: Name | Price / Cup | 9'],
    ))
  test('leaves out columns in which nothing stands', () =>
    check(
      {
        rows: [
          ['Name', undefined, 'Price'],
          ['Cup', undefined, 9],
        ],
      },
      ['table: Name | Price / Cup | 9'],
    ))
  test('that is hidden is read and named', async () => {
    const { blocks, warnings } = await parseBytes(
      xlsxParser,
      xlsx([{ name: 'Old', rows: [['x']], isHidden: true }]),
    )
    expect(outline(blocks)).toEqual(['heading1: Old', 'paragraph: x'])
    expect(warnings).toEqual([{ code: 'hidden_sheets', message: expect.stringContaining('Old') }])
  })
  test('has comments', async () => {
    const parts = {
      'xl/worksheets/_rels/sheet1.xml.rels': relationships(['c', 'comments', '../comments1.xml']),
      'xl/comments1.xml':
        '<comments><commentList><comment ref="B2"><text><r><t>net</t></r></text></comment></commentList></comments>',
    }
    await check(
      {
        rows: [
          ['Name', 'Price'],
          ['Cup', 9],
        ],
      },
      ['table: Name | Price / Cup | 9', 'paragraph: B2: net'],
      { parts },
    )
  })
})

describe('a cell shows', () => {
  const checkCell = (xml: string, expected: string, options: WorkbookOptions = {}) =>
    check(
      {
        rows: [
          ['a', 'b'],
          ['c', { xml }],
        ],
      },
      [`table: a | b / c | ${expected}`],
      options,
    )

  test('a number by its format', () =>
    check(
      {
        rows: [
          ['Day', 'Sum', 'Share'],
          [styled(45_292, 1), styled(1234.5, 2), styled(0.285, 3)],
        ],
      },
      ['table: Day | Sum | Share / 2024年1月1日 | 1,234.50 | 29%'],
      { formats: ['yyyy"年"m"月"d"日"', '#,##0.00', '0%'] },
    ))
  test('a number whose format is longer than any format, without it', async () => {
    const content = xlsx([{ rows: [['A'], [styled(5, 1)], [styled(6, 1)]] }], {
      formats: [`"${'x'.repeat(300)}"0`],
    })
    const { blocks, warnings } = await parseBytes(xlsxParser, content)
    expect(blocks.map(({ text }) => text).join('\n')).not.toContain('xxx')
    expect(warnings).toEqual([
      { code: 'bad_format', message: expect.stringContaining('1 number format is longer') },
    ])
  })
  test('what its formula came to', () => checkCell('<c><f>B1+1</f><v>7</v></c>', '7'))
  test('text that a formula made', () => checkCell('<c t="str"><f>x</f><v>y</v></c>', 'y'))
  test('yes and no', () => checkCell('<c t="b"><v>1</v></c>', 'TRUE'))
  test('an error', () => checkCell('<c t="e"><v>#N/A</v></c>', '#N/A'))
  test('a shared text without its reading aid', () =>
    checkCell('<c t="s"><v>1</v></c>', '東京 都', {
      strings: [
        '<t>x</t>',
        '<r><t>東京</t></r><r><t xml:space="preserve"> 都</t></r><rPh sb="0"><t>トウキョウ</t></rPh>',
      ],
    }))
  test('the raised sign of a note and an index as such', () =>
    checkCell('<c t="s"><v>0</v></c>', 'CO₂³', {
      strings: [
        '<r><t>CO</t></r><r><rPr><vertAlign val="subscript"/></rPr><t>2</t></r><r><rPr><vertAlign val="superscript"/></rPr><t>3</t></r>',
      ],
    }))
})

describe('a large sheet', () => {
  const rows = [['No', 'Name'], ...Array.from({ length: 1000 }, (_, index) => [index, `n${index}`])]

  test('comes in tables of bounded length, each with the header', async () => {
    const { blocks } = await parseBytes(xlsxParser, xlsx([{ rows }]))
    const tables = blocks.filter(block => block.kind === 'table')
    expect(tables.length).toBeGreaterThan(3)
    for (const { rows: lines } of tables) expect(lines![0]).toEqual(['No', 'Name'])
    expect(tables.flatMap(({ rows: lines }) => lines!.slice(1)).length).toBe(1000)
  })
  test('repeats a long text in full as often as its cells leave room for, and then its beginning', async () => {
    const text = 'Clause '.repeat(300).trim()
    const shared = { xml: '<c t="s"><v>0</v></c>' }
    const read = (count: number) =>
      parseBytes(
        xlsxParser,
        xlsx(
          [{ rows: [['No', 'Text'], ...Array.from({ length: count }, (_, at) => [at, shared])] }],
          {
            strings: [`<t>${text}</t>`],
          },
        ),
      )
    const few = await read(10)
    expect(
      few.blocks.flatMap(({ rows: lines = [] }) => lines.slice(1).map(line => line[1])),
    ).toEqual(Array(10).fill(text))
    expect(few.warnings).toEqual([])
    const many = await read(1_000)
    const cells = many.blocks.flatMap(({ rows: lines = [] }) =>
      lines.slice(1).map(line => line[1]!),
    )
    expect(cells[0]).toBe(text)
    expect(cells.every(cell => text.startsWith(cell.replace(/…$/, '')))).toBe(true)
    expect(cells.join('').length).toBeLessThan(200_000)
    expect(many.warnings).toEqual([
      { code: 'repeated_text', message: expect.stringMatching(/^\d{3} cells repeat a long text/) },
    ])
  })
  test('gives a row of few cells in many columns as pairs', async () => {
    const wide = Array.from(
      { length: 200 },
      (_, at) => `<c r="${letters(at)}1" t="inlineStr"><is><t>name ${at}</t></is></c>`,
    ).join('')
    const sparse = Array.from(
      { length: 60 },
      (_, at) =>
        `<row r="${at + 2}"><c r="A${at + 2}"><v>1</v></c><c r="${letters(199)}${at + 2}"><v>7</v></c></row>`,
    )
    const sheet = `<worksheet><sheetData><row r="1">${wide}</row>${sparse.join('')}</sheetData></worksheet>`
    const { blocks } = await parseBytes(
      xlsxParser,
      xlsx([{ rows: [] }], { parts: { 'xl/worksheets/sheet1.xml': sheet } }),
    )
    expect(blocks.at(-1)).toEqual({ kind: 'paragraph', text: 'name 0: 1\nname 199: 7' })
  })
  test('of blank rows alone holds no text', async () => {
    const parts = {
      'xl/worksheets/sheet1.xml': `<worksheet><sheetData>${'<row><c s="1"/></row>'.repeat(50_000)}</sheetData></worksheet>`,
    }
    await expect(parseBytes(xlsxParser, xlsx([{ rows: [] }], { parts }))).rejects.toMatchObject({
      code: 'no_text',
    })
  })
})

test('title, author and dates are told', async () => {
  const core = coreProperties(
    '<dc:title>A &amp; B</dc:title><dc:creator>Ann</dc:creator><dcterms:created>2024-05-01T08:00:00Z</dcterms:created>',
  )
  const { metadata } = await parseBytes(
    xlsxParser,
    xlsx([{ rows: [['x']] }], { parts: { 'docProps/core.xml': core } }),
  )
  expect(metadata).toMatchObject({ title: 'A & B', author: 'Ann', created: '2024-05-01T08:00:00Z' })
})

describe('a file that is no sound workbook', () => {
  const parts = xlsxParts([{ rows: [['x']] }])
  const checkFails = (file: Buffer, code: string) =>
    expect(parseBytes(xlsxParser, file)).rejects.toMatchObject({
      code,
      message: expect.stringContaining('test-file'),
    })

  test('is corrupt when cut off', () => checkFails(zip(parts).subarray(0, 800), 'corrupt'))
  test('is corrupt without its main part', () =>
    checkFails(zip({ 'xl/other.xml': 'x' }), 'corrupt'))
  test('is corrupt when its XML is', () =>
    checkFails(zip({ ...parts, 'xl/workbook.xml': '<workbook><a></workbook>' }), 'corrupt'))
  test('is refused unread when it is a bomb', () =>
    checkFails(zip({ ...parts, 'xl/big.xml': Buffer.alloc(40_000_000) }), 'too_large'))
  test('is refused when its XML nests without end', () =>
    checkFails(zip({ ...parts, 'xl/workbook.xml': '<a>'.repeat(5000) }), 'too_large'))
  test('does not expand entities', () =>
    checkFails(
      zip({
        ...parts,
        'xl/sharedStrings.xml': '<!DOCTYPE d [<!ENTITY x "boom">]><sst><si><t>&x;</t></si></sst>',
      }),
      'corrupt',
    ))
  test('is unsupported when it is of the binary kind', () =>
    checkFails(zip({ 'xl/workbook.bin': 'x' }), 'unsupported_format'))
})

describe('a workbook that lacks parts', () => {
  const shared = { xml: '<c t="s"><v>0</v></c>' }
  const sheets = [{ rows: [['Name', shared]] }, { name: 'Costs', rows: [['Cup', 9]] }]

  test('tells which sheets are missing', async () => {
    const { 'xl/worksheets/sheet2.xml': _, ...parts } = xlsxParts(sheets, {
      strings: ['<t>Price</t>'],
    })
    const { blocks, warnings } = await parseBytes(xlsxParser, zip(parts))
    expect(outline(blocks).join()).toContain('Name | Price')
    expect(warnings).toEqual([{ code: 'missing_parts', message: expect.stringContaining('Costs') }])
  })
  test('tells how many cells have lost their text', async () => {
    const { 'xl/sharedStrings.xml': _, ...parts } = xlsxParts(sheets)
    const { warnings } = await parseBytes(xlsxParser, zip(parts))
    expect(warnings).toEqual([
      { code: 'missing_parts', message: expect.stringContaining('1 cell ') },
    ])
  })
  test('is corrupt without any sheet', async () => {
    const { 'xl/worksheets/sheet1.xml': _, ...parts } = xlsxParts([{ rows: [['a']] }])
    await expect(parseBytes(xlsxParser, zip(parts))).rejects.toMatchObject({ code: 'corrupt' })
  })
})

/** The name of a column, counted from 0. */
function letters(column: number): string {
  const upper = Math.floor(column / 26)
  return (upper > 0 ? letters(upper - 1) : '') + String.fromCharCode(65 + (column % 26))
}
