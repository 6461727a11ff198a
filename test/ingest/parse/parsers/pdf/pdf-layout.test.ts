import { describe, expect, test } from 'vitest'
import { pdfParser } from '../../../../../src/ingest/parse/parsers/pdf/pdf.ts'
import { outline, parseBytes } from '../../../../fixtures/parsed.ts'
import { type PdfText, pdf } from '../../../../fixtures/pdf.ts'

type Place = { x?: number; y?: number; leading?: number } & Pick<PdfText, 'font' | 'size'>

function lines(
  texts: readonly string[],
  { x = 72, y = 100, leading = 12, ...style }: Place = {},
): PdfText[] {
  return texts.map((text, index) => ({ text, x, y: y + index * leading, ...style }))
}

async function outlineOf(pages: readonly (readonly PdfText[])[]): Promise<readonly string[]> {
  return outline((await parseBytes(pdfParser, pdf(pages))).blocks)
}

async function check(pages: readonly (readonly PdfText[])[], expected: readonly string[]) {
  expect(await outlineOf(pages)).toEqual(expected)
}

const PROSE = [
  'The committee met on three days in the spring of that year and heard',
  'reports on the state of the bridges, most of which had been built by',
  'the same company and were now in need of repair.',
]
const TEXT = `paragraph: ${PROSE.join(' ')}`

const column = (word: string, rows = 9) =>
  Array.from({ length: rows }, (_, row) => `${word} says in line ${row} what was to say`)

describe('columns', () => {
  test('three are read one after the other, though their lines do not meet', async () => {
    const page = ['one', 'two', 'six'].flatMap((word, index) =>
      lines(column(word), { x: 40 + index * 185, y: 100 + index * 5 }),
    )
    expect((await outlineOf([page])).join('')).toMatch(
      /one says in line 8 .*two says in line 0 .*six says in line 8/,
    )
  })

  test('eight are read one after the other', async () => {
    const page = Array.from({ length: 8 }, (_, index) => {
      const texts = Array.from({ length: 9 }, (_, row) => `${index}${row} words in lines`)
      return lines(texts, { x: 30 + index * 68, size: 6.5 })
    }).flat()
    const found = (await outlineOf([page])).join('').matchAll(/(\d\d) words/g)
    const all = Array.from({ length: 72 }, (_, at) => `${Math.floor(at / 9)}${at % 9}`)
    expect([...found].map(([, number]) => number)).toEqual(all)
  })

  test('a page number that sticks out does not part the lines of a column', () => {
    const texts = [...column('left', 7).map(line => `${line} on that very day`), 'and ends.']
    const page = [...lines(texts, { x: 50 }), { text: '104', x: 560, y: 60 }]
    return check([page], ['paragraph: 104', `paragraph: ${texts.join(' ')}`])
  })

  test('a heading under two columns belongs to the text below that is as wide as both', async () => {
    const wide = `${PROSE[0]} ${PROSE[1]}`
    const page: PdfText[] = [
      ...lines(
        column('left', 6).map(line => `${line} then.`),
        { x: 60 },
      ),
      ...lines(
        column('right', 6).map(line => `${line} then.`),
        { x: 330 },
      ),
      { text: 'Table of fees', x: 60, y: 190, size: 14, font: 'bold' },
      ...lines([wide, wide], { x: 60, y: 214 }),
    ]
    expect((await outlineOf([page])).map(text => text.slice(0, 30))).toEqual([
      'paragraph: left says in line 0',
      'paragraph: right says in line ',
      'heading1: Table of fees',
      `paragraph: ${wide}`.slice(0, 30),
    ])
  })

  test('names and values side by side stay together', () =>
    check(
      [
        [
          ...lines(['Product:', 'Batch:', 'Purity:', 'Released by:', 'Expiry date:'], {
            font: 'bold',
            leading: 16,
          }),
          ...lines(['Sodium hydroxide', 'NH-2231', '99.2 %', 'Dr. Ilse Kern', '2027-03-31'], {
            x: 200,
            leading: 16,
          }),
        ],
      ],
      [
        'table: Product: | Sodium hydroxide / Batch: | NH-2231 / Purity: | 99.2 % / Released by: | Dr. Ilse Kern / Expiry date: | 2027-03-31',
      ],
    ))
})

/** Rows of a label and figures that end at 400 and 500. */
function figures(
  rows: readonly (readonly [label: string, ...rest: string[]])[],
  leading: (row: number) => number,
): PdfText[] {
  let y = 100
  return rows.flatMap(([label, ...values], row) => {
    y += leading(row)
    const placed = values.map((text, index) => ({
      text,
      x: 400 + index * 100 - text.length * 5,
      y,
    }))
    return [{ text: label, x: 72, y }, ...placed].filter(({ text }) => text !== '')
  })
}

