import { expect, test } from 'vitest'
import {
  BLOCK_SEPARATOR,
  type Block,
  type PlacedBlock,
} from '../../../../../../src/ingest/block.ts'
import { pdfParser } from '../../../../../../src/ingest/parse/parsers/pdf/pdf.ts'
import { readTables } from '../../../../../../src/ingest/parse/tables/read-tables.ts'
import { parseBytes } from '../../../../../fixtures/parsed.ts'
import { type PdfLine, type PdfText, pdf } from '../../../../../fixtures/pdf.ts'

type Rows = readonly (readonly string[])[]
type Page = (PdfText | PdfLine)[]

const ROW = 16
const HEADER = ['Branch', 'Books', 'Visits']
const FIRST = [HEADER, ['Ashby', '14,200', '21,300'], ['Corley', '9,800', '12,600']]
const SECOND = [
  ['Denholm', '16,500', '27,900'],
  ['Elton', '5,100', '3,800'],
]

/** A table with all lines drawn, its first row bold where that is said. */
function ruled(rows: Rows, { top = 80, xs = [72, 200, 300, 400], isBold = false } = {}): Page {
  const flat = Array.from({ length: rows.length + 1 }, (_, row): PdfLine => {
    return { from: [xs[0]!, top + row * ROW], to: [xs.at(-1)!, top + row * ROW] }
  })
  const upright = xs.map((x): PdfLine => ({ from: [x, top], to: [x, top + rows.length * ROW] }))
  return [...flat, ...upright, ...texts(rows, { top, xs, isBold })]
}

function texts(rows: Rows, { top = 80, xs = [72, 200, 300], isBold = false } = {}): PdfText[] {
  return rows.flatMap((row, at) =>
    row.map((text, column): PdfText => {
      return {
        text,
        x: xs[column]! + 3,
        y: top + at * ROW + 12,
        font: isBold && at === 0 ? 'bold' : 'regular',
      }
    }),
  )
}

const line = (text: string, y: number): PdfText => ({ text, x: 72, y })
const furniture = (page: number): PdfText[] => [
  line('Report of the county library', 30),
  line(`${page}`, 770),
]

/** The tables of these pages: their columns, then their rows with the page of each. */
async function tablesOf(...pages: readonly Page[]) {
  const { blocks } = await parseBytes(pdfParser, pdf(pages))
  const tables = await readTables(placed(blocks))
  return tables.map(({ columns, rows }) => [
    columns.map(({ name }) => name).join(' | '),
    ...rows.map(({ cells }) => `${cells[0]?.page}: ${cells.map(({ text }) => text).join(' | ')}`),
  ])
}

async function* placed(blocks: readonly Block[]): AsyncIterable<PlacedBlock> {
  let charStart = 0
  for (const block of blocks) {
    yield { ...block, charStart, charEnd: charStart + block.text.length }
    charStart += block.text.length + BLOCK_SEPARATOR.length
  }
}

const JOINED = [
  [
    'Branch | Books | Visits',
    '1: Ashby | 14,200 | 21,300',
    '1: Corley | 9,800 | 12,600',
    '2: Denholm | 16,500 | 27,900',
    '2: Elton | 5,100 | 3,800',
  ],
]

test('a drawn table that runs over a page break is one, under its header', async () => {
  expect(await tablesOf([...ruled(FIRST, { top: 700 })], ruled(SECOND))).toEqual(JOINED)
})
test('so is one without lines', async () => {
  expect(await tablesOf(texts(FIRST, { top: 700 }), texts(SECOND))).toEqual(JOINED)
})
test('running heads and page numbers between its parts are none of it', async () => {
  const [one, two] = [ruled(FIRST, { top: 690 }), ruled(SECOND)]
  expect(await tablesOf([...one, ...furniture(1)], [...two, ...furniture(2)])).toEqual(JOINED)
})
test('a header that is repeated is none of its rows', async () => {
  expect(await tablesOf(ruled(FIRST, { top: 700 }), ruled([HEADER, ...SECOND]))).toEqual(JOINED)
})
test('left and right pages have it at places of their own', async () => {
  const shifted = ruled(SECOND, { xs: [100, 228, 328, 428] })
  expect(await tablesOf(ruled(FIRST, { top: 700 }), shifted)).toEqual(JOINED)
})
test('it goes on over a third page', async () => {
  const third = [
    ['Farley', '700', '150'],
    ['Gorton', '800', '160'],
  ]
  const [table, ...others] = await tablesOf(ruled(FIRST), ruled(SECOND), ruled(third))
  expect(others).toEqual([])
  expect(table?.slice(-2)).toEqual(['3: Farley | 700 | 150', '3: Gorton | 800 | 160'])
})
test('rows of words go on where no header of theirs is bold', async () => {
  const words = [
    ['Denholm', 'Kate Moss', 'closed'],
    ['Elton', 'Tom Reed', 'open'],
  ]
  const first = [
    ['Branch', 'Head', 'State'],
    ['Ashby', 'Ann Lee', 'open'],
    ['Corley', 'Jo Hill', 'open'],
  ] // one a line
  const [plain, bold] = [
    await tablesOf(ruled(first, { isBold: true }), ruled(words)),
    await tablesOf(ruled(first, { isBold: true }), ruled(words, { isBold: true })),
  ]
  expect(plain.map(rows => rows.length)).toEqual([5])
  expect(bold.map(rows => rows.length)).toEqual([3, 2])
})

test('a cell of each part has the box of its place on its own page', async () => {
  const { blocks } = await parseBytes(pdfParser, pdf([ruled(FIRST, { top: 700 }), ruled(SECOND)]))
  const [table] = await readTables(placed(blocks))
  expect(table?.rows[2]?.cells[0]).toMatchObject({
    text: 'Denholm',
    page: 2,
    box: [72, 80, 400, 96],
  })
})

const isTwo = (name: string, second: Page) =>
  test(`two tables stay two: ${name}`, async () => {
    expect(await tablesOf(ruled(FIRST, { top: 700 }), second)).toHaveLength(2)
  })
isTwo('a caption between', [
  line('Table 2: Branches in the north', 70),
  ...ruled(SECOND, { top: 100 }),
])
isTwo('a paragraph between', [
  line('The north has these branches.', 70),
  ...ruled(SECOND, { top: 100 }),
])
isTwo('columns at other places', ruled(SECOND, { xs: [72, 160, 300, 400] }))
isTwo(
  'other columns',
  ruled(
    SECOND.map(row => [...row, '1']),
    { xs: [72, 200, 300, 400, 460] },
  ),
)
isTwo('a header of its own', ruled([['Van', 'Stops', 'Miles'], ...SECOND]))
isTwo('columns of another kind', ruled(SECOND.map(([name, ...rest]) => [name!, 'open', rest[1]!])))
isTwo('a header that shares names with the first', ruled([['Branch', 'Books', 'Loans'], ...SECOND]))
