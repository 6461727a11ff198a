import { describe, expect, test } from 'vitest'
import { pdfParser } from '../../../../../src/ingest/parse/parsers/pdf/pdf.ts'
import { outline, parseBytes, withFile } from '../../../../fixtures/parsed.ts'
import { type PdfLine, type PdfText, pdf } from '../../../../fixtures/pdf.ts'

type Page = readonly (PdfText | PdfLine)[]

/** Lines of one paragraph, 12 points apart. */
function lines(
  texts: readonly string[],
  place: { x?: number; y?: number; size?: number; font?: PdfText['font'] } = {},
): PdfText[] {
  const { x = 72, y = 100, ...style } = place
  return texts.map((text, index) => ({ text, x, y: y + index * 12, ...style }))
}

function cells(
  rows: readonly (readonly string[])[],
  { x = 72, y = 200, width = 110, height = 16 } = {},
): PdfText[] {
  return rows.flatMap((row, index) =>
    row.map((text, column) => ({ text, x: x + column * width + 4, y: y + index * height + 12 })),
  )
}

async function check(pages: readonly Page[], expected: readonly string[]) {
  expect(outline((await parseBytes(pdfParser, pdf(pages))).blocks)).toEqual(expected)
}

const PROSE = [
  'The committee met on three days in the spring of that year and heard',
  'reports on the state of the bridges, most of which had been built by',
  'the same company and were now in need of repair.',
]

describe('running text', () => {
  test('lines of a paragraph are joined', () =>
    check([lines(PROSE)], [`paragraph: ${PROSE.join(' ')}`]))

  test('what is set in a font of signs is read as signs, the common ones as bullets', async () => {
    const sign = (text: string, y: number): PdfText => ({ text, x: 72, y, font: 'signs' })
    const items = ['Fire exits are open', 'Alarms are tested'].map((text, at) => ({
      text,
      x: 90,
      y: 100 + at * 12,
    }))
    const { blocks } = await parseBytes(
      pdfParser,
      pdf([[sign('n', 100), sign('3', 112), ...items, sign('4u%', 160)]]),
    )
    expect(outline(blocks)).toEqual([
      'list: Fire exits are open',
      'list: Alarms are tested',
      'paragraph: ✔◆☎',
    ])
  })

  test('a word parted at the end of a line is made whole', () =>
    check(
      [lines(['It was the most impor-', 'tant bridge.'])],
      ['paragraph: It was the most important bridge.'],
    ))

  test('a wider distance begins a paragraph', () =>
    check(
      [[...lines(PROSE), ...lines(['Then they left.'], { y: 160 })]],
      [`paragraph: ${PROSE.join(' ')}`, 'paragraph: Then they left.'],
    ))

  test('an indent begins a paragraph', () =>
    check(
      [[...lines(PROSE), ...lines(['Then they left.'], { x: 84, y: 136 })]],
      [`paragraph: ${PROSE.join(' ')}`, 'paragraph: Then they left.'],
    ))

  test('two columns are read one after the other', () => {
    const column = (word: string) =>
      Array.from(
        { length: 8 },
        (_, index) => `${word} text number ${index} that fills the column to its edge`,
      )
    const page = [...lines(column('left'), { x: 50 }), ...lines(column('right'), { x: 320 })]
    return check([page], [`paragraph: ${column('left').join(' ')} ${column('right').join(' ')}`])
  })

  test('each printed line has its place in the text and on the page', async () => {
    const [block] = (await parseBytes(pdfParser, pdf([lines(PROSE)]))).blocks
    expect(block!.lines!.map(({ start, end }) => block!.text.slice(start, end))).toEqual(PROSE)
    expect(block!.lines!.map(({ box }) => box[0])).toEqual([72, 72, 72])
    expect(block!.box![1]).toBeLessThan(100)
    expect(block!.box![3]).toBeGreaterThan(124)
  })

  test('code keeps its lines and indents', () =>
    check(
      [[...lines(PROSE), ...lines(['if (a) {', '  b()', '}'], { y: 170, font: 'mono' })]],
      [`paragraph: ${PROSE.join(' ')}`, 'code: if (a) { /   b() / }'],
    ))

  test('the same text printed twice in one place is read once', () =>
    check(
      [[...lines(['Shadow of a doubt']), ...lines(['Shadow of a doubt'], { x: 72.4, y: 100.3 })]],
      ['paragraph: Shadow of a doubt'],
    ))
})

