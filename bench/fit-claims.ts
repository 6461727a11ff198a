/**
 * Fits the weights by which a model's claim is held against a statement: logistic regression over pairs of true claims and
 * slightly false ones, where the best statement of the passages states the true one and none states the false one. Tells what that is
 * worth to documents that it was not fitted on.
 * usage: npx tsx bench/fit-claims.ts [--report] [--list]   (writes src/answer/citations/support-weights.ts and the claims of
 * data/calibration.json, by which `answering.maxRisk` limits wrong confirmed sentences, unless only a report is asked for)
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { readClaim } from '../src/answer/citations/claims.ts'
import { Judge, SUPPORT_FEATURES, splitParts } from '../src/answer/citations/judgement.ts'
import { limitRisk } from '../src/answer/risk-limit.ts'
import { openWordRarity } from '../src/app/lexicon.ts'
import type { Passim } from '../src/app/passim.ts'
import { openWithStore } from '../src/app.ts'
import { loadSettings } from '../src/config.ts'
import { VectorMeaning } from '../src/search/meaning.ts'
import type { Passage } from '../src/search/passages/passage.ts'
import { mergeHits } from '../src/search/passages/passage.ts'
import { detectLanguage } from '../src/text/language.ts'
import { Terms } from '../src/text/terms.ts'
import { halfOf, readQuestionSet } from './cite-check/question-set.ts'
import { foldsOf, logistic, type Model } from './logistic.ts'

const EVAL = fileURLToPath(new URL('../test/eval', import.meta.url))
const CITE_CHECK = new URL('data/cite-check/', import.meta.url)
const SETS = ['cite-check', 'pairs', 'paraphrased'] as const
const ROUNDS = 8
const FOLDS = 8
/** What the statements that come nearest to a false claim weigh. */
const NEGATIVES = [0.8, 0.2, 0.1]
/** Of the false claims so many are to lose their citation. */
const DROPPED = 0.92
const HITS = 8
const RISKS = [0.05, 0.1, 0.15, 0.2, 0.25]
/** Keeps the loss of claims without an allowed statement finite. */
const MIN_LIKELIHOOD = 0.01

type Given = {
  readonly id: string
  readonly set: string
  /** What is told apart when it is fitted: a document, or of short passages the pair. */
  readonly group: string
  readonly claim: string
  readonly isTrue: boolean
  readonly passages: readonly Passage[]
}
type Row = {
  readonly features: readonly number[]
  /** No objection to it. */
  readonly isAllowed: boolean
  readonly text: string
}
type Case = Given & {
  readonly language: string
  readonly rows: readonly Row[]
  /** Of each clause of a claim of several. */
  readonly parts: readonly (readonly Row[])[]
}
type Judged = Case & { readonly score: number }

const terms = new Terms()
const cases = await readCases()
const judged = crossValidated(cases)
const threshold = thresholdOf(judged)
report(judged)
if (!process.argv.includes('--report')) {
  write(fitted(cases))
  writeCalibration(judged)
}

async function readCases(): Promise<readonly Case[]> {
  const home = process.env.PASSIM_HOME ?? path.join(homedir(), '.cache/passim-bench')
  const { passim, opened: parts } = await openWithStore(
    await loadSettings({ home, environment: {} }),
    {},
  )
  const meaning = new VectorMeaning(
    parts.embedder,
    parts.searching.sentenceVectors,
    parts.searching.priors,
  )
  const reading = { terms, rarity: openWordRarity() }
  const judge = new Judge({ ...reading, meaning })
  try {
    const given = [...(await citeCheck(passim)), ...ownSet('pairs'), ...ownSet('paraphrased')]
    const all: Case[] = []
    for (const one of given) {
      const language = detectLanguage(one.claim)
      const passages = one.passages.filter(({ text }) => detectLanguage(text) === language)
      const rowsOf = async (claim: ReturnType<typeof readClaim>) =>
        (await judge.rankStatements(claim, passages)).map(
          ({ features, objections, statement }) => ({
            features: SUPPORT_FEATURES.map(name => features[name]),
            isAllowed: objections.length === 0,
            text: statement.text,
          }),
        )
      const claim = readClaim(one.claim, reading)
      const clauses: (readonly Row[])[] = []
      for (const part of splitParts(claim, reading)) clauses.push(await rowsOf(part))
      all.push({ ...one, language, rows: await rowsOf(claim), parts: clauses })
    }
    return all.filter(({ rows }) => rows.length > 0) // those of the other language are judged without weights
  } finally {
    await passim.close()
  }
}

