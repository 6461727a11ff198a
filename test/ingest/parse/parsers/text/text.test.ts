import fc from 'fast-check'
import iconv from 'iconv-lite'
import { describe, expect, test } from 'vitest'
import { textParser } from '../../../../../src/ingest/parse/parsers/text/text.ts'
import { parseBytes } from '../../../../fixtures/parsed.ts'

async function check(content: string | Uint8Array, expected: readonly string[]) {
  const { blocks } = await parseBytes(textParser, content)
  expect(blocks.map(block => block.text)).toEqual(expected)
}

test('blank lines part paragraphs', () => check('a\nb\n\n \n\nc\n', ['a\nb', 'c']))
test('line ends of Windows are line ends', () => check('a\r\n\r\nb\r\n', ['a', 'b']))
test('form feeds part paragraphs', () => check('a\fb', ['a', 'b']))
test('an indent stays', () => check('  a\n b', ['  a\n b']))

test('an endless paragraph is cut at line ends', async () => {
  const { blocks } = await parseBytes(textParser, 'one line of it\n'.repeat(2000))
  expect(blocks.length).toBeGreaterThan(3)
  for (const { text } of blocks) expect(text).toMatch(/^one line of it(\none line of it)+$/)
})

test('an endless line loses nothing', async () => {
  const content = '😀'.repeat(20_000)
  const { blocks } = await parseBytes(textParser, content)
  expect(blocks.map(block => block.text).join('')).toBe(content)
})

test('the charset is told', async () => {
  const { metadata } = await parseBytes(textParser, iconv.encode('本公司员工应当遵守制度', 'gbk'))
  expect(metadata.charset).toBe('gb18030')
})

test('some unreadable characters are a warning', async () => {
  const { warnings } = await parseBytes(
    textParser,
    `${'good text '.repeat(20)}${'\ufffd'.repeat(9)}`,
  )
  expect(warnings.map(warning => warning.code)).toEqual(['garbled', 'undecodable'])
  expect(warnings[0]?.message).not.toContain('test-file') // kept for every document with these bytes
})

test('noise is corrupt', async () => {
  const noise = Uint8Array.from({ length: 5000 }, (_, index) => (index * 7919) % 256)
  await expect(parseBytes(textParser, noise)).rejects.toMatchObject({ code: 'corrupt' })
})

test('white space alone is no text', async () => {
  await expect(parseBytes(textParser, ' \n\t\n')).rejects.toMatchObject({ code: 'no_text' })
})

test('one byte that cannot be decoded is a warning that says where', async () => {
  const damaged = Buffer.concat([
    Buffer.from('员工应当遵守制度。\n'.repeat(200)),
    Buffer.of(0xff),
    Buffer.from('完'),
  ])
  const { warnings } = await parseBytes(textParser, damaged)
  expect(warnings).toMatchObject([
    { code: 'undecodable', message: expect.stringContaining('line 201') },
  ])
  expect(warnings[0]!.message).toMatch(/^1 place cannot be read as utf-8/)
})

test('a byte that no Western text has is damage, not a letter', async () => {
  const { blocks, warnings } = await parseBytes(
    textParser,
    Buffer.concat([Buffer.from('The brid'), Buffer.of(0xff), Buffer.from('es of the province.')]),
  )
  expect(blocks[0]!.text).toBe('The brid\ufffdes of the province.')
  expect(warnings.map(warning => warning.code)).toContain('undecodable')
})

test('a text with NULs in it is read and told', async () => {
  const { blocks, warnings } = await parseBytes(
    textParser,
    `${'All is well at the bridge.\n'.repeat(30)}\0\0\0all is well`,
  )
  expect(blocks[0]!.text).toContain('\ufffd\ufffd\ufffdall is well')
  expect(warnings.map(warning => warning.message).join()).toMatch(
    /3 places cannot be read as utf-8 .* line 31/,
  )
})

