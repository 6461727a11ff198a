/**
 * What a query costs, in time and in CPU of the whole process, beside bare LanceDB on the same table in the same run: all
 * take turns, so that what else the machine does falls on each alike. Texts are generated, vectors synthetic; what it
 * costs to embed a question is measured by itself and counted to both sides.
 * usage: npx tsx bench/query-cost.ts [CHUNKS 10000; 0 for what HOME/home has] [QUERIES 200] [HOME a new folder; one that is there is used again] [vectors|none] [WORDS of a query; 4 to 8]
 */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { availableParallelism, cpus, tmpdir } from 'node:os'
import path from 'node:path'
import { connect, MatchQuery, Operator, type Table } from '@lancedb/lancedb'
import type { SearchOptions } from '../src/app/searching/search-documents.ts'
import { open } from '../src/app.ts'
import { toLiftedQuery } from '../src/search/lifted-vector.ts'
import { Analyzer } from '../src/text/analyzer.ts'
import { questionCpuMs } from './question-cost.ts'
import { type Case, Rounds } from './rounds.ts'
import { SyntheticEmbedder } from './synthetic-embedder.ts'
import { zipfQuery, zipfText } from './zipf-text.ts'

const [chunks = '10000', queries = '200', given, kept = 'vectors', words] = process.argv.slice(2)
const CHUNKS_PER_FILE = 50
const SENTENCES_PER_CHUNK = 11

const folder = given ?? (await mkdtemp(path.join(tmpdir(), 'passim-query-cost-')))
const embedder = new SyntheticEmbedder()
const passim = await open({ home: path.join(folder, 'home'), environment: {}, embedder })
console.log(
  `${cpus()[0]?.model}, ${availableParallelism()} cores, Node ${process.version}, ${new Date().toISOString().slice(0, 10)}`,
)
if (Number(chunks) > 0) await index()
console.log(`peak memory ${peakMebibytes()} MiB when indexed`)
const texts = Array.from({ length: Number(queries) }, (_, seed) =>
  zipfQuery(seed, words ? Number(words) : 4 + (seed % 5)),
)
const vectors = (await embedder.embed(texts)).map(vector =>
  toLiftedQuery({ vector: vector, baselines: new Map() }),
)
const embeddingMs = kept === 'vectors' ? await questionCpuMs(texts) : 0
const cases = await casesOf(await bareTable())
for (const clients of [1, 8]) {
  console.log(`${clients} ${clients === 1 ? 'client' : 'clients'}`)
  const rounds = new Rounds(cases, texts.length, clients)
  if (clients === 1) await rounds.warmUp()
  await rounds.run()
  for (const [name, { p50, p95, cpuMs }] of rounds.costs) {
    console.log(
      `  ${name}: p50 ${p50.toFixed(1)} ms, p95 ${p95.toFixed(1)} ms, CPU ${cpuMs.toFixed(1)} ms`,
    )
  }
  compare(rounds, 'keyword', 'bare keyword', 0)
  compare(rounds, 'vector', 'bare vector', embeddingMs)
  compare(rounds, 'hybrid', 'bare legs, 100 each', embeddingMs)
}
console.log(`peak memory ${peakMebibytes()} MiB`)
await passim.close()
if (!given) await rm(folder, { recursive: true })

async function index(): Promise<void> {
  const docs = path.join(folder, 'docs')
  await mkdir(docs, { recursive: true })
  for (let seed = 0; seed < Number(chunks) / CHUNKS_PER_FILE; seed++) {
    const { isChinese, sentences } = zipfText(seed, CHUNKS_PER_FILE * SENTENCES_PER_CHUNK)
    const text = sentences.join(isChinese ? '' : ' ').replace(/((?:[^.。]+[.。]){4})/g, '$1\n\n')
    await writeFile(path.join(docs, `${seed}.txt`), text)
  }
  const { totals, seconds } = await passim.index([docs], { withoutVectors: kept !== 'vectors' })
  const [collection] = await passim.scope.findCollections()
  const held = (await passim.list(collection!)).reduce((sum, document) => sum + document.chunks, 0)
  console.log(`${totals.indexed} files indexed in ${seconds.toFixed(1)} s; ${held} chunks`)
}

async function bareTable(): Promise<Table> {
  const [collection] = await passim.scope.findCollections()
  const connection = await connect(path.join(folder, 'home', 'index'))
  const name = (await connection.tableNames()).find(one => one.startsWith(collection!.id))
  return await connection.openTable(name ?? '')
}

/** Ours, and the same terms and vectors on the same table without anything of ours around them. */
async function casesOf(table: Table): Promise<Readonly<Record<string, Case>>> {
  const analyzer = new Analyzer()
  const keyword = (at: number, limit: number) => {
    const match = new MatchQuery(analyzer.listQueryTerms(texts[at]!).join(' '), 'terms', {
      operator: Operator.Or,
    })
    return table.query().fullTextSearch(match).select(['version', '_score']).limit(limit).toArray()
  }
  const vector = (at: number, limit: number) =>
    table
      .query()
      .nearestTo(vectors[at]!)
      .distanceType('dot')
      .select(['version', '_distance'])
      .limit(limit)
      .toArray()
  const ours = (options: Omit<SearchOptions, 'query'>) => (at: number) =>
    passim.search({ query: texts[at]!, ...options })
  const [collection] = await passim.scope.findCollections()
  const documents = (await passim.list(collection!)).map(document => document.id)
  const words = {
    'bare keyword': (at: number) => keyword(at, 10),
    keyword: ours({ mode: 'keyword' }),
  }
  if (kept !== 'vectors') return words
  return {
    ...words,
    'bare vector': at => vector(at, 10),
    vector: ours({ mode: 'vector' }),
    'bare legs, 100 each': at => Promise.all([keyword(at, 100), vector(at, 100)]),
    hybrid: ours({ mode: 'hybrid' }),
    'hybrid in 10 documents': ours({ documents: documents.slice(0, 10) }),
    'hybrid in half of the documents': ours({ filter: { type: 'lt', key: 'name', value: '5' } }),
  }
}

function compare({ costs }: Rounds, name: string, bareName: string, embeddingMs: number): void {
  const ours = costs.get(name)
  const bare = costs.get(bareName)
  if (!ours || !bare) return
  const ratio = (ours.cpuMs + embeddingMs) / (bare.cpuMs + embeddingMs)
  const embedding =
    embeddingMs > 0 ? `, with ${embeddingMs.toFixed(1)} ms for the question in both` : ''
  console.log(`  ${name}: ${ratio.toFixed(2)} times the CPU of ${bareName}${embedding}`)
  console.log(
    `    without the question ${(ours.cpuMs / bare.cpuMs).toFixed(2)} times, p50 ${(ours.p50 / bare.p50).toFixed(2)} times`,
  )
}

function peakMebibytes(): number {
  return Math.round(process.resourceUsage().maxRSS / 1024)
}
