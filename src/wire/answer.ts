import { z } from 'zod'
import { placedBoxSchema } from './document.ts'
import { warningSchema } from './error.ts'
import { placeShape } from './hit.ts'
import type { Json } from './schema.ts'

export const supportSchema = z.enum(['stated', 'not-stated', 'unknown'])

export const citationSchema = z.object({
  ...placeShape,
  marker: z.int().describe('`3` for `[3]` in the text.'),
  doc: z.string().describe('The base name of the source.'),
  boxes: z
    .array(placedBoxSchema)
    .optional()
    .describe('Every line that has some of the words, in formats that have pages.'),
  quoteVerified: z.literal(true).describe('Read back from the stored document and found equal.'),
  verified: z.literal(true).describe('The older name of `quoteVerified`.'),
  support: supportSchema.describe('Whether that place states the claim.'),
})
export type CitationJson = Json<typeof citationSchema>

export const toolCitationSchema = z.object({
  marker: z
    .int()
    .describe('`3` for `[3]` in the text, numbered together with the citations of documents.'),
  tool: z.string(),
  callId: z.string().describe('Empty if whoever ran the tool gave none.'),
  arguments: z.string().describe('Of the call, as the model wrote them.'),
  charStart: z.int().describe('Within what the tool answered.'),
  charEnd: z.int(),
  text: z.string().describe('These words of its answer.'),
  support: supportSchema.describe('Whether these words state the claim.'),
})
export type ToolCitationJson = Json<typeof toolCitationSchema>

/** Claims of an answer that its sources do not carry, for every face that shows answers. */
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
      'Claims that the sources neither state nor contradict. Those without any evidence are in unsupported as well.',
    ),
}

export const toolCallSchema = z.object({
  id: z.string(),
  name: z.string(),
  arguments: z.string().describe('JSON, as the model wrote it.'),
  problem: z.string().optional().describe('What is wrong with the call; it is then not run.'),
})
export type ToolCallJson = Json<typeof toolCallSchema>

export const usageSchema = z.object({
  promptTokens: z.int(),
  completionTokens: z.int(),
  totalTokens: z.int(),
  cost: z.number().optional().describe('As the server of the model states it.'),
})

export const answerSchema = z.object({
  question: z.string(),
  answer: z.string(),
  abstained: z.boolean().describe('The documents do not say.'),
  mode: z
    .enum(['extractive', 'model'])
    .describe('Quoted from the documents, or written by a model.'),
  confidence: z
    .number()
    .optional()
    .describe('How likely the quotations of an extractive answer answer, 0 to 1.'),
  citations: z.array(citationSchema),
  toolCitations: z
    .array(toolCitationSchema)
    .optional()
    .describe('What is said by what tools answered.'),
  ...claimsShape,
  warnings: z
    .array(warningSchema)
    .optional()
    .describe('What the answer could not come from, such as documents still being indexed.'),
  usage: usageSchema.optional().describe('Tokens of all calls of models; absent if none was made.'),
  incomplete: z
    .enum(['length', 'content-filter', 'max-model-calls', 'max-tool-calls'])
    .optional()
    .describe('Why the answer ended early.'),
  calls: z
    .array(toolCallSchema)
    .optional()
    .describe('Calls of tools that the caller has to run or to approve.'),
  object: z.unknown().optional().describe('The answer as data, if a schema was given.'),
})
export type AnswerJson = Json<typeof answerSchema>

/** An answer as `POST /api/ask` and `passim ask --json` give it. */
export const timedAnswerSchema = answerSchema.extend({
  seconds: z.number().describe('From the question to the complete answer.'),
  conversation: z.string().optional().describe('Id of the conversation that the answer is in.'),
  turn: z.int().optional().describe('Its number in the conversation, from 1.'),
})