describe('headings by how lines stand', () => {
  /** `level text` of each heading, and how many blocks there are. */
  const check = (name: string, content: string, ...headings: readonly string[]) =>
    test(name, async () => {
      const { blocks } = await parseBytes(textParser, content)
      const found = blocks.filter(({ kind }) => kind === 'heading')
      expect(found.map(({ level, text }) => `${level} ${text}`)).toEqual(headings)
    })
  check(
    'the first line, and lines by themselves over text',
    'Rules of the boathouse\n\nOpening\n\nThe boathouse opens at six.\n\nKeys\n\nKeys are with Ada.',
    ...['1 Rules of the boathouse', '6 Opening', '6 Keys'],
  )
  check(
    'numbers say how deep they are',
    '船库守则\n\n一、开放时间\n\n（一）夏季\n\n六点开放。\n\n（二）冬季\n\n八点开放。\n\n二、钥匙\n\n钥匙在前台。',
    ...['1 船库守则', '4 一、开放时间', '5 （一）夏季', '5 （二）冬季', '4 二、钥匙'],
  )
  check(
    'underlined lines, whether a blank line is under them or not',
    'Boats\n=====\nThere are two.\n\nThe Heron\n---------\n\nIt seats four.',
    ...['1 Boats', '2 The Heron'],
  )
  check(
    'the first line of a paragraph, where the next word would have fitted on it',
    [
      'Hello.',
      '3. HOW TO ROW\nThe oars lie in the boathouse, and are to be put back there when you have come home again.',
      'Children\nNobody under twelve rows alone, and nobody under six without a vest that was tried on before.',
      '第三章 船只\n船只停在船库北侧，使用之前请检查船底是否漏水，并在登记簿上写明姓名、时间和同行人数。',
    ].join('\n\n'),
    ...['2 3. HOW TO ROW', '6 Children', '2 第三章 船只'],
  )
  check(
    'not where the line is full, the next begins an item, or all lines are short',
    [
      'Hello.',
      'The oars lie in the boathouse of the club, and are to be put back there by\nAda when you have come home.',
      'Do not row\n- after dark, or when the red flag flies over the boathouse at the upper end of the bank',
      'What it is about\n1. How to row, and how to come home again when the wind has turned against the boat',
      'Ada Finch\nThe Old Boathouse\nHull',
      'Apples\nPears\nPlums from the garden of the boathouse, which are ripe when the others are long gone.\nCherries',
      'Ada Finch\nHead of the department for boats, oars and everything that floats on the upper Wharfe',
    ].join('\n\n'),
  )
  check(
    'a title right above a table',
    'We met.\n\nBoats\nName    Seats\nHeron   2\nTeal    1',
    '6 Boats',
  )
  check(
    'lines in a row are a list',
    'To buy:\n\nRope\n\nPaint\n\nBrushes\n\nAda pays for all of it.',
  )
  check(
    'items, columns and fields are none',
    'Hello.\n\n- rope\n\nIt is red.\n\nDate: 3 May\n\nIt rained.\n\nAda    Finch\n\nShe came.',
  )
  check(
    'what ends a sentence is none',
    'We met.\n\nIt rained.\n\nWe went home.\n\n第一条　船库六点开放。\n\n第二条　钥匙在前台。',
  )
  check('nor is a last line', 'We met on the bank.\n\nAda Finch')
  check('a text of one line has no title', 'Rules of the boathouse')

  test('the first line is the title', async () => {
    const { metadata } = await parseBytes(
      textParser,
      'Rules of the boathouse\n\nThe boathouse opens at six.',
    )
    expect(metadata.title).toBe('Rules of the boathouse')
  })
  test('no word is lost', async () => {
    const words = fc.array(
      fc.constantFrom('One', 'two.', '=====', '---', '1.', '一、甲', '\n', '\n\n', 'Key: value'),
    )
    await fc.assert(
      fc.asyncProperty(words, async all => {
        const content = `Begin.\n\n${all.join(' ')}`
        const { blocks } = await parseBytes(textParser, content)
        const told = (text: string) =>
          text
            .replace(/^ *(?:={3,}|-{3,}) *$/gm, '')
            .split(/\s+/)
            .filter(Boolean)
        expect(told(blocks.map(({ text }) => text).join('\n\n'))).toEqual(told(content))
      }),
    )
  })
})

