/**
 * Writes data/calibration.json, by which `answering.maxRisk` chooses how certain an answer has to be, and prints and draws what each
 * risk costs.
 * usage: npx tsx bench/calibrate.ts ANSWERS.jsonl.gz [EVAL.json...]
 *
 * ANSWERS.jsonl.gz are raw outputs of `npm run proof -- answers --peers passim`, marked as in docs/proof.md; each EVAL.json is the output
 * of `passim eval SET --extractive --json` on a development set of test/eval. The weights of answers are fitted on these questions, too.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { type Calibration, type JudgedAnswers, limitRisk } from '../src/answer/risk-limit.ts'
import { collectCalibration } from '../src/app/answer-risk.ts'
import type { AnswerEvaluationResult } from '../src/wire/evaluation.ts'
import { markAnswer } from './cite-check/marking.ts'
import { riskPlot } from './cite-check/plots.ts'
import { readQuestionSet } from './cite-check/question-set.ts'
import { riskCoverage } from './cite-check/risk-coverage.ts'
import { isRemark } from './peers/peer.ts'
import { readPublished } from './proof/answers.ts'
import { CITE_CHECK, RESULTS } from './proof/options.ts'

const RISKS = [0.05, 0.1, 0.15, 0.2, 0.25, 0.3]
const LANGUAGES = ['en', 'zh'] as const
/** More digits than a limit tells apart. */
const DIGITS = 3

type Judged = Parameters<typeof collectCalibration>[0][number]

const [raw, ...evaluations] = process.argv.slice(2)
if (!raw) throw new Error('usage: calibrate.ts ANSWERS.jsonl.gz [EVAL.json...]')
const questions = [...readMarked(raw), ...evaluations.flatMap(readEvaluation)]
const calibration = collectCalibration(questions)
const sorted = Object.fromEntries(
  LANGUAGES.map(language => [language, sortJudged(calibration[language])]),
)
const file = fileURLToPath(new URL('../data/calibration.json', import.meta.url))
const { claims } = JSON.parse(readFileSync(file, 'utf8')) // of bench/fit-claims.ts
writeFileSync(file, `${JSON.stringify({ ...sorted, claims })}\n`)
writeFileSync(`${RESULTS}calibration.svg`, drawCurves(calibration))
for (const language of LANGUAGES) {
  const judged = calibration[language]
  console.log(`${language}: ${judged.asked} questions`)
  for (const risk of RISKS) {
    const { minConfidence, coverage, unlimited } = limitRisk(judged, risk)
    console.log(
      `  risk ${risk}: from ${minConfidence.toFixed(2)}, answers ${(100 * coverage).toFixed(1)} % instead of ${(100 * unlimited).toFixed(1)} %`,
    )
  }
}

function readMarked(file: string): readonly Judged[] {
  const { questions, documents } = readQuestionSet(CITE_CHECK)
  const byId = new Map(questions.map(question => [question.id, question]))
  return readPublished(gunzipSync(readFileSync(file)).toString('utf8')).map(answer => {
    const question = byId.get(answer.id)
    if (!question) throw new Error(`${file}: no question ${answer.id}`)
    const sentences = answer.sentences.filter(sentence => !isRemark(sentence))
    const { isRight } = markAnswer(question, { ...answer, sentences }, documents)
    const { refused: abstained, confidence } = answer
    return { answer: { question: question.question, abstained, confidence }, correct: isRight }
  })
}

function readEvaluation(file: string): readonly Judged[] {
  const { questions }: AnswerEvaluationResult = JSON.parse(readFileSync(file, 'utf8'))
  return questions
}

function sortJudged({ asked, right, wrong }: JudgedAnswers): JudgedAnswers {
  const round = (confidences: readonly number[]) =>
    confidences.map(value => Number(value.toFixed(DIGITS))).toSorted((a, b) => b - a)
  return { asked, right: round(right), wrong: round(wrong) }
}

function drawCurves(calibration: Calibration): string {
  const lines = LANGUAGES.map(language => {
    const { asked, right, wrong } = calibration[language]
    const refused = Array.from({ length: asked - right.length - wrong.length }, () => {
      return { answered: false, isWrong: false }
    })
    const answered = [...right, ...wrong].map((confidence, index) => {
      return { answered: true, isWrong: index >= right.length, confidence }
    })
    return { name: language, risk: riskCoverage([...answered, ...refused]) }
  })
  return riskPlot('Risk and coverage, calibration', lines)
}
