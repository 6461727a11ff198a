import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  BLOCK_SEPARATOR,
  type Block,
  formatTableText,
  type PlacedBlock,
} from '../../../src/ingest/block.ts'
import { BlockChunker } from '../../../src/ingest/chunk/block-chunker.ts'
import { TimeSlices } from '../../../src/system/time-slices.ts'
import { wordCounter } from '../../fakes/word-counter.ts'

const heading = (level: number, text: string): Block => ({ kind: 'heading', level, text })
const code = (text: string): Block => ({ kind: 'code', text })
const listing = (text: string): Block => ({ kind: 'listing', text })
const paragraph = (text: string, page?: number): Block => ({
  kind: 'paragraph',
  text,
  ...(page && { page }),
})
const words = (count: number, word = 'w') =>
  Array.from({ length: count }, (_, index) => `${word}${index}`).join(' ')

function place(blocks: readonly Block[]): { text: string; placed: readonly PlacedBlock[] } {
  let at = 0
  const placed = blocks.map(block => {
    const charStart = at
    at += block.text.length + BLOCK_SEPARATOR.length
    return { ...block, charStart, charEnd: charStart + block.text.length }
  })
  return { text: blocks.map(block => block.text).join(BLOCK_SEPARATOR), placed }
}

async function chunk(blocks: readonly Block[], { tokens = 20, overlap = 0, title = '' } = {}) {
  const { text, placed } = place(blocks)
  const chunker = new BlockChunker({ tokens, overlap }, tokens + 40, wordCounter)
  const chunks = []
  for await (const one of chunker.chunks({ title, blocks: stream(placed) })) chunks.push(one)
  return { text, chunks }
}

async function* stream<Item>(items: readonly Item[]) {
  yield* items
}

async function check(blocks: readonly Block[], expected: readonly string[], options = {}) {
  const { chunks } = await chunk(blocks, options)
  expect(chunks.map(one => one.text.replaceAll(BLOCK_SEPARATOR, ' / '))).toEqual(expected)
}

describe('where chunks are cut', () => {
  test('blocks are packed while they fit', () =>
    check([paragraph('a b'), paragraph('c d')], ['a b / c d']))
  test('a block that does not fit starts a chunk', () =>
    check([paragraph(words(12, 'a')), paragraph(words(12, 'b'))], [words(12, 'a'), words(12, 'b')]))
  test('a top-level heading starts a chunk', () =>
    check([heading(1, 'A'), paragraph('x'), heading(1, 'B'), paragraph('y')], ['A / x', 'B / y']))
  test('a lower heading stays with a chunk that has room', () =>
    check([heading(1, 'A'), paragraph('x'), heading(2, 'B'), paragraph('y')], ['A / x / B / y']))
  test('a lower heading starts a chunk when the one before is full enough', () =>
    check([paragraph(words(15)), heading(2, 'B'), paragraph('y')], [words(15), 'B / y']))
  test('a listing is a chunk of its own, with the heading above it', () =>
    check(
      [
        paragraph('x'),
        heading(2, 'Contents'),
        listing('A 1'),
        listing('B 2'),
        heading(2, 'A'),
        paragraph('y'),
      ],
      ['x', 'Contents / A 1 / B 2', 'A / y'],
    ))
  test('no chunk ends with a heading', () =>
    check(
      [paragraph(words(10, 'a')), heading(2, 'B'), paragraph(words(12, 'b'))],
      [words(10, 'a'), `B / ${words(12, 'b')}`],
    ))
  test('a paragraph that does not fit is cut at sentence ends', () =>
    check(
      [paragraph(`${words(8, 'a')}. ${words(8, 'b')}. ${words(8, 'c')}.`)],
      [`${words(8, 'a')}. ${words(8, 'b')}.`, `${words(8, 'c')}.`],
    ))
  test('Chinese is cut at its own full stops', () =>
    check(
      [paragraph('一二三四五六七八九十。一二三四五六七八九十。')],
      ['一二三四五六七八九十。', '一二三四五六七八九十。'],
    ))
  test('code is cut before a function or member, with nothing of the one before', async () => {
    const member = (name: string) => `  def ${name}\n    ${words(3, name)}\n\n    done\n  end`
    const text = `class Boat\n${['a', 'b', 'c', 'd', 'e'].map(member).join('\n\n')}\nend`
    const { chunks } = await chunk([code('use sea'), code(text), code(member('f').trim())], {
      overlap: 0.25,
    })
    expect(chunks.map(one => one.text.split('\n')[0])).toEqual(['use sea', '  def c', '  def e'])
  })
  test('an endless sentence is cut all the same', async () => {
    const { chunks } = await chunk([paragraph(words(100))])
    expect(chunks.every(one => one.tokens <= 20)).toBe(true)
  })
})

