import { expect, test } from 'vitest'
import { listPendingWarnings } from '../../src/app/searching/pending.ts'
import { omitCommands } from '../../src/mcp/commands.ts'

test.each([
  ['There is no document a.pdf. See passim list.', 'There is no document a.pdf.'],
  ['Try again in a moment; passim doctor says more to whoever runs it.', 'Try again in a moment.'],
  ['The OCR model x is not there: npm install @y/z.', 'The OCR model x is not there.'],
  ['Give the path of notes.md, version 1.5: it is there.', undefined],
  ['Run passim verify --repair.', 'Whoever runs this service can see what to do.'],
])('%j names no command to a model', (message, expected = message) =>
  expect(omitCommands(message)).toBe(expected),
)

test('a warning of unfinished documents keeps its count', () => {
  const [warning] = listPendingWarnings({ unfound: 2, byWords: 0 })
  expect(omitCommands(warning?.message ?? '')).toBe('2 documents cannot be found yet.')
})
