import { AppError } from '../../errors.ts'
import type { Collection } from '../../ingest/store/catalog/collections.ts'
import {
  type Metrics,
  meanMetrics,
  percentile,
  queryMetrics,
} from '../../search/evaluation/metrics.ts'
import { type Comparison, comparePaired } from '../../search/evaluation/paired-test.ts'
import type { Hit, SearchMode } from '../../search/searcher.ts'
import type { Scope } from '../documents/scope.ts'
import type { SearchOptions } from '../searching/search-documents.ts'
import { idOfHit, type OwnQuestions, type OwnSource, ownQuestions } from './own-questions.ts'

/** A question, and what has to be found: a document, words, or those words in that document. */
export type AskedQuestion = {
  readonly question: string
  /** By id, source or base name. */
  readonly document?: string | undefined
  readonly words?: string | undefined
}

/** How is searched. */
export type SearchSettings = { readonly mode: SearchMode; readonly precise?: boolean | undefined }

export type ComparisonOptions = {
  readonly questions: readonly AskedQuestion[] | OwnQuestions
  /** One to measure, or two to compare. */
  readonly settings: readonly SearchSettings[]
  /** Of a collection's own questions, at most so many. */
  readonly limit?: number | undefined
  readonly signal?: AbortSignal | undefined
}

export type ComparisonProgress = { readonly done: number; readonly total: number }

type Measured = SearchSettings & Metrics & { readonly p50Ms: number; readonly p95Ms: number }

export type SettingsComparison = {
  readonly results: readonly Measured[]
  /** What the second gains over the first in reciprocal rank. */
  readonly comparison?: Comparison
  /** Each with the place of the first right hit under each of the settings, from 1; null where it is not among them. */
  readonly questions: readonly (AskedQuestion & { readonly places: readonly (number | null)[] })[]
}

type Parts = {
  readonly scope: Scope
  readonly source: OwnSource
  readonly search: (options: SearchOptions) => Promise<readonly Hit[]>
}

type Judged = AskedQuestion & { readonly isRight: (hit: Hit) => boolean }
type Answered = { readonly place: number | undefined; readonly ms: number }

/** Hits that are looked at for each question. */
const DEPTH = 50

const RIGHT = 'right'

/** Searches a collection for each question under each of the settings, and says where the first right hit stands. */
export async function* compareSettings(
  { scope, source, search }: Parts,
  { questions, settings, limit, signal }: ComparisonOptions,
): AsyncGenerator<ComparisonProgress, SettingsComparison> {
  const judged =
    typeof questions === 'string'
      ? await judgedByThemselves(questions, source, limit)
      : await Promise.all(
          questions.map(async question => await judge(question, scope, source.collection)),
        )
  const [total, runs] = [judged.length * settings.length, settings.map((): Answered[] => [])]
  let done = 0
  for (const { question, isRight } of judged) {
    for (const [at, how] of settings.entries()) {
      const started = performance.now()
      const asked = {
        query: question,
        collections: [source.collection.id],
        ...how,
        limit: DEPTH,
        signal,
      }
      const hits = await search(asked)
      const ms = performance.now() - started
      const place = hits.findIndex(isRight)
      runs[at]!.push({ place: place < 0 ? undefined : place + 1, ms }) // one for each of the settings
      yield { done: ++done, total }
    }
  }
  return resultOf(judged, settings, runs)
}

/** Throws what keeps a question from being asked. */
async function judge(
  question: AskedQuestion,
  scope: Scope,
  collection: Collection,
): Promise<Judged> {
  const { document, words } = question
  const [id, wanted] = [
    document && (await scope.document(document, [collection])).id,
    words && comparable(words),
  ]
  if (!id && !wanted) {
    throw new AppError(
      'invalid_input',
      `“${question.question}”: say which document or which words are expected.`,
    )
  }
  const isRight = (hit: Hit) =>
    (!id || hit.documentId === id) && (!wanted || comparable(hit.text).includes(wanted))
  return { ...question, isRight }
}

/** However it is broken into lines, and whatever its letters' width and case. */
function comparable(text: string): string {
  return text.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').trim()
}

async function judgedByThemselves(
  kind: OwnQuestions,
  source: OwnSource,
  limit?: number,
): Promise<readonly Judged[]> {
  const queries = await ownQuestions(kind, source, limit)
  const idOf = idOfHit(kind)
  return queries.map(({ query, judgements }) => ({
    question: query,
    isRight: hit => judgements.has(idOf(hit)),
  }))
}

function resultOf(
  judged: readonly Judged[],
  settings: readonly SearchSettings[],
  runs: readonly (readonly Answered[])[],
): SettingsComparison {
  const metrics = runs.map(answers => answers.map(({ place }) => metricsAt(place)))
  const [first, second] = metrics.map(all => all.map(({ mrr10 }) => mrr10))
  return {
    results: settings.map((how, at) => {
      const times = runs[at]!.map(({ ms }) => ms) // one for each of the settings, as below
      return {
        ...how,
        ...meanMetrics(metrics[at]!),
        p50Ms: percentile(times, 0.5),
        p95Ms: percentile(times, 0.95),
      }
    }),
    ...(first && second && { comparison: comparePaired(second, first) }),
    questions: judged.map(({ isRight, ...question }, at) => ({
      ...question,
      places: runs.map(answers => answers[at]!.place ?? null),
    })),
  }
}

function metricsAt(place: number | undefined) {
  const ranking = place === undefined ? [] : [...Array.from({ length: place - 1 }, () => ''), RIGHT]
  return queryMetrics(ranking, new Map([[RIGHT, 1]]))
}
