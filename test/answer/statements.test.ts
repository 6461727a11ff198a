import { expect, test } from 'vitest'
import { toStatements } from '../../src/answer/statements.ts'

function statementsIn(text: string): readonly string[] {
  return read(text).map(statement => statement.text)
}

function read(text: string, context = '') {
  const place = {
    id: 1,
    documentId: 'd',
    source: '/d',
    name: 'd',
    title: '',
    headings: [],
    context,
    parts: [],
  }
  return toStatements({ ...place, charStart: 0, charEnd: text.length, text })
}

test('a line that ends with an abbreviation goes on in the next', () => {
  const open =
    'Visitors are let in between 9 a.m.\nand 5 p.m. on working days, by a guide of the U.S.\nembassy.'
  expect(statementsIn(`${open} Bags stay outside.`)).toEqual([open, 'Bags stay outside.'])
})

test('so does one that ends with an exclamation mark before a word in lower case', () => {
  const open = 'To begin, call the macro shout!\nwith the name of the ferry.'
  expect(statementsIn(`${open} Bags stay outside!\nNobody knew.`)).toEqual([
    open,
    'Bags stay outside!',
    'Nobody knew.',
  ])
})

test('one that ends with a full stop does not', () => {
  const lines = ['Doors close at 5 p.m.', 'Nobody stays.', 'max_size is in bytes.']
  expect(statementsIn(lines.join('\n'))).toEqual(lines)
})

const columnsIn = (...tables: readonly string[]) =>
  read(tables.join('\n\n')).map(({ text, columns }) => `${columns.join(', ')}: ${text}`)

test('rows of a table that goes on after a page break stand under its header', () => {
  expect(
    columnsIn(
      'Branch | Books\nAshby | 14,200\nCorley | 9,800',
      'Denholm | 16,500\nElton | 5,100',
      'Farley | 70',
    ),
  ).toEqual([
    'Branch, Books: Ashby | 14,200',
    'Branch, Books: Corley | 9,800',
    'Branch, Books: Denholm | 16,500',
    'Branch, Books: Elton | 5,100',
    'Branch, Books: Farley | 70',
  ])
  expect(
    columnsIn('分馆 | 藏书\n龙山 | 14200\n柳林 | 9800', '大塘 | 16500\n黄岭 | 5100').at(-1),
  ).toBe('分馆, 藏书: 黄岭 | 5100')
})

test('a table with a header of its own begins anew', () => {
  const own = columnsIn(
    'Branch | Books\nAshby | 14,200\nCorley | 9,800',
    'Van | Stops\nNorth | 16\nSouth | 12',
  )
  expect(own.slice(2)).toEqual(['Van, Stops: North | 16', 'Van, Stops: South | 12'])
})

const listsIn = (...blocks: readonly string[]) =>
  read(blocks.join('\n\n'))
    .filter(({ kind }) => kind === 'list')
    .map(({ text }) => text.split('\n\n'))

test('a numbered heading with steps under it is not one of the steps before it', () => {
  const lighting = ['（二）点火', '1. 打开阀门。', '2. 按下点火键。']
  expect(
    listsIn('（一）准备', '戴好手套。', ...lighting, '（三）清扫', '每周清扫一次。'),
  ).toContainEqual(lighting)
  const after = ['6.1 After a fire', '1. Shut the door.', '2. Ring the bell.']
  expect(listsIn('6 Safety', ...after, '6.2 Wardens', 'Ann and Bo are wardens.')).toEqual([after])
})

test.each([
  ['• Documents\n◦ passport\n◦ photo', '• Fees\n◦ 20 euro\n◦ cash'],
  ['• Documents\n1. passport\n2. photo', '• Fees\n1. 20 euro\n2. cash'],
])('a list ends at the next item like the one that it is under: %s', (...both) => {
  expect(listsIn(both.join('\n'))).toEqual(both.map(list => [list]))
})

test('a list within a list ends at the next item of the outermost one', () => {
  const inner = '◦ identity\n▪ passport\n▪ photo'
  const outer = `• Documents\n${inner}`
  expect(listsIn(`${outer}\n• Fees`)).toEqual([[outer], [inner]])
})

test('many items of two kinds are read at once', () => {
  const start = performance.now()
  listsIn(Array.from({ length: 1_000 }, (_, at) => `${at % 2 ? '◦' : '•'} word ${at}`).join('\n'))
  expect(performance.now() - start).toBeLessThan(1_000)
})

test('items of another numbering, or set in deeper, are a list under the item above them', () => {
  const form = ['2. Fill in the form:', 'a) name', 'b) time']
  const steps = ['After a fire:', '1. Ring the bell.', ...form, '3. Go home.']
  expect(listsIn(...steps)).toEqual([steps, form])
  const ask = ['Ask for leave:', '  in June two weeks ahead', '  in July a month ahead']
  expect(listsIn(...ask, 'Days may be carried over.')).toEqual([ask])
})

test('fields in a row head nothing, neither each other nor what follows', () => {
  const parts = read(
    [
      'Absent: B. Aas (ill)',
      'Minutes: C. Moe',
      '1. Last meeting',
      'The minutes were approved.',
    ].join('\n\n'),
  )
  expect(parts.filter(({ isLabel }) => isLabel).map(({ text }) => text)).toEqual([
    '1. Last meeting',
  ])
})

test('a header of two rows names the columns by both, on the next page too', () => {
  const table =
    ' | Shop | Shop | Trade\nItem | Net | Gross | Net\nChain | 40.83 | 49.00 | 35.20\nBell | 5.00 | 6.00 | 4.10'
  const names = 'Item, Shop Net, Shop Gross, Trade Net'
  expect(columnsIn(table, 'Lamp | 22.88 | 27.45 | 18.00\nPump | 9.00 | 10.80 | 7.00')).toEqual([
    `${names}: Chain | 40.83 | 49.00 | 35.20`,
    `${names}: Bell | 5.00 | 6.00 | 4.10`,
    `${names}: Lamp | 22.88 | 27.45 | 18.00`,
    `${names}: Pump | 9.00 | 10.80 | 7.00`,
  ])
})

test('a first row like the others names no column', () => {
  expect(columnsIn('Chair: | B. Aas\nMinutes: | J. Wierzba')).toEqual([
    ': Chair: | B. Aas',
    ': Minutes: | J. Wierzba',
  ])
})

test('rows of a table go on under the header in their context, those of a form under no name', () => {
  const columns = (text: string, context: string) => read(text, context).map(row => row.columns)
  expect(columns('Seat | Leith\nChair | Ada', 'Founded | 1998-05-03')).toEqual([[], []])
  expect(columns('Seat | Leith', 'Founded | 1998-05-03')).toEqual([[]])
  expect(columns('Ashby | 14,200\nCorley | 9,800', 'Branch | Books')).toEqual(
    Array(2).fill(['Branch', 'Books']),
  )
  expect(columns('Ashby | 14,200', 'Branch | Books')).toEqual([['Branch', 'Books']])
})

test('a table of words is read again and again in little time', () => {
  const row = (at: number) =>
    ['Harbour', 'by the sea', 'Ada', 'oars', 'rope', 'tar'].map(word => `${word} of ${at}`)
  const table = Array.from({ length: 200 }, (_, at) => row(at).join(' | ')).join('\n')
  for (let times = 0; times < 300; times++) expect(read(table)).toHaveLength(199)
})
