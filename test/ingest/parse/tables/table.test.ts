import { describe, expect, test } from 'vitest'
import { BLOCK_SEPARATOR, type Block, formatTableText } from '../../../../src/ingest/block.ts'
import { readTables } from '../../../../src/ingest/parse/tables/read-tables.ts'
import type { Table } from '../../../../src/ingest/parse/tables/table.ts'
import { paragraph, placed, read, table } from '../../../fixtures/tables.ts'

/** `name: kind in unit ×scale` of each column. */
const columnsOf = (one: Table | undefined) =>
  one?.columns.map(
    ({ name, kind, unit, scale }) =>
      `${name}: ${kind}${unit ? ` in ${unit.id}` : ''}${scale ? ` ×${scale}` : ''}`,
  )
const check = (name: string, written: string, ...columns: readonly string[]) =>
  test(name, async () => expect(columnsOf((await read(table(written)))[0])).toEqual(columns))

describe('a column is of the kind that most of its cells are', () => {
  check(
    'numbers and words',
    'Item | Price\nDesk | 120\nLamp | n/a\nChair | 80',
    'Item: text',
    'Price: number',
  )
  check('dates', '名称 | 日期\n甲 | 2024年3月1日\n乙 | 2024-04-05', '名称: text', '日期: date')
  check('years', 'Film | Year\nA | 1999\nB | 2004', 'Film: text', 'Year: date')
  check(
    'years of any century',
    'Bell | Year cast\nA | 1623\nB | 1911',
    'Bell: text',
    'Year cast: date',
  )
  check(
    'also where year could be a unit',
    'Mill | Closing year\nA | 1887\nB | 1902',
    'Mill: text',
    'Closing year: date',
  )
  check('what is of a year is none', '厂 | 全年\n甲 | 1887\n乙 | 1902', '厂: text', '全年: number')
  check(
    '数字不是年份',
    '钟 | 铸造年份 | 重量\n甲 | 1768 | 1327\n乙 | 1911 | 1065',
    '钟: text',
    '铸造年份: date',
    '重量: number',
  )
  check('times', '车次 | 发车\nC1 | 06:40\nC2 | 09:15', '车次: text', '发车: time')
  check('flags', 'Dish | Vegan\nSoup | yes\nStew | no', 'Dish: text', 'Vegan: flag')
  check(
    'codes with a leading zero are texts',
    'Name | Code\nA | 0071\nB | 0082',
    'Name: text',
    'Code: text',
  )
  check(
    'so are telephone numbers',
    'Name | Phone\nA | 01573 440 112\nB | 01450 331 205',
    'Name: text',
    'Phone: text',
  )
  check(
    'with a plus, too',
    'Name | Phone\nA | +442079460111\nB | +8613812345678',
    'Name: text',
    'Phone: text',
  )
})
describe('a unit is told by the header, by the cells', () => {
  check(
    'in brackets',
    '名称 | 单价（元）\n甲 | 45\n乙 | 28',
    '名称: text',
    '单价（元）: number in CNY',
  )
  check(
    'by the cells where all of them have one',
    'Class | Fee (year)\nFull | £312\nJunior | £118',
    'Class: text',
    'Fee (year): number in GBP',
  )
  check(
    'by the others where some say that there is none',
    'Class | Deposit\nFull | £15\nSocial | none\nJunior | £10\nCox | £15',
    'Class: text',
    'Deposit: number in GBP',
  )
  check(
    'none alone is no number',
    'Class | Deposit\nFull | none\nSocial | none',
    'Class: text',
    'Deposit: text',
  )
  check(
    'with a scale',
    '年 | 收入(万元)\n2022 | 45\n2023 | 28',
    '年: date',
    '收入(万元): number in CNY ×10000',
  )
  check(
    'behind its name',
    'Item | Price EUR\nA | 1\nB | 2',
    'Item: text',
    'Price EUR: number in EUR',
  )
  check('by all cells', 'Item | Weight\nA | 1 kg\nB | 2.5 kg', 'Item: text', 'Weight: number in kg')
  check(
    'of several, what they measure',
    'Item | Time\nA | 30 min\nB | 2 h',
    'Item: text',
    'Time: number',
  )
  test('a column that counts the rows has none', async () => {
    const rows = '序号 | 项目 | 金额\n1 | 收入 | 12.5\n2 | 成本 | 8\n3 | 利润 | 4.5'
    const [one] = await read(paragraph('单位：万元'), table(rows))
    expect(columnsOf(one)).toEqual(['序号: number', '项目: text', '金额: number in CNY ×10000'])
  })
  test('by the line before the table', async () => {
    const [one] = await read(paragraph('单位：百万元'), table('项目 | 2023\n收入 | 12.5\n成本 | 8'))
    expect(columnsOf(one)).toEqual(['项目: text', '2023: number in CNY ×1000000'])
    expect(one?.caption).toBe('单位：百万元')
    expect(one?.rows[0]?.cells[1]?.value).toMatchObject({ kind: 'number', value: 12_500_000 })
  })
  test.each([
    ['Sales (€ million)', 'Sales: number in EUR ×1000000'],
    ['All amounts in thousands of USD unless noted', 'Sales: number in USD ×1000'],
    ['The chair, Ms Lund, opened the meeting.', 'Sales: number'],
    ['Present (s. list) were all members', 'Sales: number'],
  ])('%s says: %s', async (line, column) => {
    const [one] = await read(paragraph(line), table('Item | Sales\nA | 12\nB | 8'))
    expect(columnsOf(one)?.[1]).toBe(column)
  })
})
describe('values', () => {
  const value = async (cell: string, other: string) => {
    const [one] = await read(table(`Name | Value\nA | ${cell}\nB | ${other}`))
    return one?.rows[0]?.cells[1]?.value
  }
  test('accounts write a loss in brackets', async () =>
    expect(await value('(350)', '20')).toEqual({ kind: 'number', value: -350 }))
  test.each([
    ['748 (126)', 748],
    ['61 (re-elected)', 61],
    ['90（含早餐）', 90],
    ['+55.3 %', 55.3],
    ['−8.4 %', -8.4],
  ])('%s is %d', async (cell, expected) =>
    expect(await value(cell, '20')).toMatchObject({ kind: 'number', value: expected }),
  )
  test.each(['8613812345678', '+123,456'])('%s is read to its last digit', async cell =>
    expect(await value(cell, '20')).toEqual({
      kind: 'number',
      value: Number(cell.replace(/[+,]/g, '')),
    }),
  )
  test('signs of notes are no digits', async () =>
    expect(await value('120⁴', '20')).toEqual({ kind: 'number', value: 120 }))
  test('a range has two ends', async () =>
    expect(await value('3-5 days', '2 days')).toMatchObject({
      value: 3,
      upTo: 5,
      unit: { id: 'day' },
    }))
  test.each(['~1,200', '> 300', '300+', '约40', 'approx. 12'])(
    '%s is no exact number',
    async cell =>
      expect(await value(cell, '20')).toMatchObject({ kind: 'number', isInexact: true }),
  )
  test('a cell with a unit of its own is in it', async () =>
    expect(await value('30 min', '2 h')).toMatchObject({ value: 30, unit: { id: 'min' } }))
})

