/**
 * Fits what a hit's confidence and `weak` are computed by: two logistic regressions over the best hits of the development
 * sets' questions. One tells questions with an answer from near misses and nonsense, the other those about the documents from nonsense.
 * Fitted on every other document of each set, in the order of their names, and every other question of those that are of none;
 * measured on the rest.
 * usage: npx tsx bench/fit-confidence.ts [SET...]   (writes src/search/confidence-weights.ts)
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { evaluationCollection } from '../src/app/evaluation/evaluations.ts'
import { openParts } from '../src/app/open-parts.ts'
import { Passim } from '../src/app.ts'
import { loadSettings } from '../src/config.ts'
import { Confidence, FEATURES, type FeatureName, type Features } from '../src/search/confidence.ts'
import { TermRarity } from '../src/search/term-rarity.ts'
import { Analyzer } from '../src/text/analyzer.ts'
import { type Language, languageOf } from '../src/text/language.ts'

const EVAL = fileURLToPath(new URL('../test/eval', import.meta.url))
const SETS =
  process.argv.slice(2).length > 0
    ? process.argv.slice(2)
    : ['calibration', 'mixed', 'kinds', 'tables', 'scope', 'twins', 'long', 'real', 'real-more']
/** All nonsense is asked of every set; so much counts one of them beside a question of the set's own. */
const NONSENSE_WEIGHT = 0.3
const RIDGE = 0.3
const TELL_RELATED: readonly FeatureName[] = ['passage', 'unknown', 'near']
/** Of the questions with an answer, those whose best hit may be weak. */
const WRONGLY_WEAK = 0.03

type Kind = 'answerable' | 'near miss' | 'nonsense'
type Asked = {
  readonly set: string
  readonly kind: Kind
  readonly language: Language
  readonly features: Features
  readonly isFitted: boolean
  readonly wasWeak: boolean
}
type Gold = {
  readonly id: string
  readonly question: string
  readonly answerable: boolean
  readonly doc?: string
  readonly near_doc?: string
  readonly twin?: string
}
type Model = { readonly bias: number; readonly weights: Features }

const home = process.env.PASSIM_HOME ?? path.join(homedir(), '.cache/passim-bench')
const parts = await openParts(await loadSettings({ home, environment: {} }), {})
const passim = new Passim(parts)
const judge = new Confidence(new Analyzer())
let judgingUs = 0
const nonsense = readLines(path.join(EVAL, 'nonsense.jsonl'))
const asked: Asked[] = []
try {
  for (const set of SETS) asked.push(...(await ask(set)))
} finally {
  await passim.close()
}
const fitted = asked.filter(one => one.isFitted)
const others = asked.filter(one => !one.isFitted)
const answers = logistic(
  fitted.map(one => ({
    x: one.features,
    y: Number(one.kind === 'answerable'),
    w: one.kind === 'nonsense' ? NONSENSE_WEIGHT : 1,
  })),
  FEATURES,
)
const own = fitted.filter(({ features }) => !features.across)
const related = logistic(
  own.map(one => ({ x: one.features, y: Number(one.kind !== 'nonsense'), w: 1 })),
  TELL_RELATED,
)
const ranked = own
  .filter(one => one.kind === 'answerable')
  .map(one => likelihood(one, related))
  .toSorted((a, b) => a - b)
const leastOf = (share: number) => ranked[Math.floor(share * ranked.length)]!
const least = leastOf(WRONGLY_WEAK)
report()
write()

function readLines(file: string): readonly Gold[] {
  const lines = readFileSync(file, 'utf8').trim().split('\n')
  return lines.map(line => JSON.parse(line) as Gold) // test/eval/README.md
}

async function ask(set: string): Promise<readonly Asked[]> {
  const folder = path.join(EVAL, set)
  const name = evaluationCollection(folder)
  await passim.collections.ensure(name, { hidden: true })
  await passim.index([path.join(folder, 'docs')], { collection: name })
  const questions = readLines(path.join(folder, 'questions.jsonl'))
  const docOf = ({ doc, near_doc, twin }: Gold): string =>
    doc ?? near_doc ?? questions.find(({ id }) => id === twin)?.doc ?? ''
  const documents = [...new Set(questions.map(docOf).filter(Boolean))].toSorted()
  const halves = [
    ...questions.map((gold, at) => ({ gold, half: (docOf(gold) ? documents.indexOf(docOf(gold)) : at) % 2 })),
    ...nonsense.map((gold, at) => ({ gold, half: at % 2 })),
  ]
  const all: Asked[] = []
  for (const { gold, half } of halves) {
    const hits = await passim.search({ query: gold.question, collections: [name], limit: 10 })
    const [best] = hits
    if (!best) continue
    const tableId = (await parts.store.collections.byId(best.collectionId))?.tableId ?? ''
    const counts = await new TermRarity(parts.store.catalog).of([tableId])
    const before = process.cpuUsage()
    const [features] = judge.featuresOf(gold.question, hits, counts)
    judgingUs += process.cpuUsage(before).user
    const kind = gold.answerable ? 'answerable' : nonsense.includes(gold) ? 'nonsense' : 'near miss'
    const language = languageOf(gold.question)
    all.push({ set, kind, language, features: features!, isFitted: half === 0, wasWeak: best.weak }) // one a hit
  }
  console.error(set, all.length)
  return all
}

