import { expect, test } from 'vitest'
import {
  computeRates,
  type JudgedQuestion,
  judgeAnswer,
} from '../../../src/app/evaluation/answer-metrics.ts'
import type { Answer } from '../../fakes/answers.ts'

const VERIFIED = { quoteVerified: true, verified: true, support: 'stated' } as const

const QUESTION: JudgedQuestion = {
  id: 'q1',
  question: 'How long is the warranty?',
  answerable: true,
  mustInclude: [['36 months', 'three years']],
  doc: 'pump.pdf',
  pages: [4],
  evidence: 'The warranty period is 36 months',
}

function answerOf(text: string, more: Partial<Answer> = {}, page = 4): Answer {
  const place = {
    documentId: 'd',
    source: '/pump.pdf',
    doc: 'pump.pdf',
    headings: [],
    page,
    charStart: 0,
    charEnd: 9,
  }
  const citations = [
    { marker: 1, ...place, text: 'The warranty period is 36 months.', ...VERIFIED },
  ]
  return {
    question: QUESTION.question,
    answer: text,
    abstained: false,
    mode: 'extractive',
    citations,
    ...more,
  }
}

test('an answer that holds a member of every group is correct, however it is spaced', () => {
  expect(judgeAnswer(QUESTION, answerOf('It is 36  Months [1].'))).toEqual({
    correct: true,
    wronglyAbstained: false,
    documentHit: true,
    pageHit: true,
    evidenceHit: true,
  })
})

test('another page and other words are no hits', () => {
  const citations = answerOf('').citations.map(citation => ({
    ...citation,
    page: 5,
    text: 'Keep it dry.',
  }))
  const judged = judgeAnswer(QUESTION, answerOf('24 months', { citations }))
  expect(judged).toMatchObject({
    correct: false,
    documentHit: true,
    pageHit: false,
    evidenceHit: false,
  })
})

test('a refusal is wrong where there is an answer, and right where there is none', () => {
  const refusal = answerOf('It does not say.', { abstained: true, citations: [] })
  expect(judgeAnswer(QUESTION, refusal)).toMatchObject({ correct: false, wronglyAbstained: true })
  expect(judgeAnswer({ ...QUESTION, answerable: false }, refusal)).toEqual({
    rightlyAbstained: true,
  })
})

test('a number inside a longer number does not count', () => {
  const asked = { ...QUESTION, mustInclude: [['4.2']] }
  expect(judgeAnswer(asked, answerOf('It is 14.2 or 4.25.')).correct).toBe(false)
  expect(judgeAnswer(asked, answerOf('It is 4.2.')).correct).toBe(true)
})

test('a measure counts only the questions that it applies to, with its interval', () => {
  const rates = computeRates([{ correct: true }, { correct: false }, { rightlyAbstained: true }])
  expect(rates.correct).toMatchObject({ rate: 0.5, count: 2 })
  expect(rates.rightlyAbstained).toMatchObject({ rate: 1, count: 1 })
  const [low, high] = rates.correct?.ci95 ?? [0, 0]
  expect(low).toBeCloseTo(0.0945, 3) // Wilson, by hand
  expect(high).toBeCloseTo(0.9055, 3)
})
