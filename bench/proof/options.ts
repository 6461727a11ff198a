import { fileURLToPath } from 'node:url'
import type { ProofQuestion, QuestionSet } from '../cite-check/question-set.ts'
import { type Half, halfOf } from '../cite-check/question-set.ts'

/** Where the data of cite-check lie. */
export const CITE_CHECK = new URL('../data/cite-check/', import.meta.url)

export const RESULTS = fileURLToPath(new URL('results/', CITE_CHECK))

/** What every part of the proof is given. */
export type ProofOptions = {
  readonly half: Half
  /** Only every so-many-th pair of questions. */
  readonly every: number
  /** Systems by name; undefined for those that run everywhere. */
  readonly peers?: readonly string[] | undefined
  /** Results of an earlier run, to be marked again. */
  readonly from?: string | undefined
  /** Retrieval sets; undefined for the one made of cite-check. */
  readonly sets?: readonly string[] | undefined
  readonly queries?: number | undefined
  readonly corpus?: number | undefined
  /** The folder for results. */
  readonly out: string
  /** A folder that is removed afterwards. */
  readonly scratch: string
  readonly signal: AbortSignal
}

/** Both questions of every so-many-th pair of the half. */
export function chosenQuestions(
  { documents, questions }: QuestionSet,
  { half, every }: ProofOptions,
): ProofQuestion[] {
  const ids = [...documents.keys()]
  const all = questions.filter(({ document }) => halfOf(document, ids) === half)
  return all.filter((_, index) => Math.floor(index / 2) % every === 0)
}
