/**
 * What a look at some partitions of vectors misses: recall@10 and @100 against a look at all, by the share that is looked at, over passages
 * and questions of judged sets, embedded by the shipped model. Sets of two languages show whether the marks of languages do harm.
 * usage: npx tsx bench/vector-partitions.ts KEPT PASSAGES SET...   (sets as passim eval takes them; what was embedded stays in folder KEPT)
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { connect, type Table } from '@lancedb/lancedb'
import type * as arrow from 'apache-arrow'
import { DEFAULT_EMBEDDER, getModelFolder } from '../src/app/embedding.ts'
import { readEvaluationSet } from '../src/app/evaluation/evaluation-set.ts'
import { LocalEmbedder } from '../src/ingest/embed/local.ts'
import { dot } from '../src/ingest/embed/vector.ts'
import {
  buildNearestQuery,
  choosePartitions,
  indexVectors,
  listVectorIndexes,
} from '../src/search/lance/vector-index.ts'
import { addLanguageDimensions, toLiftedQuery, writeLifted } from '../src/search/lifted-vector.ts'
import { centerQuery } from '../src/search/rank/centered-query.ts'
import { detectLanguage, type Language } from '../src/text/language.ts'

/** The copy that LanceDB has loaded. */
const {
  Field,
  FixedSizeList,
  Float32,
  makeData,
  RecordBatch,
  Schema,
  Struct,
  Table: Rows,
} = createRequire(import.meta.url)('apache-arrow') as typeof arrow // the same exports

type Question = { readonly set: string; readonly text: string; readonly vector: readonly number[] }
type Embedded = {
  readonly vectors: Float32Array
  readonly languages: readonly Language[]
  readonly questions: readonly Question[]
}

const [kept = '', wanted = '0', ...sets] = process.argv.slice(2)
const DIMENSIONS = 384
const LONGEST = 400
const QUESTIONS_A_SET = 60
const AT_ONCE = 256
const SHARES = [0.1, 0.2, 0.3, 0.4]
/** Parts of all passages that are measured by themselves. */
const SIZES = [0.25, 0.5, 1]

await mkdir(kept, { recursive: true })
if (!existsSync(path.join(kept, 'questions.json'))) await embed()
const embedded = read()
for (const size of SIZES) await measure(Math.round(size * embedded.languages.length))

async function embed(): Promise<void> {
  const embedder = await LocalEmbedder.open({ modelPath: getModelFolder(DEFAULT_EMBEDDER) })
  const read = await Promise.all(
    sets.map(set => readEvaluationSet(set, { queries: QUESTIONS_A_SET })),
  )
  const most = Math.max(...read.map(({ passages }) => passages.length))
  const inTurn = Array.from({ length: most }, (_, at) =>
    read.flatMap(({ passages }) => passages[at] ?? []),
  ).flat()
  const texts = inTurn.slice(0, Number(wanted)).map(({ text }) => text.slice(0, LONGEST))
  const vectors: Float32Array[] = []
  for (let at = 0; at < texts.length; at += AT_ONCE) {
    vectors.push(...(await embedder.embed(texts.slice(at, at + AT_ONCE), 'passage')))
  }
  writeFileSync(
    path.join(kept, 'passages.f32'),
    Buffer.concat(vectors.map(vector => Buffer.from(vector.buffer))),
  )
  writeFileSync(path.join(kept, 'languages.json'), JSON.stringify(texts.map(detectLanguage)))
  const questions: Question[] = []
  for (const [at, { queries }] of read.entries()) {
    const asked = queries.map(({ query }) => query)
    const answers = await embedder.embed(asked, 'query')
    questions.push(
      ...asked.map((text, i) => ({
        set: path.basename(sets[at]!),
        text,
        vector: [...answers[i]!],
      })),
    ) // one each
  }
  await embedder.close()
  writeFileSync(path.join(kept, 'questions.json'), JSON.stringify(questions))
}

