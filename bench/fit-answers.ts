/**
 * Fits the weights by which an answer without a model chooses its evidence, and refuses: logistic regression over the
 * development sets, where what holds a question's evidence is right and the best of the rest is wrong.
 * usage: npx tsx bench/fit-answers.ts [SET...]   (writes src/answer/evidence/weights.ts)
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { EvidenceRanker } from '../src/answer/evidence/evidence.ts'
import { FEATURES } from '../src/answer/evidence/features.ts'
import { VectorMeaning } from '../src/answer/evidence/meaning.ts'
import { parseQuestion } from '../src/answer/question/parse.ts'
import { evaluationCollection } from '../src/app/evaluation/evaluations.ts'
import { readQuestionSet } from '../src/app/evaluation/question-set.ts'
import { openParts } from '../src/app/open-parts.ts'
import { Passim } from '../src/app.ts'
import { loadSettings } from '../src/config.ts'
import { languageOf } from '../src/text/language.ts'
import { WordRarity } from '../src/text/rarity.ts'

const EVAL = fileURLToPath(new URL('../test/eval', import.meta.url))
const SETS =
  process.argv.slice(2).length > 0
    ? process.argv.slice(2)
    : ['calibration', 'mixed', 'long', 'kinds', 'real', 'real-more', 'tables', 'scope', 'twins']
const ROUNDS = 8
const NEGATIVES = 4
const RIDGE = 0.5

type Row = { features: readonly number[]; isRight: boolean }
type Asked = {
  id: string
  set: string
  question: string
  language: string
  isAnswerable: boolean
  rows: readonly Row[]
}

const home = process.env.PASSIM_HOME ?? path.join(homedir(), '.cache/passim-bench')
const settings = await loadSettings({ home, environment: {} })
const parts = await openParts(settings, {})
const passim = new Passim(parts)
const asked: Asked[] = []
try {
  const scores = fileURLToPath(new URL('../data/lexicon/word-scores.tsv', import.meta.url))
  const rarity = existsSync(scores) ? new WordRarity(() => readFileSync(scores, 'utf8')) : undefined
  const { embedder, searching } = parts
  const ranker = new EvidenceRanker({
    reader: passim.library,
    rarity,
    meaning: new VectorMeaning(embedder, searching.sentenceVectors, searching.priors),
  })
  for (const set of SETS) asked.push(...(await read(set, ranker)))
} finally {
  await passim.close()
}
const { weights, bias } = fitted(asked)
const threshold = thresholdOf(asked, weights, bias)
report(asked, weights, bias)
write(weights, bias, threshold)

async function read(set: string, ranker: EvidenceRanker): Promise<readonly Asked[]> {
  const folder = path.join(EVAL, set)
  const name = evaluationCollection(folder)
  const { documents, questions } = await readQuestionSet(folder)
  await passim.collections.ensure(name, { hidden: true })
  await passim.index([documents], { collection: name })
  const all: Asked[] = []
  for (const gold of questions) {
    const language = languageOf(gold.question)
    const question = parseQuestion(gold.question, language)
    const hits = await passim.search({ query: gold.question, collections: [name], limit: 10 })
    const rankings = []
    for (const part of question.parts.length > 0 ? question.parts : [question])
      rankings.push((await ranker.rank(part, hits.slice(0, 8))).ranking)
    for (const ranking of rankings) {
      const own = ranking.filter(({ candidate }) => candidate.selection || candidate.language === language)
      const rows = own.map(({ candidate, features }): Row => {
        const { statement } = candidate
        const text = statement.text
        const isRight = gold.answerable && holdsEvidence(gold, statement.passage.name, text)
        return { features: FEATURES.map(feature => features[feature]), isRight }
      })
      if (rows.length === 0) continue
      if (gold.answerable && !rows.some(row => row.isRight)) continue
      all.push({
        id: gold.id,
        set,
        question: gold.question,
        language,
        isAnswerable: gold.answerable,
        rows: cleaned(rows),
      })
    }
  }
  console.error(set, all.length)
  return all
}

/** Of several rows with the same short evidence, the ones with most of the question's words. */
function cleaned(rows: readonly Row[]): readonly Row[] {
  const at = FEATURES.indexOf('context')
  const best = Math.max(...rows.filter(row => row.isRight).map(row => row.features[at]!))
  return rows.map(row => ({ ...row, isRight: row.isRight && row.features[at]! >= best - 0.15 }))
}

