import { expect, test } from 'vitest'
import { listSources } from '../../src/web/source/list-sources.ts'
import type { CitationJson } from '../../src/wire/answer.ts'

function cite(marker: number, support: CitationJson['support'], charStart: number): CitationJson {
  const place = { documentId: `d${marker}`, source: '/d', doc: 'd.md', headings: [], charStart }
  const checks = { quoteVerified: true, verified: true, support } as const
  return { marker, ...place, charEnd: charStart + 4, text: 'text', ...checks }
}

test('a source that an answer cites three times is listed once, and doubted only if no sentence is confirmed', () => {
  const citations = [
    cite(1, 'unknown', 0),
    cite(2, 'unknown', 0),
    cite(1, 'stated', 10),
    cite(1, 'stated', 20),
  ]
  expect(listSources(citations).map(({ at, support }) => [at, support])).toEqual([
    [0, 'stated'],
    [1, 'unknown'],
  ])
})
