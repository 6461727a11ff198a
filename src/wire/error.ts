import { z } from 'zod'
import { ERROR_CODES } from '../errors.ts'
import type { Json } from './schema.ts'

const adviceSchema = z
  .string()
  .optional()
  .describe('Command or setting that helps. Only on the command line.')

export const failureSchema = z.object({
  code: z.string().describe('Stable code of the kind of error, such as `not_found`.'),
  message: z.string().describe('Message for people: what failed, why, and what to do.'),
  subject: z
    .enum(['model', 'store'])
    .optional()
    .describe('Part of the setup that failed. Only on the command line.'),
  advice: adviceSchema,
})
export type FailureJson = Json<typeof failureSchema>

/** A stored failure may have a code of another version. */
export const ownFailureSchema = failureSchema.extend({ code: z.enum(ERROR_CODES) })

/** Last line of a command that failed, with `--json`. */
export const commandErrorSchema = z.object({ error: failureSchema.omit({ subject: true }) })
export type CommandErrorJson = Json<typeof commandErrorSchema>

export const warningSchema = z.object({
  code: z.string().describe('Stable code of the kind of warning.'),
  message: z.string().describe('Message for people: what is missing or uncertain, and why.'),
  page: z.int().optional().describe('Number of the page that the warning is about, from 1.'),
  advice: adviceSchema,
})

/** Next to OpenAI's fields. */
export const addedWarningsSchema = z
  .array(warningSchema)
  .optional()
  .describe('Warnings about the answer; only with the header `X-Passim-Spans: 1`.')

const errorTypeSchema = z.enum(['invalid_request_error', 'requests', 'server_error'])
export type ErrorTypeJson = Json<typeof errorTypeSchema>

/** The one envelope of every error. */
export const errorSchema = z.object({
  error: z.object({
    message: z.string().describe('Message for people: what failed, why, and what to do.'),
    type: errorTypeSchema.describe(
      "Kind of the error. `requests`: OpenAI's type for too many requests, sent under `/v1` only.",
    ),
    param: z
      .string()
      .nullable()
      .describe('Path of the request parameter that is wrong, such as `tools.0.type`.'),
    code: z
      .string()
      .describe(
        "Stable code of the kind of error. Under `/v1` it is OpenAI's, where OpenAI has one.",
      ),
  }),
})
export type ErrorJson = Json<typeof errorSchema>

export const rpcErrorSchema = z.object({
  jsonrpc: z.literal('2.0'),
  error: z.object({
    code: z.int().describe('Code by JSON-RPC 2.0, such as -32700 for a message that is not JSON.'),
    message: z.string(),
  }),
  id: z.union([z.string(), z.int()]).nullable().describe('Id of the message, or null.'),
})
