import type { z } from 'zod'
import { OPENAI_ANSWERS } from './openai-answers.ts'
import { OWN_ANSWERS } from './own-answers.ts'

/** What is answered, by the names that clients generated from the description know it under. */
export const ANSWERS = { ...OPENAI_ANSWERS, ...OWN_ANSWERS }

export type AnswerName = keyof typeof ANSWERS

/** What is said of a route; by which schemas it is asked are the ones that it reads requests with. */
export type Operation = {
  readonly summary: string
  readonly description?: string
  readonly query?: z.ZodType
  readonly body?: z.ZodType
  /** A body that the schema lets pass. */
  readonly example?: object
  /** A form: the part with bytes, and the schema of the fields beside it. */
  readonly form?: { readonly part: string; readonly fields: z.ZodType }
  readonly headers?: readonly ('spans' | 'range')[]
  /** Of a success, where it is not 200. */
  readonly status?: 200 | 201
  /** The JSON that is answered. */
  readonly answer?: AnswerName
  /** Other media types that are answered. */
  readonly media?: readonly string[]
  /** The JSON in each server-sent event of a stream. */
  readonly events?: AnswerName
  /** A model's server may fail. */
  readonly asksModel?: true
}
