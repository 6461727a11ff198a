/**
 * Fits the weights by which an answer without a model chooses its evidence, and refuses: logistic regression over the
 * development sets, where what holds a question's evidence is right and the best of the rest is wrong. Tells what that is worth to
 * documents that it was not fitted on, and where answers are lost: by weights that were fitted on the other documents.
 * usage: npx tsx bench/fit-answers.ts [--report] [SET...]   (writes src/answer/evidence/weights.ts, unless only a report is asked for)
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { FEATURES } from '../src/answer/evidence/features.ts'
import { type Asked, DEVELOPMENT_SETS, type Row, readRows } from './answer-rows.ts'

const given = process.argv.slice(2).filter(argument => !argument.startsWith('--'))
const SETS = given.length > 0 ? given : DEVELOPMENT_SETS
const ROUNDS = 8
/** What the best wrong rows of a question weigh. */
const NEGATIVES = [0.55, 0.2, 0.15, 0.1]
const RIDGE = 0.5
const FOLDS = 8
/** Of questions without an answer so many are to be refused. */
const REFUSED = 0.75
/** Shares of refused questions for which coverage and risk are told. */
const CURVE = [0.3, 0.4, 0.5, 0.6, 0.7, 0.75, 0.8, 0.9]

type Model = { readonly weights: readonly number[]; readonly bias: number }
type Judged = Asked & { readonly score: number; readonly best: Row | undefined }
type Fate = 'right' | 'not found' | 'no candidate' | 'ranked below' | 'below the threshold'

const asked = await readRows(SETS)
const judged = crossValidated(asked)
report(judged)
if (!process.argv.includes('--report')) write(fitted(asked), thresholdOf(judged, REFUSED))

/** Each question by a model that was fitted without its document. */
function crossValidated(all: readonly Asked[]): readonly Judged[] {
  const documents = [...new Set(all.map(documentOf))].toSorted((a, b) => mixed(a) - mixed(b))
  const foldOf = new Map(documents.map((document, at) => [document, at % FOLDS]))
  return Array.from({ length: FOLDS }, (_, fold) => {
    const isOwn = (one: Asked) => foldOf.get(documentOf(one)) === fold
    const model = fitted(all.filter(one => !isOwn(one)))
    return all.filter(isOwn).map(one => judgedBy(one, model))
  }).flat()
}

function documentOf({ set, document }: Asked): string {
  return `${set}/${document}`
}

/** The same order on every run, and no order of names. */
function mixed(name: string): number {
  return [...name].reduce((sum, character) => (Math.imul(sum, 31) + character.codePointAt(0)!) >>> 0, 7)
}

function judgedBy(one: Asked, model: Model): Judged {
  const best = one.rows.toSorted((a, b) => logit(b, model) - logit(a, model))[0]
  return { ...one, best, score: best ? likelihood(best, model) : 0 }
}

/** Each round takes the wrong rows that the weights of the round before put first. What search did not find teaches nothing. */
function fitted(all: readonly Asked[]): Model {
  const known = all.filter(
    ({ rows, isAnswerable }) => rows.length > 0 && (!isAnswerable || rows.some(row => row.isRight)),
  )
  let model: Model = { weights: FEATURES.map(() => 0), bias: 0 }
  for (let round = 0; round < ROUNDS; round++) {
    const samples = known.flatMap(({ rows, isAnswerable }) => {
      const byScore = rows.toSorted((a, b) => logit(b, model) - logit(a, model))
      const wrong = byScore.filter(row => !row.isRight).slice(0, NEGATIVES.length)
      const right = byScore.filter(row => row.isRight).slice(0, 1)
      const share = isAnswerable ? 0.5 : 1.5
      return [
        ...right.map(row => ({ x: row.features, y: 1, w: 1 })),
        ...wrong.map((row, at) => ({ x: row.features, y: 0, w: share * NEGATIVES[at]! })),
      ]
    })
    model = logistic(samples, model)
  }
  return model
}

type Sample = { readonly x: readonly number[]; readonly y: number; readonly w: number }

/** Newton's method with a ridge, so that the numbers are the same on every run. */
function logistic(samples: readonly Sample[], from: Model): Model {
  const size = from.weights.length + 1
  const isBias = (at: number) => at === size - 1
  let beta = [...from.weights, from.bias]
  for (let step = 0; step < 25; step++) {
    const gradient = beta.map((value, at) => (isBias(at) ? 0 : -RIDGE * value))
    const hessian = beta.map((_, at) => beta.map((_, other) => (at === other ? (isBias(at) ? 1e-6 : RIDGE) : 0)))
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

function logit({ features }: Row, { weights, bias }: Model): number {
  return features.reduce((total, value, at) => total + value * weights[at]!, bias)
}

function likelihood(row: Row, model: Model): number {
  return 1 / (1 + Math.exp(-logit(row, model)))
}

/** The likelihood from which on a share of the questions without an answer is refused: the mean of both languages. */
function thresholdOf(all: readonly Judged[], refused: number): number {
  const least = ['en', 'zh'].map(language => {
    const scores = all.filter(one => !one.isAnswerable && one.language === language).map(one => one.score)
    return scores.toSorted((a, b) => a - b)[Math.ceil(refused * scores.length)] ?? 0.5
  })
  return least.reduce((total, one) => total + one, 0) / least.length
}

/** By language and set where answers are lost, then how risk falls with coverage. */
function report(all: readonly Judged[]): void {
  const threshold = thresholdOf(all, REFUSED)
  for (const language of ['en', 'zh'])
    for (const set of ['all', ...SETS]) {
      const own = all.filter(one => one.language === language && (set === 'all' || one.set === set))
      const fates = own.filter(one => one.isAnswerable).map(one => fateOf(one, threshold))
      const counts = [...new Set(fates)].map(fate => `${fate} ${fates.filter(one => one === fate).length}`).toSorted()
      const other = own.filter(one => !one.isAnswerable)
      const refused = other.filter(one => one.score < threshold).length
      console.log(
        `${language} ${set} of ${fates.length}: ${counts.join(', ')}; rightly refused ${refused} of ${other.length}`,
      )
    }
  console.log('| refused rightly | English: answered rightly, wrongly, refused | Chinese |\n|---|---|---|')
  for (const refused of CURVE) {
    const shares = ['en', 'zh'].map(language => sharesAt(all, language, thresholdOf(all, refused)))
    console.log(`| ${refused} | ${shares.join(' | ')} |`)
  }
}

/** Of a language's answerable questions those answered rightly, with something else, and refused. */
function sharesAt(all: readonly Judged[], language: string, threshold: number): string {
  const answerable = all.filter(one => one.isAnswerable && one.language === language)
  const answered = answerable.filter(one => one.score >= threshold)
  const right = answered.filter(one => one.best?.isRight).length
  const counts = [right, answered.length - right, answerable.length - answered.length]
  return counts.map(count => (count / answerable.length).toFixed(2)).join(', ')
}

function fateOf({ rows, best, score, isFound }: Judged, threshold: number): Fate {
  if (!rows.some(row => row.isRight)) return isFound ? 'no candidate' : 'not found'
  if (!best?.isRight) return 'ranked below'
  return score < threshold ? 'below the threshold' : 'right'
}

function write({ weights, bias }: Model, threshold: number): void {
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
  writeTable({ weights, bias }, threshold)
}

/** ARCHITECTURE.md has them, too, with what they mean. */
function writeTable({ weights, bias }: Model, threshold: number): void {
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