type Gold = Awaited<ReturnType<typeof readQuestionSet>>['questions'][number]

function holdsEvidence({ doc, evidence = '', mustInclude }: Gold, name: string, text: string): boolean {
  if (doc && doc !== name) return false
  const [wanted, found] = [squeeze(evidence), squeeze(text)]
  const holdsOne = mustInclude.some(group => group.some(member => found.includes(squeeze(member))))
  if (wanted !== '' && found.includes(wanted)) return holdsOne || wanted.length > 12
  if (!holdsOne) return false
  const [evidenceGrams, own] = [grams(wanted), grams(found)]
  const shared = [...evidenceGrams].filter(gram => own.has(gram)).length
  return wanted === '' || shared >= 0.5 * evidenceGrams.size || shared >= 0.6 * own.size
}

/** Evidence may be given as it stands in the file: without tags, and without what parts cells. */
function squeeze(text: string): string {
  return text
    .replace(/<[^>]{0,200}>/g, '')
    .replace(/[\s|,，;]+/g, '')
    .toLowerCase()
}

function grams(text: string): ReadonlySet<string> {
  return new Set(Array.from({ length: Math.max(1, text.length - 3) }, (_, at) => text.slice(at, at + 4)))
}

/** Each round takes the wrong rows that the weights of the round before put first. */
function fitted(all: readonly Asked[]): { weights: readonly number[]; bias: number } {
  let weights: readonly number[] = FEATURES.map(() => 0)
  let bias = 0
  for (let round = 0; round < ROUNDS; round++) {
    const samples = all.flatMap(({ rows, isAnswerable }) => {
      const byScore = rows.toSorted((a, b) => sum(b.features, weights) - sum(a.features, weights))
      const wrong = byScore.filter(row => !row.isRight).slice(0, NEGATIVES)
      const right = byScore.filter(row => row.isRight).slice(0, 1)
      const share = isAnswerable ? 0.5 : 1.5
      return [
        ...right.map(row => ({ x: row.features, y: 1, w: 1 })),
        ...wrong.map((row, at) => ({ x: row.features, y: 0, w: share * [0.55, 0.2, 0.15, 0.1][at]! })),
      ]
    })
    ;({ weights, bias } = logistic(samples, weights, bias))
  }
  return { weights, bias }
}

type Sample = { x: readonly number[]; y: number; w: number }

/** Newton's method with a ridge, so that the numbers are the same on every run. */
function logistic(samples: readonly Sample[], from: readonly number[], fromBias: number) {
  const size = from.length + 1
  let beta = [...from, fromBias]
  for (let step = 0; step < 25; step++) {
    const gradient = Array.from({ length: size }, (_, at) => (at < from.length ? -RIDGE * beta[at]! : 0))
    const hessian = Array.from({ length: size }, (_, at) =>
      Array.from({ length: size }, (_, other) => (at === other ? (at < from.length ? RIDGE : 1e-6) : 0)),
    )
    for (const { x, y, w } of samples) {
      const row = [...x, 1]
      const p = 1 / (1 + Math.exp(-row.reduce((total, value, at) => total + value * beta[at]!, 0)))
      for (let i = 0; i < size; i++) {
        gradient[i]! += w * (y - p) * row[i]!
        for (let j = 0; j < size; j++) hessian[i]![j]! += w * p * (1 - p) * row[i]! * row[j]!
      }
    }
    const delta = solve(hessian, gradient)
    beta = beta.map((value, at) => value + delta[at]!)
    if (Math.max(...delta.map(Math.abs)) < 1e-6) break
  }
  return { weights: beta.slice(0, -1), bias: beta.at(-1)! }
}

function solve(matrix: readonly (readonly number[])[], vector: readonly number[]): number[] {
  const rows = matrix.map((row, at) => [...row, vector[at]!])
  for (let column = 0; column < rows.length; column++) {
    const pivot = rows
      .slice(column)
      .reduce((best, row, at) => (Math.abs(row[column]!) > Math.abs(rows[best]![column]!) ? column + at : best), column)
    ;[rows[column], rows[pivot]] = [rows[pivot]!, rows[column]!]
    for (let other = 0; other < rows.length; other++) {
      if (other === column) continue
      const factor = rows[other]![column]! / rows[column]![column]!
      for (let at = column; at <= rows.length; at++) rows[other]![at]! -= factor * rows[column]![at]!
    }
  }
  return rows.map((row, at) => row.at(-1)! / row[at]!)
}

