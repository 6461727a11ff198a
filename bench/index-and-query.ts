/**
 * Indexing and searching beside the bare parts they stand on, in one run: LanceDB alone and ONNX Runtime alone.
 * usage: npx tsx bench/index-and-query.ts [EMBEDDED_DOCUMENTS 60] [KEYWORD_DOCUMENTS 1000] [QUERIES 100]
 */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { availableParallelism, cpus, tmpdir } from 'node:os'
import path from 'node:path'
import { connect, MatchQuery, Operator } from '@lancedb/lancedb'
import { openEmbedder } from '../src/app/embedding.ts'
import { open } from '../src/app.ts'
import { loadSettings } from '../src/config.ts'
import { percentile } from '../src/search/evaluation/metrics.ts'
import { Analyzer } from '../src/text/analyzer.ts'
import { bareEmbeddings } from './bare-onnx.ts'
import { generatedText } from './generated-text.ts'

const [embedded = 60, keyword = 1000, queries = 100] = process.argv.slice(2).map(Number)
const folder = await mkdtemp(path.join(tmpdir(), 'passim-bench-'))
const passim = await open({ home: path.join(folder, 'home'), environment: {} })
console.log(
  `${cpus()[0]?.model}, ${availableParallelism()} cores, Node ${process.version}, ${new Date().toISOString().slice(0, 10)}`,
)

await indexKeywords()
const texts = await indexWithVectors()
await compareEmbedding(texts)
await compareQueries()
await passim.close()
await rm(folder, { recursive: true })

async function corpus(name: string, count: number, words: number): Promise<string> {
  const docs = path.join(folder, name)
  await mkdir(docs)
  for (let seed = 0; seed < count; seed++) await writeFile(path.join(docs, `${seed}.txt`), generatedText(seed, words))
  return docs
}

async function indexKeywords(): Promise<void> {
  const docs = await corpus('keyword', keyword, 1_500)
  const before = process.cpuUsage()
  const { totals, seconds } = await passim.index([docs], { collection: 'keyword', withoutVectors: true })
  const { user, system } = process.cpuUsage(before)
  const cpu = (user + system) / 1e6
  console.log(
    `keyword only: ${totals.indexed} files, ${totals.chunks} chunks in ${seconds.toFixed(1)} s (${cpu.toFixed(1)} s CPU of the main process)`,
  )
  const again = await passim.index([docs], { collection: 'keyword', withoutVectors: true })
  console.log(`the same again, unchanged: ${again.totals.unchanged} files in ${again.seconds.toFixed(2)} s`)
}

async function indexWithVectors(): Promise<readonly string[]> {
  const docs = await corpus('vectors', embedded, 900)
  const { totals, seconds } = await passim.index([docs], { collection: 'vectors' })
  console.log(
    `with vectors: ${totals.chunks} chunks in ${seconds.toFixed(1)} s, ${(totals.chunks / seconds).toFixed(1)} chunks/s`,
  )
  const [collection] = await passim.scope.collections(['vectors'])
  const hits = await passim.search({
    query: 'report',
    collections: [collection!.name],
    mode: 'vector',
    limit: totals.chunks,
  })
  return hits.map(hit => `${hit.context}\n${hit.text}`)
}

async function compareEmbedding(chunks: readonly string[]): Promise<void> {
  const embedder = await openEmbedder(await loadSettings({ environment: {} }))
  await embedder.embed(chunks.slice(0, availableParallelism() * 2), 'passage')
  const started = performance.now()
  await embedder.embed(chunks, 'passage')
  const ours = chunks.length / ((performance.now() - started) / 1000)
  await embedder.close()
  const bare = await bareEmbeddings(chunks)
  console.log(
    `embedding: ${ours.toFixed(1)} chunks/s; bare ONNX Runtime ${bare.toFixed(1)}; ratio ${(ours / bare).toFixed(2)}`,
  )
}

async function compareQueries(): Promise<void> {
  const texts = Array.from({ length: queries }, (_, index) => generatedText(index * 7 + 1, 5).slice(0, 60))
  const bare = await bareKeywordQueries(texts)
  console.log(`keyword query, bare LanceDB: ${line(bare)}`)
  for (const [mode, collection] of [
    ['keyword', 'keyword'],
    ['keyword', 'vectors'],
    ['vector', 'vectors'],
    ['hybrid', 'vectors'],
  ] as const) {
    const times: number[] = []
    for (const query of texts) {
      const started = performance.now()
      await passim.search({ query, collections: [collection], mode })
      times.push(performance.now() - started)
    }
    console.log(
      `${mode} query over ${collection}: ${line(times)}; ratio of p50 to bare keyword ${(percentile(times, 0.5) / percentile(bare, 0.5)).toFixed(2)}`,
    )
  }
}

/** The same terms against the same table, without anything of ours around it. */
async function bareKeywordQueries(texts: readonly string[]): Promise<readonly number[]> {
  const analyzer = new Analyzer()
  const [collection] = await passim.scope.collections(['keyword'])
  const connection = await connect(path.join(folder, 'home', 'index'))
  const name = (await connection.tableNames()).find(table => table.startsWith(collection!.id))
  const table = await connection.openTable(name ?? '')
  const times: number[] = []
  for (const text of texts) {
    const match = new MatchQuery(analyzer.queryTerms(text).join(' '), 'terms', { operator: Operator.Or })
    const started = performance.now()
    await table.query().fullTextSearch(match).select(['version', '_score']).limit(10).toArray()
    times.push(performance.now() - started)
  }
  return times
}

function line(times: readonly number[]): string {
  return `p50 ${percentile(times, 0.5).toFixed(1)} ms, p95 ${percentile(times, 0.95).toFixed(1)} ms`
}
