import { expect, test } from 'vitest'
import { pdfParser } from '../../../../../../src/ingest/parse/parsers/pdf/pdf.ts'
import { outline, parseBytes } from '../../../../../fixtures/parsed.ts'
import { type PdfLine, type PdfText, pdf } from '../../../../../fixtures/pdf.ts'

/** Widths of Helvetica at 10 points. */
function widthOf(text: string): number {
  return [...text].reduce(
    (sum, letter) => sum + (/[,. il]/.test(letter) ? 2.78 : /[A-Z]/.test(letter) ? 6.9 : 5.4),
    0,
  )
}

const ROW = 16
/** Between a cell's text and its lines, as office programs leave it. */
const PADDING = 2.5

/** A table with all lines drawn, its columns as wide as their longest cell. */
function ruled(
  rows: readonly (readonly string[])[],
  merged: readonly number[] = [],
): (PdfText | PdfLine)[] {
  const widths = rows[0]!.map(
    (_, column) => Math.max(...rows.map(row => widthOf(row[column] ?? ''))) + 2 * PADDING,
  )
  const xs = [72]
  for (const width of widths) xs.push(xs.at(-1)! + width)
  const top = 100
  const flat = Array.from({ length: rows.length + 1 }, (_, row): PdfLine => {
    return { from: [xs[0]!, top + row * ROW], to: [xs.at(-1)!, top + row * ROW] }
  })
  const upright = rows.flatMap((_, row) =>
    xs.flatMap((x, column): PdfLine[] => {
      const isInner = column > 0 && column < xs.length - 1
      if (isInner && merged.includes(row)) return []
      return [{ from: [x, top + row * ROW], to: [x, top + (row + 1) * ROW] }]
    }),
  )
  const texts = rows.flatMap((row, at) =>
    row.flatMap((text, column): PdfText[] =>
      text ? [{ text, x: xs[column]! + PADDING, y: top + at * ROW + 12 }] : [],
    ),
  )
  return [...flat, ...upright, ...texts]
}

async function tableOf(rows: readonly (readonly string[])[], merged?: readonly number[]) {
  const { blocks } = await parseBytes(pdfParser, pdf([ruled(rows, merged)]))
  return outline(blocks)
}

test('cells that stand closer together than words are told apart by the lines between them', async () => {
  const rows = [
    ['Item', '2021', '2022', '2023'],
    ['Boats and oars', '18,400', '21,750', '9,300'],
    ['Rent of the house', '12,000', '12,600', '13,200'],
    ['Total', '30,400', '34,350', '22,500'],
  ]
  expect(await tableOf(rows)).toEqual([`table: ${rows.map(row => row.join(' | ')).join(' / ')}`])
})

test('a text that lies over several columns is not parted where no line crosses it', async () => {
  const rows = [
    ['All amounts are given in euros', '', ''],
    ['Rent', '12,000', '12,600'],
    ['Wages', '30,400', '34,350'],
  ]
  expect((await tableOf(rows, [0])).join()).toContain('All amounts are given in euros')
})

/** Texts in columns with these left edges, one printed line each, and lines at these places. */
function drawn(
  rows: readonly (readonly string[])[],
  {
    xs,
    flat,
    upright,
  }: { xs: readonly number[]; flat: readonly number[]; upright: readonly number[] },
): (PdfText | PdfLine)[] {
  const [left, right, top, bottom] = [72, 440, 100, 100 + rows.length * ROW]
  return [
    ...flat.map(
      (row): PdfLine => ({ from: [left, top + row * ROW], to: [right, top + row * ROW] }),
    ),
    ...upright.map((x): PdfLine => ({ from: [x, top], to: [x, bottom] })),
    ...rows.flatMap((row, at) =>
      row.flatMap((text, column): PdfText[] =>
        text ? [{ text, x: xs[column]!, y: top + at * ROW + 12 }] : [],
      ),
    ),
  ]
}

async function outlineOf(page: readonly (PdfText | PdfLine)[]) {
  return outline((await parseBytes(pdfParser, pdf([page]))).blocks)
}

