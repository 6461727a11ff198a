import { z } from 'zod'
import { citationSchema, toolCitationSchema } from './answer.ts'
import { failureSchema } from './error.ts'
import { unixSeconds } from './schema.ts'

const headShape = {
  id: z.string(),
  title: z.string(),
  created_at: unixSeconds,
  updated_at: unixSeconds,
}

export const conversationHeadSchema = z.object({ ...headShape, turns: z.int() })
export const conversationPageSchema = z.object({
  data: z.array(conversationHeadSchema).describe('Conversations, newest first.'),
  has_more: z.boolean(),
  last_id: z.string().nullable(),
})
const turnSchema = z.object({
  turn: z.int().describe('Number of the turn, from 1.'),
  question: z.string(),
  answer: z.string().optional(),
  citations: z.array(citationSchema).optional(),
  toolCitations: z.array(toolCitationSchema).optional(),
  unsupported: z.array(z.string()).optional(),
  unconfirmed: z.array(z.string()).optional(),
  abstained: z.boolean().optional().describe('True if the documents contain no answer.'),
  mode: z.enum(['extractive', 'model']).optional(),
  incomplete: z
    .enum(['length', 'content-filter', 'max-model-calls', 'max-tool-calls'])
    .optional()
    .describe('Reason why the answer ended early.'),
  status: z.enum(['completed', 'in_progress', 'stopped', 'failed']),
  superseded: z.boolean().optional().describe('True if a later turn replaces this one.'),
  created_at: unixSeconds,
  error: failureSchema.optional(),
})
export const conversationSchema = z.object({
  ...headShape,
  turn_count: z.int(),
  turns: z.array(turnSchema).describe('Turns, oldest first. Use `before` for earlier ones.'),
  has_more: z.boolean(),
})
export const deletedConversationSchema = z.object({ id: z.string(), deleted: z.literal(true) })

export const stoppedConversationSchema = z.object({
  conversation: z.string(),
  turn: z.int(),
  stopped: z.boolean(),
})

/** A conversation as the AI SDK's `useChat` reads it. */
export const chatSchema = z.object({
  id: z.string(),
  messages: z.array(
    z.looseObject({
      id: z.string(),
      role: z.string(),
      parts: z.array(z.looseObject({ type: z.string() })),
    }),
  ),
})
export const stoppedChatSchema = z.object({ stopped: z.boolean() })
