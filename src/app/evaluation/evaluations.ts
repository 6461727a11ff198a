import { DEFAULT_COLLECTION, type Scope } from '../scope.ts'
import {
  type AnswerEvaluationOptions,
  type AnswerEvaluationParts,
  type AnswerEvaluationResult,
  evaluateAnswers,
} from './answer-evaluation.ts'
import { Evaluation, type EvaluationOptions, type EvaluationParts, type EvaluationResult } from './evaluation.ts'
import type { OwnQuestions } from './own-questions.ts'

/** Measures search and answers by questions whose answers are known. */
export class Evaluations {
  readonly #parts: EvaluationParts & AnswerEvaluationParts
  readonly #scope: Scope

  constructor(parts: EvaluationParts & AnswerEvaluationParts, scope: Scope) {
    this.#parts = parts
    this.#scope = scope
  }

  /** Search, by the judged queries of a retrieval set. */
  async search(folder: string, options: EvaluationOptions): Promise<EvaluationResult> {
    return await new Evaluation(this.#parts).run(folder, options)
  }

  /** Search, by questions made of the collection's own documents. */
  async own(kind: OwnQuestions, options: EvaluationOptions & { collection?: string }): Promise<EvaluationResult> {
    const collection = this.#scope.collection(options.collection ?? DEFAULT_COLLECTION)
    return await new Evaluation(this.#parts).runOwn(collection, kind, options)
  }

  /** Answers, by the questions of a folder that holds `questions.jsonl` and `docs/`. */
  async answers(folder: string, options: AnswerEvaluationOptions = {}): Promise<AnswerEvaluationResult> {
    return await evaluateAnswers(this.#parts, folder, options)
  }
}