describe('what a chunk repeats and what it knows', () => {
  const long = paragraph(
    Array.from({ length: 6 }, (_, index) => `${words(4, `s${index}x`)}.`).join(' '),
  )

  test('the last sentences of a chunk begin the next', async () => {
    const { chunks } = await chunk([long], { overlap: 0.25 })
    expect(chunks.map(one => one.text.match(/s\dx0/g))).toEqual([
      ['s0x0', 's1x0', 's2x0', 's3x0', 's4x0'],
      ['s4x0', 's5x0'],
    ])
  })
  test('nothing is repeated across a top-level heading', async () => {
    const { chunks } = await chunk([long, heading(1, 'B'), paragraph('y')], { overlap: 0.25 })
    expect(chunks.at(-1)?.text).toBe(`B${BLOCK_SEPARATOR}y`)
  })
  test('the context is the title and the heading path', async () => {
    const { chunks } = await chunk([heading(1, 'A'), paragraph('x'), heading(2, 'B'), long], {
      title: 'T',
    })
    expect(chunks.at(-1)).toMatchObject({ context: 'T\nA > B', headings: ['A', 'B'] })
  })
  test('a table that goes on repeats its header as context', async () => {
    const rows = [
      ['name', 'size'],
      ...Array.from({ length: 12 }, (_, index) => [`n${index}`, `${index}`]),
    ]
    const { chunks } = await chunk([{ kind: 'table', rows, text: formatTableText(rows) }], {
      title: 'T',
    })
    expect(chunks.length).toBeGreaterThan(1)
    expect(
      chunks.slice(1).every(one => one.context === 'T\nname | size' && !one.text.includes('name')),
    ).toBe(true)
  })
  test('of a header that is too long, the first names are the context', async () => {
    const names = Array.from({ length: 60 }, (_, column) => `name${column}`)
    const rows = [names, ...Array.from({ length: 3 }, () => names.map((_, at) => `${at}`))]
    const table: Block = { kind: 'table', rows, text: formatTableText(rows) }
    const { chunks } = await chunk([table], { title: 'T', tokens: 150 })
    expect(chunks.at(-1)?.context).toMatch(/^T\nname0 \| name1 (?:\| name\d+ ){5,}\| name\d+$/)
  })
  test('a row that is too long is cut between cells, below the names of its cells', async () => {
    const rows = ['name', 'first', 'second'].map(word =>
      Array.from({ length: 8 }, (_, column) => `${word} of column ${column}`),
    )
    const table: Block = { kind: 'table', rows, text: formatTableText(rows) }
    const { text, chunks } = await chunk([table], { title: 'T' })
    const cut = chunks.filter(one => one.text.startsWith('second of column'))
    expect(cut.map(one => one.text)).toEqual(
      [0, 4].map(first => rows[2]?.slice(first, first + 4).join(' | ')),
    )
    expect(cut.map(one => one.context)).toEqual(
      [0, 4].map(first => `T\n${rows[0]?.slice(first, first + 4).join(' | ')}`),
    )
    for (const one of chunks) expect(text.slice(one.charStart, one.charEnd)).toBe(one.text)
  })
  test('of two rows that head it, the names that they give its columns together', async () => {
    const header = [
      ['', 'shop', 'shop'],
      ['item', 'net', 'gross'],
    ]
    const rows = [
      ...header,
      ...Array.from({ length: 12 }, (_, index) => [`n${index}`, `${index}`, `${index}`]),
    ]
    const { chunks } = await chunk([{ kind: 'table', rows, text: formatTableText(rows) }], {
      title: 'T',
    })
    expect(chunks.at(-1)?.context).toBe('T\nitem | shop net | shop gross')
  })
  test('so does one that goes on over a page break', async () => {
    const part = (rows: string[][]): Block => ({ kind: 'table', rows, text: formatTableText(rows) })
    const first = part([
      ['name', 'size'],
      ...Array.from({ length: 12 }, (_, index) => [`n${index}`, `${index}`]),
    ])
    const second = part(Array.from({ length: 12 }, (_, index) => [`m${index}`, `${index}`]))
    const { chunks } = await chunk([first, { ...second, isContinued: true }], { title: 'T' })
    const ofSecond = chunks.filter(one => one.text.startsWith('m'))
    expect(ofSecond.length).toBeGreaterThan(1)
    expect(ofSecond.every(one => one.context === 'T\nname | size')).toBe(true)
  })
  test('pages are the first and the last', async () => {
    const { chunks } = await chunk([paragraph('a', 3), paragraph('b', 4)])
    expect(chunks[0]?.pages).toEqual([3, 4])
  })
})

