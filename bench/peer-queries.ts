/**
 * CPU of a question to Passim beside Qwen-Agent's retrieval over the same documents, about 2,000 tokens each, in one run. The
 * peer looks for words (keyword and front-page search, its default) in documents that it has parsed already. Vectors are synthetic; what
 * it costs to embed a question is measured by itself and counted to hybrid search.
 * usage: npx tsx bench/peer-queries.ts PYTHON [DOCUMENTS 200] [QUESTIONS 100; the peer is asked the first 5]
 * PYTHON: of an environment with `pip install 'qwen-agent[rag]' soundfile tqdm`
 */
import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { availableParallelism, cpus, tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { SearchMode } from '../src/app/search-modes.ts'
import { open } from '../src/app.ts'
import { questionCpuMs } from './question-cost.ts'
import { SyntheticEmbedder } from './synthetic-embedder.ts'
import { zipfQuery, zipfText } from './zipf-text.ts'

const [python, documents = '200', questions = '100'] = process.argv.slice(2)
if (!python) throw new Error('usage: npx tsx bench/peer-queries.ts PYTHON [DOCUMENTS] [QUESTIONS]')
const PEER_QUESTIONS = 5
const PEER = fileURLToPath(new URL('qwen-agent-query.py', import.meta.url))
/** Sentences of a document of some 2,000 tokens as the peer counts them. */
const CHINESE_SENTENCES = 67
const ENGLISH_SENTENCES = 38

type PeerCost = { readonly parsing: number; readonly tokens: number; readonly seconds: readonly number[] }

console.log(
  `${cpus()[0]?.model}, ${availableParallelism()} cores, Node ${process.version}, ${new Date().toISOString().slice(0, 10)}`,
)
const folder = await mkdtemp(path.join(tmpdir(), 'passim-peer-'))
const docs = path.join(folder, 'docs')
await mkdir(docs)
for (let seed = 0; seed < Number(documents); seed++) {
  const { isChinese, sentences } = zipfText(seed, seed % 2 === 0 ? CHINESE_SENTENCES : ENGLISH_SENTENCES)
  await writeFile(path.join(docs, `${seed}.txt`), sentences.join(isChinese ? '' : ' '))
}
const texts = Array.from({ length: Number(questions) }, (_, seed) => zipfQuery(seed, 6))
const passim = await open({ home: path.join(folder, 'home'), environment: {}, embedder: new SyntheticEmbedder() })
const { totals } = await passim.index([docs])
const embedding = await questionCpuMs(texts)
const ours = { keyword: await cpuMs('keyword'), hybrid: (await cpuMs('hybrid')) + embedding }
await passim.close()
const peer = await peerCost()
await rm(folder, { recursive: true })
const peerMs = (peer.seconds.reduce((sum, seconds) => sum + seconds, 0) / peer.seconds.length) * 1000
console.log(
  `${totals.indexed} documents, ${Math.round(peer.tokens / totals.indexed)} tokens each, ${totals.chunks} chunks`,
)
console.log(
  `Qwen-Agent: ${(peerMs / 1000).toFixed(2)} s of CPU a question, after ${peer.parsing.toFixed(1)} s of parsing`,
)
for (const [mode, ms] of Object.entries(ours)) {
  console.log(`${mode}: ${ms.toFixed(1)} ms of CPU a question, ${Math.round(peerMs / ms)} times less`)
}

/** The mean of all questions, each asked once before. */
async function cpuMs(mode: SearchMode): Promise<number> {
  for (const query of texts) await passim.search({ query, mode })
  const before = process.cpuUsage()
  for (const query of texts) await passim.search({ query, mode })
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000 / texts.length
}

async function peerCost(): Promise<PeerCost> {
  const file = path.join(folder, 'questions.json')
  await writeFile(file, JSON.stringify(texts.slice(0, PEER_QUESTIONS)))
  const printed = execFileSync(python!, [PEER, docs, file], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }) // checked above
  return JSON.parse(printed) as PeerCost // what the script prints
}
