/**
 * Fits what a hit's confidence and `weak` are computed by: two logistic regressions over the best hits of the development
 * sets' questions. One tells questions with an answer from near misses and nonsense, the other those about the documents from nonsense.
 * Both either for hybrid search (words), or for precise search, which knows the best sentences of hits as well (sentence).
 * Fitted on every other document of each set, in the order of their names, and every other question of those that are of none;
 * measured on the rest.
 * usage: npx tsx bench/fit-confidence.ts words|sentence [SET...]   (writes these weights to src/search/confidence-weights.ts)
 *        npx tsx bench/fit-confidence.ts measure SET...   (fits and writes nothing: what ships, both ways, on all questions of sets that it was not fitted on)
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { readPriors } from '../src/app/searching/priors.ts'
import { openWithStore } from '../src/app.ts'
import { loadSettings } from '../src/config.ts'
import { Confidence, FEATURES, type FeatureName, type Features } from '../src/search/confidence.ts'
import { BY_SENTENCE, BY_WORDS } from '../src/search/confidence-weights.ts'
import { createPseudoRandom } from '../src/search/evaluation/metrics.ts'
import { SentenceReranker } from '../src/search/rerankers/sentence-reranker.ts'
import { TermRarity } from '../src/search/term-rarity.ts'
import { Analyzer } from '../src/text/analyzer.ts'
import { detectLanguage, type Language } from '../src/text/language.ts'

const EVAL = fileURLToPath(new URL('../test/eval', import.meta.url))
const [mode, ...given] = process.argv.slice(2)
const SETS =
  given.length > 0
    ? given
    : ['calibration', 'mixed', 'kinds', 'tables', 'scope', 'twins', 'long', 'real', 'real-more']
/** All nonsense is asked of every set; so much counts one of them beside a question of the set's own. */
const NONSENSE_WEIGHT = 0.3
const RIDGE = 0.3
/** What an answer and what a related passage is told by. A sentence's likeness says all that its share of the words does. */
const TELLING = {
  words: {
    answers: FEATURES.filter(name => name !== 'like'),
    related: ['passage', 'unknown', 'near'],
  },
  sentence: {
    answers: FEATURES.filter(name => name !== 'own'),
    related: ['passage', 'unknown', 'near', 'like'],
  },
} as const satisfies Record<string, Readonly<Record<'answers' | 'related', readonly FeatureName[]>>>
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
type Weights = Readonly<Partial<Record<FeatureName, number>>>
type Model = { readonly bias: number; readonly weights: Weights }
type Way = keyof typeof TELLING
type Fit = {
  readonly answers: Model
  readonly related: Model
  /** The threshold below which that share of the answerable questions it was fitted on lie. */
  readonly leastOf: (share: number) => number
  /** What it is measured on. */
  readonly others: readonly Asked[]
}
const NAMES: Readonly<Record<Way, string>> = { words: 'BY_WORDS', sentence: 'BY_SENTENCE' }

const measures = mode === 'measure'
const ways = (['words', 'sentence'] as const).filter(way => measures || way === mode)
if (ways.length === 0) throw new Error('Say what to do: words, sentence or measure.')
const home = process.env.PASSIM_HOME ?? path.join(homedir(), '.cache/passim-bench')
const { passim, opened: parts } = await openWithStore(
  await loadSettings({ home, environment: {} }),
  {},
)
const judge = new Confidence(new Analyzer(), await readPriors(parts.embedder))
const sentences = new SentenceReranker(parts.embedder, parts.searching.sentenceVectors)
let judgingUs = 0
const nonsense = readLines(path.join(EVAL, 'nonsense.jsonl'))
const asked: Readonly<Record<Way, Asked[]>> = { words: [], sentence: [] }
try {
  for (const set of SETS) await ask(set)
} finally {
  await passim.close()
}
for (const way of ways) {
  if (measures) report(way, shipped(way))
  else {
    const fit = fitted(asked[way], TELLING[way])
    report(way, fit)
    write(way, fit)
  }
}

function shipped(way: Way): Fit {
  const { answers, related, leastRelated } = way === 'words' ? BY_WORDS : BY_SENTENCE
  return { answers, related, leastOf: () => leastRelated, others: asked[way] }
}

