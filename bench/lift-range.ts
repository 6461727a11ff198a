/**
 * How near noise comes, and the range of lifts that gives vectors their full weight in hybrid search (FULL_LIFT_RANGE in
 * src/search/rank/hybrid.ts). For each set: the best lift of its questions, of literals (numbers, codes and words that stand in one
 * passage only) and of nonsense; then, for each range, the share of the literals that words alone put first and that stay first, and what
 * the questions gain in nDCG@10 over min-max normalisation.
 * usage: npx tsx bench/lift-range.ts SET[:PASSAGES]...   (folders as passim eval takes them; PASSIM_HOME keeps their index)
 */
import { readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Passage, readEvaluationSet } from '../src/app/evaluation/evaluation-set.ts'
import { openDictionaries } from '../src/app/lexicon.ts'
import { readPriors } from '../src/app/searching/priors.ts'
import { openWithStore } from '../src/app.ts'
import { loadSettings } from '../src/config.ts'
import { CollectionCache } from '../src/ingest/store/catalog/searched-collections.ts'
import { EngineIndexes } from '../src/search/engine-index.ts'
import {
  computePercentile,
  createPseudoRandom,
  queryMetrics,
} from '../src/search/evaluation/metrics.ts'
import { comparePaired } from '../src/search/evaluation/paired-test.ts'
import { LanceIndexes } from '../src/search/lance/lance-indexes.ts'
import { LanguageMeans } from '../src/search/language-means.ts'
import { QueryScope } from '../src/search/query-scope.ts'
import { FeedbackRanker } from '../src/search/rank/feedback.ts'
import { HybridRanker } from '../src/search/rank/hybrid.ts'
import { KeywordLeg } from '../src/search/rank/keyword.ts'
import { type Ranker, rankByLeg } from '../src/search/rank/ranker.ts'
import { TranslatedLeg } from '../src/search/rank/translated-leg.ts'
import { VectorLeg } from '../src/search/rank/vector.ts'
import { PublishedIndexes } from '../src/search/readers/published-reader.ts'
import { runInOrder } from '../src/search/stage.ts'
import { findHits } from '../src/search/stages/find-hits.ts'
import { TermRarity } from '../src/search/term-rarity.ts'
import { Translation } from '../src/search/translation.ts'
import { hashParts } from '../src/system/digest.ts'
import { Analyzer } from '../src/text/analyzer.ts'
import { segmentText } from '../src/text/segments.ts'

/** The first is min-max normalisation over the candidates. */
const RANGES = [1e-9, 0.1, 0.11, 0.12, 0.13, 0.14, 0.15, 0.16]
const LITERALS_OF_A_KIND = 60
const SOURCE_PREFIX = 'passage:'

type Asked = { readonly text: string; readonly passage?: string }
type Found = readonly { readonly id: string; readonly score: number }[]

const home = process.env.PASSIM_HOME ?? path.join(homedir(), '.cache/passim-bench')
const { passim, opened: parts } = await openWithStore(
  await loadSettings({ home, environment: {} }),
  {},
)
const { store, searching, embedder } = parts
const analyzer = new Analyzer()
const rarity = new TermRarity(store.catalog)
const keyword = new TranslatedLeg(
  new KeywordLeg(analyzer),
  new Translation(analyzer, openDictionaries()),
)
const model = { embedder, priors: await readPriors(embedder) }
const vector = new VectorLeg(async () => model, new LanguageMeans(store.catalog))
const searched = {
  collections: new CollectionCache(store.catalog, store.collections),
  library: store.library,
}
const lance = new LanceIndexes(searching.tables, async () => await store.catalog.state())
const indexes = new PublishedIndexes(
  new EngineIndexes({ lance, weaviate: undefined }),
  store.versions,
)
const scope = new QueryScope({ ...searched, indexes, rarity, filtered: searching.filtered })
const nonsense = readFileSync(
  fileURLToPath(new URL('../test/eval/nonsense.jsonl', import.meta.url)),
  'utf8',
)
  .trim()
  .split('\n')
  .map((line): Asked => ({ text: (JSON.parse(line) as { question: string }).question })) // test/eval/README.md
const hybrids = RANGES.map(
  fullRange => new FeedbackRanker(new HybridRanker(keyword, vector, { fullRange }), vector),
)
try {
  for (const given of process.argv.slice(2)) {
    const [folder = '', corpus] = given.split(':')
    await measure(folder, corpus === undefined ? undefined : Number(corpus))
  }
} finally {
  await passim.close()
}

