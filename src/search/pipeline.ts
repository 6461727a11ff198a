import type { Foreground } from '../system/foreground.ts'
import { type ExplanationDeps, explainHits } from './explanation.ts'
import type { Reranker, SentenceReader } from './reranker.ts'
import { DEFAULT_MODE, type Query, type Searcher, type SearchMode } from './searcher.ts'
import { applyWhen, runInOrder, type Stage } from './stage.ts'
import { addConfidence, type ConfidenceDeps } from './stages/add-confidence.ts'
import { type FindHitsDeps, findHits } from './stages/find-hits.ts'
import { foldCopies } from './stages/fold-copies.ts'
import { putListingsLast, putWeakLast } from './stages/put-last.ts'
import { type RerankOptions, rerank } from './stages/rerank.ts'

type PipelineDeps = FindHitsDeps &
  ConfidenceDeps &
  ExplanationDeps & {
    readonly reranker: Reranker
    readonly rerankOptions: RerankOptions
    /** Judges the best hits of a precise search, without another reranker. */
    readonly sentences: SentenceReader | undefined
    readonly trace: (toName: (query: Query) => string) => Stage
    readonly foreground: Foreground
  }

export function openPipeline(deps: PipelineDeps): Searcher {
  const { reranker, rerankOptions, sentences, trace, foreground } = deps
  const bestSentences = sentences && { reader: sentences, depth: rerankOptions.depth }
  const readsSentences = (query: Query) =>
    isPrecise(query) && sentences !== undefined && isJudged(query)
  return runInOrder([
    findHits(deps),
    applyWhen(isJudged, addConfidence(deps)),
    applyWhen(isHybrid, putWeakLast),
    applyWhen(isJudged, putListingsLast),
    trace(query => `search ${getMode(query)}`),
    applyWhen(isPrecise, rerank(reranker, rerankOptions)),
    applyWhen(readsSentences, addConfidence(deps, bestSentences)), // replaces the confidence of whole passages
    applyWhen(query => readsSentences(query) && isHybrid(query), putWeakLast),
    applyWhen(
      isPrecise,
      trace(query => `search ${getMode(query)} precise`),
    ),
    applyWhen(isFolded, foldCopies),
    applyWhen(isExplained, async (query, find, signal) =>
      explainHits(deps, query, await find(query.limit), signal),
    ),
    givePriority(foreground),
  ])
}

/** Holds indexing back while the stages above run. */
function givePriority(foreground: Foreground): Stage {
  return (query, find) => foreground.run(() => find(query.limit))
}

function getMode({ mode = DEFAULT_MODE }: Query): SearchMode {
  return mode
}

function isHybrid(query: Query): boolean {
  return getMode(query) === 'hybrid'
}

/** Leaves out front pages, which need not answer. */
function isJudged(query: Query): boolean {
  return getMode(query) !== 'front-page'
}

function isPrecise({ precise = false }: Query): boolean {
  return precise
}

function isFolded({ selection = 'every' }: Query): boolean {
  return selection !== 'every'
}

function isExplained({ explain = false }: Query): boolean {
  return explain
}
