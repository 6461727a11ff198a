import { describe, expect, test } from 'vitest'
import { type Block, formatTableText } from '../../../src/ingest/block.ts'
import { divideBlock } from '../../../src/ingest/parse/bounded-blocks.ts'

const MAX_CHARS = 256 * 1024

function table(columns: number, rows: number): Block {
  const cells = Array.from({ length: rows }, (_, row) =>
    Array.from({ length: columns }, (_, column) => `${row}:${column}`),
  )
  return { kind: 'table', text: formatTableText(cells), rows: cells, page: 3 }
}

describe('a block is divided where it is too large to be handled in one go', () => {
  test('others are left as they are', () => {
    const block = table(100, 200)
    expect([...divideBlock(block)]).toEqual([block])
  })
  test('a wide table by columns, each part with the first one', () => {
    const parts = [...divideBlock(table(50_000, 3))]
    expect(parts.length).toBeGreaterThan(40)
    for (const { kind, page, text, rows } of parts) {
      expect({ kind, page, text }).toEqual({ kind: 'table', page: 3, text: formatTableText(rows!) })
      expect(rows!.map(row => row[0])).toEqual(['0:0', '1:0', '2:0'])
    }
    const columns = parts.flatMap(part => part.rows![1]!.slice(1))
    expect(columns).toEqual(Array.from({ length: 49_999 }, (_, at) => `1:${at + 1}`))
  })
  test('a long table by rows, each part with the header', () => {
    const parts = [...divideBlock(table(10, 20_000))]
    for (const { rows } of parts) expect(rows![0]![9]).toBe('0:9')
    expect(parts.flatMap(part => part.rows!.slice(1)).length).toBe(19_999)
  })
  test('a long header is in the first part only, and the cells beside it are repeated no further', () => {
    const rows = [
      ['h'.repeat(600), 'b'],
      ...Array.from({ length: 30_000 }, (_, at) => [`${at}`, 'x']),
    ]
    const parts = [...divideBlock({ kind: 'table', text: formatTableText(rows), rows })]
    expect(parts.map(({ isContinued = false }) => isContinued)).toEqual([false, true])
    expect(parts.flatMap(part => part.rows)).toEqual(rows)
  })
  test('a long name of a row is repeated by its beginning', () => {
    const rows = ['a', 'b'].map(name => [name.repeat(50_000), ...Array<string>(30_000).fill('x')])
    const text = [...divideBlock({ kind: 'table', text: formatTableText(rows), rows })]
      .map(part => part.text)
      .join('')
    expect(text.length).toBeLessThan(2 * formatTableText(rows).length)
  })
  test('a text by lines or words, and between characters where there are none', () => {
    const of = (text: string) =>
      [...divideBlock({ kind: 'paragraph', text })].map(part => part.text)
    for (const text of [
      'one line\n'.repeat(100_000),
      'word '.repeat(200_000),
      '𠮷'.repeat(300_000),
    ]) {
      const parts = of(text)
      expect(parts.join('')).toBe(text)
      expect(Math.max(...parts.map(part => part.length))).toBeLessThanOrEqual(MAX_CHARS)
      expect(parts.every(part => !/[\ud800-\udbff]$/.test(part))).toBe(true)
    }
    expect(of('one line\n'.repeat(100_000)).every(part => part.startsWith('one'))).toBe(true)
  })
  test('a heading is one to its first part, and lines keep their places', () => {
    const text = `${'a'.repeat(3_000)} end`
    const line = { start: text.length - 3, end: text.length, box: [0, 0, 1, 1] as const }
    const parts = [...divideBlock({ kind: 'heading', level: 2, text, lines: [line] })]
    expect(parts.map(({ kind, level }) => [kind, level])).toEqual([
      ['heading', 2],
      ['paragraph', undefined],
    ])
    const [{ start, end }] = parts[1]!.lines as [typeof line]
    expect(parts[1]!.text.slice(start, end)).toBe('end')
  })
  test('a cell of any length is text', () => {
    const rows = [
      ['a', 'b'],
      ['c', 'x'.repeat(600_000)],
    ]
    const parts = [...divideBlock({ kind: 'table', text: formatTableText(rows), rows })]
    expect(parts.map(part => part.kind)).toEqual(['paragraph', 'paragraph', 'paragraph'])
  })
})