test('clauses that are set in behind their numbers are text', async () => {
  const clauses =
    '1.1  The rent is 90 EUR, to be paid\n     in May.\n1.2  Keys are given back.\n1.3  Dogs stay out.'
  const { blocks } = await parseBytes(textParser, `Hello.\n\n${clauses}`)
  expect(blocks.map(({ kind }) => kind)).toEqual(['paragraph', 'paragraph'])
  expect(blocks[1]?.text).toBe(clauses)
})

describe('tables by how their cells stand', () => {
  const check = (
    name: string,
    content: string,
    ...tables: readonly (readonly (readonly string[])[])[]
  ) =>
    test(name, async () => {
      const { blocks } = await parseBytes(textParser, content)
      expect(blocks.flatMap(({ rows }) => (rows ? [rows] : []))).toEqual(tables)
    })
  check(
    'columns with blanks between them in all lines',
    'Boats.\n\n              Heron     Teal\nLength        5.1 m     4.2 m\nBuilt in      Leith     Hull\n\nThat is all.',
    [
      ['', 'Heron', 'Teal'],
      ['Length', '5.1 m', '4.2 m'],
      ['Built in', 'Leith', 'Hull'],
    ],
  )
  check(
    'a Chinese character is as wide as two letters',
    '船只。\n\n名称    长度      备注\n白鹭    5.1 米    双人\n绿头鸭  4.2 米    单人\n',
    [
      ['名称', '长度', '备注'],
      ['白鹭', '5.1 米', '双人'],
      ['绿头鸭', '4.2 米', '单人'],
    ],
  )
  check(
    'rules between rows are none, and a line may go on with the cells above',
    'Name      Use\n--------  --------------\nHeron     two people and\n          a dog\nTeal      one person',
    [
      ['Name', 'Use'],
      ['Heron', 'two people and a dog'],
      ['Teal', 'one person'],
    ],
  )
  check(
    'one rule under all of the head',
    'Item        Price\n-----------------\nApple        1.20\nPear         2.40',
    [
      ['Item', 'Price'],
      ['Apple', '1.20'],
      ['Pear', '2.40'],
    ],
  )
  check('tabs', 'Name\tSeats\nHeron\t2', [
    ['Name', 'Seats'],
    ['Heron', '2'],
  ])
  check('bars', '| Name | Seats |\n|------|-------|\n| Heron | 2 |', [
    ['Name', 'Seats'],
    ['Heron', '2'],
  ])
  const priced = [
    ['品名', '规格', '数量'],
    ['冰箱', '216L', '1'],
    ['空调', '1.5匹', '2'],
  ]
  const goods = '品名    规格     数量\n冰箱    216L     1\n空调    1.5匹    2'
  check(
    'a title right above is no row, with blanks in it or none',
    `清单。\n\n附  单\n${goods}`,
    priced,
  )
  check(
    'nor is one that runs through the columns, and a line of units',
    `清单。\n\n附一：家具及家电清单\n单位：台\n${goods}`,
    priced,
  )
  check('nor is one above bars', 'Boats\n| Name | Seats |\n|------|-------|\n| Heron | 2 |', [
    ['Name', 'Seats'],
    ['Heron', '2'],
  ])
  check(
    'running text and forms are none',
    'We met on the bank.  It rained,\nand nobody came.  So we went\nhome again.  That is all.\n\nName:    Ada\nClub:    Heron\nBoat:    none',
  )
})
