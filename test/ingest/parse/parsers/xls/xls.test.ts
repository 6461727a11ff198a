import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { AppError } from '../../../../../src/errors.ts'
import { xlsParser } from '../../../../../src/ingest/parse/parsers/xls/xls.ts'
import { encryptedXls } from '../../../../fixtures/encrypted-xls.ts'
import { ole2 } from '../../../../fixtures/ole2.ts'
import { outline, parseBytes } from '../../../../fixtures/parsed.ts'
import { record, unicode, xls } from '../../../../fixtures/xls.ts'

async function check(bytes: Buffer, expected: readonly string[]) {
  expect(outline((await parseBytes(xlsParser, bytes)).blocks)).toEqual(expected)
}

async function checkWarnings(bytes: Buffer, expected: readonly string[]) {
  const { warnings } = await parseBytes(xlsParser, bytes)
  expect(warnings.map(({ message }) => message)).toEqual(expected)
}

describe('cells', () => {
  test('are text, numbers, dates and stored results of formulas', () =>
    check(
      xls([
        {
          name: 'Preise',
          rows: [
            ['Name', 'Price', 'From', 'Sold'],
            ['Tasse 茶', 9.5, { result: 45_413, format: 14 }, { result: true }],
            ['Mug', { result: 0.25, format: 9 }, { result: 'soon' }, 7],
          ],
        },
      ]),
      [
        'heading1: Preise',
        'table: Name | Price | From | Sold / Tasse 茶 | 9.5 | 2024-05-01 | TRUE / Mug | 25% | soon | 7',
      ],
    ))
  test('that are merged are repeated', () =>
    check(
      xls([
        {
          name: 'A',
          rows: [
            ['2024', '', '2025', ''],
            ['Q1', 'Q2', 'Q1', 'Q2'],
            [1, 2, 3, 4],
          ],
          merges: [
            [0, 0, 0, 1],
            [0, 0, 2, 3],
          ],
        },
      ]),
      ['heading1: A', 'table: 2024 | 2024 | 2025 | 2025 / Q1 | Q2 | Q1 | Q2 / 1 | 2 | 3 | 4'],
    ))
  test('in a packed form are what they were', () => {
    const packed = (...values: number[]) =>
      record(
        0xbd,
        Buffer.from([0, 0, 0, 0]),
        ...values.map(value => {
          const cell = Buffer.alloc(6)
          cell.writeInt32LE(value, 2)
          return cell
        }),
        Buffer.from([values.length, 0]),
      )
    const head = record(0x809, Buffer.from('0006100000000000', 'hex'), Buffer.alloc(8))
    const sheet = Buffer.concat([head, packed((-7 << 2) | 2, (950 << 2) | 3), record(0x0a)])
    const globals = (offset: number) =>
      Buffer.concat([
        record(0x809, Buffer.from('0006050000000000', 'hex'), Buffer.alloc(8)),
        record(0x85, Buffer.from([offset, 0, 0, 0, 0, 0, 1, 0]), Buffer.from('S')),
        record(0x0a),
      ])
    const bytes = Buffer.concat([globals(globals(0).length), sheet])
    return check(ole2({ Workbook: bytes }), ['heading1: S', 'table: -7 | 9.5'])
  })
  test('of a text that goes on in another record, in other characters, are whole', () => {
    const start = Buffer.concat([Buffer.from([6, 0, 0]), Buffer.from('abc')])
    const strings = Buffer.concat([
      record(0xfc, Buffer.from([1, 0, 0, 0, 1, 0, 0, 0]), start),
      record(0x3c, Buffer.from([1]), Buffer.from('茶dé', 'utf16le')),
    ])
    return check(xls([{ name: 'S', rows: [['x']] }], { strings }), [
      'heading1: S',
      'paragraph: abc茶dé',
    ])
  })
  test('of Excel 3, which has no container', () => {
    const cell = record(
      0x204,
      Buffer.from([0, 0, 0, 0, 0, 0, 3, 0]),
      Buffer.from('t\xe9a', 'latin1'),
    )
    const bytes = Buffer.concat([record(0x209, Buffer.alloc(6)), cell, record(0x0a)])
    return check(bytes, ['heading1: test-file', 'paragraph: téa'])
  })
})

describe('beside the cells', () => {
  test('comments and text boxes are read', () =>
    check(
      xls([
        {
          name: 'S',
          rows: [['Cup', 9]],
          comments: [{ row: 0, column: 1, text: 'in euros' }],
          textBox: 'Ask Ada.',
        },
      ]),
      ['heading1: S', 'table: Cup | 9', 'paragraph: B1: in euros', 'paragraph: Ask Ada.'],
    ))
  test('headers are counted, and hidden sheets named', () =>
    checkWarnings(xls([{ name: 'S', rows: [['x']], header: '&CPlan', isHidden: true }]), [
      'Hidden in the workbook, but read: S.',
      'Skipped: headers 1. Their text is not searchable.',
    ]))
  test('a sheet that is cut off is reported', () => {
    const cells = Buffer.concat([
      record(0x209, Buffer.alloc(6)),
      record(0x204, Buffer.from([0, 0, 0, 0, 0, 0, 1, 0, 120])),
    ])
    return checkWarnings(cells, [
      'A sheet of the workbook is cut off: its last rows may be missing. Add a complete copy of it.',
    ])
  })
})

