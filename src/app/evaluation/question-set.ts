import { existsSync } from 'node:fs'
import path from 'node:path'
import { z } from 'zod'
import { localizable } from '../../errors/localizable.ts'
import { AppError } from '../../errors.ts'
import { readRecords } from '../../ingest/store/contents/parsed.ts'
import type { JudgedQuestion } from './answer-metrics.ts'
import { createRecordError } from './evaluation-set.ts'

const questionSchema = z.object({
  id: z.union([z.string(), z.number()]).transform(String),
  question: z.string().trim().min(1),
  answerable: z.boolean().optional(),
  must_include: z.array(z.array(z.string().min(1)).min(1)).nullish(),
  doc: z.string().nullish(),
  pages_ok: z.array(z.int()).nullish(),
  evidence: z.string().nullish(),
  rating: z.string().optional(),
  history: z
    .array(z.object({ role: z.enum(['user', 'assistant']), content: z.string() }))
    .optional(),
})

type QuestionSet = {
  /** Undefined for questions over the documents of the store. */
  readonly documents: string | undefined
  readonly questions: readonly JudgedQuestion[]
}

/** Returns true for a file, or `questions.jsonl` and `docs/`; others are retrieval sets. */
export function isQuestionSet(folder: string): boolean {
  if (isQuestionFile(folder)) return existsSync(folder)
  return existsSync(path.join(folder, 'questions.jsonl')) && existsSync(path.join(folder, 'docs'))
}

function isQuestionFile(place: string): boolean {
  return place.endsWith('.jsonl')
}

/** Throws `invalid_input` with file and line. */
export async function readQuestionSet(folder: string, limit?: number): Promise<QuestionSet> {
  const hasDocuments = !isQuestionFile(folder)
  const file = hasDocuments ? path.join(folder, 'questions.jsonl') : folder
  const questions: JudgedQuestion[] = []
  for await (const record of readRecords<unknown>(file)) {
    if (questions.length === limit) break
    const parsed = questionSchema.safeParse(record)
    if (!parsed.success)
      throw createRecordError(`${file}, line ${questions.length + 1}`, parsed.error)
    questions.push(toQuestion(parsed.data, file))
  }
  if (questions.length === 0)
    throw new AppError('invalid_input', localizable`${file} contains no question.`)
  return { documents: hasDocuments ? path.join(folder, 'docs') : undefined, questions }
}

function toQuestion(record: z.infer<typeof questionSchema>, file: string): JudgedQuestion {
  const { id, question, must_include: groups, pages_ok: pages, doc, evidence, history } = record
  const { answerable, rating } = record
  if (rating === undefined && answerable === undefined)
    throw new AppError(
      'invalid_input',
      localizable`${file}, question ${id}: "answerable" is missing.`,
    )
  if (rating === undefined && answerable && !groups?.length)
    throw new AppError(
      'invalid_input',
      localizable`${file}, question ${id}: answerable, but "must_include" is empty.`,
    )
  const gold = { mustInclude: groups ?? [], pages: pages ?? [] }
  return {
    ...{ id, question, answerable, history },
    ...gold,
    ...(doc && { doc }),
    ...(evidence && { evidence }),
  }
}
