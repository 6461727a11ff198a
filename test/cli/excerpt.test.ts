import { expect, test } from 'vitest'
import { findExcerpt as excerptBy } from '../../src/cli/excerpt.ts'
import { Analyzer } from '../../src/text/analyzer.ts'

const analyzer = new Analyzer()
const excerptOf = (text: string, query: string) => excerptBy(text, query, analyzer)

const FILLER = Array.from(
  { length: 30 },
  (_, at) => `Room ${at} is cleaned twice a week by the same company.`,
)
const TEXT = [
  ...FILLER,
  'The Svale was built in 1986.',
  'It carries twelve people.',
  ...FILLER,
].join(' ')

test('a long passage is shown from where the words of the query stand', () => {
  expect(excerptOf(TEXT, 'When was the Svale built?')).toMatch(
    /^… The Svale was built in 1986\. It carries .* …$/s,
  )
})
test('Chinese, too', () => {
  const 填充 = '每个房间每周打扫两次，由同一家公司负责。'.repeat(30)
  expect(excerptOf(`${填充}采暖期自十一月十五日开始。${填充}`, '采暖期')).toMatch(
    /^… 采暖期自十一月十五日开始。/,
  )
})
test('where none of the words stands, from its beginning; a short one whole', () => {
  expect(excerptOf(TEXT, '采暖期')).toMatch(/^Room 0 is cleaned/)
  expect(excerptOf('It rains.', 'snow')).toBe('It rains.')
})
test('a word far down in a long sentence is shown, and many short sentences cost no more than they are long', () => {
  expect(excerptOf(`${'word '.repeat(300)}budget is here`, 'budget')).toMatch(
    /^… .*budget is here$/,
  )
  expect(excerptOf(`${'A. '.repeat(20_000)}The budget.`, 'a budget')).toContain('budget')
})
