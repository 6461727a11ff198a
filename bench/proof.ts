/**
 * cite-check on everything that can run here: a table, plots and raw outputs.
 *
 *   npm run proof -- [--half development|held-out] [--peers passim,bm25,...] [--every 1] [--out FOLDER] [--from FOLDER]
 *
 * Peers: passim, passim-http, bm25; qwen-agent (PROOF_QWEN_PYTHON: a Python with `pip install 'qwen-agent[rag]' soundfile tqdm openpyxl`);
 * responses (PROOF_RESPONSES_URL, _KEY, _MODEL); ragflow (PROOF_RAGFLOW_URL, _KEY); anything-llm (PROOF_ANYTHING_LLM_URL, _KEY);
 * qmd (PROOF_QMD: its command). `--every 10` asks every tenth pair. `--from` marks the raw outputs of a folder again and asks
 * nobody; offsets are then not checked, for the texts that they count in are not published. Every run over the held-out half is to be entered in LOOKS.md.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { gunzipSync, gzipSync } from 'node:zlib'
import { z } from 'zod'
import { figuresOf } from './cite-check/figures.ts'
import { markAnswer } from './cite-check/marking.ts'
import { riskPlot } from './cite-check/plots.ts'
import { halfOf, type ProofQuestion, type QuestionSet, readQuestionSet } from './cite-check/question-set.ts'
import { type Marked, report } from './cite-check/report.ts'
import { choosePeer } from './peers/index.ts'
import { isRemark, type Peer, type RawAnswer } from './peers/peer.ts'

const FOLDER = new URL('data/cite-check/', import.meta.url)

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
      citations: z.array(z.object({ document: z.string(), quote: z.string(), page: z.number().optional() })),
    }),
  ),
})

const { values } = parseArgs({
  args: process.argv.slice(2).filter(word => word !== '--'),
  options: {
    half: { type: 'string', default: 'development' },
    peers: { type: 'string', default: 'passim,bm25' },
    every: { type: 'string', default: '1' },
    from: { type: 'string' },
    out: { type: 'string', default: fileURLToPath(new URL('results/', FOLDER)) },
  },
})
const stop = new AbortController()
process.once('SIGINT', () => stop.abort())
const set = readQuestionSet(FOLDER)
const questions = chosen(set, values.half, Number(values.every))
const out = path.join(values.out, values.half)
mkdirSync(out, { recursive: true })
const scratch = mkdtempSync(path.join(tmpdir(), 'passim-proof-'))
try {
  const marked: Marked[] = []
  for (const name of values.peers.split(',')) marked.push(await examine(name))
  const lines = marked.map(({ peer, answers }) => ({ name: peer, risk: figuresOf(answers).risk }))
  writeFileSync(path.join(out, 'risk-coverage.svg'), riskPlot(`Risk and coverage, ${values.half}`, lines))
  const tables = report(marked, questions)
  writeFileSync(path.join(out, 'report.md'), `${tables}\n`)
  console.log(tables)
} finally {
  rmSync(scratch, { recursive: true, force: true })
}

/** Both questions of every so-many-th pair of the half. */
function chosen({ documents, questions }: QuestionSet, half: string, every: number): ProofQuestion[] {
  const ids = [...documents.keys()]
  if (half !== 'development' && half !== 'held-out') throw new Error('--half is development or held-out.')
  const all = questions.filter(({ document }) => halfOf(document, ids) === half)
  return all.filter((_, index) => Math.floor(index / 2) % every === 0)
}

async function examine(name: string): Promise<Marked> {
  const { peer, answers } = values.from ? publishedBy(name, values.from) : await asked(name)
  const marks = questions.map((question, index) => markAnswer(question, claimsOf(answers[index]!), set.documents))
  return { peer, answers: marks }
}

function claimsOf(answer: RawAnswer): RawAnswer {
  return { ...answer, sentences: answer.sentences.filter(sentence => !isRemark(sentence)) }
}

type Asked = { readonly peer: string; readonly answers: readonly RawAnswer[] }

function publishedBy(name: string, from: string): Asked {
  const lines = gunzipSync(readFileSync(path.join(from, values.half, `${name}.jsonl.gz`)))
    .toString('utf8')
    .trim()
    .split('\n')
  const published = new Map(lines.map(line => PUBLISHED.parse(JSON.parse(line))).map(answer => [answer.id, answer]))
  return { peer: published.get(questions[0]!.id)?.peer ?? name, answers: questions.map(({ id }) => published.get(id)!) }
}

async function asked(name: string): Promise<Asked> {
  const ids = [...new Set(questions.map(({ document }) => document))]
  const documents = ids.map(id => set.documents.get(id)!)
  const files = documents.map(({ id, format }) => fileURLToPath(new URL(`files/${id}.${format}`, FOLDER)))
  const peer = await choosePeer(name, { documents, scratch })
  try {
    await peer.prepare(files, stop.signal)
    const answers = await askAll(peer)
    const raw = questions.map(({ id, question }, index) =>
      JSON.stringify({ id, peer: peer.name, question, ...published(answers[index]!) }),
    )
    writeFileSync(path.join(out, `${name}.jsonl.gz`), gzipSync(`${raw.join('\n')}\n`))
    return { peer: peer.name, answers }
  } finally {
    await peer.close()
  }
}

async function askAll(peer: Peer): Promise<RawAnswer[]> {
  const answers: RawAnswer[] = []
  const started = performance.now()
  for (const { question } of questions) {
    answers.push(await peer.answer(question, stop.signal))
    if (answers.length % 50 === 0) {
      const seconds = (performance.now() - started) / 1000
      console.error(`${peer.name}: ${answers.length} of ${questions.length}, ${seconds.toFixed(0)} s`)
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