const FARES = [
  ['Ferry', 'Trips', 'Fares', 'Share'],
  ['Petrel', '640', '7,215', '52.1'],
  ['Gannet', '88', '903', '6.5'],
  ['Plover', '511', '5,730', '41.4'],
]
const XS = [78, 200, 290, 380]
const fares = `table: ${FARES.map(row => row.join(' | ')).join(' / ')}`

test('a line after the first column only leaves each row and column its own', async () => {
  for (const xs of [XS, [78, 120, 152, 186]]) {
    const upright = [xs[1]! - 5]
    expect(await outlineOf(drawn(FARES, { xs, flat: [0, 1, 4], upright }))).toEqual([fares])
  }
})

test('lines between rows, and between columns in the head only, make a table of all the columns', async () => {
  const head = XS.slice(1).map((x): PdfLine => ({ from: [x - 20, 100], to: [x - 20, 100 + ROW] }))
  const framed = drawn(FARES, { xs: XS, flat: [0, 1, 2, 3, 4], upright: [72, 440] })
  expect(await outlineOf([...framed, ...head])).toEqual([fares])
})

test('rows without lines between them stay rows where a cell is empty or a name takes two lines', async () => {
  const rows = [
    ['Ferry', 'Trips', 'Fares'],
    ['Petrel', '640', '7,215'],
    ['Gannet, which also', '88', ''],
    ['calls at the skerries', '', ''],
    ['Plover', '', '5,730'],
    ['Dunlin', '12', '118'],
  ]
  expect(
    await outlineOf(drawn(rows, { xs: XS, flat: [0, 1, 6], upright: [72, 190, 280, 440] })),
  ).toEqual([
    'table: Ferry | Trips | Fares / Petrel | 640 | 7,215 / Gannet, which also calls at the skerries | 88 |  / Plover |  | 5,730 / Dunlin | 12 | 118',
  ])
})

test('rows of names without lines between them stay rows, and the lines of their head stay one', async () => {
  const rows = [
    ['Ferry', 'Harbour', 'Master'],
    ['of the line', 'of the winter', 'or mate'],
    ['and its boats', 'and the spring', 'on watch'],
    ['Petrel', 'Osterby', 'Anna Lund'],
    ['Gannet', '', 'Olaf Berg'],
    ['Plover', 'Varnes', ''],
    ['Dunlin', 'Tangen', 'Ida Holm'],
  ]
  expect(
    await outlineOf(drawn(rows, { xs: XS, flat: [0, 3, 7], upright: [72, 190, 280, 440] })),
  ).toEqual([
    'table: Ferry of the line and its boats | Harbour of the winter and the spring | Master or mate on watch / Petrel | Osterby | Anna Lund / Gannet |  | Olaf Berg / Plover | Varnes |  / Dunlin | Tangen | Ida Holm',
  ])
})

test('words that wrap in a drawn cell are no rows, though its neighbours wrap at the same lines', async () => {
  const rows = [
    ['Place', 'What is there'],
    ['The quay of the', 'Pumps for fuel and for water, a crane for small boats too'],
    ['pilots and of the', 'and a shed in which they may be kept in the winter, from'],
    ['watch', 'October on'],
  ]
  expect(
    await outlineOf(drawn(rows, { xs: [78, 170], flat: [0, 1, 4], upright: [72, 160, 440] })),
  ).toEqual([
    `table: Place | What is there / ${rows[1]![0]} ${rows[2]![0]} watch | ${rows[1]![1]} ${rows[2]![1]} October on`,
  ])
})

test('a text across all columns is read once, as text', async () => {
  const note = [
    'Trips that were cut short by fog or by ice count as half a trip, and',
    'those with no passengers are left out.',
  ]
  const grid = drawn(FARES, { xs: XS, flat: [0, 1, 2, 3, 4], upright: [72, 190, 280, 370, 440] })
  const frame: PdfLine[] = [72, 440].map(x => ({ from: [x, 164], to: [x, 200] }))
  const foot = note.map((text, at): PdfText => ({ text, x: 78, y: 176 + at * 14 }))
  const closed = [...grid, ...frame, { from: [72, 200], to: [440, 200] } as PdfLine, ...foot]
  expect(await outlineOf(closed)).toEqual([fares, `paragraph: ${note.join(' ')}`])
})

