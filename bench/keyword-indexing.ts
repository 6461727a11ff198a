/**
 * CPU, over all processes, of indexing text files by keywords, beside Qwen-Agent's parse of the same files alone.
 * The mark: at most three times the CPU of the peer's parse. That is counted without the start of its process, ours with the
 * start of every process; the ratio with both starts is printed beside it.
 * Without the peer, three times 4.5 s for 1,000 files of 2,000 tokens.
 * usage: npx tsx bench/keyword-indexing.ts [FILES 1000] [PYTHON]      (after npm run build; Linux)
 * PYTHON: of an environment with `pip install 'qwen-agent[rag]' soundfile tqdm`
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { availableParallelism, cpus, tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { generatedText } from './generated-text.ts'
import { cpuSecondsOfChildren } from './process-tree.ts'

const files = Number(process.argv[2] ?? 1000)
const python = process.argv[3]
const CLI = fileURLToPath(new URL('../dist/cli.js', import.meta.url))
const PEER = fileURLToPath(new URL('qwen-agent-parse.py', import.meta.url))

/** English words and Chinese pairs of a text that Qwen's tokenizer counts as 2,000 tokens, within 5 %. */
const WORDS = { english: 1_470, chinese: 943 }
const PEER_SECONDS_PER_FILE = 4.5 / 1000
const MARK = 3

const folder = await mkdtemp(path.join(tmpdir(), 'passim-keyword-'))
const docs = path.join(folder, 'docs')
await mkdir(docs)
for (let seed = 0; seed < files; seed++) {
  const text = generatedText(seed, seed % 2 === 1 ? WORDS.chinese : WORDS.english)
  await writeFile(path.join(docs, `${seed}.txt`), text)
}
console.log(
  `${cpus()[0]?.model}, ${availableParallelism()} cores, Node ${process.version}, ${new Date().toISOString().slice(0, 10)}`,
)
const peer = python ? parseByPeer(python) : { parse: files * PEER_SECONDS_PER_FILE }
console.log(
  `Qwen-Agent's parse alone: ${peer.parse.toFixed(1)} s of CPU${python ? '' : ' (measured elsewhere)'}`,
)
const first = index()
console.log(
  `indexed, ready to be searched: ${first.toFixed(1)} s of CPU; ${(first / peer.parse).toFixed(1)} of the peer, mark ${MARK}`,
)
if (peer.process) {
  console.log(
    `of the peer's whole process, ${peer.process.toFixed(1)} s: ${(first / peer.process).toFixed(1)}`,
  )
}
console.log(`the same again, unchanged: ${index().toFixed(1)} s of CPU`)
await rm(folder, { recursive: true })

/** CPU of its parse alone, and of its process from start to end, in seconds. */
function parseByPeer(python: string): { readonly parse: number; readonly process?: number } {
  const before = cpuSecondsOfChildren()
  const parse = execFileSync(python, [PEER, docs], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  return { parse: Number(parse), process: cpuSecondsOfChildren() - before }
}

/** CPU of a whole run of the command line, the start of every process in it included. */
function index(): number {
  const before = cpuSecondsOfChildren()
  const args = [CLI, '--home', path.join(folder, 'home'), '--quiet', 'index', docs, '--no-vectors']
  const { status } = spawnSync(process.execPath, args, { stdio: ['ignore', 'inherit', 'inherit'] })
  if (status !== 0) throw new Error(`The run ended with ${status}.`)
  return cpuSecondsOfChildren() - before
}