describe('headings, items and captions', () => {
  test('larger text is a heading, and the largest is the first level', () =>
    check(
      [
        [
          { text: 'Bridges', x: 72, y: 50, size: 20 },
          { text: 'Repairs', x: 72, y: 76, size: 14 },
          ...lines(PROSE),
        ],
      ],
      ['heading1: Bridges', 'heading2: Repairs', `paragraph: ${PROSE.join(' ')}`],
    ))

  test('a bold line on its own is a heading', () =>
    check(
      [[{ text: '2. Repairs', x: 72, y: 80, font: 'bold' }, ...lines(PROSE)]],
      ['heading1: 2. Repairs', `paragraph: ${PROSE.join(' ')}`],
    ))

  test('a title over two centred lines is one heading', () =>
    check(
      [
        [
          { text: 'A Report on the Bridges of the Province', x: 110, y: 50, size: 20 },
          { text: 'and Ferries', x: 243, y: 72, size: 20 },
          ...lines(PROSE),
        ],
      ],
      [
        'heading1: A Report on the Bridges of the Province and Ferries',
        `paragraph: ${PROSE.join(' ')}`,
      ],
    ))

  test('signs and numbers begin items', () =>
    check(
      [lines(['\x95 stone', '\x95 iron', '1. first', '2. second'])],
      ['list: stone', 'list: iron', 'list: 1. first', 'list: 2. second'],
    ))

  test('figures and tables have captions', () =>
    check(
      [[...lines(PROSE), ...lines(['Table 3: Bridges by age'], { y: 180 })]],
      [`paragraph: ${PROSE.join(' ')}`, 'caption: Table 3: Bridges by age'],
    ))
})

describe('tables', () => {
  const rows = [
    ['Name', 'Built', 'Length'],
    ['North', '1871', '240'],
    ['South', '1902', '95'],
    ['East', '', '130'],
  ]
  const text =
    'table: Name | Built | Length / North | 1871 | 240 / South | 1902 | 95 / East |  | 130'

  test('are found by the white space between their columns', () =>
    check([[...lines(PROSE), ...cells(rows)]], [`paragraph: ${PROSE.join(' ')}`, text]))

  test('are found by their lines, and cells without a line between them are one', () => {
    const across = (y: number, from = 72): PdfLine => ({ from: [from, y], to: [402, y] })
    const down = (x: number): PdfLine => ({ from: [x, 200], to: [x, 248] })
    const grid = [
      across(200),
      across(216),
      across(232, 182),
      across(248),
      down(72),
      down(182),
      down(292),
      down(402),
    ]
    const filled = cells([
      ['Side', 'Name', 'Length'],
      ['Left', 'North', '240'],
      ['', 'South', '95'],
    ])
    return check(
      [[...grid, ...filled]],
      ['table: Side | Name | Length / Left | North | 240 / Left | South | 95'],
    )
  })

  test('a cell of two lines stays one cell', () =>
    check(
      [
        [
          ...cells([
            ['Name', 'Remark', 'Length'],
            ['North', 'closed for', '240'],
          ]),
          { text: 'repair', x: 186, y: 239 },
          ...cells([['South', 'open', '95']], { y: 250 }),
        ],
      ],
      ['table: Name | Remark | Length / North | closed for repair | 240 / South | open | 95'],
    ))
})

