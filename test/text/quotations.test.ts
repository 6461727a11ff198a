import fc from 'fast-check'
import { expect, test } from 'vitest'
import { QuotableTexts } from '../../src/text/quotations.ts'

function check(text: string, quote: string, expected: string | undefined) {
  const span = new QuotableTexts().find(text, quote)
  expect(span && text.slice(span.start, span.end)).toBe(expected)
}

test('the same words are found', () => check('It is red. It is blue.', 'It is blue', 'It is blue'))
test('wrapped lines are found', () => check('the long\n  way home', 'long way', 'long\n  way'))
test('lines wrapped between Han characters are found', () =>
  check('单元\n测试要独立', '单元测试', '单元\n测试'))
test('full-width forms are found', () => check('共ＡＢＣ１２３个', 'ABC123', 'ＡＢＣ１２３'))
test('curly quotes and long dashes are found', () =>
  check('a “big” change – now', 'a "big" change - now', 'a “big” change – now'))
test('a ligature is found', () => check('the ﬁrst step', 'first', 'ﬁrst'))
test('a decomposed letter is found', () => check('the cafe\u0301 there', 'café', 'cafe\u0301'))
test('other words are not found', () => check('It is red.', 'It is blue', undefined))
test('a changed number is not found', () =>
  check('at least 60 days', 'at least 90 days', undefined))
test('the beginning of a longer number is not found', () =>
  check('the limit is 500 items', 'limit is 50', undefined))
test('the whole part of a decimal is not found', () =>
  check('costs 2.5 euro', 'costs 2', undefined))
test('the inside of a longer word is not found', () => check('the partition', 'art', undefined))
test('words of a text without spaces are found inside it', () =>
  check('これはペンです。', 'ペンです', 'ペンです'))
test('the brackets of a quotation are quoted, too', () =>
  check('the fee (see annex) is due', '(see annex)', '(see annex)'))
test('nothing is not found', () => check('text', '  ', undefined))

const words = fc.array(
  fc.constantFrom('red', '蓝色', '12', 'ﬁne', '－', '“x”', 'é', '\n', '  ', '。'),
  {
    minLength: 1,
    maxLength: 20,
  },
)

const bare = (text: string) => text.normalize('NFKC').replace(/[^\p{L}\p{N}]/gu, '')

test('a span that is found holds the quoted words, whatever stands around it', () => {
  fc.assert(
    fc.property(words, words, words, (before, quote, after) => {
      const text = [...before, ' ', ...quote, ' ', ...after].join('')
      const span = new QuotableTexts().find(text, quote.join(''))
      if (span) expect(bare(text.slice(span.start, span.end))).toBe(bare(quote.join('')))
      if (bare(quote.join('')) !== '') expect(span).toBeDefined()
    }),
  )
})
