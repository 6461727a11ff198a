import { expect, test } from 'vitest'
import type { Block, PlacedBlock } from '../../../src/ingest/block.ts'
import { findPlaces } from '../../../src/ingest/store/places.ts'

const line = (start: number, end: number, y: number) => ({
  start,
  end,
  box: [72, y, 300, y + 12] as const,
})

/** Blocks as a reader gives them, placed one after the other. */
function readerOf(blocks: readonly Block[]) {
  let charStart = 0
  const placed = blocks.map((block): PlacedBlock => {
    const one = { ...block, charStart, charEnd: charStart + block.text.length }
    charStart = one.charEnd + 2
    return one
  })
  return {
    async *readBlocks() {
      yield* placed
    },
  }
}

const PAGES = readerOf([
  { kind: 'heading', level: 1, text: 'Rules', page: 1, box: [72, 40, 200, 60] }, // 0 to 5
  { kind: 'heading', level: 2, text: 'Loans', page: 1, box: [72, 70, 200, 80] }, // 7 to 12
  {
    kind: 'paragraph',
    text: 'Ten books for\nfour weeks.',
    page: 1,
    lines: [line(0, 13, 100), line(14, 25, 115)],
  }, // 14 to 39
  { kind: 'heading', level: 2, text: 'Fines', page: 2, box: [72, 40, 200, 60] }, // 41 to 46
  { kind: 'paragraph', text: '20 cents.', page: 2, box: [72, 70, 200, 82] }, // 48 to 57
])

test('a place has its headings, its pages and the lines that hold some of it', async () => {
  const [weeks, fine] = await findPlaces(PAGES, 'doc', [
    { charStart: 28, charEnd: 32 },
    { charStart: 48, charEnd: 57 },
  ])
  expect(weeks).toEqual({
    headings: ['Rules', 'Loans'],
    pages: [1, 1],
    boxes: [{ page: 1, charStart: 28, charEnd: 39, box: [72, 115, 300, 127] }],
  })
  expect(fine).toMatchObject({
    headings: ['Rules', 'Fines'],
    pages: [2, 2],
    boxes: [{ page: 2, box: [72, 70, 200, 82] }],
  })
})

test('a place over two pages has both', async () => {
  const [place] = await findPlaces(PAGES, 'doc', [{ charStart: 14, charEnd: 50 }])
  expect(place).toMatchObject({ pages: [1, 2] })
  expect(place?.boxes.map(box => box.page)).toEqual([1, 1, 2, 2])
})

test('a heading stands under those above it, not under itself', async () => {
  const [place] = await findPlaces(PAGES, 'doc', [{ charStart: 41, charEnd: 46 }])
  expect(place?.headings).toEqual(['Rules'])
})

test('a place that begins with headings stands under them', async () => {
  const [place] = await findPlaces(PAGES, 'doc', [{ charStart: 0, charEnd: 39 }])
  expect(place?.headings).toEqual(['Rules', 'Loans'])
})

test('a place over several sections stands under the headings that they share', async () => {
  const places = await findPlaces(PAGES, 'doc', [
    { charStart: 0, charEnd: 57 },
    { charStart: 14, charEnd: 50 },
    { charStart: 14, charEnd: 46 },
  ])
  expect(places.map(({ headings }) => headings)).toEqual([['Rules'], ['Rules'], ['Rules', 'Loans']])
})

test('formats without pages have headings only', async () => {
  const reader = readerOf([
    { kind: 'heading', level: 1, text: 'A' },
    { kind: 'paragraph', text: 'words' },
  ])
  expect(await findPlaces(reader, 'doc', [{ charStart: 3, charEnd: 8 }])).toEqual([
    { headings: ['A'], boxes: [] },
  ])
})
