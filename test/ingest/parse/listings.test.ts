import { describe, expect, test } from 'vitest'
import type { Block } from '../../../src/ingest/block.ts'
import { ListingMarker } from '../../../src/ingest/parse/listings.ts'

const paragraphs = (...texts: readonly string[]): readonly Block[] =>
  texts.map(text => ({ kind: 'paragraph', text }))
const links = (...texts: readonly string[]): readonly Block[] =>
  texts.map(text => ({ kind: 'list', text, linkShare: 1 }))

/** The kinds that the blocks have in the end, each run of one kind named once. */
function check(blocks: readonly Block[], expected: readonly string[]) {
  const marker = new ListingMarker()
  const marked = [...blocks.flatMap(block => marker.add(block)), ...marker.end()]
  expect(marked.map(({ text }) => text)).toEqual(blocks.map(({ text }) => text))
  const kinds = marked.map(({ kind }) => kind)
  expect(kinds.filter((kind, at) => kind !== kinds[at - 1])).toEqual(expected)
}

const CONTENTS = ['1 Pumps .... 3', '1.1 Parts .... 4', '2 Care . . . . . . 9', '附录 …… 12']
const PROSE = 'A pump lifts water. It has two parts, of which one moves and the other stands still.'

describe('contents', () => {
  test('lines that lead to rising pages are a listing', () =>
    check([...paragraphs(PROSE, ...CONTENTS, PROSE)], ['paragraph', 'listing', 'paragraph']))
  test('so are they in one block', () =>
    check(paragraphs(CONTENTS.join('\n'), PROSE), ['listing', 'paragraph']))
  test('entries among them need no leaders, as chapters often have none', () =>
    check(
      [{ kind: 'table', text: '1 | Pumps | 1' }, ...paragraphs(...CONTENTS, '3 Index 14')],
      ['listing'],
    ))
  test('the heading after them is none, whatever number it has', () =>
    check(
      [...paragraphs(...CONTENTS), { kind: 'heading', level: 1, text: 'Chapter 1' }],
      ['listing', 'heading'],
    ))
  test('two are too few', () => check(paragraphs(...CONTENTS.slice(0, 2), PROSE), ['paragraph']))
  test('prices fall and rise: a menu is text', () =>
    check(
      paragraphs('Espresso .... 3', 'Soup .... 9', 'Tea .... 2', 'Cake .... 6', 'Juice .... 4'),
      ['paragraph'],
    ))
  test('without leaders it takes many lines whose numbers rise', () => {
    const entries = Array.from({ length: 10 }, (_, at) => `Part ${'abcdefghij'[at]} ${3 * at + 1}`)
    check(paragraphs(...entries), ['listing'])
    check(paragraphs(...entries.slice(0, 5)), ['paragraph'])
    check(paragraphs(...entries.toReversed()), ['paragraph'])
  })
  test('a table of sizes stays one', () =>
    check(
      [
        {
          kind: 'table',
          text: Array.from({ length: 12 }, (_, at) => `Size ${at} | ${30 + at}`).join('\n'),
        },
      ],
      ['table'],
    ))
})

describe('an index', () => {
  const INDEX = ['anchor, 4, 17', 'beam, 8–9', 'cable, 3, 5, 40-42', 'deck, 12', 'engine, 2']
  test('is a listing by its pages and its order', () => check(paragraphs(...INDEX), ['listing']))
  test('thousands are no pages', () =>
    check(
      [
        ...paragraphs(
          'Arms | 9,300',
          'Boats | 8,100',
          'Cars | 7,200',
          'Docks | 6,100',
          'Ends | 1,100',
        ),
      ],
      ['paragraph'],
    ))
  test('figures in no order are text', () =>
    check(paragraphs(...INDEX.toReversed()), ['paragraph']))
})

describe('links', () => {
  const MENU = ['Home', 'News', 'Shop', 'About us']
  test('in a row are a listing', () => check(links(...MENU), ['listing']))
  test('few are what the text points to', () => check(links(...MENU.slice(0, 3)), ['list']))
  test('text between them parts them', () =>
    check(
      [...links('a link', 'b link'), ...paragraphs(PROSE), ...links('c link', 'd link')],
      ['list', 'paragraph', 'list'],
    ))
})

describe('dumps', () => {
  const LINE = '00000010  7f 45 4c 46 02 01 01 00  00 be ef ca fe 00 00 00  |.ELF............|'
  test('of bytes are a listing', () =>
    check([{ kind: 'code', text: `${LINE}\n${LINE}` }], ['listing']))
  test('decimal numbers are a table', () =>
    check(
      [
        {
          kind: 'table',
          text: Array.from({ length: 30 }, (_, at) => `${10 + at} | ${50 + at}`).join('\n'),
        },
      ],
      ['table'],
    ))
  test('so are ages and codes', () =>
    check(
      [
        {
          kind: 'table',
          text: Array.from({ length: 30 }, (_, at) => `Ann | ${20 + at} | C${at % 7}`).join('\n'),
        },
      ],
      ['table'],
    ))
  test('code with a few hexadecimal numbers is code', () =>
    check(
      [{ kind: 'code', text: 'const mask = 0xff\nwrite(ca, fe, mask)\nread(be, ef)' }],
      ['code'],
    ))
})

test('what a listing was before has no cells and no level', () => {
  const marker = new ListingMarker()
  const table: Block = { kind: 'table', text: CONTENTS.join('\n'), rows: [['1', 'Pumps']], page: 2 }
  expect([...marker.add(table), ...marker.end()]).toEqual([
    { kind: 'listing', text: table.text, page: 2 },
  ])
})
