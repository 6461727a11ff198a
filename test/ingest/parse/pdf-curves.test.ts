import { expect, test } from 'vitest'
import { toRules } from '../../../src/ingest/parse/parsers/pdf/rules.ts'

test('a path that closes after a curve draws no rule, and does not damage its page', () => {
  const curve = [0, 10, 10, 2, 20, 20, 30, 30, 40, 40, 4]
  expect(toRules(curve, [1, 0, 0, 1, 0, 0], true)).toEqual([])
})