/** Texts at these places: `[row, column, text]`, where half rows are between two lines. */
function placed(texts: readonly (readonly [number, number, string])[]): PdfText[] {
  return texts.map(([row, column, text]) => ({ text, x: XS[column]!, y: 112 + row * ROW }))
}

/** Lines that all go through the table, at these rows and these distances from the left. */
function lines(height: number, flat: readonly number[], upright: readonly number[]): PdfLine[] {
  return [
    ...flat.map((row): PdfLine => ({ from: [72, 100 + row * ROW], to: [440, 100 + row * ROW] })),
    ...upright.map((x): PdfLine => ({ from: [x, 100], to: [x, 100 + height * ROW] })),
  ]
}

const AFTERWARDS: PdfText = {
  text: 'The tolls were counted at noon by the clerk of the quay.',
  x: 72,
  y: 260,
}
const afterwards = `paragraph: ${AFTERWARDS.text}`

test('the last row keeps all lines of its label', async () => {
  const head = [0, 1, 2].map(column => [0, column, ['Toll', 'Paid', 'Owed'][column]!] as const)
  const first = [1, 2].flatMap(row =>
    ['Rafts', '310', '25'].map(
      (text, column) => [row, column, `${text}${row > 1 && column > 0 ? 7 : ''}`] as const,
    ),
  )
  const rows = 'Toll | Paid | Owed / Rafts | 310 | 25 / Rafts | 3107 | 257'
  const framed = lines(4.8, [0, 1, 2, 3, 4.8], [72, 440])
  const ends = [
    { drawn: framed, label: ['Skiffs and', 'Long Boats'], middle: 3 },
    { drawn: lines(4.8, [], [190]), label: ['Skiffs and', 'Long Boats'], middle: 3 },
    { drawn: lines(0, [0, 1, 4.8], []), label: ['Skiffs and', 'Long Boats'], middle: 3 },
    { drawn: [], label: ['Skiffs and', 'Long Boats'], middle: 3.375 },
    { drawn: [], label: ['Skiffs and', 'long boats'], middle: 3 },
  ]
  for (const { drawn: ruling, label, middle } of ends) {
    const last = [
      [3, 0, label[0]!] as const,
      [3.75, 0, label[1]!] as const,
      [middle, 1, '86'] as const,
    ]
    const page = [...ruling, ...placed([...head, ...first, ...last]), AFTERWARDS]
    expect(await outlineOf(page)).toEqual([
      `table: ${rows} / ${label.join(' ')} | 86 | `,
      afterwards,
    ])
  }
})

test('a short text below the last line of a table is not in its last row', async () => {
  const head = ['Toll', 'Paid', 'Owed'].map((text, column) => [0, column, text] as const)
  const body = [1, 2].flatMap(row =>
    ['Rafts', '310', '25'].map((text, column) => [row, column, text] as const),
  )
  const page = [
    ...lines(3, [0, 1, 3, 3.9], []),
    ...placed([...head, ...body, [2.8, 0, 'Toll House']]),
    AFTERWARDS,
  ]
  expect(await outlineOf(page)).toContain(
    'table: Toll | Paid | Owed / Rafts | 310 | 25 / Rafts | 310 | 25',
  )
})

test('lines of a cell and the neighbours at its middle are one row, however the table is ruled', async () => {
  const texts = placed([
    ...['Duty', 'What is done', 'Hours'].map((text, column) => [0, column, text] as const),
    [1, 1, 'Lamps are lit'],
    [1.7, 0, 'Watch'],
    [1.7, 1, 'and wicks are'],
    [1.7, 2, '12'],
    [2.4, 1, 'trimmed'],
    ...['Relief', 'Rest', '9'].map((text, column) => [3.6, column, text] as const),
    [4.8, 1, 'The boats are'],
    [5.15, 0, 'Rounds'],
    [5.5, 1, 'looked over'],
  ])
  for (const ruling of [lines(6.4, [0, 0.9, 6.4], [72, 190, 280, 440]), lines(6.4, [], [190])]) {
    expect(await outlineOf([...ruling, ...texts])).toEqual([
      'table: Duty | What is done | Hours / Watch | Lamps are lit and wicks are trimmed | 12 / Relief | Rest | 9 / Rounds | The boats are looked over | ',
    ])
  }
})

