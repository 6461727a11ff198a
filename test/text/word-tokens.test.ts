import fc from 'fast-check'
import { expect, test } from 'vitest'
import { TOKEN } from '../../src/text/word-tokens.ts'

const ODD = [
  ...["'", '’', '.', ',', '1', '9', '²', '五', '〇', '한', 'か', 'ー', '๑', 'ก'],
  ...['é', '\u0301', '𠮷', '😀', ' ', 'a', 'z'],
]

const check = (text: string, expected: readonly string[]) =>
  expect(text.match(TOKEN)).toEqual(expected)

test('words keep inner apostrophes, numbers inner points and commas', () =>
  check("The tenant's 1,250.50 'quote', fy2019.", [
    'The',
    "tenant's",
    '1,250.50',
    'quote',
    'fy2019',
  ]))
test('scripts without spaces are tokens of their own', () =>
  check('检索abc한글ภาษา五', ['检索', 'abc', '한글ภาษา五']))
test('every letter and digit stands in one token', () =>
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...ODD), { maxLength: 12 }), characters => {
      const text = characters.join('')
      const isWritten = (token: string) => token.replace(/[^\p{L}\p{M}\p{N}]/gu, '')
      expect(isWritten((text.match(TOKEN) ?? []).join(''))).toBe(isWritten(text))
    }),
    { numRuns: 500 },
  ))
