import { expect, test } from 'vitest'
import { openLexicon } from '../../src/app/lexicon.ts'
import { Pinyin } from '../../src/text/english-terms.ts'

const pinyin = new Pinyin(openLexicon().readings)

test.each([
  ['Haituo', '请联系海拓公司。', true],
  ['Haituo', '请联系海托公司。', true],
  ['Haituo', '请联系海外公司。', false],
  ["Xi'an", '会议在西安举行', true],
  ['Chongqing', '从重庆出发', true],
  ["Lü Meng's", '吕蒙签字', true],
  ['Chang', '他很长', false],
  ['Hai', '海', false],
  ['Haituo', '海', false],
  ['Haituo', '', false],
  ['', '海拓', false],
  ['QX-7', '海拓', false],
])('%s is spelled in %s: %s', (name, text, is) => {
  expect(pinyin.isSpelled(name, text)).toBe(is)
})
test('is looked for in a time that grows as the text', () => {
  const text = '海'.repeat(200_000)
  expect(pinyin.isSpelled(`${'hai'.repeat(12)}tuo`, text)).toBe(false)
  expect(pinyin.isSpelled(`${'hai'.repeat(50_000)}tuo`, text)).toBe(false)
})