async function measure(folder: string, corpus: number | undefined): Promise<void> {
  const { passages, queries } = await readEvaluationSet(folder, { corpus })
  await passim.evaluations.search(folder, { modes: ['hybrid'], queries: 1, corpus })
  const name = `evaluation ${hashParts(path.resolve(folder), corpus ?? 'all', '')}`
  const collectionIds = [(await store.collections.findByName(name))!.id] // the evaluation has made it
  const find = async (ranker: Ranker, text: string, limit: number): Promise<Found> => {
    const rankers = { hybrid: ranker, keyword: ranker, vector: ranker, 'front-page': ranker }
    const searcher = runInOrder([findHits({ ...searched, scope, rankers })])
    const hits = await searcher.search({ text, collectionIds, limit })
    return hits.map(({ source, score }) => ({ id: source.slice(SOURCE_PREFIX.length), score }))
  }
  const literals = literalsOf(passages)
  console.log(`${path.basename(folder)}: ${passages.length} passages`)
  const asked = { questions: queries.map(({ query }) => ({ text: query })), literals, nonsense }
  for (const [kind, all] of Object.entries(asked)) {
    const lifts: number[] = []
    for (const { text } of all) lifts.push((await find(rankByLeg(vector), text, 1))[0]?.score ?? 0)
    const shares = [0.05, 0.5, 0.95]
      .map(share => computePercentile(lifts, share).toFixed(3))
      .join(' ')
    console.log(`  best lift of ${all.length} ${kind}, 5 %, median and 95 %: ${shares}`)
  }
  const byWords: Asked[] = []
  for (const literal of literals) {
    if ((await find(rankByLeg(keyword), literal.text, 1))[0]?.id === literal.passage)
      byWords.push(literal)
  }
  const before: number[] = []
  for (const [at, hybrid] of hybrids.entries()) {
    const kept: boolean[] = []
    for (const { text, passage } of byWords)
      kept.push((await find(hybrid, text, 1))[0]?.id === passage)
    const scores: number[] = []
    for (const { query, judgements } of queries) {
      const ids = new Set((await find(hybrid, query, 30)).map(({ id }) => id))
      scores.push(queryMetrics([...ids], judgements).ndcg10)
    }
    if (at === 0) before.push(...scores)
    console.log(`  range ${RANGES[at]}: ${shareKept(kept)}; ${gain(scores, before)}`)
  }
}

function shareKept(kept: readonly boolean[]): string {
  const share = kept.filter(Boolean).length / Math.max(1, kept.length)
  return `${share.toFixed(3)} of ${kept.length} kept`
}

function gain(own: readonly number[], before: readonly number[]): string {
  const { difference, ci95 } = comparePaired(own, before)
  return `${difference.toFixed(4)} [${ci95.map(bound => bound.toFixed(3)).join(', ')}]`
}

/** Words, numbers and codes that stand in one passage and, even within other words, nowhere else; so many of each kind. */
function literalsOf(passages: readonly Passage[]): readonly Asked[] {
  const texts = passages.map(({ title, text }) => `${title ?? ''}\n${text}`.toLowerCase())
  const holders = new Map<string, number>()
  for (const [at, text] of texts.entries()) {
    for (const word of wordsOf(text))
      holders.set(word, holders.has(word) && holders.get(word) !== at ? -1 : at)
  }
  const random = createPseudoRandom(1)
  const single = [...holders]
    .filter(([, at]) => at >= 0)
    .map(([word, at]) => ({ word, at, place: random() }))
  const shuffled = single.toSorted((a, b) => a.place - b.place)
  const kinds = [/^[\d.,]+$/, /^(?=.*\d)(?=.*[a-z])/, /^[a-z]+$/, /\p{Script=Han}/u]
  return kinds.flatMap(kind => {
    const literals: Asked[] = []
    for (const { word, at } of shuffled) {
      if (literals.length === LITERALS_OF_A_KIND) break
      const isOnly =
        kind.test(word) && texts.every((text, other) => other === at || !text.includes(word))
      if (isOnly) literals.push({ text: word, passage: passages[at]!.id }) // a place in the list
    }
    return literals
  })
}

function wordsOf(text: string): ReadonlySet<string> {
  const codes = text.match(/(?<![a-z\d.\-/])[a-z\d]+(?:[.,\-/][a-z\d]+)*(?![a-z\d\-/])/g) ?? []
  const latin = codes.filter(code => /\d\D*\d|\d.*[a-z]|[a-z].*\d|^[a-z]{5,}$/.test(code))
  const han = segmentText(text).flatMap(({ segment }) =>
    /^\p{Script=Han}{2,4}$/u.test(segment) ? [segment] : [],
  )
  return new Set([...latin, ...han])
}
