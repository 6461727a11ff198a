import iconv from 'iconv-lite'
import { describe, expect, test } from 'vitest'
import { rtfParser } from '../../../../../src/ingest/parse/parsers/rtf/rtf.ts'
import { outline, parseBytes } from '../../../../fixtures/parsed.ts'

async function check(content: string, expected: readonly string[]) {
  expect(outline((await parseBytes(rtfParser, `{\\rtf1\\ansi ${content}}`)).blocks)).toEqual(
    expected,
  )
}

const hex = (text: string, charset: string) =>
  [...iconv.encode(text, charset)].map(byte => `\\'${byte.toString(16).padStart(2, '0')}`).join('')

describe('text', () => {
  test('falls into paragraphs and lines', () =>
    check('a\\line b\\par\nc\nd\\par', ['paragraph: a / b', 'paragraph: cd']))
  test('has its special characters', () =>
    check('\\{x\\}\\~\\emdash \\ldblquote y\\rdblquote\\_z', ['paragraph: {x}\u00a0—“y”-z']))
  test('in Unicode replaces what stands in for it', () =>
    check("\\u20013?\\uc2\\u-24898\\'9e\\'be!", ['paragraph: 中麾!']))
  test('outside the basic plane comes in halves', () =>
    check('\\u-10179?\\u-8704?', ['paragraph: 😀']))
  test('is in the code page of the document', () =>
    check(`\\ansicpg936 ${hex('合同', 'gbk')}`, ['paragraph: 合同']))
  test('is in the code page of its font', () =>
    check(`{\\fonttbl{\\f0 A;}{\\f1\\fcharset128 B;}}x{\\f1 ${hex('東京', 'shift_jis')}}\\'e9`, [
      'paragraph: x東京é',
    ]))
  test('that is hidden or deleted is left out', () =>
    check('a{\\v b}{\\deleted c}d\\v0', ['paragraph: ad']))
  test('of an equation that is hidden or deleted is left out', () =>
    check(
      'a{\\v {\\field{\\*\\fldinst EQ \\\\f(1,2)}}}{\\field{\\*\\fldinst EQ \\\\f(3,{\\deleted 9}4)}}',
      ['paragraph: a3/4'],
    ))
  test('of an equation is that of its result, if one is stored', () =>
    check(
      '{\\field{\\*\\fldinst EQ \\\\f(1,2)}{\\fldrslt .5}} {\\field{\\*\\fldinst EQ \\\\f(3,4)}{\\fldrslt }}',
      ['paragraph: .5 3/4'],
    ))
  test('behind a mark of optional words in the middle of a group is read', () =>
    check('{\\loch\\f0\\*\\cs7 nine tonnes}\\par{\\*\\unknown x}', ['paragraph: nine tonnes']))
  test('of comments, headers and footers is read, each once', () =>
    check(
      '{\\header Plan\\par}{\\footer Page 7\\par}a{\\*\\annotation 11 May}\\par{\\headerl Plan\\par}{\\footerl 8\\par}b\\par',
      [
        ...[
          'paragraph: a',
          'paragraph: Comment: 11 May',
          'paragraph: b',
          'paragraph: Plan',
          'paragraph: Page 7',
        ],
      ],
    ))
  test('that is left out is counted', async () => {
    const { warnings } = await parseBytes(
      rtfParser,
      '{\\rtf1 a{\\v b}{\\deleted c}{\\object{\\*\\objdata 00}}}',
    )
    expect(warnings.map(({ message }) => message)).toEqual([
      'Skipped: deleted texts 1, embedded objects 1, hidden elements 1. Their text is not searchable.',
    ])
  })
})

