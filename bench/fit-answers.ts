/**
 * Fits the weights by which an answer without a model chooses its evidence, and refuses: logistic regression over the
 * development sets, where what holds a question's evidence is right and the best of the rest is wrong. Tells what that is worth to
 * documents that it was not fitted on, and where answers are lost: by weights that were fitted on the other documents. In the other
 * language all sets are one collection: a store that has documents in both has them on many things.
 * Weights choose which statements are compared and read, too: the first ones are fitted on what plain ones choose, those that are
 * written on what the first ones choose. So it does not matter which are in force.
 * usage: npx tsx bench/fit-answers.ts [--report] [SET...]   (writes src/answer/evidence/weights.ts, unless only a report is asked for)
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Weights } from '../src/answer/evidence/evidence.ts'
import { FEATURES, type FeatureName } from '../src/answer/evidence/features.ts'
import { type Asked, DEVELOPMENT_SETS, type Questions, type Row, readRows } from './answer-rows.ts'
import { foldsOf, logistic, type Model } from './logistic.ts'

const given = process.argv.slice(2).filter(argument => !argument.startsWith('--'))
const SETS = given.length > 0 ? given : DEVELOPMENT_SETS
const ROUNDS = 8
/** What the best wrong rows of a question weigh. */
const NEGATIVES = [0.55, 0.2, 0.15, 0.1]
const FOLDS = 8
/** As many statements of a question as the answer model reads. */
const READ = 2
/** What a question's wrong rows weigh beside its right one: where it has an answer, where it has none, where none is in the other language. */
const ANSWERABLE = 0.5
const UNANSWERABLE = 1.5
const ELSEWHERE = 0.6
/**
 * Of questions without an answer so many are to be refused: one standard error above three quarters, by some 370 questions a language, so
 * that of other questions three quarters are, too. And of those without an answer in the other language.
 */
const REFUSED = 0.772
const ACROSS_REFUSED = 0.95
/** Shares of refused questions for which coverage and risk are told. */
const CURVE = [0.3, 0.4, 0.5, 0.6, 0.7, 0.75, 0.8, 0.9]

type Question = Pick<Asked, 'set' | 'document' | 'language' | 'isAnswerable' | 'rows'>
type Judged<T> = T & { readonly score: number; readonly best: Row | undefined }
type Whole = Judged<Asked> & { readonly other: Judged<Asked> }
type Fate =
  | 'right'
  | 'right across'
  | 'not found'
  | 'no candidate'
  | 'ranked below'
  | 'below the threshold'
  | 'wrong across'

/** Words, vectors and what the answer model says, alike; all is compared. */
const PLAIN: Weights = { within: plain(), across: plain(), threshold: 0 }

const first = fitOn(await readRows(SETS, PLAIN))
const second = fitOn(await readRows(SETS, first.weights))
const { threshold } = second.weights
report(second.judged)
reportStandIn(second.judged)
reportAcross(second.judged, second.notes)
if (!process.argv.includes('--report')) write(second.weights)

function plain(): Weights['within'] {
  return {
    bias: 0,
    weights: weightsOf(
      FEATURES.map(name => Number(['share', 'nearness', 'answers'].includes(name))),
    ),
  }
}

type Fit = {
  readonly weights: Weights
  readonly judged: readonly Whole[]
  readonly notes: readonly Judged<Asked>[]
}