function read(): Embedded {
  const json = (name: string): unknown => JSON.parse(readFileSync(path.join(kept, name), 'utf8'))
  const bytes = readFileSync(path.join(kept, 'passages.f32'))
  return {
    vectors: new Float32Array(new Uint8Array(bytes).buffer),
    languages: json('languages.json') as Language[], // as embed() wrote them
    questions: json('questions.json') as Question[],
  }
}

async function measure(passages: number): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), 'passim-partitions-'))
  const table = await (await connect(folder)).createTable('rows', rowsOf(passages))
  const asked = questionsTo(passages)
  const exact = await Promise.all(asked.map(lifted => found(table, lifted, 1)))
  await indexVectors(table, choosePartitions(passages, 0))
  console.log(`${passages} passages, ${choosePartitions(passages, 0)} partitions`)
  for (const share of SHARES) {
    const rows = await Promise.all(asked.map(lifted => found(table, lifted, share)))
    const recall = (limit: number, isMeant = (_: Question) => true) => {
      const shares = rows.flatMap((some, at) =>
        isMeant(embedded.questions[at]!) ? shareOf(exact[at]!, some, limit) : [],
      )
      return (shares.reduce((sum, one) => sum + one, 0) / shares.length).toFixed(3)
    }
    const bySet = [...new Set(embedded.questions.map(({ set }) => set))].map(
      set => `${set} ${recall(10, one => one.set === set)}`,
    )
    console.log(
      `  ${share} of them: recall@10 ${recall(10)}, @100 ${recall(100)}; ${bySet.join(', ')}`,
    )
  }
  await rm(folder, { recursive: true })
}

function shareOf(exact: readonly bigint[], found: readonly bigint[], limit: number): number {
  const some = new Set(found.slice(0, limit))
  return exact.slice(0, limit).filter(row => some.has(row)).length / limit
}

async function found(
  table: Table,
  lifted: Float32Array,
  probedShare: number,
): Promise<readonly bigint[]> {
  const { query } = buildNearestQuery(table, lifted, {
    indexes: await listVectorIndexes(table),
    probedShare,
  })
  const rows = await query.select(['_distance']).withRowId().limit(100).toArray()
  return rows.map(({ _rowid }) => _rowid as bigint) // LanceDB's type of it
}

function rowsOf(passages: number): arrow.Table {
  const width = addLanguageDimensions(DIMENSIONS)
  const values = new Float32Array(passages * width)
  for (let at = 0; at < passages; at++)
    writeLifted(values, at * width, vectorAt(at), embedded.languages[at]!) // within
  const type = new FixedSizeList(width, new Field('item', new Float32(), true))
  const schema = new Schema([new Field('vector', type, true)])
  const column = makeData({
    type,
    length: passages,
    nullCount: 0,
    child: makeData({ type: new Float32(), data: values }),
  })
  const batch = makeData({ type: new Struct(schema.fields), length: passages, children: [column] })
  return new Rows(schema, [new RecordBatch(schema, batch)])
}

/** As a search asks them. */
function questionsTo(passages: number): readonly Float32Array[] {
  const known = (['zh', 'en'] as const).filter(language =>
    embedded.languages.slice(0, passages).includes(language),
  )
  const means = new Map(known.map(language => [language, meanOf(passages, language)]))
  return embedded.questions.map(({ text, vector }) => {
    const centred = centerQuery(Float32Array.from(vector), text, means)
    const baselines = new Map([...means].map(([language, mean]) => [language, dot(centred, mean)]))
    return toLiftedQuery({ vector: centred, baselines })
  })
}

function meanOf(passages: number, language: Language): Float32Array {
  const sum = new Float32Array(DIMENSIONS)
  let count = 0
  for (let at = 0; at < passages; at++) {
    if (embedded.languages[at] !== language) continue
    count++
    for (const [dimension, value] of vectorAt(at).entries()) sum[dimension]! += value // as long
  }
  return sum.map(value => value / count)
}

function vectorAt(at: number): Float32Array {
  return embedded.vectors.subarray(at * DIMENSIONS, (at + 1) * DIMENSIONS)
}
