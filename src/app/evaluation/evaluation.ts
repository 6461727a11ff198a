import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { localizable } from '../../errors/localizable.ts'
import { AppError } from '../../errors.ts'
import { PASSAGE_MEDIA_TYPE } from '../../ingest/parse/parsers/passage.ts'
import { Intake } from '../../ingest/sources/intake.ts'
import type { Collection } from '../../ingest/store/catalog/collections.ts'
import type { DocumentSettings } from '../../ingest/store/catalog/document.ts'
import type { IngestEvent } from '../../ingest/work/indexing-run.ts'
import type { Ingest } from '../../ingest/work/ingest.ts'
import type { Queue } from '../../ingest/work/queue.ts'
import type { Removal } from '../../ingest/work/removal.ts'
import {
  averageMetrics,
  computePercentile,
  type QueryMetrics,
  queryMetrics,
} from '../../search/evaluation/metrics.ts'
import { type Comparison, comparePaired } from '../../search/evaluation/paired-test.ts'
import type { Hit, Searcher } from '../../search/searcher.ts'
import { hashParts } from '../../system/digest.ts'
import type { EvaluationMode, EvaluationResult, MetricsByMode } from '../../wire/evaluation.ts'
import type { Store } from '../stores/store.ts'
import {
  type EvaluationLimits,
  type JudgedQuery,
  type Passage,
  readEvaluationSet,
} from './evaluation-set.ts'

/** Chunks per query, so that their documents fill the ranking. */
const RUN_DEPTH = 100
const SOURCE_PREFIX = 'passage:'

export type EvaluationOptions = EvaluationLimits & {
  readonly modes: readonly EvaluationMode[]
  readonly precise?: boolean | undefined
  /** Each after the first is compared with it. Default the configured one. */
  readonly embedders?: readonly string[] | undefined
  readonly runPrefix?: string | undefined
  /** Compares with `PREFIX.<mode>.tsv`. */
  readonly comparePrefix?: string | undefined
  readonly signal?: AbortSignal | undefined
  readonly onEvent?: ((event: IngestEvent) => void) | undefined
}

/** Document ids by query, best first. */
type Rankings = ReadonlyMap<string, readonly string[]>
type Measured = {
  readonly modes: MetricsByMode
  readonly rankings: ReadonlyMap<EvaluationMode, Rankings>
}

export type EvaluationDeps = {
  readonly store: Store
  readonly ingest: Ingest
  readonly removal: Removal
  readonly queue: Queue
  readonly searcher: Searcher
  readonly ensureHidden: (name: string, embedder?: string) => Promise<Collection>
}

type Run = {
  readonly metrics: QueryMetrics
  readonly ms: number
  readonly found: readonly { readonly id: string; readonly score: number }[]
}

export class Evaluation {
  readonly #deps: EvaluationDeps

  constructor(deps: EvaluationDeps) {
    this.#deps = deps
  }

  async run(folder: string, options: EvaluationOptions): Promise<EvaluationResult> {
    const { embedders = [], ...rest } = options
    const several = embedders.length > 1
    if (several && (options.runPrefix ?? options.comparePrefix) !== undefined) {
      throw new AppError(
        'invalid_input',
        'Rankings are written and compared for one model: name one --embedder with --run or --compare.',
      )
    }
    const [firstEmbedder, ...otherEmbedders] = embedders
    const first = await this.#measureMode(folder, rest, firstEmbedder)
    if (firstEmbedder === undefined || !several) return { modes: first.modes }
    const results = [{ embedder: firstEmbedder, modes: first.modes }]
    for (const embedder of otherEmbedders) {
      const { modes } = await this.#measureMode(folder, rest, embedder, first)
      results.push({ embedder, modes })
    }
    return { modes: first.modes, embedders: results }
  }