test('each cell stands in the parsed text where its span says', async () => {
  const blocks = [paragraph('Fees.'), table('Item | Fee\nA | b | 5 EUR', 3), table('x | y\n甲 | 1')]
  const text = blocks.map(block => block.text).join(BLOCK_SEPARATOR)
  for (const one of await read(...blocks))
    for (const { cells } of one.rows)
      for (const cell of cells) expect(text.slice(cell.span.start, cell.span.end)).toBe(cell.text)
})
test('a cell has the box of the printed lines that it stands in', async () => {
  const block: Block = {
    ...table('Item | Fee\nDesk | 5'),
    page: 2,
    lines: [
      { start: 0, end: 10, box: [0, 0, 50, 10] },
      { start: 11, end: 19, box: [0, 12, 50, 22] },
    ],
  }
  const [one] = await read(block)
  expect(one?.rows[0]?.cells[1]).toMatchObject({ text: '5', page: 2, box: [0, 12, 50, 22] })
})
test('two rows of header are joined', async () => {
  const [one] = await read(
    table('Site | 2023 | 2023\nSite | H1 | H2\nOslo | 5 | 6\nBergen | 7 | 8'),
  )
  expect(one?.columns.map(({ name }) => name)).toEqual(['Site', '2023 H1', '2023 H2'])
  expect(one?.rows).toHaveLength(2)
})
test('a form has no header', async () => {
  const [one] = await read(table('Name: | Ann\nOffice: | Kelso'))
  expect(one?.columns.map(({ name }) => name)).toEqual(['', ''])
  expect(one?.rows).toHaveLength(2)
})
test('a table that goes on under the same header is one', async () => {
  const tables = await read(
    table('Item | Fee\nA | 1', 1),
    table('Item | Fee\nB | 2', 2),
    table('Other | Fee\nC | 3'),
  )
  expect(tables.map(({ rows }) => rows.map(({ cells }) => cells[0]?.text))).toEqual([
    ['A', 'B'],
    ['C'],
  ])
  expect(tables[0]?.rows.map(({ cells }) => cells[0]?.page)).toEqual([1, 2])
})
test('表格跨页时，后一页的行接着前一页的表头', async () => {
  const tables = await read(
    table('分馆 | 开馆年份 | 藏书（册）\n龙山镇分馆 | 2012 | 14200\n柳林镇分馆 | 2014 | 9800', 1),
    { ...table('大塘镇分馆 | 2015 | 16500\n黄岭乡分馆 | 2017 | 5100', 2), isContinued: true },
  )
  expect(tables.map(columnsOf)).toEqual([
    ['分馆: text', '开馆年份: date', '藏书（册）: number in 册'],
  ])
  expect(tables[0]?.rows.map(({ cells }) => [cells[0]?.text, cells[0]?.page])).toEqual([
    ...[
      ['龙山镇分馆', 1],
      ['柳林镇分馆', 1],
    ],
    ...[
      ['大塘镇分馆', 2],
      ['黄岭乡分馆', 2],
    ],
  ])
})
test('rows that sum up others are told apart', async () => {
  const [one] = await read(table('Region | Sales\nNorth | 1\nSouth | 2\nAll regions | 3\n合计 | 3'))
  expect(one?.rows.map(({ isSummary }) => isSummary)).toEqual([false, false, true, true])
})
test('the key is the first column of texts no two of which are alike', async () => {
  const [one] = await read(table('Nr | City | Name\n1 | Oslo | A\n2 | Oslo | B'))
  expect(one?.key).toBe(2)
})
test('headings above and the line that introduces it come with a table', async () => {
  const heading = (text: string, level: number): Block => ({ kind: 'heading', text, level })
  const [one, two] = await read(
    ...[
      heading('Rates', 1),
      heading('Sea', 2),
      paragraph('All in USD.'),
      table('To | 20ft\nA | 1\nB | 2'),
    ],
    ...[heading('Air', 2), table('To | kg\nA | 1\nB | 2')],
  )
  expect(one).toMatchObject({ headings: ['Rates', 'Sea'], caption: 'All in USD.' })
  expect(two).toMatchObject({ headings: ['Rates', 'Air'] })
  expect(two?.caption).toBeUndefined()
})
test('of more than 100,000 cells the first are read, and it is said', async () => {
  const rows = ['a', ...Array.from({ length: 30_000 }, (_, at) => at)].map(n =>
    [n, n, n, n].map(String),
  )
  const [one, two] = await read(
    { kind: 'table', text: formatTableText(rows), rows },
    paragraph('x'),
    table('p | q\nA | 1'),
  )
  expect([one?.rows.length, one?.isCut, two?.rows.length, two?.isCut]).toEqual([
    25_000,
    true,
    0,
    true,
  ])
})
test('reading stops when it is aborted', async () => {
  const blocks = placed([paragraph('x'), table('a | b\n1 | 2')])
  await expect(readTables(blocks, AbortSignal.abort())).rejects.toThrow()
})

