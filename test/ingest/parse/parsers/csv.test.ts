import iconv from 'iconv-lite'
import { describe, expect, test } from 'vitest'
import { csvParser } from '../../../../src/ingest/parse/parsers/csv.ts'
import { outline, parseBytes } from '../../../fixtures/parsed.ts'

async function check(content: string | Uint8Array, expected: readonly string[]) {
  expect(outline((await parseBytes(csvParser, content)).blocks)).toEqual(expected)
}

describe('the separator is found', () => {
  test('a comma', () => check('a,b\n1,2\n', ['table: a | b / 1 | 2']))
  test('a semicolon beside decimal commas', () =>
    check('a;b\n1,5;2,5\n', ['table: a | b / 1,5 | 2,5']))
  test('a tab beside commas', () => check('a\tb\n1, 2\t3\n', ['table: a | b / 1, 2 | 3']))
  test('a bar', () => check('a|b\n1|2\n', ['table: a | b / 1 | 2']))
  test('and told if it leaves the comma to decimals', async () => {
    const numbersOf = async (content: string) =>
      (await parseBytes(csvParser, content)).blocks[0]?.numbers
    expect([await numbersOf('a;b\n1;2\n'), await numbersOf('a,b\n1,2\n')]).toEqual([
      'semicolons',
      undefined,
    ])
  })
  test('one that Excel states', () => check('sep=;\na;b,c\n1;2\n', ['table: a | b,c / 1 | 2']))
})

describe('fields', () => {
  test('in quotes may hold separators, quotes and line ends', () =>
    check('a,b\n"1, ""x""","2\n3"\n', ['table: a | b / 1, "x" | 2 3']))
  test('with a mark for inches are read on', () =>
    check('a,b\n5" pipe,2\n', ['table: a | b / 5" pipe | 2']))
  test('whose quotes never close swallow nothing', () =>
    check('a,b\n1,"2\n3,4\n', ['table: a | b / 1 | "2 / 3 | 4']))
  test('may be missing', () =>
    check('a,b,c\n1\n1,2,3\n', ['table: a | b | c / 1 |  |  / 1 | 2 | 3']))
  test('end with either line end', () => check('a,b\r\n1,2\r3,4', ['table: a | b / 1 | 2 / 3 | 4']))
})

describe('fields whose quotes are not as they should be are told by line', () => {
  const told = async (content: string, ...expected: readonly string[]) => {
    const { warnings } = await parseBytes(csvParser, content)
    expect(
      warnings.map(({ message }) => message.replace(/^The quoted field that begins in /, '')),
    ).toEqual(expected)
  }
  const MORE =
    'goes on after its closing mark: a mark in it is not doubled, or one before it is missing.'
  const OPEN = 'has no closing mark: its opening one was read as text.'

  test('more text after the closing one', () => told('a,b\n"x\ny",1\n"Al"x,3\n', `line 4 ${MORE}`))
  test('none that closes', () => told('sep=,\r\na,b\r\n1,"2\r\n3,4\r\n', `line 3 ${OPEN}`))
  test('one that a later field closes', () => told('a,b\n1,"2\n3,"4"\n5,6\n', `line 2 ${MORE}`))
  test('those after one that never closes', () =>
    told('a,b\n1,"2\n3,4\n"5"5,6\n', `line 2 ${MORE}`))
  test('not marks for inches, nor blanks after a closing one', () =>
    told('a,b\n5" pipe,2\n"x" ,"y"\n'))
  test('the first of many', async () => {
    const { warnings } = await parseBytes(csvParser, `a,b\n${'"x"y,1\n'.repeat(30)}`)
    expect(warnings.map(({ code }) => code)).toEqual(Array(21).fill('bad_quoting'))
    expect(warnings.at(-1)?.message).toMatch(/^10 more /)
  })
})

test('a title above the header is a paragraph', () =>
  check('Prices,,\nName,Size,Price\nCup,S,9\n', [
    'paragraph: Prices',
    'table: Name | Size | Price / Cup | S | 9',
  ]))
test('a single column is a paragraph a line', () =>
  check('one\ntwo\n', ['paragraph: one', 'paragraph: two']))
test('a row that repeats one value has each of them', () =>
  check('1,1,1\n2,2,2\n', ['paragraph: 1 1 1', 'paragraph: 2 2 2']))
test('the charset is found', () =>
  check(iconv.encode('名称,数量\n密封圈,5\n', 'gbk'), ['table: 名称 | 数量 / 密封圈 | 5']))

test('many rows come in tables of bounded length, each with the header', async () => {
  const content = `id,name\n${Array.from({ length: 5000 }, (_, index) => `${index},"n ${index}"\n`).join('')}`
  const { blocks } = await parseBytes(csvParser, content)
  for (const { rows } of blocks) expect(rows![0]).toEqual(['id', 'name'])
  expect(blocks.flatMap(({ rows }) => rows!.slice(1)).at(-1)).toEqual(['4999', 'n 4999'])
  expect(Math.max(...blocks.map(({ rows }) => rows!.length))).toBeLessThan(300)
})

test('a long header is not repeated: further blocks of the table go on without it', async () => {
  const names = Array.from({ length: 80 }, (_, at) => `column ${at}`).join(',')
  const content = `${names}\n${Array.from({ length: 500 }, (_, at) => `${at}${',1'.repeat(79)}\n`).join('')}`
  const { blocks } = await parseBytes(csvParser, content)
  expect(blocks.map(({ isContinued = false }) => isContinued)).toEqual([false, true, true])
  expect(blocks.flatMap(({ rows }) => rows!.map(row => row[0]))).toEqual([
    'column 0',
    ...Array.from({ length: 500 }, (_, at) => `${at}`),
  ])
})

test('rows much shorter than the widest stay short', async () => {
  const { blocks } = await parseBytes(csvParser, `${'a,'.repeat(2_000)}a\n${'x,y\n'.repeat(1_000)}`)
  expect(blocks.reduce((sum, { text }) => sum + text.length, 0)).toBeLessThan(20_000)
  expect(blocks.at(-1)!.rows!.at(-1)).toEqual(['x', 'y'])
})

test('separators alone are no text', async () => {
  await expect(parseBytes(csvParser, ',,\n,,\n')).rejects.toMatchObject({ code: 'no_text' })
})
