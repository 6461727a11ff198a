/**
 * What the questions that a hybrid search asks its index cost by themselves, in CPU of the process, beside the whole search and beside
 * bare LanceDB's two legs: each is noted while searches run, and asked again without anything around it. Vectors cost nothing.
 * usage: npx tsx bench/query-parts.ts FOLDER [QUESTIONS 100]      (FOLDER: what query-cost.ts was given as HOME)
 */
import { availableParallelism, cpus } from 'node:os'
import path from 'node:path'
import { connect, MatchQuery, Operator } from '@lancedb/lancedb'
import { open } from '../src/app.ts'
import { LanceReader } from '../src/search/lance/lance-reader.ts'
import { liftedQuery } from '../src/search/lifted-vector.ts'
import { Analyzer } from '../src/text/analyzer.ts'
import { SyntheticEmbedder } from './synthetic-embedder.ts'
import { zipfQuery } from './zipf-text.ts'

const [folder, questions = '100'] = process.argv.slice(2)
if (!folder) throw new Error('usage: npx tsx bench/query-parts.ts FOLDER [QUESTIONS]')
const ROUNDS = 3
const LEG = 100
const texts = Array.from({ length: Number(questions) }, (_, seed) => zipfQuery(seed, 4 + (seed % 5)))
const made = await new SyntheticEmbedder().embed(texts)
const known = new Map(texts.map((text, at) => [text, made[at]!])) // one each
const { id, dimensions, maxTokens } = new SyntheticEmbedder()
const embed = async (some: readonly string[]) => some.map(text => known.get(text)!) // questions only
const embedder = { id, dimensions, maxTokens, embed, close: async () => {} }
const passim = await open({ home: path.join(folder, 'home'), environment: {}, embedder })
const search = async (at: number) => await passim.search({ query: texts[at]! })
type Asked = () => Promise<unknown>
const noted = new Map<string, Asked[]>()

console.log(
  `${cpus()[0]?.model}, ${availableParallelism()} cores, Node ${process.version}, ${new Date().toISOString().slice(0, 10)}`,
)
const whole = texts.map((_, at) => () => search(at))
for (const ask of whole) await ask()
note()
for (const ask of whole) await ask()
const parts = { 'bare legs': await bareLegs(), 'whole search': whole, ...Object.fromEntries(noted) }
const spent = new Map<string, number>()
for (let round = 0; round <= ROUNDS; round++) {
  for (const [name, asked] of Object.entries(parts)) {
    const before = process.cpuUsage()
    for (const ask of asked) await ask()
    const { user, system } = process.cpuUsage(before)
    if (round > 0) spent.set(name, (spent.get(name) ?? 0) + (user + system) / 1000 / ROUNDS / texts.length)
  }
}
const bare = spent.get('bare legs')!
for (const [name, ms] of spent) {
  const times = ((parts as Record<string, readonly Asked[]>)[name] ?? []).length / texts.length
  console.log(
    `${name}: ${ms.toFixed(2)} ms of CPU a search, ${(ms / bare).toFixed(2)} of the bare legs; ${times} a search`,
  )
}
const asked = [...spent].filter(([name]) => noted.has(name)).reduce((sum, [, ms]) => sum + ms, 0)
console.log(`all that is asked of the index: ${(asked / bare).toFixed(2)} times the bare legs`)
await passim.close()

/** Wrap what is asked of the index; it is asked again of the same reader. */
function note(): void {
  const names = ['keyword', 'vector', 'keywordScores', 'vectorScores', 'vectors', 'candidates'] as const
  const reader = LanceReader.prototype as unknown as Record<string, (...args: unknown[]) => Promise<unknown>> // to be wrapped
  for (const name of names) {
    const own = reader[name]!
    reader[name] = function (this: unknown, ...args) {
      const isTranslated = name === 'keyword' && Number(args[1]) > LEG
      const key = isTranslated ? 'keyword, translated' : name
      const ask = () => own.apply(this, args)
      noted.set(key, [...(noted.get(key) ?? []), ask].slice(0, texts.length))
      return ask()
    }
  }
}

/** As in query-cost.ts. */
async function bareLegs(): Promise<readonly Asked[]> {
  const [collection] = await passim.scope.collections()
  const connection = await connect(path.join(folder!, 'home', 'index'))
  const name = (await connection.tableNames()).find(one => one.startsWith(collection!.id))
  const table = await connection.openTable(name ?? '')
  const analyzer = new Analyzer()
  return texts.map(text => () => {
    const match = new MatchQuery(analyzer.queryTerms(text).join(' '), 'terms', { operator: Operator.Or })
    const words = table.query().fullTextSearch(match).select(['version', '_score']).limit(LEG)
    const asked = liftedQuery({ vector: known.get(text)!, baselines: new Map() })
    const near = table.query().nearestTo(asked).distanceType('dot').select(['version', '_distance']).limit(LEG)
    return Promise.all([words.toArray(), near.toArray()])
  })
}
