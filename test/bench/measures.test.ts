import { describe, expect, test } from 'vitest'
import { kappaOf, summarise } from '../../bench/cite-check/agreement.ts'
import { readSource } from '../../bench/cite-check/document.ts'
import { advantageOf, figuresOf } from '../../bench/cite-check/figures.ts'
import { pairedBootstrap, wilson } from '../../bench/cite-check/intervals.ts'
import {
  markAnswer,
  type PeerAnswer,
  type PeerCitation,
  says,
} from '../../bench/cite-check/marking.ts'
import { type ProofQuestion, readQuestions } from '../../bench/cite-check/question-set.ts'
import { riskCoverage } from '../../bench/cite-check/risk-coverage.ts'

const POOL = readSource(
  'en-pool',
  `---
language: en
format: pdf
title: Pool
---
# Pool
The pool is 25 metres long. It opens at 7 a.m.
<!-- page -->
## Prices
| Ticket | Price (EUR) |
| --- | --- |
| Adult | 6 |
| Child | 3 |
Dogs are not allowed.
`,
)
const DOCUMENTS = new Map([[POOL.id, POOL]])
const [LENGTH, WIDTH, BOTH, , DOGS] = readQuestions(POOL, [
  'fact :: How long is the pool? :: 25 metres :: 25 metres long',
  '~ near word :: How wide is the pool?',
  'parts :: How long is it, and what does a child pay? :: 25 metres ; 3 :: 25 metres long // Child',
  '~ another row :: What does a student pay?',
  'yes-no :: Are dogs allowed? :: no :: Dogs are not allowed',
  '~ another thing :: Are cats allowed?',
]) as [ProofQuestion, ProofQuestion, ProofQuestion, ProofQuestion, ProofQuestion]

const cite = (quote: string, more: Partial<PeerCitation> = {}): PeerCitation => ({
  document: 'en-pool',
  quote,
  ...more,
})
const answer = (text: string, ...citations: PeerCitation[]): PeerAnswer => ({
  sentences: [{ text, citations }],
  refused: false,
})
const REFUSAL: PeerAnswer = { sentences: [], refused: true }
const mark = (question: ProofQuestion, given: PeerAnswer) => markAnswer(question, given, DOCUMENTS)

describe('existence', () => {
  test('words that stand in the document exist', () =>
    expect(firstCitation(LENGTH, cite('The pool is 25 metres long.')).exists).toBe(true))
  test('words that do not stand in it do not', () =>
    expect(firstCitation(LENGTH, cite('The pool is 50 metres long.')).exists).toBe(false))
  test('offsets have to lead to the very words', () => {
    const source = 'Pool\n\nThe pool is 25 metres long.'
    const at = (start: number) => ({ source, start, end: start + 27 })
    expect(
      firstCitation(LENGTH, cite('The pool is 25 metres long.', { offsets: at(6) })).exists,
    ).toBe(true)
    expect(
      firstCitation(LENGTH, cite('The pool is 25 metres long.', { offsets: at(5) })).exists,
    ).toBe(false)
  })
})

describe('location', () => {
  test('the page and section of the evidence', () =>
    expect(firstCitation(LENGTH, cite('It opens at 7 a.m.')).isPlaced).toBe(true))
  test('another section is another place', () =>
    expect(firstCitation(LENGTH, cite('Dogs are not allowed.')).isPlaced).toBe(false))
  test('a stated page is held against the page of the words', () => {
    expect(firstCitation(DOGS, cite('Dogs are not allowed.', { page: 2 })).pageIsRight).toBe(true)
    expect(firstCitation(DOGS, cite('Dogs are not allowed.', { page: 1 })).pageIsRight).toBe(false)
    expect(firstCitation(DOGS, cite('Dogs are not allowed.')).pageIsRight).toBeUndefined()
  })
})

describe('coverage', () => {
  test('a supported sentence with the fact is right', () =>
    expect(
      mark(LENGTH, answer('The pool is 25 metres long.', cite('The pool is 25 metres long.')))
        .isRight,
    ).toBe(true))
  test('a fact without a citation is not covered', () =>
    expect(mark(LENGTH, answer('The pool is 25 metres long.')).isRight).toBe(false))
  test('a fact whose citation does not say it is not covered', () =>
    expect(
      mark(LENGTH, answer('The pool is 25 metres long.', cite('It opens at 7 a.m.'))).isRight,
    ).toBe(false))
  test('each part counts', () => {
    const half = mark(
      BOTH,
      answer('The pool is 25 metres long.', cite('The pool is 25 metres long.')),
    )
    expect(half).toMatchObject({
      facts: 2,
      factsCovered: 1,
      evidence: 2,
      evidenceCited: 1,
      isRight: false,
    })
  })
  test('a yes that the evidence denies is wrong', () => {
    expect(mark(DOGS, answer('Dogs are not allowed.', cite('Dogs are not allowed.'))).isRight).toBe(
      true,
    )
    expect(
      mark(DOGS, answer('Yes, dogs are not allowed.', cite('Dogs are not allowed.'))).isRight,
    ).toBe(false)
  })
  test('3 is not said by 35, nor 25 metres by 25 euros', () => {
    expect(says('A child pays 35 euros.', '3')).toBe(false)
    expect(says('It costs 25 euros.', '25 metres')).toBe(false)
    expect(says('Its length is 25 m.', '25 metres')).toBe(true)
  })
})