type Sample = { readonly x: Features; readonly y: number; readonly w: number }

/** Newton's method with a ridge, so that the numbers are the same on every run. */
function logistic(samples: readonly Sample[], names: readonly FeatureName[]): Model {
  const size = names.length + 1
  let beta = Array.from({ length: size }, () => 0)
  for (let step = 0; step < 25; step++) {
    const gradient = beta.map((value, at) => (at < names.length ? -RIDGE * value : 0))
    const hessian = beta.map((_, i) => beta.map((_, j) => (i === j ? (i < names.length ? RIDGE : 1e-6) : 0)))
    for (const { x, y, w } of samples) {
      const row = [...names.map(name => x[name]), 1]
      const p = 1 / (1 + Math.exp(-row.reduce((sum, value, at) => sum + value * beta[at]!, 0)))
      for (let i = 0; i < size; i++) {
        gradient[i]! += w * (y - p) * row[i]!
        for (let j = 0; j < size; j++) hessian[i]![j]! += w * p * (1 - p) * row[i]! * row[j]!
      }
    }
    const delta = solve(hessian, gradient)
    beta = beta.map((value, at) => value + delta[at]!)
  }
  const weightOf = (name: FeatureName) => (names.includes(name) ? rounded(beta[names.indexOf(name)]!) : 0)
  const weights = Object.fromEntries(FEATURES.map(name => [name, weightOf(name)])) as Features // every one
  return { bias: rounded(beta.at(-1)!), weights }
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

function rounded(value: number): number {
  return Number(value.toFixed(3))
}

function likelihood({ features }: Asked, { bias, weights }: Model): number {
  return 1 / (1 + Math.exp(-FEATURES.reduce((sum, name) => sum + features[name] * weights[name], bias)))
}

function auc(some: readonly Asked[], kind: Kind, model: Model): string {
  const scoresOf = (wanted: Kind) => some.filter(one => one.kind === wanted).map(one => likelihood(one, model))
  const [right, wrong] = [scoresOf('answerable'), scoresOf(kind)]
  const won = right.flatMap(a => wrong.map((b): number => (a > b ? 1 : a === b ? 0.5 : 0)))
  return (won.reduce((sum, one) => sum + one, 0) / won.length).toFixed(3)
}

function report(): void {
  const line = (name: string, some: readonly Asked[]) =>
    console.log(
      `${name}: AUC ${auc(some, 'near miss', answers)} near misses, ${auc(some, 'nonsense', answers)} nonsense`,
    )
  console.log(`measured on ${others.length} questions of the other half`)
  line('all', others)
  for (const language of ['en', 'zh'])
    line(
      language,
      others.filter(one => one.language === language),
    )
  for (const set of SETS)
    line(
      set,
      others.filter(one => one.set === set),
    )
  for (const share of [0.01, 0.02, 0.03, 0.04, 0.05]) {
    const kinds = (['answerable', 'near miss', 'nonsense'] as const).map(kind => weakOf(kind, leastOf(share)))
    console.log(`weak best hits, at ${share}: ${kinds.join('; ')}`)
  }
  console.log(`${(judgingUs / 1000 / asked.length).toFixed(2)} ms of CPU a query of ten hits`)
}

function weakOf(kind: Kind, threshold: number): string {
  const isWeak = (one: Asked) => (one.features.across ? one.wasWeak : likelihood(one, related) < threshold)
  const shareOf = (some: readonly Asked[]) => `${some.filter(isWeak).length} of ${some.length}`
  const some = others.filter(one => one.kind === kind)
  const own = ['en', 'zh'].map(language => {
    return `${language} ${shareOf(some.filter(one => one.language === language && !one.features.across))}`
  })
  return `${kind} ${own.join(', ')}, across ${shareOf(some.filter(one => one.features.across))}`
}

function write(): void {
  const weightsOf = ({ weights }: Model) => FEATURES.map(name => `    ${name}: ${weights[name]},`).join('\n')
  const text = `/** How likely a passage answers. Fitted by bench/fit-confidence.ts on every other document of ${SETS.join('/, ')}/ of test/eval, ${new Date().toISOString().slice(0, 10)}. */
export const ANSWERS = {
  bias: ${answers.bias},
  weights: {
${weightsOf(answers)}
  },
}

/** How likely it is about what is asked at all. */
export const RELATED = {
  bias: ${related.bias},
  weights: {
${weightsOf(related)}
  },
}

/** Less than this is weak: ${100 * WRONGLY_WEAK} % of the questions with an answer have less. */
export const LEAST_RELATED = ${rounded(least)}
`
  writeFileSync(fileURLToPath(new URL('../src/search/confidence-weights.ts', import.meta.url)), text)
}
