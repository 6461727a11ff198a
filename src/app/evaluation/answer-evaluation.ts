import path from 'node:path'
import { type AgentEvent, type Answer, collectAnswer } from '../../agent/answer.ts'
import { type AnswerMeasure, answerRates, judgeAnswer, type Rate } from '../../agent/answers/answer-metrics.ts'
import { AppError } from '../../errors.ts'
import type { Collection } from '../../ingest/catalog/collections.ts'
import { digestOf } from '../../ingest/digest.ts'
import { percentile } from '../../search/evaluation/metrics.ts'
import type { AskOptions } from '../answering.ts'
import type { IndexDocuments, IndexEvent } from '../index-documents.ts'
import { readQuestionSet } from './question-set.ts'

export type AnswerEvaluationOptions = Pick<AskOptions, 'model' | 'extractive' | 'precise' | 'strictness'> & {
  /** Only the first so many questions. */
  readonly limit?: number | undefined
  readonly signal?: AbortSignal | undefined
  readonly onEvent?: ((event: IndexEvent) => void) | undefined
}

/** One question as it was answered, for reading the misses. */
export type JudgedAnswer = { readonly id: string; readonly answer: Answer } & ReturnType<typeof judgeAnswer>

export type AnswerEvaluationResult = {
  readonly answers: Readonly<Partial<Record<AnswerMeasure, Rate>>> & { readonly p50Ms: number; readonly p95Ms: number }
  readonly questions: readonly JudgedAnswer[]
}

export type AnswerEvaluationParts = {
  readonly indexDocuments: IndexDocuments
  readonly ensureCollection: (name: string, hidden: boolean) => Promise<Collection>
  readonly ask: (options: AskOptions) => AsyncGenerator<AgentEvent>
}

/** The name of the collection that a question set is asked in. */
export function evaluationCollection(folder: string): string {
  return `evaluation ${digestOf(path.resolve(folder), 'answers')}`
}

/** Index a question set's documents in a collection of their own, ask its questions, judge the answers. */
export async function evaluateAnswers(
  { indexDocuments, ensureCollection, ask }: AnswerEvaluationParts,
  folder: string,
  { limit, onEvent, signal, ...how }: AnswerEvaluationOptions,
): Promise<AnswerEvaluationResult> {
  const set = await readQuestionSet(folder, limit)
  const collection = await ensureCollection(evaluationCollection(folder), true)
  const { documents } = await indexDocuments.run(collection, [path.resolve(set.documents)], { signal, onEvent })
  const failed = documents.find(document => document.error)
  if (failed?.error) throw new AppError(failed.error.code, failed.error.message)
  const questions: JudgedAnswer[] = []
  const times: number[] = []
  for (const question of set.questions) {
    const started = performance.now()
    const options = { question: question.question, collections: [collection.id], signal, ...how }
    const answer = await collectAnswer(ask(options))
    times.push(performance.now() - started)
    questions.push({ id: question.id, answer, ...judgeAnswer(question, answer) })
  }
  const rates = answerRates(questions.map(({ id, answer, ...judgement }) => judgement))
  return { answers: { ...rates, p50Ms: percentile(times, 0.5), p95Ms: percentile(times, 0.95) }, questions }
}