function fitted(all: readonly Asked[], telling: (typeof TELLING)[Way]): Fit {
  const some = all.filter(one => one.isFitted)
  const answers = logistic(
    some.map(one => ({
      x: one.features,
      y: Number(one.kind === 'answerable'),
      w: one.kind === 'nonsense' ? NONSENSE_WEIGHT : 1,
    })),
    telling.answers,
  )
  const own = some.filter(({ features }) => !features.across)
  const related = logistic(
    own.map(one => ({ x: one.features, y: Number(one.kind !== 'nonsense'), w: 1 })),
    telling.related,
  )
  const ranked = own
    .filter(one => one.kind === 'answerable')
    .map(one => likelihood(one, related))
    .toSorted((a, b) => a - b)
  const leastOf = (share: number) => ranked[Math.floor(share * ranked.length)]!
  return { answers, related, leastOf, others: all.filter(one => !one.isFitted) }
}

function readLines(file: string): readonly Gold[] {
  const lines = readFileSync(file, 'utf8').trim().split('\n')
  return lines.map(line => JSON.parse(line) as Gold) // test/eval/README.md
}

async function ask(set: string): Promise<void> {
  const folder = path.join(EVAL, set)
  const name = `answers of ${set}`
  await passim.index([path.join(folder, 'docs')], { collection: name })
  const questions = readLines(path.join(folder, 'questions.jsonl'))
  const docOf = ({ doc, near_doc, twin }: Gold): string =>
    doc ?? near_doc ?? questions.find(({ id }) => id === twin)?.doc ?? ''
  const documents = [...new Set(questions.map(docOf).filter(Boolean))].toSorted()
  const halves = [
    ...questions.map((gold, at) => ({
      gold,
      half: (docOf(gold) ? documents.indexOf(docOf(gold)) : at) % 2,
    })),
    ...nonsense.map((gold, at) => ({ gold, half: at % 2 })),
  ]
  for (const { gold, half } of halves) {
    const kind = gold.answerable ? 'answerable' : nonsense.includes(gold) ? 'nonsense' : 'near miss'
    const known = {
      set,
      kind,
      language: detectLanguage(gold.question),
      isFitted: half === 0,
    } as const
    for (const way of ways) {
      const judged = await judgedBest(gold.question, name, way)
      if (judged) asked[way].push({ ...known, ...judged })
    }
  }
  console.error(set, halves.length)
}

async function judgedBest(question: string, collection: string, way: Way) {
  const precise = way === 'sentence'
  const hits = await passim.search({
    query: question,
    collections: [collection],
    limit: 10,
    precise,
  })
  const [best] = hits
  if (!best) return undefined
  const tableId = (await parts.store.collections.findById(best.collectionId))?.tableId ?? ''
  const counts = await new TermRarity(parts.store.catalog).getCounts([tableId])
  const likeness = precise ? await sentences.measureSimilarity(question, hits) : undefined
  const before = process.cpuUsage()
  const [features] = judge.computeFeatures(question, hits, { counts, likeness })
  judgingUs += process.cpuUsage(before).user
  return { features: features!, wasWeak: best.weak } // one a hit
}

type Sample = { readonly x: Features; readonly y: number; readonly w: number }

/** Newton's method with a ridge, so that the numbers are the same on every run. */
function logistic(samples: readonly Sample[], names: readonly FeatureName[]): Model {
  const size = names.length + 1
  let beta = Array.from({ length: size }, () => 0)
  for (let step = 0; step < 25; step++) {
    const gradient = beta.map((value, at) => (at < names.length ? -RIDGE * value : 0))
    const hessian = beta.map((_, i) =>
      beta.map((_, j) => (i === j ? (i < names.length ? RIDGE : 1e-6) : 0)),
    )
    for (const { x, y, w } of samples) {
      const row = [...names.map(name => x[name] ?? 0), 1]
      const p =
        1 / (1 + Math.exp(-row.reduce((sum: number, value, at) => sum + value * beta[at]!, 0)))
      for (let i = 0; i < size; i++) {
        gradient[i]! += w * (y - p) * row[i]!
        for (let j = 0; j < size; j++) hessian[i]![j]! += w * p * (1 - p) * row[i]! * row[j]!
      }
    }
    const delta = solve(hessian, gradient)
    beta = beta.map((value, at) => value + delta[at]!)
  }
  const weights = Object.fromEntries(names.map((name, at) => [name, rounded(beta[at]!)])) // a number each
  return { bias: rounded(beta.at(-1)!), weights }
}

function solve(matrix: readonly (readonly number[])[], vector: readonly number[]): number[] {
  const rows = matrix.map((row, at) => [...row, vector[at]!])
  for (let column = 0; column < rows.length; column++) {
    const pivot = rows
      .slice(column)
      .reduce(
        (best, row, at) =>
          Math.abs(row[column]!) > Math.abs(rows[best]![column]!) ? column + at : best,
        column,
      )
    ;[rows[column], rows[pivot]] = [rows[pivot]!, rows[column]!]
    for (let other = 0; other < rows.length; other++) {
      if (other === column) continue
      const factor = rows[other]![column]! / rows[column]![column]!
      for (let at = column; at <= rows.length; at++)
        rows[other]![at]! -= factor * rows[column]![at]!
    }
  }
  return rows.map((row, at) => row.at(-1)! / row[at]!)
}

