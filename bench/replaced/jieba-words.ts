/**
 * Words of jieba-wasm beside single characters and bigrams, as terms of BM25 for Chinese text.
 * Ranks the paragraphs of the Chinese documents of cite-check (development half) for their answerable questions;
 * prints nDCG@10, recall@10 and the time until a process has its first terms.
 * usage: npx tsx bench/replaced/jieba-words.ts
 */
import { queryMetrics } from '../../src/search/evaluation/metrics.ts'
import { Analyzer } from '../../src/text/analyzer.ts'
import { halfOf, readQuestionSet } from '../cite-check/question-set.ts'
import { passagesOf } from '../retrieval/judged-sets.ts'
import { installPackages, measureCpu } from './peer-package.ts'

const VERSION = 'jieba-wasm@2.4.0'
const DEPTH = 10

/** BM25's usual constants: Robertson and Zaragoza 2009. */
const K1 = 1.2
const B = 0.75

const { documents, questions } = readQuestionSet(new URL('../data/cite-check/', import.meta.url))
const ids = [...documents.keys()]
const isUsed = (id: string) => id.startsWith('zh') && halfOf(id, ids) === 'development'
const passages = [...documents.values()].filter(({ id }) => isUsed(id)).flatMap(passagesOf)
const queries = questions.filter(
  ({ document, answerable, kind }) => answerable && kind !== 'across' && isUsed(document),
)

const peer = installPackages(VERSION)
const jieba = peer.require('jieba-wasm') as { cut_for_search(text: string, hmm: boolean): string[] }
const analyzer = new Analyzer()
const systems: Readonly<Record<string, (text: string) => readonly string[]>> = {
  'jieba, words for search': text =>
    jieba
      .cut_for_search(text.normalize('NFKC').toLowerCase(), true)
      .filter(word => /[\p{L}\p{N}]/u.test(word)),
  'characters and bigrams': text => analyzer.listTerms(text),
}
console.log(`${passages.length} passages, ${queries.length} questions`)
for (const [name, terms] of Object.entries(systems)) {
  const first = await measureCpu(() => terms('第一句话'))
  const ranked = rankAll(terms)
  console.log(
    `${name}: nDCG@10 ${ranked.ndcg.toFixed(3)}, recall@10 ${ranked.recall.toFixed(3)}, ${first.ms.toFixed(0)} ms of CPU for the first terms`,
  )
}
peer.remove()

function rankAll(terms: (text: string) => readonly string[]) {
  const counts = passages.map(({ text }) => countTerms(terms(text)))
  const lengths = counts.map(own => [...own.values()].reduce((sum, count) => sum + count, 0))
  const average = lengths.reduce((sum, length) => sum + length, 0) / lengths.length
  const found = queries.map(({ question, evidence }) => {
    const scores = counts.map((own, at) =>
      [...new Set(terms(question))].reduce((sum, term) => {
        const count = own.get(term) ?? 0
        const holding = counts.filter(other => other.has(term)).length
        const rarity = Math.log(1 + (counts.length - holding + 0.5) / (holding + 0.5))
        const length = (lengths[at] ?? 0) / average
        return sum + (rarity * count * (K1 + 1)) / (count + K1 * (1 - B + B * length))
      }, 0),
    )
    const order = [...passages.keys()]
      .sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0))
      .slice(0, DEPTH)
    const right = passages.filter(({ units }) => units.some(unit => evidence.includes(unit)))
    const judgements = new Map(right.map(({ id }) => [id, 1]))
    return queryMetrics(
      order.flatMap(at => passages[at]?.id ?? []),
      judgements,
    )
  })
  const mean = (values: readonly number[]) =>
    values.reduce((sum, value) => sum + value, 0) / values.length
  return {
    ndcg: mean(found.map(({ ndcg10 }) => ndcg10)),
    recall: mean(found.map(({ recall10 }) => recall10)),
  }
}

function countTerms(terms: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1)
  return counts
}
