import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { AppError } from '../../../../../src/errors.ts'
import { pptParser } from '../../../../../src/ingest/parse/parsers/ppt/ppt.ts'
import { ole2 } from '../../../../fixtures/ole2.ts'
import { outline, parseBytes } from '../../../../fixtures/parsed.ts'
import { type PptContents, ppt, ppt9Tags, pptRecord, u32 } from '../../../../fixtures/ppt.ts'

const TITLE = { text: 'Prices', kind: 0, placeholder: 13 }

async function check(contents: PptContents, expected: readonly string[]) {
  expect(outline((await parseBytes(pptParser, ppt(contents))).blocks)).toEqual(expected)
}

async function checkWarnings(contents: PptContents, expected: readonly string[]) {
  const { warnings } = await parseBytes(pptParser, ppt(contents))
  expect(warnings.map(({ message }) => message)).toEqual(expected)
}

async function checkFails(bytes: Uint8Array, code: string) {
  await expect(parseBytes(pptParser, bytes, { name: 'a.ppt' })).rejects.toMatchObject({
    code,
    message: expect.stringContaining('a.ppt'),
  })
}

/** Formats of one paragraph or run of `length` characters. */
const style = (level: number, runs: readonly Buffer[]) =>
  pptRecord(0xfa1, Buffer.concat([u32(100), Buffer.from([level, 0]), u32(0), ...runs]))
const run = (length: number, position?: number) =>
  position === undefined
    ? u32(length, 0)
    : Buffer.concat([u32(length, 0x8_0000), Buffer.from([position, 0])])

describe('a slide', () => {
  test('has its title, then its texts in the order of their places', () =>
    check(
      {
        slides: [
          {
            shapes: [
              { text: 'below', box: [0, 200, 100, 250] },
              { text: 'above\rall in\veuros', box: [0, 100, 100, 150] },
              TITLE,
            ],
          },
          { shapes: [{ text: 'no title' }] },
        ],
      },
      [
        'heading1: Prices',
        'paragraph: above',
        'paragraph: all in / euros',
        'paragraph: below',
        'heading1: Slide 2',
        'paragraph: no title',
      ],
    ))
  test('has the texts of the outline, also those that no shape shows', () =>
    check(
      {
        slides: [
          {
            shapes: [
              { outline: 0, placeholder: 13 },
              { outline: 1, placeholder: 14 },
            ],
            outline: [
              { kind: 0, text: 'Prices' },
              { kind: 1, text: 'A cup 茶' },
              { kind: 1, text: 'A mug' },
            ],
          },
        ],
      },
      ['heading1: Prices', 'paragraph: A cup 茶', 'paragraph: A mug'],
    ))
  test('has a second title as text', () =>
    check({ slides: [{ shapes: [TITLE, { ...TITLE, text: 'of cups' }] }] }, [
      'heading1: Prices',
      'paragraph: of cups',
    ]))
  test('has lists, raised digits, and no marks of fields', () =>
    check(
      {
        slides: [
          {
            shapes: [
              TITLE,
              { text: 'about 1048 g', style: style(1, [run(8), run(2, 30), run(80)]) },
              {
                text: 'page *',
                style: Buffer.concat([style(0, [run(80)]), pptRecord(0xfd8, u32(5))]),
              },
            ],
          },
        ],
      },
      ['heading1: Prices', 'list:   about 10⁴⁸ g', 'paragraph: page'],
    ))
  test('has raised digits behind a paragraph with tab stops', () => {
    const tabStops = Buffer.concat([u32(0x10_0000), Buffer.from([2, 0]), u32(576, 1152)])
    const paragraph = Buffer.concat([u32(100), Buffer.from([0, 0]), tabStops])
    const formats = Buffer.concat([paragraph, run(8), run(2, 30), run(80)])
    return check(
      { slides: [{ shapes: [TITLE, { text: 'about 1048 g', style: pptRecord(0xfa1, formats) }] }] },
      ['heading1: Prices', 'paragraph: about 10⁴⁸ g'],
    )
  })
  test('has tables by the places of their cells', () =>
    check(
      {
        slides: [
          {
            shapes: [
              TITLE,
              {
                cells: [
                  { text: 'Goods', box: [0, 0, 20, 10] },
                  { text: 'Cup', box: [0, 10, 10, 20] },
                  { text: '9', box: [10, 10, 20, 20] },
                  { text: 'Mug', box: [0, 20, 10, 30] },
                  { text: '12', box: [10, 20, 20, 30] },
                ],
              },
            ],
          },
        ],
      },
      ['heading1: Prices', 'table: Goods |  / Cup | 9 / Mug | 12'],
    ))
  test('has notes, comments and WordArt, and texts of master and footer once', () =>
    check(
      {
        master: [{ text: 'Shop' }, { text: 'Click to edit', placeholder: 1 }],
        footer: 'Open daily',
        slides: [
          {
            shapes: [TITLE, { wordArt: 'Sale' }],
            notes: 'Be brief.',
            comment: { author: 'Ada', text: 'Too high' },
          },
          { shapes: [{ text: 'end' }] },
        ],
      },
      [
        'heading1: Prices',
        'paragraph: Sale',
        'paragraph: Comment by Ada: Too high',
        'heading2: Notes',
        'paragraph: Be brief.',
        'paragraph: Open daily',
        'paragraph: Shop',
        'heading1: Slide 2',
        'paragraph: end',
      ],
    ))
})