  async #measureMode(
    folder: string,
    options: EvaluationOptions,
    embedder?: string,
    before?: Measured,
  ): Promise<Measured> {
    const { passages, queries } = await readEvaluationSet(folder, options)
    const withoutVectors = options.modes.every(mode => mode === 'keyword')
    const parts = [path.resolve(folder), options.corpus ?? 'all', withoutVectors ? 'keyword' : '']
    const name = `evaluation ${hashParts(...parts)}`
    const collection = await this.#deps.ensureHidden(name, embedder)
    await this.#index(
      collection,
      passages,
      { withoutVectors, mediaType: PASSAGE_MEDIA_TYPE },
      options,
    )
    return await this.#measure(collection, queries, options, before)
  }

  async #measure(
    collection: Collection,
    queries: readonly JudgedQuery[],
    { precise, comparePrefix, runPrefix, signal, modes: requested }: EvaluationOptions,
    before?: Measured,
  ): Promise<Measured> {
    const modes: Partial<Record<EvaluationMode, NonNullable<MetricsByMode[EvaluationMode]>>> = {}
    const rankings = new Map<EvaluationMode, Rankings>()
    for (const mode of requested) {
      const other = comparePrefix
        ? await readRunFile(`${comparePrefix}.${mode}.tsv`)
        : before?.rankings.get(mode)
      const search = (query: { readonly text: string; readonly limit: number }) =>
        this.#deps.searcher.search(
          { ...query, collectionIds: [collection.id], mode, precise },
          signal,
        )
      const runs = await searchAll(queries, search)
      const times = runs.map(run => run.ms)
      modes[mode] = {
        ...averageMetrics(runs.map(run => run.metrics)),
        p50Ms: computePercentile(times, 0.5),
        p95Ms: computePercentile(times, 0.95),
        ...(other && { compared: compareRuns(runs, queries, other) }),
      }
      rankings.set(
        mode,
        new Map(runs.map((run, index) => [queries[index]!.id, run.found.map(({ id }) => id)])),
      )
      if (runPrefix)
        await writeFile(
          `${runPrefix}.${mode}.tsv`,
          runs.flatMap((run, index) => formatLines(queries[index]!, run)).join(''),
        )
    }
    return { modes, rankings }
  }

  /** Removes other passages. */
  async #index(
    collection: Collection,
    passages: readonly Passage[],
    settings: DocumentSettings,
    options: EvaluationOptions,
  ) {
    const { store, queue, ingest, removal } = this.#deps
    const sources = new Set(passages.map(({ id }) => SOURCE_PREFIX + id))
    for (const document of await store.documents.list(collection.id)) {
      if (!sources.has(document.source)) await removal.removeDocument(document.id)
    }
    const intake = new Intake(store.content, queue)
    for (const { id, title, text } of passages) {
      const source = SOURCE_PREFIX + id
      const bytes = Buffer.from(JSON.stringify({ title, text }))
      if (await queue.isCurrentBytes(collection, source, bytes, settings)) continue
      // The name is searched too, and an id is no name.
      const document = { collectionId: collection.id, source, name: '', settings }
      await intake.add(document, bytes)
      if (intake.isDue) await intake.commit()
      options.signal?.throwIfAborted()
    }
    await intake.commit()
    await ingest.drain(collection, options)
  }
}

/** Ranks a passage once, by its best score. */
async function searchAll(
  queries: readonly JudgedQuery[],
  search: (query: { readonly text: string; readonly limit: number }) => Promise<readonly Hit[]>,
): Promise<readonly Run[]> {
  const runs: Run[] = []
  for (const { query, judgements } of queries) {
    const started = performance.now()
    const hits = await search({ text: query, limit: RUN_DEPTH })
    const ms = performance.now() - started
    const best = new Map<string, number>()
    for (const { source, score } of hits) {
      const id = source.slice(SOURCE_PREFIX.length)
      if (!best.has(id)) best.set(id, score)
    }
    const found = [...best].map(([id, score]) => ({ id, score }))
    runs.push({ metrics: queryMetrics([...best.keys()], judgements), ms, found })
  }
  return runs
}

function formatLines({ id }: JudgedQuery, { found }: Run): readonly string[] {
  return found.map((hit, index) => `${id}\t${hit.id}\t${index + 1}\t${hit.score}\n`)
}

function compareRuns(
  runs: readonly Run[],
  queries: readonly JudgedQuery[],
  before: Rankings,
): Comparison {
  return comparePaired(
    runs.map(run => run.metrics.ndcg10),
    queries.map(({ id, judgements }) => queryMetrics(before.get(id) ?? [], judgements).ndcg10),
  )
}

/** Reads lines `query <tab> document <tab> rank <tab> score`. */
async function readRunFile(file: string): Promise<Rankings> {
  if (!existsSync(file)) {
    throw new AppError('not_found', localizable`There is no run ${file}.`, {
      advice: 'To write one, run passim eval DIR --run PREFIX.',
    })
  }
  const ranked = new Map<string, { readonly id: string; readonly rank: number }[]>()
  for (const [index, line] of (await readFile(file, 'utf8')).split('\n').entries()) {
    if (line.trim() === '') continue
    const [query, id, rank] = line.split('\t')
    if (!query || !id || !(Number(rank) >= 1)) {
      throw new AppError(
        'invalid_input',
        localizable`${file}, line ${index + 1}: expected query, document, rank and score.`,
      )
    }
    const places = ranked.get(query) ?? []
    places.push({ id, rank: Number(rank) })
    ranked.set(query, places)
  }
  return new Map(
    [...ranked].map(([query, entries]) => [
      query,
      entries.toSorted((a, b) => a.rank - b.rank).map(({ id }) => id),
    ]),
  )
}
