import { expect, test } from 'vitest'
import { Dictionary } from '../../src/text/dictionary.ts'

const words = Array.from({ length: 50 }, (_, at) => `w${String(at).padStart(2, '0')}`)
const text = [
  'annual leav\t年假',
  ...words.map(word => `${word}\t${word} one;${word} two`),
  '打印机\tprinter',
].join('\n')

test('every word of a dictionary is found, and no other', () => {
  const dictionary = new Dictionary(() => Buffer.from(`${text}\n`))
  expect(dictionary.findMeanings('annual leav')).toEqual(['年假'])
  expect(dictionary.findMeanings('打印机')).toEqual(['printer'])
  for (const word of words)
    expect(dictionary.findMeanings(word)).toEqual([`${word} one`, `${word} two`])
  for (const word of ['', 'annual', 'w', 'w0', 'w000', '打印', '龟', 'w00\tw00 one'])
    expect(dictionary.findMeanings(word)).toEqual([])
})
test('its text is read once, with the first word that is looked up', () => {
  let reads = 0
  const dictionary = new Dictionary(() => {
    reads++
    return Buffer.from(text)
  })
  expect(reads).toBe(0)
  for (const word of words) dictionary.findMeanings(word)
  expect(reads).toBe(1)
})
test('where there is no dictionary no word has a meaning', () =>
  expect(new Dictionary(() => Buffer.alloc(0)).findMeanings('word')).toEqual([]))
test.each([
  ['每隔几分钟一班', '每隔 几 分钟 一班'],
  ['研究生命起源', '研究 生命 起源'],
  ['龟𠀀', '龟 𠀀'],
  ['', ''],
])('%s is as few words as can be: %s', (run, parts) => {
  const has = ['每隔', '几分', '分钟', '一班', '研究', '研究生', '生命', '起源'].toSorted()
  const dictionary = new Dictionary(() => Buffer.from(has.map(word => `${word}\tx\n`).join('')))
  expect(dictionary.splitWords(run).join(' ')).toBe(parts)
})