test('each slide is a page with a report', async () => {
  const { metadata, pages } = await parseBytes(
    pptParser,
    ppt({ slides: [{ shapes: [TITLE] }, { shapes: [{ isPicture: true }] }] }),
  )
  expect(metadata.pages).toBe(2)
  expect(pages.map(({ page, images }) => [page, images])).toEqual([
    [1, 0],
    [2, 1],
  ])
})

describe('what is not read is counted', () => {
  test('pictures, charts, formulas and objects', () =>
    checkWarnings(
      {
        objects: [14, 6, 2],
        slides: [
          {
            shapes: [
              TITLE,
              ...[1, 2, 3].map(object => ({ isPicture: true, object })),
              { isPicture: true },
            ],
          },
        ],
      },
      [
        'Skipped: charts 1, embedded objects 1, formulas 1, pictures 1. Their text is not searchable.',
      ],
    ))
  test('numbers of lists', () => {
    const numbered = Buffer.concat([u32(0x300_0000), Buffer.from([1, 0, 3, 0, 1, 0]), u32(0, 0)])
    const plain = Buffer.concat([
      u32(0x100_0000),
      Buffer.from([0, 0]),
      u32(0, 0x45),
      Buffer.alloc(6),
    ])
    const tagged = u32(0, 0, 0x200, 2, 7, 8)
    const tags = (formats: Buffer) => ppt9Tags(pptRecord(0xfac, formats))
    return checkWarnings(
      {
        slides: [
          {
            shapes: [
              TITLE,
              { text: 'Cups', tags: tags(Buffer.concat([plain, tagged, numbered])) },
              { text: 'Mugs', tags: tags(Buffer.concat([plain, plain])) },
            ],
          },
        ],
      },
      ['Skipped: list numbers 1. Their text is not searchable.'],
    )
  })
  test('hidden slides are read and named', () =>
    checkWarnings({ slides: [{ shapes: [TITLE], isHidden: true }] }, [
      'Hidden when the presentation is shown, but read: slides 1.',
    ]))
})

describe('a presentation that cannot be read', () => {
  test('with a password is encrypted', () =>
    checkFails(ppt({ slides: [{ shapes: [TITLE] }], isEncrypted: true }), 'encrypted'))
  test('of PowerPoint 95 is to be saved anew', async () => {
    await checkFails(ole2({ PP40: Buffer.alloc(5_000) }), 'unsupported_format')
    const user = Buffer.concat([u32(11), Buffer.alloc(11)])
    const old = { 'PowerPoint Document': Buffer.alloc(5_000), 'Current User': user }
    await checkFails(ole2(old), 'unsupported_format')
  })
  test('without text is refused', () =>
    checkFails(ppt({ slides: [{ shapes: [{ isPicture: true }] }] }), 'no_text'))
})

test('where the chain of edits is broken, slides are found by the directories that are stored', async () => {
  const bytes = ppt({ slides: [{ shapes: [TITLE] }] })
  const edit = bytes.indexOf(Buffer.from([0xf5, 0x0f, 28, 0, 0, 0]))
  bytes.writeUInt32LE(3, edit + 6 + 8)
  bytes.writeUInt32LE(3, edit + 6 + 12)
  expect(outline((await parseBytes(pptParser, bytes)).blocks)).toEqual(['heading1: Prices'])
})

test('whatever bytes change, it ends with text or an error of its own', async () => {
  const cells = [
    { text: 'Cup', box: [0, 0, 10, 10] as const },
    { text: '9', box: [10, 0, 20, 10] as const },
  ]
  const sample = ppt({
    footer: 'Open daily',
    slides: [
      { shapes: [TITLE, { cells }, { wordArt: 'Sale' }], notes: 'Be brief.' },
      { shapes: [{ outline: 0 }], outline: [{ kind: 1, text: 'A cup' }] },
    ],
  })
  const change = fc.tuple(fc.nat(sample.length - 5), fc.integer({ min: 0, max: 0xffff_ffff }))
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 8 }), async changes => {
      const bytes = Buffer.from(sample)
      for (const [offset, value] of changes) bytes.writeUInt32LE(value, offset)
      const outcome = await parseBytes(pptParser, bytes).catch((error: unknown) => error)
      if (outcome instanceof Error) expect(outcome).toBeInstanceOf(AppError)
      else expect(JSON.stringify(outcome).length).toBeLessThan(4 * bytes.length + 65_536)
    }),
    { numRuns: 200 },
  )
})
