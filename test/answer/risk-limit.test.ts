import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { type JudgedAnswers, limitRisk } from '../../src/answer/risk-limit.ts'

const RISKS = [0.05, 0.1, 0.15, 0.2, 0.25, 0.3]
const SPLITS = 100

type ByLanguage = Readonly<Record<'en' | 'zh', JudgedAnswers>>

const { claims, ...answers }: ByLanguage & { readonly claims: ByLanguage } = JSON.parse(
  readFileSync(new URL('../../data/calibration.json', import.meta.url), 'utf8'),
)

type Question = { readonly confidence?: number; readonly isWrong: boolean }

/** Draws numbers from 0 to below 1 (Park and Miller 1988). */
function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 48_271) % 2_147_483_647
    return state / 2_147_483_647
  }
}

function listQuestions({ asked, right, wrong }: JudgedAnswers): readonly Question[] {
  const refused = asked - right.length - wrong.length
  return [
    ...right.map(confidence => ({ confidence, isWrong: false })),
    ...wrong.map(confidence => ({ confidence, isWrong: true })),
    ...Array.from({ length: refused }, () => ({ isWrong: false })),
  ]
}

function judge(questions: readonly Question[]): JudgedAnswers {
  const select = (isWrong: boolean) =>
    questions.flatMap(question =>
      question.confidence === undefined || question.isWrong !== isWrong
        ? []
        : [question.confidence],
    )
  return { asked: questions.length, right: select(false), wrong: select(true) }
}

function measureRisk(questions: readonly Question[], minConfidence: number): number {
  const given = questions.filter(({ confidence = -1 }) => confidence >= minConfidence)
  return given.filter(({ isWrong }) => isWrong).length / Math.max(1, given.length)
}

test.each([
  ['questions, en', answers.en],
  ['questions, zh', answers.zh],
  ["a model's sentences, en", claims.en],
  ["a model's sentences, zh", claims.zh],
])('a limit set on one half keeps its risk on the other: %s', (_, judged) => {
  const random = createRandom(60)
  const questions = listQuestions(judged)
  for (const risk of RISKS) {
    const kept = Array.from({ length: SPLITS }, () => {
      const drawn = questions
        .map(question => ({ question, at: random() }))
        .toSorted((a, b) => a.at - b.at)
        .map(({ question }) => question)
      const half = drawn.length >> 1
      const { minConfidence } = limitRisk(judge(drawn.slice(0, half)), risk)
      return measureRisk(drawn.slice(half), minConfidence) <= risk
    }).filter(Boolean)
    expect(kept.length, `risk ${risk}`).toBeGreaterThanOrEqual(95)
  }
})

test('a limit fails to keep its true risk in at most 5 % of the draws, also where risk does not fall with confidence', () => {
  const random = createRandom(7)
  const chanceOfWrong = (confidence: number) => (confidence > 0.95 ? 0.3 : (1 - confidence) / 2)
  const draw = () =>
    Array.from({ length: 1_000 }, () => {
      const confidence = random()
      return { confidence, isWrong: random() < chanceOfWrong(confidence) }
    })
  const population = listQuestions(judge(Array.from({ length: 50 }, draw).flat()))
  const limits = Array.from({ length: 200 }, () => limitRisk(judge(draw()), 0.2))
  const failed = limits.filter(({ minConfidence }) => measureRisk(population, minConfidence) > 0.2)
  expect(limits.filter(({ coverage }) => coverage > 0.3).length).toBeGreaterThan(150)
  expect(failed.length).toBeLessThanOrEqual(10)
})

test('too few answers prove nothing, so all are refused; any risk accepts all', () => {
  const right = Array.from({ length: 59 }, () => 0.97)
  expect(limitRisk({ asked: 100, right: right.slice(30), wrong: [] }, 0.05)).toMatchObject({
    minConfidence: Number.POSITIVE_INFINITY,
    coverage: 0,
    unlimited: 0.29,
  })
  const many = limitRisk({ asked: 400, right: [...right, ...right], wrong: [0.1] }, 0.05)
  expect(many.minConfidence).toBeLessThanOrEqual(0.9)
  expect(many.coverage).toBeCloseTo(118 / 400, 2)
  expect(limitRisk({ asked: 2, right: [0.4], wrong: [0.1] }, 1)).toMatchObject({
    coverage: 1,
  })
})