/** Weights for what was read, and how each question is judged by weights that were fitted without its document. */
function fitOn({ asked, notes }: Questions): Fit {
  const abroad = [...asked, ...notes].map(one => ({
    ...one,
    rows: one.across,
    isAnswerable: one.across.some(row => row.isRight),
  }))
  const scored = crossValidated(asked, UNANSWERABLE)
  const across = crossValidated(abroad, ELSEWHERE)
  const threshold = thresholdIn(scored, 'en', REFUSED)
  // So that one threshold refuses as much in either language of questions.
  const chinese = logOdds(threshold) - logOdds(thresholdIn(scored, 'zh', REFUSED))
  const within = scored.map(one => (one.language === 'zh' ? shifted(one, chinese) : one))
  const shift = logOdds(threshold) - boundOf(across.slice(0, asked.length), ACROSS_REFUSED)
  const own = fitted(asked, UNANSWERABLE)
  const other = fitted(abroad, ELSEWHERE)
  const weights = own.weights.map((weight, at) =>
    FEATURES[at] === 'chinese' ? weight + chinese : weight,
  )
  return {
    weights: {
      within: { bias: rounded(own.bias), weights: weightsOf(weights) },
      across: { bias: rounded(other.bias + shift), weights: weightsOf(other.weights) },
      threshold: rounded(threshold),
    },
    judged: within.map((one, at) => ({ ...one, other: shifted(across[at]!, shift) })), // one each
    notes: across.slice(asked.length).map(one => shifted(one, shift)),
  }
}

/** As they are written: what they choose does not hang on further digits. */
function weightsOf(values: readonly number[]): Weights['within']['weights'] {
  return Object.fromEntries(FEATURES.map((name, at) => [name, rounded(values[at]!)])) as Record<
    FeatureName,
    number
  > // one each
}

/** Each question by a model that was fitted without its document, in the order of the questions. */
function crossValidated<T extends Question>(
  all: readonly T[],
  share: number,
): readonly Judged<T>[] {
  const foldOf = foldsOf(all.map(documentOf), FOLDS)
  const models = Array.from({ length: FOLDS }, (_, fold) =>
    fitted(
      all.filter(one => foldOf.get(documentOf(one)) !== fold),
      share,
    ),
  )
  return all.map(one => judgedBy(one, models[foldOf.get(documentOf(one))!]!)) // each document has a fold
}

/** By so many log odds. */
function shifted(one: Judged<Asked>, by: number): Judged<Asked> {
  return { ...one, score: one.best ? likelihoodOf(logOdds(one.score) + by) : 0 }
}

/** The log odds under which a share of the questions that are not answered in the other language stay. */
function boundOf(all: readonly Judged<Asked>[], refused: number): number {
  const scores = all.filter(one => !one.isAnswerable && one.best).map(one => logOdds(one.score))
  return scores.toSorted((a, b) => a - b)[Math.ceil(refused * scores.length)] ?? 0
}

function documentOf({ set, document }: Question): string {
  return `${set}/${document}`
}

function judgedBy<T extends Question>(one: T, model: Model): Judged<T> {
  const [best] = ranked(one.rows, model)
  return { ...one, best, score: best ? likelihoodOf(logit(best, model)) : 0 }
}

/** Each round takes the wrong rows that the weights of the round before put first. What search did not find teaches nothing. */
function fitted(all: readonly Question[], unanswerable: number): Model {
  const known = all.filter(
    ({ rows, isAnswerable }) => rows.length > 0 && (!isAnswerable || rows.some(row => row.isRight)),
  )
  let model: Model = { weights: FEATURES.map(() => 0), bias: 0 }
  for (let round = 0; round < ROUNDS; round++) {
    const samples = known.flatMap(({ rows, isAnswerable }) => {
      const byScore = ranked(rows, model)
      const wrong = byScore.filter(row => !row.isRight).slice(0, NEGATIVES.length)
      const right = byScore.filter(row => row.isRight).slice(0, 1)
      const share = isAnswerable ? ANSWERABLE : unanswerable
      return [
        ...right.map(row => ({ x: row.features, y: 1, w: 1 })),
        ...wrong.map((row, at) => ({ x: row.features, y: 0, w: share * NEGATIVES[at]! })),
      ]
    })
    model = logistic(samples, model)
  }
  return model
}

/** Best first. */
function ranked(rows: readonly Row[], model: Model): readonly Row[] {
  const scored = rows.map(row => ({ row, score: logit(row, model) }))
  return scored.toSorted((a, b) => b.score - a.score).map(({ row }) => row)
}