describe('tables without lines', () => {
  test('labels of two lines are one cell, whichever line has the figures', () =>
    check(
      [
        figures(
          [
            ['', '2022', '2021'],
            ['Periodenergebnis vor Ergebnisanteilen', '2.118', '1.904'],
            ['Anderer Gesellschafter'],
            ['Auszahlungen in das'],
            ['Sachanlagevermoegen', '-889', '-920'],
            ['Finanzmittelbestand', '1.402', '1.076'],
          ],
          row => ([2, 4].includes(row) ? 11 : row === 1 ? 11 : 17),
        ),
        figures(
          [
            ['Verbindlichkeiten', '9.004', '8.611'],
            ['Zunahme der Vorraete sowie', '-604', '-377'],
            ['der Forderungen'],
            ['Erhaltene Zuschuesse:'],
            ['aus dem Ausland', '12', '31'],
            ['Finanzmittelbestand', '1.402', '1.076'],
          ],
          () => 12,
        ),
      ],
      [
        'table:  | 2022 | 2021 / Periodenergebnis vor Ergebnisanteilen Anderer Gesellschafter | 2.118 | 1.904 / Auszahlungen in das Sachanlagevermoegen | -889 | -920 / Finanzmittelbestand | 1.402 | 1.076',
        'table: Verbindlichkeiten | 9.004 | 8.611 / Zunahme der Vorraete sowie der Forderungen | -604 | -377 / Erhaltene Zuschuesse: |  |  / aus dem Ausland | 12 | 31 / Finanzmittelbestand | 1.402 | 1.076',
      ],
    ))

  test('leaders before figures of several columns part cells, before a page number they do not', () =>
    check(
      [
        figures(
          [
            ['Ventes', '2 204', '1 987'],
            ['Achats', '(1 118)', '(904)'],
            ['Variation', '326', '272'],
          ].map(([label, ...values]) => [label + '.'.repeat(70), ...values] as const), // three each
          () => 15,
        ),
      ],
      ['table: Ventes | 2 204 | 1 987 / Achats | (1 118) | (904) / Variation | 326 | 272'],
    ))

  test('numbers set to the right stay apart from names that begin close after them', () => {
    const rows = [
      ['Oak', '2.50', 'Holzmann'],
      ['Pine', '14.10', 'Nordwald'],
      ['Walnut', '9.75', 'Carya'],
    ]
    const page = rows.flatMap(([wood, price, name], row) => [
      { text: wood!, x: 72, y: 100 + row * 16 },
      { text: price!, x: 200 - price!.length * 5, y: 100 + row * 16 },
      { text: name!, x: 208, y: 100 + row * 16 },
    ])
    return check([page], [`table: ${rows.map(row => row.join(' | ')).join(' / ')}`])
  })

  test('a head beside its column is the head of it', () =>
    check(
      [
        [
          ...[
            ['Team', 'People'],
            ['Finance', ''],
            ['Production', ''],
            ['Sales', ''],
          ].flatMap(([team, people], row) => [
            { text: team!, x: 72, y: 100 + row * 16 },
            ...(people ? [{ text: people, x: 160, y: 100 + row * 16 }] : []),
          ]),
          ...lines(['12', '148', '31'], { x: 215, y: 116, leading: 16 }),
        ],
      ],
      ['table: Team | People / Finance | 12 / Production | 148 / Sales | 31'],
    ))

  test('heads over several columns join none of a short table', () => {
    const row = (y: number, ...texts: readonly string[]) =>
      texts.map((text, column) => ({ text, x: 72 + (column && 40 + column * 60), y }))
    return check(
      [
        [
          { text: 'Summer of last year', x: 172, y: 100 },
          { text: 'Winter of last year', x: 292, y: 100 },
          ...row(116, 'Weir', '31.5', '9.2', '44.7', '3.3'),
          ...row(132, 'Lock', '12.0', '7.7', '18.1', '2.9'),
          ...row(148, 'Mill', '55.4', '8.3', '61.0', '4.1'),
        ],
      ],
      [
        'table:  | Summer of last year | Summer of last year | Winter of last year | Winter of last year / Weir | 31.5 | 9.2 | 44.7 | 3.3 / Lock | 12.0 | 7.7 | 18.1 | 2.9 / Mill | 55.4 | 8.3 | 61.0 | 4.1',
      ],
    )
  })

  test('a figure before a figure is a cell, and no number of a section', () =>
    check(
      [
        [
          ...['44.8', '40.0', '46.5'].map((text, row) => ({ text, x: 72, y: 100 + row * 16 })),
          ...['23.2', '25.5', '27.3'].map((text, row) => ({ text, x: 112, y: 100 + row * 16 })),
          ...['$33,200', '$25,000', '$9,000'].map((text, row) => ({
            text,
            x: 152,
            y: 100 + row * 16,
          })),
        ],
      ],
      ['table: 44.8 | 23.2 | $33,200 / 40.0 | 25.5 | $25,000 / 46.5 | 27.3 | $9,000'],
    ))

  test('lines of a cell belong to its row, wherever in it the other cells stand', () => {
    const row = (y: number, item: string, texts: readonly string[], price: string) => [
      { text: item, x: 72, y: y + (texts.length - 1) * 12 },
      ...lines(texts, { x: 130, y }),
      { text: price, x: 400, y: y + (texts.length - 1) * 12 },
    ]
    const page = [
      ...row(100, 'Item', ['Description'], 'Amount'),
      ...row(
        122,
        'A-17',
        ['Replacement of the main bearing, with', 'travel of two technicians'],
        '1,240.00',
      ),
      ...row(156, 'B-02', ['Filter set'], '86.20'),
      ...row(178, 'C-33', ['Call-out at night, and the', 'surcharge for weekends'], '410.00'),
    ]
    return check(
      [page],
      [
        'table: Item | Description | Amount / A-17 | Replacement of the main bearing, with travel of two technicians | 1,240.00 / B-02 | Filter set | 86.20 / C-33 | Call-out at night, and the surcharge for weekends | 410.00',
      ],
    )
  })
})

