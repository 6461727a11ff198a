/**
 * The mean vector of Chinese and of English queries, which search removes in part from each query: it is what short texts of any content
 * are near to. One half of the queries are words of data/lexicon, the other questions of the development sets of test/eval.
 * usage: npx tsx bench/query-means.ts   (writes query-means.json beside the model)
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { openEmbedder } from '../src/app/embedding.ts'
import { loadSettings } from '../src/config.ts'
import type { Embedder } from '../src/ingest/embed/embedder.ts'
import { detectLanguage, LANGUAGES, type Language } from '../src/text/language.ts'

const ROOT = new URL('../', import.meta.url)
const SETS = ['calibration', 'kinds', 'mixed', 'near', 'scope', 'tables', 'twins', 'long', 'real']
/** Words and questions per language. */
const QUERIES = 200

const embedder = await openEmbedder(await loadSettings())
const means: Record<string, readonly number[]> = {}
for (const language of LANGUAGES) {
  const words = await computeMean(embedder, pick(readWords(language)))
  const questions = await computeMean(embedder, pick(readQuestions(language)))
  means[language] = words.map((value, index) =>
    Number(((value + (questions[index] ?? 0)) / 2).toFixed(6)),
  )
}
await embedder.close()
const out = new URL('data/models/multilingual-e5-small-enzh/query-means.json', ROOT)
writeFileSync(fileURLToPath(out), `${JSON.stringify(means)}\n`)

function readWords(language: Language): readonly string[] {
  const entries = readLines('data/lexicon/zh-en.tsv').map(line => line.split('\t'))
  return entries.flatMap(([word = '', meanings = '']) =>
    language === 'zh' ? word : (meanings.split(';')[0] ?? []),
  )
}

function readQuestions(language: Language): readonly string[] {
  const questions = SETS.flatMap(set => readLines(`test/eval/${set}/questions.jsonl`)).map(
    (line): string => JSON.parse(line).question,
  )
  return questions.filter(question => detectLanguage(question) === language)
}

function readLines(file: string): readonly string[] {
  return readFileSync(new URL(file, ROOT), 'utf8').split('\n').filter(Boolean)
}

function pick(texts: readonly string[]): readonly string[] {
  const step = Math.max(1, texts.length / QUERIES)
  const count = Math.min(QUERIES, texts.length)
  return Array.from({ length: count }, (_, index) => texts[Math.floor(index * step)] ?? '')
}

async function computeMean(model: Embedder, texts: readonly string[]): Promise<readonly number[]> {
  const sum = new Array<number>(model.dimensions).fill(0)
  for (const text of texts) {
    const [vector] = await model.embed([text], 'query')
    for (const [index, value] of (vector ?? []).entries()) sum[index] = (sum[index] ?? 0) + value
  }
  return sum.map(value => value / texts.length)
}
