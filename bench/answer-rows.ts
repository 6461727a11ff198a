/**
 * What answers to the questions of sets could be quoted from: for each question the candidates in the order of their scores, with their
 * features, and whether they hold the evidence. `fit-answers.ts` fits the weights on it, `answer-losses.ts` tells where answers are lost.
 */
import { mkdir, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Candidate, isStated } from '../src/answer/evidence/candidates.ts'
import { EvidenceRanker, type Weights } from '../src/answer/evidence/evidence.ts'
import { type Evidence, FEATURES } from '../src/answer/evidence/features.ts'
import { parseQuestion } from '../src/answer/question/parse.ts'
import type { Question } from '../src/answer/question/question.ts'
import { readEvaluationSet } from '../src/app/evaluation/evaluation-set.ts'
import { readQuestionSet } from '../src/app/evaluation/question-set.ts'
import { openLexicon, openWordRarity } from '../src/app/lexicon.ts'
import type { Passim } from '../src/app/passim.ts'
import { openWithStore } from '../src/app.ts'
import { loadSettings } from '../src/config.ts'
import { VectorMeaning } from '../src/search/meaning.ts'
import type { Hit } from '../src/search/searcher.ts'
import { detectLanguage } from '../src/text/language.ts'
import { halfOf, readQuestionSet as readProof } from './cite-check/question-set.ts'

const EVAL = fileURLToPath(new URL('../test/eval', import.meta.url))
/** As many as an answer looks through. */
const HITS = 8
const HITS_ACROSS = 14

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
  'near',
  'cite-check',
] as const

/** All their documents in one collection: what the other language has on other things is not to be taken for an answer. */
const EVERYTHING = 'answers-development'

/** Notes of an office in two languages, with questions in the language that a note is not in. */
const NOTES = 'cross-language/tuning'
const NOTES_COLLECTION = 'cross-language-tuning'

/** The half of cite-check that may be looked at; evidence is in its readable sources. */
const CITE_CHECK = new URL('data/cite-check/', import.meta.url)

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
  /** Those in the other language, which are looked at where the others do not answer. */
  readonly across: readonly Row[]
}

export type Questions = {
  /** In the order of the sets. */
  readonly asked: readonly Asked[]
  /** Those that only documents in the other language answer; nothing is looked for in their own. */
  readonly notes: readonly Asked[]
}

type Reading = { readonly passim: Passim; readonly ranker: EvidenceRanker }

/** The questions of the sets, which are indexed first where that is not yet done; `weights` choose which statements are compared and read. */
export async function readRows(sets: readonly string[], weights?: Weights): Promise<Questions> {
  const home = process.env.PASSIM_HOME ?? path.join(homedir(), '.cache/passim-bench')
  const { passim, opened: parts } = await openWithStore(
    await loadSettings({ home, environment: {} }),
    {},
  )
  try {
    const rarity = openWordRarity()
    const meaning = new VectorMeaning(
      parts.embedder,
      parts.searching.sentenceVectors,
      parts.searching.priors,
    )
    const ranker = new EvidenceRanker({
      reader: passim.library,
      rarity,
      meaning,
      lexicon: openLexicon(),
      ...(weights && { weights, readsAll: true }),
    })
    const reading = { passim, ranker }
    const all = await Promise.all(
      sets.map(async set => (set === 'cite-check' ? citeCheck() : await ownSet(set))),
    )
    await index(
      passim,
      EVERYTHING,
      all.flatMap(({ files }) => files),
    )
    const notes = await readNotes(path.join(home, 'bench-notes'), reading)
    const asked: Asked[] = []
    for (const set of all) asked.push(...(await readSet(set, reading)))
    return { asked, notes }
  } finally {
    await passim.close()
  }
}

async function index(passim: Passim, collection: string, files: readonly string[]): Promise<void> {
  await passim.collections.findOrCreate(collection)
  await passim.index(files, { collection })
}

async function readSet(
  { set, name, files, questions }: Set,
  { passim, ranker }: Reading,
): Promise<readonly Asked[]> {
  await index(passim, name, files)
  const all: Asked[] = []
  for (const gold of questions) {
    const language = detectLanguage(gold.question)
    const question = parseQuestion(gold.question, language)
    const query = gold.question
    const hits = (await passim.search({ query, collections: [name], limit: HITS })).slice(0, HITS)
    const others = await searchAcross(passim, query, EVERYTHING)
    const isFound = hits.some(hit => holdsEvidence(gold, hit.name, hit.text))
    for (const part of question.parts.length > 0 ? question.parts : [question]) {
      const rowsOf = (ranking: readonly Evidence[]) =>
        cleaned(ranking.map(one => rowOf(one, part, gold)))
      const rows = rowsOf(await ranker.rank(part, hits))
      const across = rowsOf(await ranker.rankAcross(part, others))
      const document = gold.doc ?? rows[0]?.document ?? ''
      all.push({ ...toldOf(gold, set, part), document, isFound, rows, across })
    }
  }
  console.error(set, all.length)
  return all
}

function toldOf(
  { id, question, answerable, evidence }: Gold,
  set: string,
  { kind, requestedValue, terms }: Question,
) {
  const told = { id, set, question, language: detectLanguage(question), isAnswerable: answerable }
  const reading = [
    kind,
    requestedValue.type,
    terms.map(term => term.text + (term.isName ? '!' : '')).join(' '),
  ].join('/')
  return { ...told, reading, evidence: evidence.join(' // ') }
}