describe('headings by their numbers', () => {
  test('that look alike have the levels that their numbers say', () =>
    check(
      [
        [
          ...lines(['1. Bridges'], { font: 'bold' }),
          ...lines(['1.1 Old bridges'], { font: 'bold', y: 124 }),
          ...lines(PROSE, { y: 148 }),
          ...lines(['2. Tunnels'], { font: 'bold', y: 208 }),
          ...lines(PROSE, { y: 232 }),
        ],
      ],
      ['heading1: 1. Bridges', 'heading2: 1.1 Old bridges', TEXT, 'heading1: 2. Tunnels', TEXT],
    ))

  test('that look like text are headings where text follows, on this page and the next', () =>
    check(
      [
        [
          ...lines(['1 Bridges']),
          ...lines(['1.1 Old bridges'], { y: 124 }),
          ...lines(PROSE, { y: 148 }),
          ...lines(['1.2 New bridges'], { y: 208 }),
          ...lines(PROSE, { y: 232 }),
        ],
        [...lines(['2 Tunnels']), ...lines(PROSE, { y: 124 })],
      ],
      [
        'heading1: 1 Bridges',
        'heading2: 1.1 Old bridges',
        TEXT,
        'heading2: 1.2 New bridges',
        TEXT,
        'heading1: 2 Tunnels',
        TEXT,
      ],
    ))

  test('a number that does not go on is none', () =>
    check(
      [[...lines(['12 Harbour Road']), ...lines(PROSE, { y: 124 })]],
      ['paragraph: 12 Harbour Road', TEXT],
    ))
})

describe('running heads', () => {
  const page = (number: number, head: string) => [
    { text: head, x: 72, y: 40, size: 8 },
    { text: String(number), x: 520, y: 40, size: 8 },
    ...lines(
      PROSE.map(line => line.replace('three', `${number}`)),
      { y: 100 },
    ),
  ]

  test('of left and right pages are kept once, each found on the pages of its side', async () => {
    const pages = [1, 2, 3, 4].map(number =>
      page(number, number % 2 ? 'Journal of Bridges' : 'Marsh and Delaney'),
    )
    const read = (await outlineOf(pages)).filter(line => /Journal|Delaney/.test(line))
    expect(read).toEqual(['paragraph: Journal of Bridges 1', 'paragraph: Marsh and Delaney 2'])
  })

  test('titles that differ from page to page stay', async () => {
    const pages = ['Spring', 'Summer', 'Autumn', 'Winter'].map((title, index) =>
      page(index + 1, title),
    )
    expect((await outlineOf(pages)).join()).toMatch(/Spring.*Summer.*Autumn.*Winter/)
  })
})