describe('a workbook with a password', () => {
  const sheets = [
    {
      name: 'Tides',
      rows: [['Cup', 9]],
      comments: [{ row: 0, column: 0, text: 'x'.repeat(1_500) }],
    },
  ]
  const read = (bytes: Buffer, password?: string) =>
    parseBytes(xlsParser, bytes, password === undefined ? {} : { password })

  test.each(['basic', 'strong'] as const)('is opened by it (%s)', async scheme => {
    const { blocks } = await read(encryptedXls(sheets, 'sesame', scheme), 'sesame')
    expect(outline(blocks)).toEqual([
      'heading1: Tides',
      'table: Cup | 9',
      `paragraph: A1: ${'x'.repeat(1_500)}`,
    ])
  })
  test('that Excel fills in itself is opened without', async () => {
    const { blocks } = await read(encryptedXls(sheets, 'VelvetSweatshop', 'basic'))
    expect(outline(blocks)[1]).toBe('table: Cup | 9')
  })
  test('says whether it is missing or wrong', async () => {
    const bytes = encryptedXls(sheets, 'sesame', 'strong')
    await expect(read(bytes)).rejects.toMatchObject({
      code: 'encrypted',
      message: expect.stringContaining('Provide it'),
      advice: expect.stringContaining('--password'),
    })
    await expect(read(bytes, 'mustard')).rejects.toThrow(/given one is wrong/)
  })
  test('of another method is to be saved without it', () =>
    expect(
      read(xls([{ name: 'S', rows: [['x']] }], { before: record(0x2f, Buffer.alloc(6)) }), 'x'),
    ).rejects.toThrow(/Save it without one/))
})

test('a long text of many cells is not multiplied', async () => {
  const long = 'word '.repeat(1_000)
  const cell = (row: number) =>
    record(0xfd, Buffer.from([row & 255, row >> 8, 0, 0, 0, 0, 0, 0, 0, 0]))
  const head = record(0x809, Buffer.from('0006100000000000', 'hex'), Buffer.alloc(8))
  const rows = Array.from({ length: 2_000 }, (_, row) => cell(row))
  const globals = (offset: number) =>
    Buffer.concat([
      record(0x809, Buffer.from('0006050000000000', 'hex'), Buffer.alloc(8)),
      record(0x85, Buffer.from([offset & 255, offset >> 8, 0, 0, 0, 0, 1, 0]), Buffer.from('S')),
      record(
        0xfc,
        Buffer.from([1, 0, 0, 0, 1, 0, 0, 0]),
        Buffer.from([long.length & 255, long.length >> 8, 0]),
        Buffer.from(long),
      ),
      record(0x0a),
    ])
  const bytes = Buffer.concat([globals(globals(0).length), head, ...rows, record(0x0a)])
  const { blocks, warnings } = await parseBytes(xlsParser, ole2({ Workbook: bytes }))
  expect(blocks.reduce((sum, { text }) => sum + text.length, 0)).toBeLessThan(
    4 * bytes.length + 65_536,
  )
  expect(warnings.map(({ code }) => code)).toContain('repeated_text')
  expect(unicode('x')).toHaveLength(5)
})

test('a workbook whose properties are damaged is read without them', async () => {
  const bytes = xls([{ name: 'Prices', rows: [['Cup', '9']] }], { summary: Buffer.alloc(200) })
  const entry = bytes.indexOf(Buffer.from('\x05SummaryInformation', 'utf16le'))
  bytes.writeUInt32LE(0xffff, entry + 0x74) // its first sector ([MS-CFB] 2.6.1)
  await check(bytes, ['heading1: Prices', 'table: Cup | 9'])
})

test('changed bytes are read or refused by name, within the limits', async () => {
  const sample = xls([
    {
      name: 'Prices',
      rows: [
        ['Name', 'Price'],
        ['Cup', 9.5],
        ['Mug', { result: 0.25, format: 9 }],
      ],
      merges: [[0, 0, 0, 1]],
    },
  ])
  const change = fc.tuple(fc.nat(sample.length - 5), fc.integer({ min: 0, max: 0xffff_ffff }))
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 8 }), async changes => {
      const bytes = Buffer.from(sample)
      for (const [offset, value] of changes) bytes.writeUInt32LE(value, offset)
      const outcome = await parseBytes(xlsParser, bytes).catch((error: unknown) => error)
      if (outcome instanceof Error) expect(outcome).toBeInstanceOf(AppError)
      else expect(JSON.stringify(outcome).length).toBeLessThan(4 * bytes.length + 65_536)
    }),
    { numRuns: 200 },
  )
})
