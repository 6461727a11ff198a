import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isContained, Terms } from '../../src/text/terms.ts'

const terms = new Terms()

describe('what a text says', () => {
  test('English words as stems, without those that only ask or join', () =>
    content('How long are the notice periods?', ['long', 'notic', 'period']))
  test('Chinese characters of words, without those that only ask or join', () =>
    content('请问年假有多少天？', ['年', '假', '天']))
  test('a question of function words says nothing', () => {
    content('What is it?', [])
    content('那是什么？', [])
  })
  test('no identifier that begins where Chinese ends', () => {
    content('手册.md', ['手', '册', 'md'])
    held('手册.md', '手册.md', true)
  })
  test('a capital by itself is a name, and no article', () => {
    content('How many seats has room A?', ['seat', 'room', 'a'])
    content('A型一年的价格', ['a', '型', '一', '年', '价', '格'])
    content('A dog and a cat', ['dog', 'cat'])
  })
  test('Traditional characters are read as Simplified ones', () => content('產假', ['产', '假']))
})

describe('what a text holds', () => {
  test('a word in another form', () =>
    held('notice periods', 'The period of notice is a month.', true))
  test('a Chinese word by its pairs', () => held('住宿标准', '住宿费标准见附表。', true))
  test('a Chinese word that is shortened', () => held('年假', '职工年休假五天。', true))
  test('a day and a month by their short names', () => {
    held('Saturday', 'Open on Sat until 4.', true)
    held('Sat', 'Open on Saturdays.', true)
    held('January', '3 Jan', true)
    held('Sunday', 'The sun shines.', false)
    held('sun', 'The Sun shines.', true)
    held('Thursday', 'Thurs. to Fri.', true)
    held('礼拜一', '周一闭馆。', true)
    held('星期天', '週日闭馆。', true)
    held('周二', '星期三闭馆。', false)
    held('天气', '本周天气晴。', true)
    held('星期', '三个星期一次。', true)
    held('周一', '三个星期一次。', false)
    held('星期一', '星期一闭馆。', true)
  })
  test('not a word that shares one character', () => held('产假', '年假五天。', false))
})

test('any text is read, and holds what it says', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), text => {
      const own = terms.extract(text)
      for (const term of terms.listContent(text)) expect(term.anyOf.length).toBeGreaterThan(0)
      for (const term of terms.listContent(text.replace(/\p{Script=Han}/gu, ' ')))
        expect(isContained(term, own)).toBe(true)
    }),
  )
})

function content(text: string, expected: readonly string[]): void {
  expect(terms.listContent(text).map(term => term.text)).toEqual(expected)
}

function held(asked: string, text: string, expected: boolean): void {
  const own = terms.extract(text)
  expect(terms.listContent(asked).every(term => isContained(term, own))).toBe(expected)
}
