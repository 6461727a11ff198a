import { expect, test } from 'vitest'
import { listSources } from '../../src/web/source/list-sources.ts'
import type { CitationJson } from '../../src/wire/answer.ts'

function cite(
  place: Partial<CitationJson> & Pick<CitationJson, 'marker'>,
  support: CitationJson['support'] = 'stated',
): CitationJson {
  const words = { source: '/d', doc: 'd.md', headings: [], charStart: 0, charEnd: 4, text: 'text' }
  const checks = { quoteVerified: true, verified: true, support } as const
  return { documentId: 'd', ...words, ...checks, ...place }
}

function check(
  citations: readonly CitationJson[],
  expected: readonly (readonly [number, readonly number[], string])[],
) {
  const sources = listSources(citations)
  expect(sources.map(({ at, markers, support }) => [at, markers, support])).toEqual(expected)
}

test('a source that an answer cites three times is listed once, and doubted only if no sentence is confirmed', () =>
  check(
    [
      cite({ marker: 1, documentId: 'a' }, 'unknown'),
      cite({ marker: 2, documentId: 'b' }, 'unknown'),
      cite({ marker: 1, documentId: 'a', charStart: 10 }),
      cite({ marker: 1, documentId: 'a', charStart: 20 }),
    ],
    [
      [0, [1], 'stated'],
      [1, [2], 'unknown'],
    ],
  ))

test('a page that is cited under several numbers is listed once, with all of them', () =>
  check(
    [
      cite({ marker: 3, page: 7, headings: ['Rooms'] }),
      cite({ marker: 1, page: 8 }),
      cite({ marker: 5, page: 7, headings: ['Trains'] }, 'unknown'),
    ],
    [
      [0, [3, 5], 'stated'],
      [1, [1], 'stated'],
    ],
  ))

test('sections of a document without pages are sources of their own', () =>
  check(
    [
      cite({ marker: 1, headings: ['差旅', '住宿'] }),
      cite({ marker: 2, headings: ['差旅', '火车'] }),
      cite({ marker: 3, headings: ['差旅', '住宿'] }),
    ],
    [
      [0, [1, 3], 'stated'],
      [1, [2], 'stated'],
    ],
  ))
