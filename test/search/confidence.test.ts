import { expect, test } from 'vitest'
import { Confidence } from '../../src/search/confidence.ts'
import type { Hit } from '../../src/search/searcher.ts'
import { Analyzer } from '../../src/text/analyzer.ts'

const judge = new Confidence(new Analyzer())
const WORDS =
  'yard charge berth day vessel storage period 2024 2025 18 restaurant Grand Hotel 泊位 位费 存放 每天 收费 船舶'
const known = new Set(new Analyzer().listTerms(WORDS))
const counts = { computeIdf: () => 3, hasTerm: (term: string) => known.has(term) }
const place = {
  chunkId: 'c',
  documentId: 'd',
  fileId: 'f',
  collectionId: 's',
  source: 'a.md',
  name: 'a.md',
  title: 'a',
}
const hitOf = (text: string, more: Partial<Hit> = {}): Hit => ({
  ...{
    ...place,
    score: 0.5,
    weak: false,
    headings: [],
    charStart: 0,
    charEnd: text.length,
    tokens: 9,
    attributes: {},
  },
  ...{ text, context: 'Contract of the yard', ...more },
})
const judged = (query: string, text: string, more?: Partial<Hit>) =>
  judge.judge(query, [hitOf(text, more)], { counts })[0]!
const surer = (query: string, text: string, than: string) =>
  expect(judged(query, text).confidence).toBeGreaterThan(judged(query, than).confidence ?? 1)

test('what one sentence says is surer than what words far apart say', () =>
  surer(
    'What does the yard charge for a berth?',
    'The yard may charge £18 for a berth. Vessels are kept dry.',
    'The yard is closed. A charge of powder is kept dry. A berth is a bed.',
  ))
test('a name that the passage lacks makes it less sure', () =>
  surer('Who owns the Grand Hotel?', 'The Grand Hotel is owned by A.', 'The hotel is owned by A.'))
test('so does a number', () =>
  surer('What does berth 18 cost a day?', 'Berth 18 costs £9 a day.', 'Berth 19 costs £9 a day.'))
test('and another time', () =>
  surer(
    'What did a berth cost in 2024?',
    'In 2024 a berth did cost £9.',
    'In 2025 a berth did cost £9, 2,024 of them.',
  ))
test('Chinese, simplified or traditional, is judged by its words as well', () => {
  surer('泊位每天收费多少？', '泊位每天收费九元。', '存放船舶须先登记。')
  expect(judged('泊位每天收费多少？', '泊位每天收費九元。').confidence).toBe(
    judged('泊位每天收费多少？', '泊位每天收费九元。').confidence,
  )
})

test('what is about something else is weak, in either language', () => {
  const strong = judged(
    'What does the yard charge for a berth?',
    'The yard may charge £18 for a berth.',
    {
      lift: 0.12,
    },
  )
  expect(strong.weak).toBe(false)
  expect(
    judged('Why do purple elephants sing opera?', 'The yard may charge £18.', { lift: 0.01 }).weak,
  ).toBe(true)
  expect(judged('泊位每天收费多少？', '泊位每天收费九元。', { lift: 0.12 }).weak).toBe(false)
  expect(judged('恐龙为什么灭绝了？', '泊位每天收费九元。', { lift: 0.01 }).weak).toBe(true)
})

test('what is in another language is weak where its search says so', () => {
  for (const weak of [true, false])
    expect(judged('泊位收费多少？', 'A berth is £18.', { weak, lift: 0.05 }).weak).toBe(weak)
})

test('words are found by their stems, from where a word begins, without accents', () => {
  const same = (query: string, text: string, other: string) =>
    expect(judged(query, text).confidence).toBe(judged(query, other).confidence)
  same('storage periods', 'The storage period ends.', 'The storage periods end.')
  same('café', 'A cafe is open.', 'A café is open.')
  surer('art', 'The art is shown.', 'The cart is shown.')
})

test('a hit is as sure whatever else is found', () => {
  const [one, other] = [hitOf('The yard may charge £18.'), hitOf('A berth is dry.')]
  const query = 'What does the yard charge?'
  expect(judge.judge(query, [one, other], { counts })[1]).toEqual(
    judge.judge(query, [other], { counts })[0],
  )
})