describe('pages', () => {
  const page = (number: number): Page => [
    { text: 'Bridges of the Province', x: 72, y: 30, size: 8 },
    ...lines([`Text of page ${number} about bridges.`]),
    { text: String(number), x: 300, y: 760, size: 8 },
  ]

  const known = [{ text: 'They are the bridges of the province.', x: 72, y: 300 }]

  test('running heads whose words the text has, and page numbers, are left out', () =>
    check(
      [[...page(1), ...known], page(2), page(3)],
      [
        'paragraph: Text of page 1 about bridges.',
        'paragraph: They are the bridges of the province.',
        'paragraph: Text of page 2 about bridges.',
        'paragraph: Text of page 3 about bridges.',
      ],
    ))

  test('a running head with words of its own is kept once, as a paragraph that ends the first page', async () => {
    const { blocks, warnings } = await parseBytes(pdfParser, pdf([page(1), page(2), page(3)]))
    expect(blocks.map(({ kind, page, text }) => [kind, page, text])).toEqual([
      ['paragraph', 1, 'Text of page 1 about bridges.'],
      ['paragraph', 1, 'Bridges of the Province'],
      ['paragraph', 2, 'Text of page 2 about bridges.'],
      ['paragraph', 3, 'Text of page 3 about bridges.'],
    ])
    expect(warnings.map(({ message }) => message)).toEqual([
      'Running heads are read once. Copies of them that were left out: 2.',
    ])
    const long = [1, 2, 3].map(number => [
      ...page(number).slice(0, 1),
      ...[150, 300, 450].flatMap(y => lines(PROSE, { y })),
    ])
    expect((await parseBytes(pdfParser, pdf(long))).warnings).toEqual([])
  })

  test('the number of an invoice in the foot of two copies is kept, that of the page is not', async () => {
    const copy = (foot: string) => [...lines(PROSE), { text: foot, x: 72, y: 760, size: 8 }]
    const read = async (...feet: readonly string[]) =>
      outline((await parseBytes(pdfParser, pdf(feet.map(copy)))).blocks)
    const text = `paragraph: ${PROSE.join(' ')}`
    expect(await read('INV-2026-4711', 'INV-2026-4711')).toEqual([
      text,
      'paragraph: INV-2026-4711',
      text,
    ])
    expect(await read('Page 1 of 2', 'Page 2 of 2')).toEqual([text, text])
    expect(await read('Invoice 4711, page 1', 'Invoice 4711, page 2')).toEqual([
      text,
      'paragraph: Invoice 4711, page 1',
      text,
    ])
  })

  test('what is left out of running heads is counted, once for all pages, and page numbers are not', async () => {
    const { warnings } = await parseBytes(
      pdfParser,
      pdf([[...page(1), ...known], page(2), page(3)]),
    )
    expect(warnings.map(({ message }) => message)).toEqual([
      'Skipped: running heads 1. Their text is not searchable.',
    ])
    const plain = await parseBytes(pdfParser, pdf([1, 2, 3].map(number => page(number).slice(1))))
    expect(plain.warnings).toEqual([])
  })

  test('blocks and reports tell their page', async () => {
    const { blocks, pages, metadata } = await parseBytes(pdfParser, pdf([page(1), page(2)]))
    expect(blocks.map(block => block.page)).toEqual([1, 1, 2])
    expect(pages.map(({ page, images, garbled }) => ({ page, images, garbled }))).toEqual([
      { page: 1, images: 0, garbled: 0 },
      { page: 2, images: 0, garbled: 0 },
    ])
    expect(metadata.pages).toBe(2)
  })

  test('title and dates are told', async () => {
    const { metadata } = await parseBytes(
      pdfParser,
      pdf([page(1)], "/Title(Report)/Author(Ann)/CreationDate(D:20240501083000+02'00')"),
    )
    expect(metadata).toMatchObject({
      title: 'Report',
      author: 'Ann',
      created: '2024-05-01T08:30:00+02:00',
    })
  })

  test('leaving early is no error', async () => {
    await withFile(pdf([page(1), page(2)]), 'a.pdf', async filePath => {
      for await (const event of pdfParser.parse({
        path: filePath,
        name: 'a.pdf',
        mediaType: 'application/pdf',
      })) {
        if (event.type === 'block') break
      }
    })
  })
})

describe('a file that cannot be read', () => {
  const checkFails = (file: Uint8Array | string, code: string) =>
    expect(parseBytes(pdfParser, file)).rejects.toMatchObject({ code })

  test('is corrupt when it is none', () => checkFails('%PDF-1.4\nand then nothing', 'corrupt'))
  test('is corrupt when it is cut off', () =>
    checkFails(pdf([lines(PROSE)]).subarray(0, 400), 'corrupt'))
  test('has no text when its pages are blank', () => checkFails(pdf([[]]), 'no_text'))
})

test('a page with more text than is read of one has a warning', async () => {
  const words = Array.from({ length: 100_500 }, () => ({ text: 'x', x: 72, y: 100 }))
  const { warnings } = await parseBytes(pdfParser, pdf([words]))
  expect(warnings).toMatchObject([
    { code: 'too_large', page: 1, message: expect.stringContaining('left out') },
  ])
})

test('text that runs off its page has a warning that it is left out', async () => {
  const endless = [{ text: 'again and again '.repeat(100), x: 72, y: 100 }]
  const { warnings } = await parseBytes(pdfParser, pdf([[...lines(PROSE), ...endless]]))
  expect(warnings).toMatchObject([{ code: 'left_out', page: 1 }])
})