describe('the lines that a browser prints', () => {
  const print = (top: readonly string[], bottom: readonly string[]) => {
    const spread = (texts: readonly string[], y: number) =>
      texts.map((text, index) => ({ text, x: 24 + index * 260, y, size: 8 }))
    return [...spread(top, 22), ...lines(PROSE, { y: 40 }), ...spread(bottom, 780)]
  }

  test.each([
    ['Chromium', ['11/29/26, 9:47 PM', 'Bridges'], ['https://example.org/bridges?page=2', '1/1']],
    ['Chromium in German', ['29.11.26, 21:47', 'Bridges'], ['file:///home/a/bridges.html', '1/1']],
    ['Firefox', ['Bridges', 'https://example.org/bridges'], ['1 of 1', '11/29/26, 21:47']],
  ])('of %s go, though the document has one page and its text is close', (_, top, bottom) =>
    check([print(top, bottom)], [TEXT]),
  )

  test('of another number of pages stay, as do lines that lack one of them', async () => {
    const pages = [
      print(['11/29/26, 9:47 PM', 'Bridges'], ['https://example.org/bridges', '1/7']),
      print(['Bridges', 'Marsh'], ['https://example.org/bridges', '2/2']),
    ]
    expect((await outlineOf(pages)).join()).toMatch(/PM Bridges.*1\/7.*Bridges Marsh.*2\/2/s)
  })
})

describe('words over the end of a line', () => {
  test('go on though the line is short', () =>
    check(
      [lines([...PROSE.slice(0, 2), 'of the experi-', 'mental laboratory.'])],
      [`paragraph: ${PROSE.slice(0, 2).join(' ')} of the experimental laboratory.`],
    ))

  test('keep the hyphens of a compound', () =>
    check(
      [lines([`${PROSE[0]} of a state-of-the-`, 'art device.'])],
      [`paragraph: ${PROSE[0]} of a state-of-the-art device.`],
    ))

  describe('are read as the rest of the document has them', () => {
    const parted = (...texts: string[]) => lines([`${PROSE[0]} ${texts[0]}`, ...texts.slice(1)])
    const says = (...texts: string[]) => [lines(texts), lines(PROSE)]

    test('capitals that stand elsewhere as one word are one', () =>
      check(
        [parted('THE ELE-', 'MENT is bent.'), ...says('Each element is bent.')],
        [`paragraph: ${PROSE[0]} THE ELEMENT is bent.`, 'paragraph: Each element is bent.', TEXT],
      ))

    test('capitals that stand nowhere else keep their hyphen', () =>
      check(
        [parted('by ISO-', 'IEC alone.'), ...says('Each element is bent.')],
        [`paragraph: ${PROSE[0]} by ISO-IEC alone.`, 'paragraph: Each element is bent.', TEXT],
      ))

    test('small letters that stand elsewhere with a hyphen keep it', () =>
      check(
        [parted('a well-', 'known bridge.'), ...says('This is well-known.')],
        [`paragraph: ${PROSE[0]} a well-known bridge.`, 'paragraph: This is well-known.', TEXT],
      ))

    test('a letter by itself is no part of a word', () =>
      check(
        [parted('by PLAN A-', 'N or B.'), ...says('This is an element.')],
        [`paragraph: ${PROSE[0]} by PLAN A-N or B.`, 'paragraph: This is an element.', TEXT],
      ))

    test('cells of a table, too', () =>
      check(
        [
          figures(
            [
              ['Bolts', '9.004', '8.611'],
              ['Length of the ELE-', '604', '377'],
              ['MENT'],
              ['Nuts', '12', '31'],
              ['Rods', '1.402', '1.076'],
            ],
            row => (row === 2 ? 11 : 17),
          ),
          ...says('Each element is bent.'),
        ],
        [
          'table: Bolts | 9.004 | 8.611 / Length of the ELEMENT | 604 | 377 / Nuts | 12 | 31 / Rods | 1.402 | 1.076',
          'paragraph: Each element is bent.',
          TEXT,
        ],
      ))
  })
})

test('entries of a table of contents stay apart', () =>
  check(
    [lines(['Introduction ............ 3', 'Methods ............ 9'])],
    ['paragraph: Introduction .... 3', 'paragraph: Methods .... 9'],
  ))

describe('what is not on the line or leads along it', () => {
  test('exponents, indices and signs of notes do not join the number or word before them', () =>
    check(
      [
        [
          { text: 'At most 2', x: 72, y: 100 },
          { text: '48', x: 113, y: 96, size: 6 },
          { text: 'bytes of CO', x: 124, y: 100 },
          { text: '2', x: 177, y: 102, size: 6 },
          { text: 'are kept.', x: 186, y: 100 },
        ],
      ],
      ['paragraph: At most 2⁴⁸ bytes of CO₂ are kept.'],
    ))

  test('the dots of a table of contents are four, however far the page number is', () =>
    check(
      [lines([`Installing ${'. '.repeat(60)}2`, `Playing${'.'.repeat(80)} 13`])],
      ['paragraph: Installing .... 2', 'paragraph: Playing .... 13'],
    ))
})

test('a heading of letters set apart is one word', () =>
  check(
    [[{ text: 'L I G H T H O U S E S', x: 72, y: 70, size: 18 }, ...lines(PROSE)]],
    ['heading1: LIGHTHOUSES', TEXT],
  ))