describe('a table of labels and their values has no header, and each pair is a row', () => {
  const rowsOf = async (written: string) =>
    (await read(table(written)))[0]!.rows.map(({ cells }) =>
      cells.map(({ text }) => text).join(': '),
    )
  test('two in a row', async () => {
    const pairs =
      '社长 | 顾承 | 秘书 | 蒋雯\n地址 | 江路5号 | 邮编 | 315800\n电话 | 0574-8690 5120 | 邮箱 | ir@sea.example'
    expect(await rowsOf(pairs)).toEqual([
      ...[
        '社长: 顾承',
        '秘书: 蒋雯',
        '地址: 江路5号',
        '邮编: 315800',
        '电话: 0574-8690 5120',
        '邮箱: ir@sea.example',
      ],
    ])
  })
  test('a value goes on over the next pair, or there is none', async () => {
    const pairs =
      'Chair | Ada | Founded | 1998\nSeat | Leith | Leith | Leith\nBoats | 12 | Site | www.heron.example\nClub | Heron | | '
    expect(await rowsOf(pairs)).toEqual([
      ...[
        'Chair: Ada',
        'Founded: 1998',
        'Seat: Leith',
        'Boats: 12',
        'Site: www.heron.example',
        'Club: Heron',
      ],
    ])
  })
  test('one in a row, where the first has a value of a kind', async () => {
    expect(await rowsOf('Founded | 3 May 1998\nChair | Ada\nSeat | Leith')).toEqual([
      ...['Founded: 3 May 1998', 'Chair: Ada', 'Seat: Leith'],
    ])
  })
  check(
    'columns of one kind are columns',
    '甲 | 期末 | 乙 | 期末\n现金 | 12 | 借款 | 7\n存货 | 5 | 股本 | 10',
    ...['甲: text', '期末: number', '乙: text', '期末: number'],
  )
  check(
    'so are those of words',
    'Desk | Seat | Head | Note\nBar | Hall 2 | Ada | late\nShop | Pier | Ben | none',
    ...['Desk: text', 'Seat: text', 'Head: text', 'Note: text'],
  )
  test('cells of any length are told in time', async () => {
    const rows = ['@.', 'a@b.', '1 '].map(
      (text, at) => `Site ${'ABC'[at]} | ${text.repeat(3_000)} x`,
    )
    expect(await rowsOf(['Name | Ada', ...rows].join('\n'))).toHaveLength(3)
  }, 10_000)
  check(
    'and those of one row',
    'City | Day | Sky | Degrees\nBern | Monday | heavy rain | 12',
    ...['City: text', 'Day: text', 'Sky: text', 'Degrees: number'],
  )
  check(
    'a year heads a column',
    'Item | 2023\nSales | 186\nChair | Ada\nSeat | Leith',
    'Item: text',
    '2023: text',
  )
})