test('pages that the document numbers in its own way keep their labels', async () => {
  const page = (text: string) => [
    { text: `${text} of the book, with enough words to be read.`, x: 72, y: 100 },
  ]
  const labels = '/PageLabels<</Nums[0<</S/r>>1<</S/D/St 2>>]>>'
  const { pages } = await parseBytes(pdfParser, pdf([page('Preface'), page('Chapter')], '', labels))
  expect(pages.map(({ page, label }) => label ?? page)).toEqual(['i', 2])
})

test('what was typed onto a page without a form is read', async () => {
  const typed =
    '<</Type/Annot/Subtype/FreeText/Contents(Paid in May.)/DA(/Helv 10 Tf 0 g)/Rect[72 560 400 574]>>'
  const { blocks } = await parseBytes(
    pdfParser,
    pdf([[{ text: 'Invoice 12', x: 72, y: 100 }]], '', '', [typed]),
  )
  expect(blocks.map(block => block.text).join('\n')).toContain('Paid in May.')
})

test('fields that stand in rows and columns are the cells of a table, and boxes say whether they are ticked', async () => {
  const rows = [
    ['3 May', 'Flight', '412.80'],
    ['4 May', 'Hotel', '289.00'],
    ['5 May', 'Taxi', '31.50'],
  ] // prettier-ignore
  const cells = rows.flatMap((row, y) =>
    row.map(
      (value, x) =>
        `<</Type/Annot/Subtype/Widget/FT/Tx/T(f${y}${x})/V(${value})/DA(/Helv 9 Tf 0 g)/Rect[${72 + x * 120} ${660 - y * 24} ${188 + x * 120} ${676 - y * 24}]${x === 2 ? '/Q 2' : ''}>>`,
    ),
  )
  const states = '/AP<</N<</Yes 2 0 R/Off 2 0 R>>>>'
  const boxes = ['Off', 'Yes'].map(
    (state, x) =>
      `<</Type/Annot/Subtype/Widget/FT/Btn/T(b${x})/V/${state}/AS/${state}${states}/Rect[${72 + x * 120} 500 ${82 + x * 120} 510]>>`,
  )
  const heads = ['Date', 'Kind', 'Amount'].map((text, x) => ({
    text,
    x: 74 + x * 120,
    y: 110,
    size: 9,
  }))
  const labels = ['Train', 'Plane'].map((text, x) => ({ text, x: 84 + x * 120, y: 290 }))
  const { blocks } = await parseBytes(
    pdfParser,
    pdf([[...heads, ...labels]], '', '', [...cells, ...boxes]),
  )
  expect(blocks[0]?.rows).toEqual([['Date', 'Kind', 'Amount'], ...rows])
  expect(blocks[1]?.text).toBe('☐ Train ☑ Plane')
})

test('what was filled in stands where its field is, and what is hidden or secret is left out', async () => {
  const field = (name: string, value: string, y: number, rest = '') =>
    `<</Type/Annot/Subtype/Widget/FT/Tx/T(${name})/V(${value})/DA(/Helv 10 Tf 0 g)/Rect[150 ${y} 400 ${y + 14}]${rest}>>`
  const fields = [
    field('name', 'Ada Lovelace', 689),
    field('pin', '1234', 669, '/Ff 8192'),
    field('unseen', 'nobody', 649, '/F 2'),
    '<</Type/Annot/Subtype/Widget/FT/Ch/Ff 131072/T(city)/Opt[[(l)(London)][(p)(Paris)]]/V(p)/Rect[150 629 400 643]>>',
    '<</Type/Annot/Subtype/FreeText/Contents(Checked by Bob.)/DA(/Helv 10 Tf 0 g)/Rect[72 560 400 574]>>',
  ]
  const labels = ['Name:', 'PIN:', 'None:', 'City:'].map((text, row) => ({
    text,
    x: 72,
    y: 100 + row * 20,
  }))
  const { blocks } = await parseBytes(pdfParser, pdf([labels], '', '', fields))
  const text = blocks.map(block => block.text).join('\n')
  expect(text).toMatch(/Name:\W+Ada Lovelace.*City:\W+Paris.*Checked by Bob\./s)
  expect(text).not.toMatch(/1234|nobody/)
})
