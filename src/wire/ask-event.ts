import { z } from 'zod'
import { citationSchema, timedAnswerSchema, toolCallSchema, usageSchema } from './answer.ts'
import { errorSchema } from './error.ts'
import { hitSchema } from './hit.ts'
import type { Json } from './schema.ts'

/** Data of the events of an answer, by name. */
export const askEventSchemas = {
  start: z
    .object({
      question: z.string(),
      ...timedAnswerSchema.pick({ conversation: true, turn: true }).shape,
    })
    .describe('Data of `start`.'),
  plan: z
    .object({ questions: z.array(z.string()) })
    .describe('Data of `plan`: the parts of a split question.'),
  retrieval: z
    .object({ query: z.string(), hits: z.array(hitSchema) })
    .describe('Data of `retrieval`: the hits of one search.'),
  token: z.object({ text: z.string() }).describe('Data of `token`: a piece of the answer.'),
  token_reset: z
    .object({ reasoning: z.string() })
    .describe('Data of `token_reset`: the tokens so far, which were reasoning.'),
  reasoning: z
    .object({ text: z.string() })
    .describe('Data of `reasoning`: a piece of the reasoning of the model.'),
  tool_call: toolCallSchema.describe('Data of `tool_call`: a call by the model.'),
  tool_result: z
    .object({ id: z.string(), name: z.string(), text: z.string() })
    .describe('Data of `tool_result`: the result of the call with this id.'),
  approval: z
    .object({ call: toolCallSchema })
    .describe('Data of `approval`: a call that waits for approval.'),
  citation: citationSchema.describe('Data of `citation`.'),
  usage: usageSchema.describe('Data of `usage`: the tokens of one model call.'),
  notice: z
    .object({ name: z.string(), text: z.string() })
    .describe('Data of `notice`: a message beside the answer.'),
  agent: z
    .object({ name: z.string(), event: z.looseObject({ type: z.string() }) })
    .describe('Data of `agent`: an event of another agent that was called.'),
  answer: timedAnswerSchema.describe('Data of `answer`, the last event: the checked answer.'),
  stopped: z
    .object({ reason: z.string().optional(), message: z.string().optional() })
    .describe('Data of `stopped`, the last event of an answer that was stopped.'),
  error: errorSchema.describe('Data of `error`, the last event of an answer that failed.'),
}

type Schemas = typeof askEventSchemas

export type AskEventJson = {
  [Name in keyof Schemas]: { readonly event: Name; readonly data: Json<Schemas[Name]> }
}[keyof Schemas]

export type StreamedAskEvent = AskEventJson & { readonly id?: string }
