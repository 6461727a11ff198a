/**
 * What answers to the questions of sets could be quoted from: for each question the candidates in the order of their scores, with their
 * features, and whether they hold the evidence. `fit-answers.ts` fits the weights on it, `answer-losses.ts` tells where answers are lost.
 */
import { existsSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Candidate } from '../src/answer/evidence/candidates.ts'
import { EvidenceRanker } from '../src/answer/evidence/evidence.ts'
import { FEATURES } from '../src/answer/evidence/features.ts'
import { VectorMeaning } from '../src/answer/evidence/meaning.ts'
import { parseQuestion } from '../src/answer/question/parse.ts'
import type { Question } from '../src/answer/question/question.ts'
import { evaluationCollection } from '../src/app/evaluation/evaluations.ts'
import { readQuestionSet } from '../src/app/evaluation/question-set.ts'
import { openParts } from '../src/app/open-parts.ts'
import { Passim } from '../src/app.ts'
import { loadSettings } from '../src/config.ts'
import { languageOf } from '../src/text/language.ts'
import { WordRarity } from '../src/text/rarity.ts'
import { isHeld } from '../src/text/terms.ts'

const EVAL = fileURLToPath(new URL('../test/eval', import.meta.url))
/** As many as an answer looks through. */
const HITS = 8

export const DEVELOPMENT_SETS = [
  'calibration',
  'mixed',
  'long',
  'kinds',
  'real',
  'real-more',
  'tables',
  'scope',
  'twins',
] as const

export type Row = {
  readonly features: readonly number[]
  readonly isRight: boolean
  readonly kind: string
  readonly text: string
  readonly document: string
  readonly score: number
  /** Of the question's words, those that it or what it leans on says. */
  readonly share: number
}

/** A question, or one of its parts. */
export type Asked = {
  readonly id: string
  readonly set: string
  readonly question: string
  readonly language: string
  readonly isAnswerable: boolean
  /** What it asks, and what the question has beside. */
  readonly reading: string
  readonly document: string
  readonly evidence: string
  /** A passage that was found holds the evidence. */
  readonly isFound: boolean
  readonly rows: readonly Row[]
}

/** In the order of the sets; indexes them first where that is not yet done. */
export async function readRows(sets: readonly string[]): Promise<readonly Asked[]> {
  const home = process.env.PASSIM_HOME ?? path.join(homedir(), '.cache/passim-bench')
  const parts = await openParts(await loadSettings({ home, environment: {} }), {})
  const passim = new Passim(parts)
  try {
    const scores = fileURLToPath(new URL('../data/lexicon/word-scores.tsv', import.meta.url))
    const rarity = existsSync(scores) ? new WordRarity(() => readFileSync(scores, 'utf8')) : undefined
    const meaning = new VectorMeaning(parts.embedder, parts.searching.sentenceVectors, parts.searching.priors)
    const ranker = new EvidenceRanker({ reader: passim.library, rarity, meaning })
    const asked: Asked[] = []
    for (const set of sets) asked.push(...(await readSet(set, passim, ranker)))
    return asked
  } finally {
    await passim.close()
  }
}

async function readSet(set: string, passim: Passim, ranker: EvidenceRanker): Promise<readonly Asked[]> {
  const folder = path.join(EVAL, set)
  const name = evaluationCollection(folder)
  const { documents, questions } = await readQuestionSet(folder)
  await passim.collections.ensure(name, { hidden: true })
  await passim.index([documents], { collection: name })
  const all: Asked[] = []
  for (const gold of questions) {
    const language = languageOf(gold.question)
    const question = parseQuestion(gold.question, language)
    const hits = (await passim.search({ query: gold.question, collections: [name], limit: HITS })).slice(0, HITS)
    const isFound = hits.some(hit => holdsEvidence(gold, hit.name, hit.text))
    for (const part of question.parts.length > 0 ? question.parts : [question]) {
      const { ranking } = await ranker.rank(part, hits)
      const rows = ranking.map(({ candidate, features, score }): Row => {
        const { statement } = candidate
        const isRight = gold.answerable && holdsEvidence(gold, statement.passage.name, statement.text)
        const shown = {
          kind: statement.kind,
          text: statement.text,
          document: statement.passage.name,
          score,
          share: shareOf(part, candidate),
        }
        return { features: FEATURES.map(feature => features[feature]), isRight, ...shown }
      })
      const { kind, asked, terms } = part
      const told = { id: gold.id, set, question: gold.question, language, isAnswerable: gold.answerable }
      const reading = [kind, asked.type, terms.map(term => term.text + (term.isName ? '!' : '')).join(' ')].join('/')
      all.push({
        ...told,
        ...{ reading, document: gold.doc ?? rows[0]?.document ?? '', evidence: gold.evidence ?? '', isFound },
        rows: cleaned(rows),
      })
    }
  }
  console.error(set, all.length)
  return all
}

/** Of several rows with the same short evidence, the ones with most of the question's words. */
function cleaned(rows: readonly Row[]): readonly Row[] {
  const best = Math.max(...rows.filter(row => row.isRight).map(row => row.share))
  return rows.map(row => ({ ...row, isRight: row.isRight && row.share >= best - 0.15 }))
}

function shareOf({ terms }: Question, { own, context, scope }: Candidate): number {
  const held = terms.filter(term => [own, context, scope].some(there => isHeld(term, there)))
  return held.length / Math.max(1, terms.length)
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
