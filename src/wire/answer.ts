import { z } from 'zod'
import { placedBoxSchema } from './document.ts'
import { failureSchema, warningSchema } from './error.ts'
import { placeShape, wordingShape } from './hit.ts'
import type { Json } from './schema.ts'

export const supportSchema = z.enum(['stated', 'not-stated', 'unknown'])

export const citationSchema = z.object({
  ...placeShape,
  marker: z.int().describe('Number in the text: `3` for `[3]`.'),
  fileId: z
    .string()
    .optional()
    .describe('Id of the file of the document, as in `/v1/files`, if it has one.'),
  doc: z.string().describe('Base name of the source.'),
  pageLabel: z
    .string()
    .optional()
    .describe('Label of `page` that the document states, such as `iv`, if it is another.'),
  boxes: z
    .array(placedBoxSchema)
    .optional()
    .describe('Boxes of the lines that contain the quoted words, in formats that have pages.'),
  quoteVerified: z
    .literal(true)
    .describe('The quotation was read back from the stored document and is identical.'),
  verified: z.literal(true).describe('Older name of `quoteVerified`, always equal to it.'),
  support: supportSchema.describe(
    'Whether the quoted place states the claim that carries the marker.',
  ),
})
export type CitationJson = Json<typeof citationSchema>

export const toolCitationSchema = z.object({
  marker: z
    .int()
    .describe(
      'Number in the text: `3` for `[3]`. Citations of documents and of tools share the numbers.',
    ),
  tool: z.string(),
  callId: z
    .string()
    .describe('Id of the tool call; empty if the caller that ran the tool sent none.'),
  arguments: z.string().describe('Arguments of the tool call, as the model wrote them.'),
  charStart: z
    .int()
    .describe("Offset of the first quoted character in the tool's result, in UTF-16 units."),
  charEnd: z.int(),
  text: z.string().describe("Quoted words of the tool's result."),
  support: supportSchema.describe(
    'Whether the quoted words state the claim that carries the marker.',
  ),
})
export type ToolCitationJson = Json<typeof toolCitationSchema>

/** Claims that the sources do not carry. */
export const claimsShape = {
  unsupported: z
    .array(z.string())
    .optional()
    .describe(
      'Claims that no source supports: claims that a source contradicts, quotations that are in no source, and claims without any evidence.',
    ),
  unconfirmed: z
    .array(z.string())
    .optional()
    .describe(
      'Claims that the sources neither state nor contradict. Claims without any evidence are also in `unsupported`.',
    ),
}

export const toolCallSchema = z.object({
  id: z.string(),
  name: z.string(),
  arguments: z.string().describe('Arguments as JSON, exactly as the model wrote them.'),
  problem: z.string().optional().describe('Error in the call, if any. Such a call is not run.'),
})
export type ToolCallJson = Json<typeof toolCallSchema>

export const usageSchema = z.object({
  promptTokens: z.int(),
  completionTokens: z.int(),
  totalTokens: z.int(),
  cost: z.number().optional().describe('Price of the tokens, as the model server reports it.'),
})

export const answerSchema = z.object({
  question: z.string(),
  answer: z.string(),
  abstained: z.boolean().describe('True if the documents contain no answer.'),
  mode: z
    .enum(['extractive', 'model'])
    .describe('`extractive`: quoted from the documents. `model`: written by a chat model.'),
  confidence: z
    .number()
    .optional()
    .describe(
      'Likelihood that the quotations of an extractive answer answer the question (0 to 1).',
    ),
  citations: z.array(citationSchema),
  toolCitations: z.array(toolCitationSchema).optional().describe('Citations of results of tools.'),
  ...claimsShape,
  warnings: z
    .array(warningSchema)
    .optional()
    .describe(
      'Reasons why the answer may be incomplete, such as documents that are still being indexed.',
    ),
  ...wordingShape,
  usage: usageSchema
    .optional()
    .describe('Number of tokens of all model calls; absent if no model was called.'),
  incomplete: z
    .enum(['length', 'content-filter', 'max-model-calls', 'max-tool-calls'])
    .optional()
    .describe('Reason why the answer ended early.'),
  calls: z
    .array(toolCallSchema)
    .optional()
    .describe('Tool calls that the caller has to run or approve.'),
  object: z.unknown().optional().describe('The answer as data, if the request had a schema.'),
})
export type AnswerJson = Json<typeof answerSchema>

/** Written by `POST /api/ask` and `passim ask --json`. */
export const timedAnswerSchema = answerSchema.extend({
  seconds: z.number().describe('Seconds from the question to the complete answer.'),
  conversation: z.string().optional().describe('Id of the conversation that the answer is in.'),
  turn: z.int().optional().describe('Number of the turn in the conversation, from 1.'),
})
export type TimedAnswerJson = Json<typeof timedAnswerSchema>

const questionIdSchema = z.union([z.string(), z.number()])

/** Answer to a line of questions, or why it has none. */
export const answerLineSchema = z.union([
  timedAnswerSchema.extend({ id: questionIdSchema }),
  z.object({ id: questionIdSchema, error: failureSchema }),
])
export type AnswerLineJson = Json<typeof answerLineSchema>

/** Written by `/sources` of `passim chat --json`. */
export const citationListSchema = z.object({ citations: z.array(citationSchema) })
export type CitationListJson = Json<typeof citationListSchema>
