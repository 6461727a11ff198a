import { z } from 'zod'
import type { Json } from './schema.ts'

export const failureSchema = z.object({
  code: z.string().describe('Stable name of the kind of error.'),
  message: z.string().describe('What happened to which thing, and what to do.'),
  subject: z
    .enum(['model', 'store'])
    .optional()
    .describe('Failed part of the set-up; only on the command line.'),
})
export type FailureJson = Json<typeof failureSchema>

export const warningSchema = z.object({
  code: z.string().describe('Stable name of the kind of warning.'),
  message: z.string(),
  page: z.int().optional().describe('Page that the warning is about, from 1.'),
})
export type WarningJson = Json<typeof warningSchema>

/** The one envelope of every error. */
export const errorSchema = z.object({
  error: z.object({
    message: z.string().describe('What happened to which thing, and what to do.'),
    type: z.enum(['invalid_request_error', 'server_error']),
    param: z.string().nullable().describe('The part of the request that is wrong.'),
    code: z.string(),
  }),
})
export type ErrorJson = Json<typeof errorSchema>
