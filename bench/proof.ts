/**
 * The proof of docs/proof.md: how well Passim and others answer, refuse and cite, search and parse, on everything that can run here.
 *
 *   npm run proof -- [answers] [retrieval] [parsing] [model] [effort] [--half development|held-out] [--every 1] [--peers NAME,...] [--out FOLDER]
 *   npm run proof -- answers --from FOLDER
 *   npm run proof -- retrieval --sets FOLDER,... [--queries N] [--corpus N]
 *
 * Without a part, all five; `model` is Passim's check of what a scripted chat model writes, `effort` what each effort shows a model of questions over several documents. Peers that answer: passim, passim@0.7 (another strictness), passim-http,
 * bm25; qwen-agent (PROOF_QWEN_PYTHON: a Python with `pip install 'qwen-agent[rag]' soundfile tqdm openpyxl`);
 * responses (PROOF_RESPONSES_URL, _KEY, _MODEL); ragflow (PROOF_RAGFLOW_URL, _KEY); anything-llm (PROOF_ANYTHING_LLM_URL, _KEY);
 * qmd (PROOF_QMD: its command). That search: passim, precise, keyword, vector and cosine, each also as NAME@FILE with the settings of that
 * file, so that two embedders stand side by side; lucene; bm25s (PROOF_BM25S_PYTHON: a Python with `pip install bm25s snowballstemmer`).
 * That parse: passim, qwen-agent.
 *
 * `--every 10` takes every tenth pair of questions. `--from` marks the raw outputs of a folder again and asks nobody; offsets are then not
 * checked, for the texts that they count in are not published. Every run over the held-out half is to be entered in LOOKS.md.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { proveAnswers } from './proof/answers.ts'
import { proveEffort } from './proof/effort.ts'
import { proveModelChecks } from './proof/model.ts'
import { type ProofOptions, RESULTS } from './proof/options.ts'
import { proveParsing } from './proof/parsing.ts'
import { proveRetrieval } from './proof/retrieval.ts'

const PARTS: Readonly<Record<string, (options: ProofOptions) => Promise<string>>> = {
  answers: proveAnswers,
  retrieval: proveRetrieval,
  parsing: proveParsing,
  model: proveModelChecks,
  effort: proveEffort,
}

const { values, positionals } = parseArgs({
  args: process.argv.slice(2).filter(word => word !== '--'),
  allowPositionals: true,
  options: {
    half: { type: 'string', default: 'development' },
    every: { type: 'string', default: '1' },
    peers: { type: 'string' },
    from: { type: 'string' },
    sets: { type: 'string' },
    queries: { type: 'string' },
    corpus: { type: 'string' },
    out: { type: 'string', default: RESULTS },
  },
})
const { half, out, from } = values
if (half !== 'development' && half !== 'held-out')
  throw new Error('--half is development or held-out.')
const parts = positionals.length > 0 ? positionals : Object.keys(PARTS)
if (values.peers && parts.length !== 1)
  throw new Error('--peers goes with one part: answers, retrieval or parsing.')
const stop = new AbortController()
process.once('SIGINT', () => stop.abort())
const scratch = mkdtempSync(path.join(tmpdir(), 'passim-proof-'))
const options: ProofOptions = {
  half,
  out,
  from,
  scratch,
  signal: stop.signal,
  every: wholeNumber('--every', values.every),
  peers: values.peers?.split(','),
  sets: values.sets?.split(','),
  queries: values.queries === undefined ? undefined : wholeNumber('--queries', values.queries),
  corpus: values.corpus === undefined ? undefined : wholeNumber('--corpus', values.corpus),
}
try {
  for (const part of parts) {
    const prove = PARTS[part]
    if (!prove)
      throw new Error(`There is no part ${part}: answers, retrieval, parsing, model or effort.`)
    console.log(`${await prove(options)}\n`)
  }
} finally {
  rmSync(scratch, { recursive: true, force: true })
}

function wholeNumber(name: string, text: string): number {
  const number = Number(text)
  if (!Number.isInteger(number) || number < 1)
    throw new Error(`${name} is a whole number from 1 on.`)
  return number
}
