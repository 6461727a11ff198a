/**
 * What a search takes while the same process indexes, beside what it takes when nothing else goes on: one client, one
 * question after the other, keyword and hybrid. The mark: the p95 under three times the quiet one.
 * usage: npx tsx bench/search-while-indexing.ts [DOCUMENTS 200] [QUERIES 200] [INDEXED_MEANWHILE 1000]
 */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { availableParallelism, cpus, tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { SearchMode } from '../src/app/search-modes.ts'
import { open } from '../src/app.ts'
import { percentile } from '../src/search/evaluation/metrics.ts'
import { generatedText } from './generated-text.ts'

const [documents = 200, queries = 200, meanwhile = 1000] = process.argv.slice(2).map(Number)
const MARK = 3
const folder = await mkdtemp(path.join(tmpdir(), 'passim-meanwhile-'))
const passim = await open({ home: path.join(folder, 'home'), environment: {} })
console.log(
  `${cpus()[0]?.model}, ${availableParallelism()} cores, Node ${process.version}, ${new Date().toISOString().slice(0, 10)}`,
)
await passim.index([await corpus('quiet', 0, documents)], { collection: 'searched' })
const docs = await corpus('meanwhile', documents, meanwhile)
for (const mode of ['keyword', 'hybrid'] as const) {
  await search(mode, 20)
  const quiet = percentile(await search(mode, queries), 0.95)
  const stop = new AbortController()
  const indexing = passim.index([docs], { collection: `with ${mode}`, signal: stop.signal })
  indexing.catch(() => undefined) // stopped below
  while ((await passim.jobs.list(undefined, 1))[0]?.state !== 'running') await sleep(20)
  const busy = percentile(await search(mode, queries), 0.95)
  stop.abort()
  await indexing.catch(() => undefined) // the abort, which is ours
  const ratio = (busy / quiet).toFixed(1)
  console.log(
    `${mode}: p95 ${quiet.toFixed(1)} ms quiet, ${busy.toFixed(1)} ms while indexing; ratio ${ratio}, mark ${MARK}`,
  )
}
await passim.close()
await rm(folder, { recursive: true })

async function search(mode: SearchMode, count: number): Promise<readonly number[]> {
  const times: number[] = []
  for (let index = 0; index < count; index++) {
    const query = generatedText(index * 7 + count, 5).slice(0, 60)
    const started = performance.now()
    await passim.search({ query, mode, collections: ['searched'] })
    times.push(performance.now() - started)
  }
  return times
}

async function corpus(name: string, first: number, count: number): Promise<string> {
  const docs = path.join(folder, name)
  await mkdir(docs)
  for (let seed = first; seed < first + count; seed++) {
    await writeFile(path.join(docs, `${seed}.txt`), generatedText(seed, 300))
  }
  return docs
}