function logit({ features }: Row, { weights, bias }: Model): number {
  return features.reduce((total, value, at) => total + value * weights[at]!, bias)
}

function likelihoodOf(logOdds: number): number {
  return 1 / (1 + Math.exp(-logOdds))
}

function logOdds(likelihood: number): number {
  return Math.log(likelihood / (1 - likelihood))
}

/** The likelihood from which on a share of a language's questions without an answer is refused: those of several parts, in all of them. */
function thresholdIn(all: readonly Judged<Asked>[], language: string, refused: number): number {
  const best = new Map<string, number>()
  for (const { set, id, score, isAnswerable, ...one } of all) {
    const question = `${set}/${id}`
    if (!isAnswerable && one.language === language)
      best.set(question, Math.max(score, best.get(question) ?? 0))
  }
  const scores = [...best.values()].toSorted((a, b) => a - b)
  return scores[Math.ceil(refused * scores.length)] ?? 0.5
}

/** By language and set where answers are lost, then how risk falls with coverage. */
function report(all: readonly Whole[]): void {
  for (const set of ['all', ...SETS])
    for (const language of ['en', 'zh']) {
      const own = all.filter(one => one.language === language && (set === 'all' || one.set === set))
      const fates = own.filter(one => one.isAnswerable).map(one => fateOf(one, threshold))
      const counts = [...new Set(fates)]
        .map(fate => `${fate} ${fates.filter(one => one === fate).length}`)
        .toSorted()
      const other = own.filter(one => !one.isAnswerable)
      const refused = other.filter(one => !isAnswered(one, threshold)).length
      console.log(
        `${language} ${set} of ${fates.length}: ${counts.join(', ')}; rightly refused ${refused} of ${other.length}`,
      )
    }
  console.log(
    '| refused rightly in its language | English: answered rightly, wrongly, refused | Chinese |\n|---|---|---|',
  )
  for (const refused of CURVE) {
    const shares = ['en', 'zh'].map(language =>
      sharesAt(all, language, thresholdIn(all, language, refused)),
    )
    console.log(`| ${refused} | ${shares.join(' | ')} |`)
  }
}

/** What the answer model says by the share of the words that a statement has: where there is no such model, features.ts has this in its place. */
function reportStandIn(all: readonly Question[]): void {
  const share = FEATURES.indexOf('share')
  const answers = FEATURES.indexOf('answers')
  const read = all
    .flatMap(({ rows }) => rows.slice(0, READ))
    .map(({ features }) => [features[share]!, features[answers]!] as const)
  const mean = (values: readonly number[]) =>
    values.reduce((sum, value) => sum + value, 0) / values.length
  const x = mean(read.map(([x]) => x))
  const y = mean(read.map(([, y]) => y))
  const slope =
    mean(read.map(([a, b]) => (a - x) * (b - y))) / mean(read.map(([a]) => (a - x) ** 2))
  const none = y - slope * x
  console.log(
    `answers of ${read.length}, by least squares: ${none.toFixed(2)} with no words, ${(none + slope).toFixed(2)} with all`,
  )
}

/** What looking in the other language gives: to the questions that their own does not answer, and to those of notes. */
function reportAcross(all: readonly Whole[], notes: readonly Judged<Asked>[]): void {
  for (const language of ['en', 'zh']) {
    const own = all.filter(one => one.language === language)
    const asked = own.filter(({ score }) => score < threshold).map(({ other }) => other)
    const noted = notes.filter(one => one.language === language)
    const quoted = [asked, noted].map(several => several.filter(({ score }) => score >= threshold))
    const counts = quoted.map(several => {
      const right = several.filter(({ best }) => best?.isRight).length
      return `${right} rightly, ${several.length - right} wrongly`
    })
    const every = [...own.map(({ other }) => other), ...noted]
    const right = every.filter(({ best }) => best?.isRight).map(({ score }) => score)
    const wrong = every
      .filter(({ isAnswerable, best }) => best && !isAnswerable)
      .map(({ score }) => score)
    console.log(
      `${language} across: of ${asked.length} ${counts[0]}; of ${noted.length} of notes ${counts[1]}; AUC ${areaOf(right, wrong).toFixed(3)}`,
    )
  }
}

