import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { gunzipSync, gzipSync } from 'node:zlib'
import { z } from 'zod'
import { figuresOf } from '../cite-check/figures.ts'
import { markAnswer } from '../cite-check/marking.ts'
import { riskPlot } from '../cite-check/plots.ts'
import { type ProofQuestion, readQuestionSet } from '../cite-check/question-set.ts'
import { type Marked, report } from '../cite-check/report.ts'
import { choosePeer } from '../peers/index.ts'
import { isRemark, type Peer, type RawAnswer } from '../peers/peer.ts'
import { CITE_CHECK, chosenQuestions, type ProofOptions } from './options.ts'

const PEERS = ['passim', 'bm25']

/** A line of the raw outputs. */
const PUBLISHED = z.object({
  id: z.string(),
  peer: z.string().optional(),
  text: z.string(),
  refused: z.boolean(),
  confidence: z.number().optional(),
  sentences: z.array(
    z.object({
      text: z.string(),
      citations: z.array(
        z.object({ document: z.string(), quote: z.string(), page: z.number().optional() }),
      ),
    }),
  ),
})

type Asked = {
  readonly peer: string
  /** Of an earlier run those that there were then. */
  readonly questions: readonly ProofQuestion[]
  readonly answers: readonly RawAnswer[]
}

/** Answers, citations and refusals: cite-check. Gives the tables, and writes them with a plot and raw outputs. */
export async function proveAnswers(options: ProofOptions): Promise<string> {
  const set = readQuestionSet(CITE_CHECK)
  const chosen = chosenQuestions(set, options)
  const out = path.join(options.out, options.half)
  mkdirSync(out, { recursive: true })
  const marked: Marked[] = []
  for (const name of options.peers ?? PEERS) {
    const { peer, questions, answers } = options.from
      ? publishedBy(name, chosen, path.join(options.from, options.half))
      : await asked(name, chosen, { ...options, out })
    const marks = questions.map((question, index) =>
      markAnswer(question, claimsOf(answers[index]!), set.documents),
    )
    marked.push({ peer, answers: marks })
  }
  const lines = marked.map(({ peer, answers }) => ({ name: peer, risk: figuresOf(answers).risk }))
  writeFileSync(
    path.join(out, 'risk-coverage.svg'),
    riskPlot(`Risk and coverage, ${options.half}`, lines),
  )
  const known = new Set(marked.flatMap(({ answers }) => answers.map(({ id }) => id)))
  const tables = report(
    marked,
    chosen.filter(({ id }) => known.has(id)),
  )
  writeFileSync(path.join(out, 'report.md'), `${tables}\n`)
  return tables
}

function claimsOf(answer: RawAnswer): RawAnswer {
  return { ...answer, sentences: answer.sentences.filter(sentence => !isRemark(sentence)) }
}

export function readPublished(raw: string): readonly z.infer<typeof PUBLISHED>[] {
  return raw
    .trim()
    .split('\n')
    .map(line => PUBLISHED.parse(JSON.parse(line)))
}

function publishedBy(name: string, questions: readonly ProofQuestion[], folder: string): Asked {
  const raw = gunzipSync(readFileSync(path.join(folder, `${name}.jsonl.gz`))).toString('utf8')
  const published = new Map(readPublished(raw).map(answer => [answer.id, answer]))
  const answered = questions.filter(({ id }) => published.has(id))
  const [first] = answered
  if (!first) throw new Error(`${folder} has no answer of ${name} to any of these questions.`)
  const answers = answered.map(({ id }) => published.get(id)!) // those that it has
  return { peer: published.get(first.id)?.peer ?? name, questions: answered, answers }
}

async function asked(
  name: string,
  questions: readonly ProofQuestion[],
  options: ProofOptions,
): Promise<Asked> {
  const set = readQuestionSet(CITE_CHECK)
  const ids = [...new Set(questions.map(({ document }) => document))]
  const documents = ids.map(id => set.documents.get(id)!)
  const files = documents.map(({ id, format }) =>
    fileURLToPath(new URL(`files/${id}.${format}`, CITE_CHECK)),
  )
  const peer = await choosePeer(name, { documents, scratch: options.scratch })
  try {
    await peer.prepare(files, options.signal)
    const answers = await askAll(peer, questions, options.signal)
    const raw = questions.map(({ id, question }, index) =>
      JSON.stringify({ id, peer: peer.name, question, ...published(answers[index]!) }),
    )
    writeFileSync(path.join(options.out, `${name}.jsonl.gz`), gzipSync(`${raw.join('\n')}\n`))
    return { peer: peer.name, questions, answers }
  } finally {
    await peer.close()
  }
}

async function askAll(
  peer: Peer,
  questions: readonly ProofQuestion[],
  signal: AbortSignal,
): Promise<RawAnswer[]> {
  const answers: RawAnswer[] = []
  const started = performance.now()
  for (const { question } of questions) {
    answers.push(await peer.answer(question, signal))
    if (answers.length % 50 === 0) {
      const seconds = (performance.now() - started) / 1000
      console.error(
        `${peer.name}: ${answers.length} of ${questions.length}, ${seconds.toFixed(0)} s`,
      )
    }
  }
  return answers
}

/** An answer without the whole texts that its offsets count in. */
function published({ text, refused, confidence, sentences }: RawAnswer) {
  const cited = sentences.map(sentence => ({
    text: sentence.text,
    citations: sentence.citations.map(({ offsets, ...citation }) => ({
      ...citation,
      start: offsets?.start,
      end: offsets?.end,
    })),
  }))
  return { text, refused, confidence, sentences: cited }
}