describe('structure', () => {
  test('has headings by style and outline level', () =>
    check(
      '{\\stylesheet{\\s0 Normal;}{\\s5\\b heading 2;}}\\pard\\s5 A\\par\\pard\\outlinelevel0 B\\par\\pard c\\par',
      ['heading2: A', 'heading1: B', 'paragraph: c'],
    ))
  test('has as many rows as there are', async () => {
    const row = '\\trowd\\cellx1000 a\\intbl\\cell\\row '
    const { blocks } = await parseBytes(
      rtfParser,
      `{\\rtf1\\ansi ${row.repeat(150_000)}\\pard end\\par}`,
    )
    expect(blocks).toHaveLength(150_001)
  })
  test('has lists', () =>
    check("{\\listtext 1.\\tab}a\\par{\\pntext\\'b7\\tab}b\\par", ['list: 1. a', 'list: b']))
  test('sets in items of deeper levels', () =>
    check(
      '{\\listtext 1.\\tab}a\\par\\pard\\ilvl1{\\listtext a)\\tab}b\\par\\pard\\ilvl0{\\listtext 2.\\tab}c\\par',
      ['list: 1. a', 'list:   a) b', 'list: 2. c'],
    ))
  test('has notes and text boxes after their paragraph', () =>
    check(
      'a{\\footnote n}b{\\shp{\\*\\shpinst{\\sp{\\sn x}{\\sv y}}{\\shptxt c\\par}}}\\par d\\par',
      ['paragraph: ab', 'paragraph: n', 'paragraph: c', 'paragraph: d'],
    ))
  test('shows formulas of fields without a result', () =>
    check(
      '\\u31532 ?{\\field{\\*\\fldinst {\\f1 eq }{\\\\o\\\\ac(\\u9675 ?,1)}}{\\fldrslt }}\\u26465 ?',
      ['paragraph: 第①条'],
    ))
  test('shows the result of fields', () =>
    check('{\\field{\\*\\fldinst HYPERLINK "x"}{\\fldrslt here}}', ['paragraph: here']))
  test('leaves out pictures and what it does not know', () =>
    check('{\\*\\unknown{u}}{\\pict 89ab}{\\pict\\bin3 {{{}a', ['paragraph: a']))
})

describe('tables', () => {
  const rows =
    '\\trowd\\cellx100\\cellx200\\intbl a\\cell b\\cell\\row\\intbl c\\par d\\cell e\\cell\\row\\pard f\\par'
  test('have rows', () => check(rows, ['table: a | b / c d | e', 'paragraph: f']))
  test('repeat cells merged by words', () =>
    check(
      '\\trowd\\clvmgf\\cellx1000\\clmgf\\cellx2000\\clmrg\\cellx3000\\intbl a\\cell b\\cell\\cell\\row\\trowd\\clvmrg\\cellx1000\\cellx2000\\cellx3000\\intbl\\cell c\\cell d\\cell\\row',
      ['table: a | b | b / a | c | d'],
    ))
  test('repeat cells that are wider than a column', () =>
    check(
      '\\trowd\\cellx2000\\cellx3000\\intbl a\\cell b\\cell\\row\\trowd\\cellx1000\\cellx2000\\cellx3000\\intbl c\\cell d\\cell e\\cell\\row',
      ['table: a | a | b / c | d | e'],
    ))
  test('of one column only arrange', () =>
    check('\\trowd\\cellx100\\intbl a\\cell\\row\\intbl b\\cell\\row', [
      'paragraph: a',
      'paragraph: b',
    ]))
})

test('title, author and dates are told', async () => {
  const info =
    '{\\info{\\title Ti}{\\author {\\*\\x no}Ann}{\\creatim\\yr2024\\mo5\\dy1\\hr8\\min5}}'
  const { metadata } = await parseBytes(rtfParser, `{\\rtf1${info}x}`)
  expect(metadata).toEqual({
    title: 'Ti',
    author: 'Ann',
    created: '2024-05-01T08:05',
    modified: undefined,
  })
})

describe('size', () => {
  test('words and bytes are not cut where pieces of the file end', async () => {
    const text = `${'x'.repeat(65_500)}${'\\emdash '.repeat(20)}\\'e9${'\\u20013?'.repeat(9000)}`
    const { blocks } = await parseBytes(rtfParser, `{\\rtf1 ${text}}`)
    expect(blocks.map(block => block.text).join('')).toBe(
      `${'x'.repeat(65_500)}${'—'.repeat(20)}é${'中'.repeat(9000)}`,
    )
  })
  test('a file that was cut off is corrupt', async () => {
    await expect(parseBytes(rtfParser, '{\\rtf1 {\\b text')).rejects.toMatchObject({
      code: 'corrupt',
    })
  })
  test('groups without end are refused', async () => {
    await expect(parseBytes(rtfParser, `{\\rtf1 ${'{'.repeat(100_000)}`)).rejects.toMatchObject({
      code: 'too_large',
    })
  })
})
