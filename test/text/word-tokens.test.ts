import fc from 'fast-check'
import { expect, test } from 'vitest'
import { TOKEN, WordTokens } from '../../src/text/word-tokens.ts'

const tokens = new WordTokens()
const ODD = [
  "'",
  '’',
  '.',
  ',',
  '1',
  '9',
  '²',
  '五',
  '〇',
  '한',
  'か',
  'ー',
  '๑',
  'ก',
  'é',
  '\u0301',
  '𠮷',
  '😀',
  ' ',
  'a',
  'z',
]

test('tokens are where the pattern says', () =>
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...ODD), { maxLength: 12 }), characters => {
      const text = characters.join('')
      const expected = [...text.matchAll(TOKEN)].flatMap(({ index, 0: token }) => [
        index,
        index + token.length,
      ])
      expect([...tokens.cutTokens(text)]).toEqual(expected)
    }),
    { numRuns: 500 },
  ))
