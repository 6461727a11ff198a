import path from 'node:path'
import type { Message } from '../../agent/message.ts'
import type { AgentRun } from '../../agent/run.ts'
import { restoreError } from '../../errors.ts'
import type { Collection } from '../../ingest/store/catalog/collections.ts'
import { computePercentile } from '../../search/evaluation/metrics.ts'
import { hashParts } from '../../system/digest.ts'
import type { AnswerEvaluationResult, EvaluationResult } from '../../wire/evaluation.ts'
import { toAnswerJson } from '../answer-json.ts'
import type { IndexDocuments, IndexEvent } from '../indexing/index-documents.ts'
import { computeRates, judgeAnswer } from './answer-metrics.ts'
import { Evaluation, type EvaluationDeps, type EvaluationOptions } from './evaluation.ts'
import { readQuestionSet } from './question-set.ts'

type EvaluationsDeps = EvaluationDeps & AnswerEvaluationDeps

export class Evaluations {
  readonly #deps: EvaluationsDeps

  constructor(deps: EvaluationsDeps) {
    this.#deps = deps
  }

  async search(folder: string, options: EvaluationOptions): Promise<EvaluationResult> {
    return await new Evaluation(this.#deps).run(folder, options)
  }

  async measureAnswers(
    folder: string,
    options: AnswerEvaluationOptions = {},
  ): Promise<AnswerEvaluationResult> {
    return await evaluateAnswers(this.#deps, folder, options)
  }
}

type AnsweringOptions = {
  readonly model?: string | undefined
  readonly extractive?: boolean | undefined
  readonly precise?: boolean | undefined
  readonly strictness?: number | undefined
  readonly maxRisk?: number | undefined
  readonly signal?: AbortSignal | undefined
}

type AnswerEvaluationOptions = AnsweringOptions & {
  readonly limit?: number | undefined
  readonly onEvent?: ((event: IndexEvent) => void) | undefined
}

type AnswerEvaluationDeps = {
  readonly ensureHidden: EvaluationDeps['ensureHidden']
  readonly indexDocuments: IndexDocuments
  readonly listCollections: () => Promise<readonly Collection[]>
  readonly askCollections: (
    collections: readonly Collection[],
    options: AnsweringOptions & {
      readonly question: string
      readonly history?: readonly Message[] | undefined
    },
  ) => AgentRun
}

async function evaluateAnswers(
  deps: AnswerEvaluationDeps,
  folder: string,
  { limit, onEvent, signal, ...how }: AnswerEvaluationOptions,
): Promise<AnswerEvaluationResult> {
  const set = await readQuestionSet(folder, limit)
  const collections =
    set.documents === undefined
      ? await deps.listCollections()
      : [await indexSet(deps, { folder, documents: set.documents, signal, onEvent })]
  const questions: AnswerEvaluationResult['questions'][number][] = []
  const times: number[] = []
  for (const judged of set.questions) {
    const { id, question, history } = judged
    const started = performance.now()
    const options = { question, history, signal, ...how }
    const answer = toAnswerJson(await deps.askCollections(collections, options).result)
    times.push(performance.now() - started)
    questions.push({ id, answer, ...judgeAnswer(judged, answer) })
  }
  const rates = computeRates(questions.map(({ id, answer, ...judgement }) => judgement))
  return {
    answers: {
      ...rates,
      p50Ms: computePercentile(times, 0.5),
      p95Ms: computePercentile(times, 0.95),
    },
    questions,
  }
}

type IndexedSet = Pick<AnswerEvaluationOptions, 'signal' | 'onEvent'> & {
  readonly folder: string
  readonly documents: string
}

async function indexSet(
  { indexDocuments, ensureHidden }: AnswerEvaluationDeps,
  { folder, documents: place, signal, onEvent }: IndexedSet,
): Promise<Collection> {
  const collection = await ensureHidden(`evaluation ${hashParts(path.resolve(folder), 'answers')}`)
  const { documents } = await indexDocuments.run(collection, [path.resolve(place)], {
    signal,
    onEvent,
  })
  const failed = documents.find(document => document.error)
  if (failed?.error) throw restoreError(failed.error)
  return collection
}
