import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { AppError } from '../../../../../src/errors.ts'
import { docParser } from '../../../../../src/ingest/parse/parsers/doc/doc.ts'
import { doc, p, row, type WordContents } from '../../../../fixtures/doc.ts'
import { outline, parseBytes } from '../../../../fixtures/parsed.ts'

async function check(contents: WordContents, expected: readonly string[]) {
  expect(outline((await parseBytes(docParser, doc(contents))).blocks)).toEqual(expected)
}

async function checkFails(contents: WordContents, code: string) {
  await expect(parseBytes(docParser, doc(contents))).rejects.toMatchObject({ code })
}

describe('text', () => {
  test('has headings, paragraphs and lists', () =>
    check(
      {
        paragraphs: [
          p('Prices', 1),
          p('Cups 茶', 2),
          p('All in\veuros.'),
          { text: 'nine\r', format: [[0x460b, 1, 2]] },
        ],
      },
      ['heading1: Prices', 'heading2: Cups 茶', 'paragraph: All in / euros.', 'list: nine'],
    ))
  test('has tables', () =>
    check({ paragraphs: [...row('Name', 'Price'), ...row('Cup', '9'), p('End.')] }, [
      'table: Name | Price / Cup | 9',
      'paragraph: End.',
    ]))
  test('has the results of fields, not their instructions', () =>
    check({ paragraphs: [p('See \x13 HYPERLINK "x" \x14the list\x15 now.')] }, [
      'paragraph: See the list now.',
    ]))
  test('has formulas of fields without a result', () =>
    check(
      {
        paragraphs: [
          p(
            String.raw`第${'\x13'}eq \o\ac(○,1)${'\x15'}条 ${'\x13'} EQ \f(1,2) ${'\x14'}.5${'\x15'} ${'\x13'} EQ \f(3,4) ${'\x14'}${'\x15'}`,
          ),
        ],
      },
      ['paragraph: 第①条 .5 3/4'],
    ))
  test('has no instruction of a field in many others', () => {
    const begins = '\x13 A '.repeat(30)
    return check(
      { paragraphs: [p(`See ${begins}${'\x15'.repeat(20)} B${'\x15'.repeat(10)} it.`)] },
      ['paragraph: See  it.'],
    )
  })
  test('keeps the meaning of raised digits', () =>
    check({ paragraphs: [p('about 1048 g')], runs: [{ text: '48', format: [[0x2a48, 1, 1]] }] }, [
      'paragraph: about 10⁴⁸ g',
    ]))
  test('has notes and headers, each once', () =>
    check(
      {
        paragraphs: [p('Nine\x02 euros.')],
        notes: ['Taxes included.'],
        headers: ['Plan', 'Plan', '7'],
      },
      ['paragraph: Nine[1] euros.', 'list: 1. Taxes included.', 'paragraph: Plan'],
    ))
})

test('deleted text is counted, hidden text is read', async () => {
  const { blocks, warnings } = await parseBytes(
    docParser,
    doc({
      paragraphs: [p('old new secret')],
      runs: [
        { text: 'old ', format: [[0x0800, 1, 1]] },
        { text: 'secret', format: [[0x083c, 1, 1]] },
      ],
    }),
  )
  expect(outline(blocks)).toEqual(['paragraph: new secret'])
  expect(warnings.map(({ message }) => message)).toEqual([
    'Hidden in the document, but read: 1 piece of text.',
    'Skipped: deleted texts 1. Their text is not searchable.',
  ])
})

test('pictures, drawings and numbers of lists are counted', async () => {
  const item = (text: string, list: number) => ({
    text: `${text}\r`,
    format: [[0x460b, list, 2]] as const,
  })
  const { blocks, warnings } = await parseBytes(
    docParser,
    doc({
      paragraphs: [p('A cup \x01\x01 and \x08'), item('nine', 1), item('ten', 2), p('End.')],
      lists: [0, 23],
    }),
  )
  expect(outline(blocks).slice(1)).toEqual(['list: nine', 'list: ten', 'paragraph: End.'])
  expect(warnings.map(({ message }) => message)).toEqual([
    'Skipped: drawings 1, list numbers 1, pictures 2. Their text is not searchable.',
  ])
})

describe('a document that cannot be read', () => {
  test('with a password is encrypted', () =>
    checkFails({ paragraphs: [p('x')], flags: 0x100 }, 'encrypted'))
  test('of Word 95 is to be saved anew', () =>
    checkFails({ paragraphs: [p('x')], version: 0x68 }, 'unsupported_format'))
})

test('whatever bytes change, it ends with text or an error of its own', async () => {
  const sample = doc({
    paragraphs: [p('Prices', 1), ...row('Name', 'Price'), p('Nine\x02.')],
    notes: ['Taxes.'],
    headers: ['Plan'],
  })
  const change = fc.tuple(fc.nat(sample.length - 5), fc.integer({ min: 0, max: 0xffff_ffff }))
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 8 }), async changes => {
      const bytes = Buffer.from(sample)
      for (const [offset, value] of changes) bytes.writeUInt32LE(value, offset)
      const outcome = await parseBytes(docParser, bytes).catch((error: unknown) => error)
      if (outcome instanceof Error) expect(outcome).toBeInstanceOf(AppError)
      else expect(JSON.stringify(outcome).length).toBeLessThan(4 * bytes.length + 65_536)
    }),
    { numRuns: 200 },
  )
})
