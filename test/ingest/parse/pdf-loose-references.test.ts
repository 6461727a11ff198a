import { expect, test } from 'vitest'
import { findLostFonts } from '../../../src/ingest/parse/parsers/pdf/salvage/loose-parts.ts'

test('a reference longer than any object number names nothing, and ends no salvage', () => {
  const page = {
    number: 1,
    generation: 0,
    offset: 0,
    text: '<</Resources <</Font 123456789012 0 R>>>>',
    isComplete: true,
  }
  expect(findLostFonts(new Map([[1, page]]))).toEqual([])
})