describe('refusal', () => {
  test('to refuse is right where nothing is to be found', () =>
    expect(mark(WIDTH, REFUSAL).isRight).toBe(true))
  test('to answer is wrong there', () =>
    expect(
      mark(WIDTH, answer('The pool is 25 metres long.', cite('The pool is 25 metres long.')))
        .isRight,
    ).toBe(false))
  test('to refuse is wrong where there is an answer', () =>
    expect(mark(LENGTH, REFUSAL).isRight).toBe(false))

  test('the curve keeps the surest answers first', () => {
    const given = (confidence: number, isWrong: boolean) => ({
      answered: true,
      isWrong,
      confidence,
    })
    const { working, curve, area } = riskCoverage([
      given(0.9, false),
      given(0.8, true),
      given(0.7, false),
      { answered: false, isWrong: false },
    ])
    expect(working).toEqual({ coverage: 0.75, risk: 1 / 3 })
    expect(curve).toEqual([
      { coverage: 0.25, risk: 0 },
      { coverage: 0.5, risk: 0.5 },
      { coverage: 0.75, risk: 1 / 3 },
    ])
    expect(area).toBeCloseTo((0 + 1 / 2 + 1 / 3) / 3, 12)
  })
  test('answers that are equally sure are kept together', () => {
    const same = [true, false].map(isWrong => ({ answered: true, isWrong, confidence: 0.5 }))
    expect(riskCoverage(same).curve).toEqual([{ coverage: 1, risk: 0.5 }])
  })
  test('an answer without a confidence comes after those that have one', () => {
    const unsure = { answered: true, isWrong: true }
    expect(
      riskCoverage([unsure, { answered: true, isWrong: false, confidence: 0.1 }]).curve,
    ).toEqual([
      { coverage: 0.5, risk: 0 },
      { coverage: 1, risk: 0.5 },
    ])
  })
  test('a system without confidence is one point', () =>
    expect(riskCoverage([{ answered: true, isWrong: true }]).curve).toEqual([
      { coverage: 1, risk: 1 },
    ]))
})

describe('figures', () => {
  const supported = mark(
    LENGTH,
    answer('The pool is 25 metres long.', cite('The pool is 25 metres long.')),
  )
  const halfCited = mark(BOTH, {
    refused: false,
    sentences: [
      {
        text: 'The pool is 25 metres long.',
        citations: [cite('The pool is 25 metres long.'), cite('It opens at 7 a.m.')],
      },
      { text: 'It is heated.', citations: [] },
    ],
  })

  test('recall is of sentences, precision of citations', () => {
    const figures = figuresOf([supported, halfCited])
    expect(figures.citationRecall.value).toBeCloseTo(2 / 3, 12)
    expect(figures.citationPrecision.value).toBeCloseTo(2 / 3, 12)
    expect(figures.weightedRecall).toBeCloseTo(2 / 3, 12)
    expect(figures.weightedPrecision).toBe(1)
    expect(figures.coverage).toBeCloseTo((1 + 1 / 2) / 2, 12)
    expect(figures.right.value).toBe(0.5)
  })
  test('an advantage is of the same questions', () => {
    const refused = mark(LENGTH, REFUSAL)
    expect(advantageOf([supported], [refused], () => 'en-pool')).toEqual({
      value: 1,
      low: 1,
      high: 1,
    })
  })
})

describe('intervals', () => {
  test("Wilson's, by hand: 8 of 10", () => {
    const { value, low, high } = wilson(8, 10)
    expect(value).toBe(0.8)
    expect(low).toBeCloseTo(0.4902, 4)
    expect(high).toBeCloseTo(0.9433, 4)
  })
  test('of none of 10 it begins at nought', () =>
    expect(wilson(0, 10)).toMatchObject({ value: 0, low: 0 }))
  test('the bootstrap is the same each time, and holds the mean', () => {
    const differences = new Map([
      ['a', [1, 0, 1]],
      ['b', [0, 0, -1]],
      ['c', [1, 1, 0]],
    ])
    const first = pairedBootstrap(differences)
    expect(first).toEqual(pairedBootstrap(differences))
    expect(first.value).toBeCloseTo(1 / 3, 12)
    expect(first.low).toBeLessThan(first.value)
    expect(first.high).toBeGreaterThan(first.value)
  })
  test("Cohen's kappa, by hand: 0.7 agreed, half said yes by each", () =>
    expect(kappaOf(0.7, 0.5, 0.5)).toBeCloseTo(0.4, 12))
  test('agreement is counted by label', () => {
    const { exact, supported, table } = summarise([
      { label: 'full', verdict: 'full' },
      { label: 'none', verdict: 'partial' },
    ])
    expect([exact.value, supported.value, table.none?.partial]).toEqual([0.5, 1, 1])
  })
})

const firstCitation = (question: ProofQuestion, citation: PeerCitation) =>
  mark(question, answer('The pool is 25 metres long.', citation)).sentences[0]!.citations[0]!
