/**
 * wink-bm25-text-search beside keyword search over LanceDB: the same passages, the same terms.
 * Prints memory, CPU per query, agreement of the best ten, and what adding a passage after the first query does.
 * usage: npx tsx bench/replaced/wink-bm25.ts [PASSAGES 20000] [QUERIES 50]
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { open } from '../../src/index.ts'
import { Analyzer } from '../../src/text/analyzer.ts'
import { generatedText } from '../generated-text.ts'
import { installPackages, measureCpu } from './peer-package.ts'

/** The part of the package's interface that is used here. */
type WinkEngine = {
  defineConfig(config: object): void
  definePrepTasks(tasks: readonly ((text: string) => string[])[]): void
  addDoc(document: object, id: number): void
  consolidate(): void
  search(query: string, limit: number): readonly (readonly [string, number])[]
}

const VERSION = 'wink-bm25-text-search@3.1.2'
const WORDS_PER_PASSAGE = 60
const MEBIBYTE = 1024 * 1024

const passages = Number(process.argv[2] ?? 20_000)
const queries = Number(process.argv[3] ?? 50)
const texts = Array.from({ length: passages }, (_, seed) => generatedText(seed, WORDS_PER_PASSAGE))
const questions = Array.from({ length: queries }, (_, at) =>
  (texts[(at * 7918) % passages] ?? '').split(/\s+/).slice(5, 11).join(' '),
)

const peer = installPackages(VERSION)
const createEngine = peer.require('wink-bm25-text-search') as () => WinkEngine // its documented export
const before = process.memoryUsage().rss
const analyzer = new Analyzer()
const engine = createEngine()
engine.defineConfig({ fldWeights: { text: 1 } })
engine.definePrepTasks([text => [...analyzer.listTerms(text)]])
const built = await measureCpu(() => {
  for (const [id, text] of texts.entries()) engine.addDoc({ text }, id)
  engine.consolidate()
})
const memory = (process.memoryUsage().rss - before) / MEBIBYTE
const searched = await measureCpu(() => questions.map(query => engine.search(query, 10)))
console.log(
  `wink-bm25: built with ${(built.ms / 1000).toFixed(1)} s of CPU, ${memory.toFixed(0)} MiB`,
)
console.log(`wink-bm25: ${(searched.ms / queries).toFixed(1)} ms of CPU per query`)
console.log(`wink-bm25: adding a passage after that: ${tryAdding()}`)

const folder = mkdtempSync(path.join(tmpdir(), 'passim-wink-'))
await mkdir(path.join(folder, 'docs'))
for (const [id, text] of texts.entries())
  await writeFile(path.join(folder, 'docs', `${id}.txt`), text)
const passim = await open({ home: path.join(folder, 'home') })
await passim.index([path.join(folder, 'docs')], { withoutVectors: true })
for (const query of questions) await passim.search({ query, mode: 'keyword', limit: 10 })
const ours = await measureCpu(async () => {
  for (const query of questions) await passim.search({ query, mode: 'keyword', limit: 10 })
})
console.log(`Passim, keyword: ${(ours.ms / queries).toFixed(1)} ms of CPU per query`)
console.log(`wink-bm25 takes ${(searched.ms / ours.ms).toFixed(1)} times the CPU of a query`)
await passim.close()
peer.remove()
rmSync(folder, { recursive: true })

function tryAdding(): string {
  try {
    engine.addDoc({ text: 'one more' }, passages)
    return 'possible'
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