/** Of the development half, against what search finds in the document for the section of the evidence. */
async function citeCheck(passim: Passim): Promise<readonly Given[]> {
  const { documents, claims } = readQuestionSet(CITE_CHECK)
  const ids = [...documents.keys()]
  const own = claims.filter(({ document }) => halfOf(document, ids) === 'development')
  const collection = 'claims of cite-check'
  const files = [...new Set(own.map(({ document }) => document))].map(
    id => `${id}.${documents.get(id)!.format}`,
  ) // an id of theirs
  await passim.index(
    files.map(name => fileURLToPath(new URL(`files/${name}`, CITE_CHECK))),
    { collection },
  )
  const given: Given[] = []
  for (const { id, document, stated, changed, evidence } of own) {
    const [first] = evidence
    const query = `${first?.headings.join(' ') ?? ''} ${first?.text ?? ''}`
    const hits = await passim.search({ query, collections: [collection], limit: HITS })
    const passages = mergeHits(hits.filter(({ name }) => name.startsWith(`${document}.`)))
    const told = { id, set: 'cite-check', group: document, passages }
    given.push({ ...told, claim: stated, isTrue: true }, { ...told, claim: changed, isTrue: false })
  }
  return given
}

type Line = {
  readonly id: string
  readonly pair: string
  readonly claim: string
  readonly stated: boolean
  readonly passage: string
}

function ownSet(set: string): readonly Given[] {
  const lines = readFileSync(path.join(EVAL, `claims-dev/${set}.jsonl`), 'utf8')
    .split('\n')
    .filter(Boolean)
  return lines.map(line => {
    const { id, pair, claim, stated, passage } = JSON.parse(line) as Line // ours
    const file = path.join(EVAL, passage)
    const isFile = passage.length < 200 && existsSync(file)
    const text = (isFile ? readFileSync(file, 'utf8') : passage)
      .replace(/^\|[ :|-]+\|$\n?/gm, '')
      .replace(/^\| *| *\|$/gm, '')
    const place = {
      documentId: 'd1',
      source: '/d1',
      name: 'd1',
      title: '',
      headings: [],
      context: '',
      charStart: 0,
    }
    const passages = [{ id: 1, ...place, charEnd: text.length, text, parts: [] }]
    return { id, set, group: isFile ? passage : pair, claim, isTrue: stated, passages }
  })
}

function crossValidated(all: readonly Case[]): readonly Judged[] {
  const foldOf = foldsOf(
    all.map(({ group }) => group),
    FOLDS,
  )
  const models = Array.from({ length: FOLDS }, (_, fold) =>
    fitted(all.filter(({ group }) => foldOf.get(group) !== fold)),
  )
  return all.map(one => ({ ...one, score: scoreOf(one, models[foldOf.get(one.group)!]!) })) // each group has a fold
}

/** As `Judge` does: by one statement, or by one for each clause. */
function scoreOf({ rows, parts }: Case, model: Model): number {
  const best = (of: readonly Row[]) =>
    Math.max(
      ...of.filter(({ isAllowed }) => isAllowed).map(({ features }) => logit(features, model)),
    )
  const whole = best(rows)
  return likelihoodOf(parts.length === 0 ? whole : Math.max(whole, Math.min(...parts.map(best))))
}

/** Each round takes the statements that the weights of the round before put first. */
function fitted(all: readonly Case[]): Model {
  let model: Model = { weights: SUPPORT_FEATURES.map(() => 0), bias: 0 }
  for (let round = 0; round < ROUNDS; round++) {
    const samples = all.flatMap(({ rows, isTrue }) => {
      const byScore = rows
        .filter(({ isAllowed }) => isAllowed)
        .map(({ features }) => features)
        .toSorted((a, b) => logit(b, model) - logit(a, model))
      if (isTrue) return byScore.slice(0, 1).map(x => ({ x, y: 1, w: 1 }))
      return byScore.slice(0, NEGATIVES.length).map((x, at) => ({ x, y: 0, w: NEGATIVES[at]! })) // one each
    })
    model = logistic(samples, model)
  }
  return model
}

function logit(features: readonly number[], { weights, bias }: Model): number {
  return features.reduce((sum, value, at) => sum + value * weights[at]!, bias) // one each
}