/** Under the curve of right ones kept against wrong ones kept: how often a right one has the higher score. */
function areaOf(right: readonly number[], wrong: readonly number[]): number {
  const wins = right.flatMap(one => wrong.map(other => (one > other ? 1 : one === other ? 0.5 : 0)))
  return wins.reduce((sum: number, win) => sum + win, 0) / wins.length
}

function isAnswered({ score, other }: Whole, least: number): boolean {
  return score >= least || other.score >= least
}

/** Of a language's answerable questions those answered rightly, with something else, and refused. */
function sharesAt(all: readonly Whole[], language: string, least: number): string {
  const answerable = all.filter(one => one.isAnswerable && one.language === language)
  const fates = answerable.map(one => fateOf(one, least))
  const right = fates.filter(fate => fate === 'right' || fate === 'right across').length
  const answered = answerable.filter(one => isAnswered(one, least)).length
  const counts = [right, answered - right, answerable.length - answered]
  return counts.map(count => (count / answerable.length).toFixed(2)).join(', ')
}

function fateOf({ rows, best, score, isFound, other }: Whole, least: number): Fate {
  if (score < least && other.score >= least)
    return other.best?.isRight ? 'right across' : 'wrong across'
  if (!rows.some(row => row.isRight)) return isFound ? 'no candidate' : 'not found'
  if (!best?.isRight) return 'ranked below'
  return score < least ? 'below the threshold' : 'right'
}

function write({ within, across, threshold }: Weights): void {
  const told = ({ weights, bias }: Weights['within']) =>
    `{\n  bias: ${bias},\n  weights: {\n${FEATURES.map(feature => `    ${feature}: ${weights[feature]},`).join('\n')}\n  },\n}`
  const sets = SETS.map(set =>
    set === 'cite-check' ? 'the development half of bench/data/cite-check' : `${set}/`,
  )
  const text = `/*
 * Fitted by bench/fit-answers.ts, ${new Date().toISOString().slice(0, 10)}, on these sets of test/eval:
 * ${sets.join(', ')};
 * those of the other language on test/eval/cross-language/tuning, too.
 */

/** From this likelihood on a statement answers, at the usual strictness. */
export const THRESHOLD = ${threshold}

/** Of statements in the language of the question. */
export const WITHIN = ${told(within)}

/** Of statements in the other language; its bias is set by what the threshold is to refuse of them. */
export const ACROSS = ${told(across)}
`
  writeFileSync(fileURLToPath(new URL('../src/answer/evidence/weights.ts', import.meta.url)), text)
  writeTable({ within, across, threshold })
}

function rounded(value: number): number {
  return Number(value.toFixed(3))
}

/** Writes the weights into the decision, which explains the features. */
function writeTable({ within, across, threshold }: Weights): void {
  const file = fileURLToPath(
    new URL('../docs/decisions/answers-without-a-model.md', import.meta.url),
  )
  const text = readFileSync(file, 'utf8')
    .replace(/^\| `(\w+)` \| -?[\d.]+ \| -?[\d.]+ \|/gm, (line, name) => {
      const feature = FEATURES.find(one => one === name)
      const cells = feature && [within, across].map(({ weights }) => weights[feature].toFixed(3))
      return cells ? `| \`${name}\` | ${cells.join(' | ')} |` : line
    })
    .replace(
      /the biases are -?[\d.]+ and -?[\d.]+,/,
      `the biases are ${within.bias} and ${across.bias},`,
    )
    .replace(/one threshold, [\d.]+,/, `one threshold, ${threshold},`)
  writeFileSync(file, text)
}
