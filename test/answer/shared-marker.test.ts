import { expect, test } from 'vitest'
import { parseQuestion } from '../../src/answer/question/parse.ts'
import { composeAnswer } from '../../src/answer/quoting/answer-text.ts'
import type { Quote } from '../../src/answer/quoting/selection.ts'

const TEXT = 'The dory costs 20 euros. It is blue. The skiff costs 30 euros.'
const PLACE = {
  id: 1,
  documentId: 'd',
  source: '/d',
  name: 'd',
  title: '',
  headings: [],
  context: '',
  parts: [],
}
const quoteOf = (words: string): Quote => {
  const start = TEXT.indexOf(words)
  return {
    passage: { ...PLACE, charStart: 0, charEnd: TEXT.length, text: TEXT },
    span: { start, end: start + words.length },
  }
}
const question = parseQuestion('What does the dory cost, and which boat is blue?', 'en')

test.each([
  [
    ['The dory costs 20 euros.', 'The dory costs 20 euros. It is blue.'],
    ['The dory costs 20 euros. It is blue.'],
  ],
  [
    ['The dory costs 20 euros. It is blue.', 'It is blue.'],
    ['The dory costs 20 euros. It is blue.'],
  ],
  [
    ['The dory costs 20 euros.', 'The skiff costs 30 euros.'],
    ['The dory costs 20 euros.', 'The skiff costs 30 euros.'],
  ],
])('of %j %j is quoted, and nothing twice', (shown, cited) => {
  const answered = shown.map(words => ({ label: '', quotes: [quoteOf(words)], more: 0 }))
  const { text, quotes } = composeAnswer(question, answered)
  expect(quotes.map(({ span }) => TEXT.slice(span.start, span.end))).toEqual(cited)
  expect(text.split('\n').slice(1)).toEqual(cited.map((words, at) => `${words} [${at + 1}]`))
})
