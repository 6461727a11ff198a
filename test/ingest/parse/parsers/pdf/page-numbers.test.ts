import { expect, test } from 'vitest'
import { pdfParser } from '../../../../../src/ingest/parse/parsers/pdf/pdf.ts'
import { parseBytes } from '../../../../fixtures/parsed.ts'
import { FONT, type Objects, shown, unfinished } from '../../../../fixtures/unfinished-pdf.ts'

const RESOURCES = '/Resources<</Font<</F1 9 0 R>>>>'
const page = (parent: number, contents: number) =>
  `<</Type/Page/Parent ${parent} 0 R${RESOURCES}/Contents ${contents} 0 R>>`
const CONTENTS: Objects = [
  [9, FONT],
  [50, shown('The early page.')],
  [51, shown('The late page.')],
  [52, shown('The middle page.')],
]

async function check(
  objects: Objects,
  pages: readonly (readonly [number, string])[],
  warning: string,
) {
  const { blocks, warnings } = await parseBytes(pdfParser, unfinished([...CONTENTS, ...objects]))
  expect(blocks.map(block => [block.page, block.text])).toEqual(pages)
  expect(warnings[0]?.message).toContain(warning)
  expect(warnings[0]?.message.includes('may be wrong')).toBe(warning.includes('may be wrong'))
}

test('the count of all pages tells how many a missing list of them held', () =>
  check(
    [
      [1, '<</Type/Pages/Count 5/Kids[2 0 R 3 0 R 4 0 R]>>'],
      [2, '<</Type/Pages/Parent 1 0 R/Count 1/Kids[6 0 R]>>'],
      [4, '<</Type/Pages/Parent 1 0 R/Count 1/Kids[8 0 R]>>'],
      [6, page(2, 50)],
      [8, page(4, 51)],
    ],
    [
      [1, 'The early page.'],
      [5, 'The late page.'],
    ],
    'Recovered: 2 pages (1, 5); it had 5.',
  ))

test('of several missing lists each is taken to be as long as those beside them, and it is said that this may be wrong', () =>
  check(
    [
      [1, '<</Type/Pages/Count 9/Kids[2 0 R 3 0 R 4 0 R 5 0 R]>>'],
      [2, '<</Type/Pages/Parent 1 0 R/Count 3/Kids[6 0 R 10 0 R 11 0 R]>>'],
      [4, '<</Type/Pages/Parent 1 0 R/Count 1/Kids[8 0 R]>>'],
      [6, page(2, 50)],
      [8, page(4, 51)],
    ],
    [
      [1, 'The early page.'],
      [7, 'The late page.'],
    ],
    'as many pages as those beside it: their numbers may be wrong.',
  ))

test('pages whose list is missing stand in its place', () =>
  check(
    [
      [8, page(4, 51)],
      [1, '<</Type/Pages/Count 3/Kids[2 0 R 3 0 R 4 0 R]>>'],
      [2, '<</Type/Pages/Parent 1 0 R/Count 1/Kids[6 0 R]>>'],
      [4, '<</Type/Pages/Parent 1 0 R/Count 1/Kids[8 0 R]>>'],
      [7, page(3, 52)],
      [6, page(2, 50)],
    ],
    [
      [1, 'The early page.'],
      [2, 'The middle page.'],
      [3, 'The late page.'],
    ],
    'numbered as they stand in the file: their numbers may be wrong.',
  ))

test('where every list is missing it is said that the order is that of the file', () =>
  check(
    [[6, page(2, 50)]],
    [[1, 'The early page.']],
    'numbered as they stand in the file: their numbers may be wrong.',
  ))

test('pages that the lists of two revisions name are there once', () =>
  check(
    [
      [6, page(20, 50)],
      [8, page(20, 51)],
      [2, '<</Type/Pages/Count 2/Kids[6 0 R 8 0 R]>>'],
      [20, '<</Type/Pages/Count 3/Kids[6 0 R 8 0 R 10 0 R]>>'],
    ],
    [
      [1, 'The early page.'],
      [2, 'The late page.'],
    ],
    'Recovered: 2 pages (1–2); it had 3.',
  ))