describe('the notes of a table', () => {
  const texts = async (...blocks: readonly Block[]) => {
    const [one] = await read(...blocks)
    const text = blocks.map(block => block.text).join(BLOCK_SEPARATOR)
    return one?.notes.map(({ mark, span }) => `${mark} ${text.slice(span.start, span.end)}`)
  }
  const pumps = table('Pump | Noise³\nA | 52\nB | —*')
  test('stand behind it, each with its sign, up to the next heading', async () => {
    const notes = [
      paragraph('³ at 1 m,\nhalf immersed\n⁴ ex works'),
      paragraph('The pump.'),
      paragraph('* Not measured.'),
    ]
    const next: Block = { kind: 'heading', level: 1, text: 'Operation' }
    expect(await texts(pumps, ...notes, next, paragraph('† of another table'))).toEqual([
      '³ ³ at 1 m,\nhalf immersed',
      '⁴ ⁴ ex works',
      '* * Not measured.',
    ])
  })
  test('or in a row that says nothing else', async () => {
    expect(await texts(table('Pump | Noise\nA | 52\nB* | —\n* Not measured. |'))).toEqual([
      '* * Not measured.',
    ])
  })
  test('begin with such a sign, not with a number or a fraction', async () => {
    expect(
      await texts(
        pumps,
        paragraph('3 pumps'),
        paragraph('½ of them'),
        paragraph('m³ are cubic metres'),
      ),
    ).toEqual([])
  })
  test('are no items of a list behind it', async () => {
    expect(await texts(pumps, paragraph('* pumps\n* hoses'), paragraph('³ at 1 m'))).toEqual([
      '³ ³ at 1 m',
    ])
  })
  test('are no more than 50', async () => {
    expect(await texts(pumps, paragraph('¹ x\n'.repeat(1_000)))).toHaveLength(50)
  })
})

test('all short lines over a table are its titles, sentences are none', async () => {
  const [one] = await read(
    paragraph('Price list from 1 March 2025'),
    paragraph('all prices in GBP'),
    table('A | B\nx | 1'),
  )
  expect(one).toMatchObject({
    caption: 'all prices in GBP',
    titles: ['Price list from 1 March 2025', 'all prices in GBP'],
  })
  const [two] = await read(
    paragraph('We have sold bells since 2019.'),
    paragraph('单位：元'),
    table('A | B\nx | 1'),
  )
  expect(two?.titles).toEqual(['单位：元'])
})