function sum(features: readonly number[], weights: readonly number[]): number {
  return features.reduce((total, value, at) => total + value * weights[at]!, 0)
}

type Judged = Asked & { score: number; isFirst: boolean }

/** For each threshold and language: how many answerable questions have right evidence first, are refused, and how many others are. */
function report(all: readonly Asked[], weights: readonly number[], bias: number): void {
  const judged = all.map((one): Judged => {
    const [best] = one.rows.toSorted((a, b) => sum(b.features, weights) - sum(a.features, weights))
    return { ...one, score: likelihood(best!, weights, bias), isFirst: best!.isRight } // none is without rows
  })
  for (const threshold of [0.3, 0.35, 0.4, 0.45, 0.5, 0.55, 0.6])
    console.log(
      threshold,
      ['en', 'zh']
        .map(language =>
          row(
            judged.filter(one => one.language === language),
            threshold,
          ),
        )
        .join(' | '),
    )
  for (const set of SETS) {
    const own = judged.filter(one => one.set === set && one.isAnswerable)
    console.log(set, 'right evidence first', own.filter(one => one.isFirst).length, 'of', own.length)
  }
}

function row(judged: readonly Judged[], threshold: number): string {
  const answerable = judged.filter(one => one.isAnswerable)
  const other = judged.filter(one => !one.isAnswerable)
  const share = (list: readonly Judged[], test: (one: Judged) => boolean) =>
    (list.filter(test).length / list.length).toFixed(3)
  const [right, wrongly, rightly] = [
    share(answerable, one => one.isFirst && one.score >= threshold),
    share(answerable, one => one.score < threshold),
    share(other, one => one.score < threshold),
  ]
  return `${judged[0]?.language}: right ${right} refused wrongly ${wrongly} of ${answerable.length}, rightly ${rightly} of ${other.length}`
}

function likelihood({ features }: Row, weights: readonly number[], bias: number): number {
  return 1 / (1 + Math.exp(-sum(features, weights) - bias))
}

/** The likelihood from which on three quarters of the questions without an answer are refused: the mean of both languages. */
function thresholdOf(all: readonly Asked[], weights: readonly number[], bias: number): number {
  const least = ['en', 'zh'].map(language => {
    const scores = all
      .filter(one => !one.isAnswerable && one.language === language)
      .map(one => Math.max(...one.rows.map(each => likelihood(each, weights, bias))))
      .toSorted((a, b) => a - b)
    return scores[Math.ceil(0.75 * scores.length)] ?? 0.5
  })
  return least.reduce((total, one) => total + one, 0) / least.length
}

function write(weights: readonly number[], bias: number, threshold: number): void {
  const lines = FEATURES.map((feature, at) => `  ${feature}: ${Number(weights[at]!.toFixed(3))},`)
  const text = `import type { FeatureName } from './features.ts'

/** Fitted by bench/fit-answers.ts on ${SETS.join('/, ')}/ of test/eval, ${new Date().toISOString().slice(0, 10)}. */
export const BIAS = ${bias.toFixed(3)}

/** From this likelihood on a statement answers, at the usual strictness. */
export const THRESHOLD = ${threshold.toFixed(3)}

export const WEIGHTS: Readonly<Record<FeatureName, number>> = {
${lines.join('\n')}
}
`
  writeFileSync(fileURLToPath(new URL('../src/answer/evidence/weights.ts', import.meta.url)), text)
  writeTable(weights, bias, threshold)
}

/** ARCHITECTURE.md has them, too, with what they mean. */
function writeTable(weights: readonly number[], bias: number, threshold: number): void {
  const file = fileURLToPath(new URL('../ARCHITECTURE.md', import.meta.url))
  const weightOf = new Map<string, number>(FEATURES.map((feature, at) => [feature, weights[at]!]))
  const text = readFileSync(file, 'utf8')
    .replace(/^\| `(\w+)` \| -?[\d.]+ \|/gm, (line, name: string) => {
      const weight = weightOf.get(name)
      return weight === undefined ? line : `| \`${name}\` | ${weight.toFixed(3)} |`
    })
    .replace(/the bias is -?[\d.]+,/, `the bias is ${Number(bias.toFixed(3))},`)
    .replace(/one threshold, [\d.]+,/, `one threshold, ${Number(threshold.toFixed(3))},`)
  writeFileSync(file, text)
}