test('a row in which two cells are wrapped is one row, and entries below one label are not', async () => {
  const head = ['Post', 'Duty', 'Remark'].map((text, column) => [0, column, text] as const)
  const last = ['Clerk', 'Keeps books', 'Half days'].map(
    (text, column) => [3, column, text] as const,
  )
  const under = (duty: string, remark: string) =>
    placed([
      ...head,
      [1, 0, 'Pilot'],
      [1, 1, 'Guides ships'],
      [1, 2, 'Knows reefs'],
      [1.7, 1, duty],
      [1.7, 2, remark],
      ...last,
    ])
  const ruling = lines(4.4, [0, 0.6, 4.4], [72, 190, 280, 440])
  expect(await outlineOf([...ruling, ...under('past the reef', 'and the tides')])).toEqual([
    'table: Post | Duty | Remark / Pilot | Guides ships past the reef | Knows reefs and the tides / Clerk | Keeps books | Half days',
  ])
  expect(
    (await outlineOf([...ruling, ...under('Lights lamps', 'Has a boat')])).join(),
  ).not.toContain('ships Lights')
})

test('a head on two lines, some of whose cells need one only, is a row', async () => {
  const texts = placed([
    [0, 1, 'Length of'],
    [0, 2, 'Depth at'],
    ...['Lock', 'the basin', 'the sill', 'Gate'].map(
      (text, column) => [0.7, column, text] as const,
    ),
    ...['Upper', '48', '2.9', 'oak'].map((text, column) => [1.8, column, text] as const),
    ...['Middle', '51', '3.3', 'iron'].map((text, column) => [2.9, column, text] as const),
    ...['Lower', '60', '3.1', 'oak'].map((text, column) => [4, column, text] as const),
  ])
  expect(await outlineOf([...lines(5, [0, 1, 2.1, 3.2, 4.3], [72, 440]), ...texts])).toEqual([
    'table: Lock | Length of the basin | Depth at the sill | Gate / Upper | 48 | 2.9 | oak / Middle | 51 | 3.3 | iron / Lower | 60 | 3.1 | oak',
  ])
})

test('rows closer to the head or to each other than to their total stay rows', async () => {
  const rows = [
    [0, ['', '2020', '2021']],
    [0.8, ['Sales', '10', '12']],
    [1.6, ['Costs', '8', '9']],
    [3, ['Profit', '2', '3']],
    [4.4, ['Tax', '1', '1']],
  ] as const
  const texts = rows.flatMap(([row, cells]) =>
    cells.map((text, column) => [row, column, text] as const),
  )
  expect(
    await outlineOf([...lines(5, [], [190]), ...placed(texts.filter(([, , text]) => text))]),
  ).toEqual([
    'table:  | 2020 | 2021 / Sales | 10 | 12 / Costs | 8 | 9 / Profit | 2 | 3 / Tax | 1 | 1',
  ])
})

/** Numbers from 0 up to 1, the same for the same seed. */
function randomNumbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

/** A page of a grid from which lines are left out at random, with words of its own in most of its places. */
function openGrid(seed: number): { page: (PdfText | PdfLine)[]; words: readonly string[] } {
  const random = randomNumbers(seed)
  const word = () =>
    Array.from({ length: 8 }, () => String.fromCharCode(97 + Math.floor(random() * 26))).join('')
  const [width, height] = [2 + Math.floor(random() * 6), 2 + Math.floor(random() * 12)]
  const missing = random() * 0.5
  const places = Array.from({ length: width * height }, (_, index) => {
    const [row, column] = [Math.floor(index / width), index % width]
    return { row, column, x: 72 + column * 60, y: 80 + row * 30 }
  })
  const frame = [0, 1].flatMap((end): PdfLine[] => [
    { from: [72, 80 + end * height * 30], to: [72 + width * 60, 80 + end * height * 30] },
    { from: [72 + end * width * 60, 80], to: [72 + end * width * 60, 80 + height * 30] },
  ])
  const lines = places.flatMap(({ row, column, x, y }): PdfLine[] => [
    ...(row > 0 && random() > missing ? [{ from: [x, y], to: [x + 60, y] } as const] : []),
    ...(column > 0 && random() > missing ? [{ from: [x, y], to: [x, y + 30] } as const] : []),
  ])
  const texts = places.flatMap(({ x, y }): PdfText[] => {
    const printed = Math.floor(random() * 3)
    return Array.from({ length: printed }, (_, line) => ({
      text: word(),
      x: x + 4,
      y: y + 12 + line * 10,
      size: 7,
    }))
  })
  return { page: [...frame, ...lines, ...texts], words: texts.map(({ text }) => text) }
}