describe('for any document', () => {
  const word = fc.constantFrom(
    'alpha',
    'beta.',
    'gamma,',
    '中文',
    '句子。',
    '𠮷野',
    'e\u0301',
    '\n',
    '  ',
    'x'.repeat(60),
  )
  const text = fc
    .array(word, { minLength: 1, maxLength: 60 })
    .map(parts => parts.join(' ').trim() || 'x')
  const block = fc.record({
    kind: fc.constantFrom('paragraph', 'heading', 'code', 'list'),
    text,
    level: fc.integer({ min: 1, max: 3 }),
  })
  const documents = fc.array(block as fc.Arbitrary<Block>, { minLength: 1, maxLength: 12 })
  const overlaps = fc.constantFrom(0, 0.15, 0.5)

  test('every chunk is an exact slice, within the limit, and together they hold every word', () =>
    fc.assert(
      fc.asyncProperty(documents, overlaps, async (blocks, overlap) => {
        const { text: whole, chunks } = await chunk(blocks, { overlap })
        const covered = new Array<boolean>(whole.length).fill(false)
        for (const { text: slice, charStart, charEnd, tokens } of chunks) {
          expect(slice).toBe(whole.slice(charStart, charEnd))
          expect(tokens).toBeLessThanOrEqual(20)
          covered.fill(true, charStart, charEnd)
        }
        expect(
          [...whole].length > 0 &&
            [...covered.keys()].filter(at => !covered[at] && /\S/.test(whole[at]!)),
        ).toEqual([])
      }),
    ))
  test('the same document gives the same chunks', () =>
    fc.assert(
      fc.asyncProperty(documents, overlaps, async (blocks, overlap) => {
        expect(await chunk(blocks, { overlap })).toEqual(await chunk(blocks, { overlap }))
      }),
    ))
})

test('chunks may be larger than what the model reads at once', async () => {
  const chunker = new BlockChunker({ tokens: 500, overlap: 0 }, 400, wordCounter)
  const { placed } = place([paragraph(words(450)), paragraph(words(40))])
  const tokens: number[] = []
  for await (const one of chunker.chunks({ title: '', blocks: stream(placed) }))
    tokens.push(one.tokens)
  expect(tokens).toEqual([490])
})
test('a size or an overlap out of all bounds is refused', () => {
  expect(() => new BlockChunker({ tokens: 5000, overlap: 0 }, 400, wordCounter)).toThrow(
    /choose 16 to 4096/,
  )
  expect(() => new BlockChunker({ tokens: 100, overlap: 0.6 }, 400, wordCounter)).toThrow(
    /share from 0 to 0.5/,
  )
})

describe('what is said of a whole section or table costs a chunk no more than a little', () => {
  const wide = Array.from({ length: 30 }, (_, row) =>
    Array.from({ length: 2_000 }, (_, column) => `r${row}c${column}`),
  )
  const table: Block = { kind: 'table', text: formatTableText(wide), rows: wide }

  test('a header, heading or title of any length is cut before it is counted', async () => {
    let counted = 0
    const counter = {
      id: 'counting',
      count: (text: string) => {
        counted += text.length
        return wordCounter.count(text)
      },
    }
    const { text, placed } = place([heading(1, words(20_000, 'h')), table])
    const chunker = new BlockChunker({ tokens: 100, overlap: 0 }, 400, counter)
    const chunks = []
    for await (const one of chunker.chunks({ title: words(5_000, 't'), blocks: stream(placed) }))
      chunks.push(one)
    expect(chunks.length).toBeGreaterThan(700)
    expect(counted).toBeLessThan(50 * text.length)
  })
  test('no chunk repeats more than 500 characters of its headings, the nearest in full', async () => {
    const deep = [1, 2, 3].map(level => heading(level, words(50, `level${level}w`)))
    const { chunks } = await chunk([...deep, heading(4, 'B'), paragraph(words(50))])
    const below = chunks.filter(one => one.headings.at(-1) === 'B')
    expect(below.length).toBeGreaterThan(1)
    for (const { headings } of below) expect(headings.join('')).toHaveLength(500)
  })
  test('a context of few tokens has few characters', async () => {
    const long = (letter: string) => letter.repeat(400)
    const rows = [[long('h')], ...Array.from({ length: 50 }, (_, at) => [`row ${at}`])]
    const { chunks } = await chunk(
      [heading(1, long('a')), { kind: 'table', text: formatTableText(rows), rows }],
      {
        title: long('t'),
      },
    )
    expect(Math.max(...chunks.map(one => one.context.length))).toBeLessThanOrEqual(500)
  })
  test('a chunk has a bounded number of characters, however few tokens they are', async () => {
    const { chunks, text } = await chunk([paragraph('x'.repeat(100_000))])
    expect(Math.max(...chunks.map(one => one.text.length))).toBeLessThanOrEqual(20 * 32)
    expect(chunks.at(-1)?.charEnd).toBe(text.length)
  })
})

describe('chunking a long document', () => {
  const { placed } = place(
    Array.from({ length: 50 }, (_, at) => paragraph(words(4_000, `p${at}w`))),
  )
  const chunker = new BlockChunker({ tokens: 100, overlap: 0 }, 400, wordCounter)
  const cut = async (slices: TimeSlices) => {
    for await (const _ of chunker.chunks({ title: '', blocks: stream(placed), slices }));
  }

  test('lets others have the thread', async () => {
    let others = 0
    await cut(new TimeSlices({ standBack: async () => void others++ }))
    expect(others).toBeGreaterThan(2)
  })
  test('stops with its signal', async () => {
    const stop = new AbortController()
    setImmediate(() => stop.abort(new Error('enough')))
    await expect(cut(new TimeSlices({ signal: stop.signal }))).rejects.toThrow('enough')
  })
  test('has a budget of processor time', async () => {
    const overrun = () => new Error('took too long')
    await expect(cut(new TimeSlices({ budget: { limitMs: 1, overrun } }))).rejects.toThrow(
      'took too long',
    )
  })
})