function rounded(value: number): number {
  return Number(value.toFixed(3))
}

function likelihood({ features }: Asked, { bias, weights }: Model): number {
  return (
    1 /
    (1 +
      Math.exp(
        -FEATURES.reduce((sum, name) => sum + (features[name] ?? 0) * (weights[name] ?? 0), bias),
      ))
  )
}

/** With its 95 % bootstrap interval over questions. */
function auc(some: readonly Asked[], kind: Kind, model: Model): string {
  const scoresOf = (wanted: Kind) =>
    some.filter(one => one.kind === wanted).map(one => likelihood(one, model))
  const right = scoresOf('answerable')
  const wrong = scoresOf(kind)
  const random = createPseudoRandom(1)
  const drawn = (from: readonly number[]) =>
    from.map(() => from[Math.floor(random() * from.length)]!)
  const others = Array.from({ length: 500 }, () => shareWon(drawn(right), drawn(wrong))).toSorted(
    (x, y) => x - y,
  )
  const low = others[12]!
  const high = others[487]!
  return `${shareWon(right, wrong).toFixed(3)} [${low.toFixed(2)}, ${high.toFixed(2)}]`
}

function shareWon(right: readonly number[], wrong: readonly number[]): number {
  const won = right.flatMap(a => wrong.map((b): number => (a > b ? 1 : a === b ? 0.5 : 0)))
  return won.reduce((sum, one) => sum + one, 0) / won.length
}

function report(way: Way, { answers, related, leastOf, others }: Fit): void {
  console.log(`by ${way}`)
  const line = (name: string, some: readonly Asked[]) =>
    console.log(
      `${name}: AUC ${auc(some, 'near miss', answers)} near misses, ${auc(some, 'nonsense', answers)} nonsense`,
    )
  console.log(`measured on ${others.length} questions${measures ? '' : ' of the other half'}`)
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
  for (const share of measures ? [WRONGLY_WEAK] : [0.01, 0.02, 0.03, 0.04, 0.05]) {
    const kinds = (['answerable', 'near miss', 'nonsense'] as const).map(kind =>
      weakOf(
        others.filter(one => one.kind === kind),
        related,
        leastOf(share),
      ),
    )
    console.log(
      `weak best hits, answerable, near misses and nonsense, at ${share}: ${kinds.join('; ')}`,
    )
  }
  console.log(
    `${(judgingUs / 1000 / ways.reduce((sum, one) => sum + asked[one].length, 0)).toFixed(2)} ms of CPU a query of ten hits`,
  )
}

function weakOf(some: readonly Asked[], related: Model, threshold: number): string {
  const isWeak = (one: Asked) =>
    one.features.across ? one.wasWeak : likelihood(one, related) < threshold
  const shareOf = (those: readonly Asked[]) => `${those.filter(isWeak).length} of ${those.length}`
  const own = ['en', 'zh'].map(language => {
    return `${language} ${shareOf(some.filter(one => one.language === language && !one.features.across))}`
  })
  return `${own.join(', ')}, across ${shareOf(some.filter(one => one.features.across))}`
}

/** In place of what was fitted that way before. */
function write(way: Way, { answers, related, leastOf }: Fit): void {
  const file = fileURLToPath(new URL('../src/search/confidence-weights.ts', import.meta.url))
  const modelOf = ({ bias, weights }: Model) => {
    const lines = Object.entries(weights).map(([name, weight]) => `      ${name}: ${weight},\n`)
    return `{\n    bias: ${bias},\n    weights: {\n${lines.join('')}    },\n  }`
  }
  const fields = `  answers: ${modelOf(answers)},\n  related: ${modelOf(related)},\n  leastRelated: ${rounded(leastOf(WRONGLY_WEAK))},\n`
  const when = `// By bench/fit-confidence.ts ${way}, ${new Date().toISOString().slice(0, 10)}, on every other document of ${SETS.join('/, ')}/ of test/eval.`
  const before = new RegExp(`// By [^\\n]*\\nexport const ${NAMES[way]} = \\{\\n[^]*?\\n\\}\\n`)
  const text = readFileSync(file, 'utf8')
  writeFileSync(file, text.replace(before, `${when}\nexport const ${NAMES[way]} = {\n${fields}}\n`))
}