function likelihoodOf(logOdds: number): number {
  return 1 / (1 + Math.exp(-logOdds))
}

/** The higher one of both languages, so that each drops so many. */
function thresholdOf(all: readonly Judged[]): number {
  const bounds = ['en', 'zh'].map(language => {
    const scores = all
      .filter(one => !one.isTrue && one.language === language)
      .map(({ score }) => score)
    return scores.toSorted((a, b) => a - b)[Math.ceil(DROPPED * scores.length)] ?? 0.5
  })
  return Math.max(...bounds)
}

function report(all: readonly Judged[]): void {
  const loss =
    all.reduce(
      (sum, { isTrue, score }) =>
        sum - Math.log(Math.max(MIN_LIKELIHOOD, isTrue ? score : 1 - score)),
      0,
    ) / all.length
  console.log(`log loss ${loss.toFixed(4)}, threshold ${threshold.toFixed(3)}`)
  for (const set of ['all', ...SETS])
    for (const language of ['en', 'zh']) {
      const own = all.filter(one => one.language === language && (set === 'all' || one.set === set))
      const kept = (isTrue: boolean) => {
        const some = own.filter(one => one.isTrue === isTrue)
        return `${some.filter(({ score }) => score >= threshold).length} of ${some.length}`
      }
      console.log(`${language} ${set}: true ones kept ${kept(true)}, false ones ${kept(false)}`)
    }
  if (!process.argv.includes('--list')) return
  for (const { id, claim, isTrue, score, rows } of all)
    if (score >= threshold !== isTrue)
      console.log(
        `${isTrue ? 'true' : 'FALSE'} ${score.toFixed(2)} ${id} ${claim} | ${rows[0]?.text}`,
      )
}

/** Scores of documents to which the weights were not fitted; objections exclude the others. */
function writeCalibration(all: readonly Judged[]): void {
  const collect = (language: string) => {
    const own = all.filter(one => one.language === language)
    const select = (isTrue: boolean) =>
      own
        .filter(one => one.isTrue === isTrue && one.score >= threshold)
        .map(({ score }) => Number(score.toFixed(3)))
        .toSorted((a, b) => b - a)
    return { asked: own.length, right: select(true), wrong: select(false) }
  }
  const claims = { en: collect('en'), zh: collect('zh') }
  for (const [language, of] of Object.entries(claims))
    for (const risk of RISKS) {
      const { minConfidence, coverage, unlimited } = limitRisk(of, risk)
      console.log(
        `${language} risk ${risk}: from ${minConfidence}, confirmed ${(100 * coverage).toFixed(1)} % instead of ${(100 * unlimited).toFixed(1)} %`,
      )
    }
  const file = fileURLToPath(new URL('../data/calibration.json', import.meta.url))
  const calibration = JSON.parse(readFileSync(file, 'utf8'))
  writeFileSync(file, `${JSON.stringify({ ...calibration, claims })}\n`)
}

function write({ weights, bias }: Model): void {
  const rounded = (value: number) => Number(value.toFixed(3))
  const lines = SUPPORT_FEATURES.map((name, at) => `  ${name}: ${rounded(weights[at]!)},`) // one each
  const text = `/*
 * Fitted by bench/fit-claims.ts, ${new Date().toISOString().slice(0, 10)}, on test/eval/claims-dev and the claims of the development half of
 * bench/data/cite-check.
 */

/** Likelihood from which a claim is stated (bench/fit-claims.ts). */
export const STATED = ${rounded(threshold)}

export const SUPPORT_BIAS = ${rounded(bias)}
export const SUPPORT_WEIGHTS = {
${lines.join('\n')}
}
`
  writeFileSync(
    fileURLToPath(new URL('../src/answer/citations/support-weights.ts', import.meta.url)),
    text,
  )
  const file = fileURLToPath(new URL('../docs/decisions/claims.md', import.meta.url))
  const decision = readFileSync(file, 'utf8')
    .replace(/^\| `(\w+)` \| -?[\d.]+ \| (?!-?[\d.]+ \|)/gm, (line, name) => {
      const at = SUPPORT_FEATURES.indexOf(name)
      return at < 0 ? line : `| \`${name}\` | ${weights[at]!.toFixed(3)} | `
    })
    .replace(
      /a bias of -?[\d.]+ and a threshold of [\d.]+/,
      `a bias of ${rounded(bias)} and a threshold of ${rounded(threshold)}`,
    )
  writeFileSync(file, decision)
}