test('no text of a drawn grid is lost or multiplied, whichever of its lines are missing', async () => {
  const grids = Array.from({ length: 60 }, (_, seed) => openGrid(seed + 1))
  const { blocks } = await parseBytes(pdfParser, pdf(grids.map(({ page }) => page)))
  for (const [index, { words }] of grids.entries()) {
    const read = blocks
      .filter(({ page }) => page === index + 1)
      .flatMap(({ text }) => text.match(/\w+/g) ?? [])
    expect(new Set(read)).toEqual(new Set(words))
    expect(read.join('').length).toBeLessThanOrEqual(words.join('').length * 1.5)
  }
})

test('text of the first row that begins left of the lines is in the first column', async () => {
  const rows = [
    ['', 'Price'],
    ['Cup', '9'],
    ['Mug', '12'],
  ]
  const hanging = { text: 'Names of all the goods Price', x: 10, y: 112 }
  const [, ...below] = rows
  const drawn = ruled([['Names', 'Price of one'], ...below]).filter(
    item => !('text' in item) || item.y > 112,
  )
  const { blocks, warnings } = await parseBytes(pdfParser, pdf([[...drawn, hanging]]))
  expect(warnings).toEqual([])
  expect(outline(blocks).join()).toContain('Names of all')
  expect(outline(blocks).join()).toContain('Mug | 12')
})

test('text that begins left of cells without all their lines leaves the page readable', async () => {
  const long = 'Words that begin far at the left of'
  const { blocks, warnings } = await parseBytes(
    pdfParser,
    pdf([
      [
        { from: [240, 150], to: [240, 175] },
        { from: [240, 175], to: [336, 175] },
        { from: [336, 175], to: [336, 200] },
        { from: [200, 200], to: [520, 200] },
        { text: long, x: 146, y: 167 },
        { text: 'aa', x: 203, y: 186 },
        { text: 'bb', x: 243, y: 189 },
      ],
    ]),
  )
  expect(warnings).toEqual([])
  const text = blocks.map(block => block.text).join(' ')
  for (const word of [...long.split(' '), 'aa', 'bb']) expect(text).toContain(word)
})

test('boxes that a program drew around each word are no table', async () => {
  const narrow: Record<string, number> = {
    t: 2.78,
    i: 2.22,
    g: 5.56,
    s: 5,
    r: 3.33,
    m: 8.33,
    T: 6.11,
    c: 5,
    y: 5,
  }
  const measure = (text: string) => [...text].reduce((sum, at) => sum + (narrow[at] ?? 5.56), 0)
  const lines = [
    'This agreement states that both have the authority',
    'that is necessary to enter into a binding contract',
  ]
  const frame = (text: string, x: number, y: number, size: number): (PdfText | PdfLine)[] => {
    const [left, right, top, bottom] = [
      x - 0.5,
      x + (measure(text) * size) / 10 + 0.5,
      y - 10,
      y + 3,
    ]
    const corners = [left, top, right, top, right, bottom, left, bottom, left, top]
    const sides = [0, 2, 4, 6].map((at): PdfLine => {
      const [x0 = 0, y0 = 0, x1 = 0, y1 = 0] = corners.slice(at, at + 4)
      return { from: [x0, y0], to: [x1, y1] }
    })
    return [{ text, x, y, size }, ...sides]
  }
  const page = lines.flatMap((line, row) => {
    let x = 72
    return line.split(' ').flatMap((word, index) => {
      const size = index % 2 ? 9 : 10
      const box = frame(word, x, 100 + row * 14, size)
      x += (measure(word) * size) / 10 + 3
      return box
    })
  })
  const { blocks } = await parseBytes(pdfParser, pdf([page]))
  expect(outline(blocks)).toEqual([`paragraph: ${lines.join(' ')}`])
})
