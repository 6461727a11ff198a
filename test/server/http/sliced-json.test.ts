import { expect, test } from 'vitest'
import { encodeJson } from '../../../src/server/http/sliced-json.ts'

const long = '水泵😀"\n'.repeat(20_000)

test.each([
  [{ text: long, at: 1, none: undefined, list: [undefined, long, null, [], {}] }],
  [[long, { deep: { deeper: [{ text: `x${long}` }, new Date(0)] } }]],
  [{ list: Array.from({ length: 40_000 }, (_, at) => at) }],
  [{ none: undefined }],
  ['short'],
])('a value is encoded in slices as JSON.stringify encodes it (%#)', value => {
  const pieces = [...encodeJson(value)]
  expect(pieces.join('')).toBe(JSON.stringify(value))
  expect(Math.max(...pieces.map(piece => piece.length))).toBeLessThan(50_000)
})