async function searchAcross(
  passim: Passim,
  query: string,
  collection: string,
): Promise<readonly Hit[]> {
  const filter = { key: 'language', type: 'ne', value: detectLanguage(query) } as const
  return await passim.search({ query, collections: [collection], filter, limit: HITS_ACROSS })
}

/** Which note answers is known, and not by which of its sentences: the best of them counts. */
async function readNotes(folder: string, { passim, ranker }: Reading): Promise<readonly Asked[]> {
  const { passages, queries } = await readEvaluationSet(path.join(EVAL, NOTES), {})
  await mkdir(folder, { recursive: true })
  const fileOf = (id: string) => `${id}.md`
  for (const { id, title, text } of passages)
    await writeFile(path.join(folder, fileOf(id)), `# ${title}\n\n${text}\n`)
  await index(passim, NOTES_COLLECTION, [folder])
  const all: Asked[] = []
  for (const { id, query, judgements } of queries) {
    const document = fileOf([...judgements.keys()][0] ?? '')
    const gold = {
      id,
      question: query,
      answerable: true,
      doc: document,
      evidence: [''],
      mustInclude: [['']],
    }
    const part = parseQuestion(query, detectLanguage(query))
    const others = await searchAcross(passim, query, NOTES_COLLECTION)
    const isFound = others.some(hit => hit.name === document)
    const across = cleaned(
      (await ranker.rankAcross(part, others)).map(one => rowOf(one, part, gold)),
    )
    all.push({ ...toldOf(gold, NOTES, part), document, isFound, rows: [], across })
  }
  console.error(NOTES, all.length)
  return all
}

function rowOf({ candidate, features, score }: Evidence, part: Question, gold: Gold): Row {
  const { statement } = candidate
  const isRight = gold.answerable && holdsEvidence(gold, statement.passage.name, statement.text)
  const shown = { kind: statement.kind, text: statement.text, document: statement.passage.name }
  const values = FEATURES.map(feature => features[feature])
  return { ...shown, features: values, isRight, score, share: shareOf(part, candidate) }
}

type Gold = {
  readonly id: string
  readonly question: string
  readonly answerable: boolean
  readonly doc?: string
  /** Any of them will do. */
  readonly evidence: readonly string[]
  readonly mustInclude: readonly (readonly string[])[]
}

type Set = {
  readonly set: string
  /** Of its collection. */
  readonly name: string
  readonly files: readonly string[]
  readonly questions: readonly Gold[]
}

async function ownSet(set: string): Promise<Set> {
  const folder = path.join(EVAL, set)
  const { documents = folder, questions } = await readQuestionSet(folder)
  const golds = questions.map(({ evidence = '', answerable = false, ...gold }) => ({
    ...{ ...gold, answerable },
    evidence: [evidence],
  }))
  return { set, name: `answers of ${set}`, files: [documents], questions: golds }
}

/** One collection of the documents, as the proof has them. */
function citeCheck(): Set {
  const { documents, questions } = readProof(CITE_CHECK)
  const ids = [...documents.keys()].filter(
    id => halfOf(id, [...documents.keys()]) === 'development',
  )
  const fileOf = (id: string) => `${id}.${documents.get(id)!.format}` // an id of theirs
  const own = questions.filter(({ document }) => ids.includes(document))
  return {
    set: 'cite-check',
    name: 'cite-check-development',
    files: ids.map(id => fileURLToPath(new URL(`files/${fileOf(id)}`, CITE_CHECK))),
    questions: own.map(({ id, document, question, answerable, facts, evidence }) => {
      const texts = evidence.map(({ text }) => text)
      const told = facts.filter(spellings => !spellings.some(one => one === 'yes' || one === 'no'))
      return {
        id,
        question,
        answerable,
        doc: fileOf(document),
        evidence: texts,
        mustInclude: [texts, ...told],
      }
    }),
  }
}

/** Of several rows with the same short evidence, the ones with most of the question's words. */
function cleaned(rows: readonly Row[]): readonly Row[] {
  const best = Math.max(...rows.filter(row => row.isRight).map(row => row.share))
  return rows.map(row => ({ ...row, isRight: row.isRight && row.share >= best - 0.15 }))
}

function shareOf({ terms }: Question, candidate: Candidate): number {
  const held = terms.filter(term => isStated(term, candidate))
  return held.length / Math.max(1, terms.length)
}

function holdsEvidence(gold: Gold, name: string, text: string): boolean {
  if (gold.doc && gold.doc !== name) return false
  return gold.evidence.some(evidence => holdsOneEvidence(gold, evidence, text))
}

function holdsOneEvidence({ mustInclude }: Gold, evidence: string, text: string): boolean {
  const wanted = squeeze(evidence)
  const found = squeeze(text)
  const holdsOne = mustInclude.some(group => group.some(member => found.includes(squeeze(member))))
  if (wanted !== '' && found.includes(wanted)) return holdsOne || wanted.length > 12
  if (!holdsOne) return false
  const evidenceGrams = grams(wanted)
  const own = grams(found)
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
  return new Set(
    Array.from({ length: Math.max(1, text.length - 3) }, (_, at) => text.slice(at, at + 4)),
  )
}
