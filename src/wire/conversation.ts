import { z } from 'zod'
import { answerSchema, citationSchema, claimsShape, toolCitationSchema } from './answer.ts'
import { failureSchema } from './error.ts'
import { attributesSchema, type Json, metadataSchema, pageEnd, time } from './schema.ts'

const headShape = {
  id: z.string(),
  title: z.string(),
  createdAt: time,
  updatedAt: time,
}

export const conversationHeadSchema = z.object({
  ...headShape,
  turns: z.int(),
  pinned: z.boolean().describe('True if it is kept on top of lists.'),
})
export type ConversationHeadJson = Json<typeof conversationHeadSchema>
export const conversationPageSchema = z.object({
  conversations: z.array(conversationHeadSchema).describe('Conversations, newest first.'),
  sharedLinkDays: z
    .number()
    .describe('Days that a link to a conversation is valid; 0 if the operator allows none.'),
  ...pageEnd,
})
export type ConversationPageJson = Json<typeof conversationPageSchema>

export const ratingSchema = z.object({
  rating: z.enum(['good', 'bad']),
  reason: z.string().optional().describe('Reason for the rating, as its reader wrote it.'),
})

const turnShape = {
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
  judgement: ratingSchema.optional(),
  status: z.enum(['completed', 'in_progress', 'stopped', 'failed']),
  superseded: z.boolean().optional().describe('True if a later turn replaces this one.'),
}

export const turnSchema = z.object({
  ...turnShape,
  createdAt: time,
  error: failureSchema.optional(),
})
export type TurnJson = Json<typeof turnSchema>

export const conversationSchema = z.object({
  ...headShape,
  turnCount: z.int(),
  turns: z.array(turnSchema).describe('Turns, oldest first. Use `before` for earlier ones.'),
  hasMore: z.boolean().describe('True if there are earlier turns.'),
})
export type ConversationJson = Json<typeof conversationSchema>
export const deletedConversationSchema = z.object({ id: z.string(), deleted: z.literal(true) })
export type DeletedConversationJson = Json<typeof deletedConversationSchema>

export const stoppedConversationSchema = z.object({
  conversation: z.string(),
  turn: z.int(),
  stopped: z.boolean(),
})
export type StoppedConversationJson = Json<typeof stoppedConversationSchema>

const linkShape = {
  id: z.string().describe('Id of the link, for revoking it; not its token.'),
  turns: z.int().describe('Number of turns that the link shows; later ones are not shared.'),
  createdAt: time,
  expiresAt: time,
}
export const sharedLinkSchema = z.object(linkShape)
export type SharedLinkJson = Json<typeof sharedLinkSchema>
export const sharedLinkListSchema = z.object({
  links: z.array(sharedLinkSchema).describe('Valid links, newest first.'),
  ...pageEnd,
})
export type SharedLinkListJson = Json<typeof sharedLinkListSchema>
export const newSharedLinkSchema = z.object({
  ...linkShape,
  token: z.string().describe('Secret of the link. It is not stored, so it cannot be shown again.'),
})
export type NewSharedLinkJson = Json<typeof newSharedLinkSchema>
export const deletedSharedLinkSchema = z.object({ id: z.string(), deleted: z.literal(true) })
export type DeletedSharedLinkJson = Json<typeof deletedSharedLinkSchema>

const sharedTurnSchema = z.object({
  turn: turnShape.turn,
  question: z.string().optional().describe('Absent, as the answer is, if the turn is withheld.'),
  answer: z.string().optional(),
  citations: z
    .array(
      citationSchema.pick({
        marker: true,
        doc: true,
        page: true,
        pageLabel: true,
        headings: true,
        text: true,
        support: true,
      }),
    )
    .optional(),
  unsupported: turnShape.unsupported,
  unconfirmed: turnShape.unconfirmed,
})
export type SharedTurnJson = Json<typeof sharedTurnSchema>
export const sharedConversationSchema = z.object({
  expiresAt: time,
  turns: z.array(sharedTurnSchema).describe('Completed turns, oldest first.'),
  hasMore: z.boolean().describe('True if there are earlier turns; `before` requests them.'),
})
export type SharedConversationJson = Json<typeof sharedConversationSchema>

export const followUpsSchema = z.object({
  questions: z.array(z.string()).describe('Suggested questions, at most three.'),
})
export type FollowUpsJson = Json<typeof followUpsSchema>

const uiPartSchema = z.looseObject({ type: z.string() })
/** Part of the AI SDK's message or stream. */
export type UiPartJson = Json<typeof uiPartSchema>

const uiMessageSchema = z.looseObject({
  id: z.string(),
  role: z.string(),
  parts: z.array(uiPartSchema),
})
export type UiMessageJson = Json<typeof uiMessageSchema>

/** A conversation as the AI SDK's `useChat` reads it. */
export const chatSchema = z.object({ id: z.string(), messages: z.array(uiMessageSchema) })
export type ChatJson = Json<typeof chatSchema>
export const stoppedChatSchema = z.object({ stopped: z.boolean() })
export type StoppedChatJson = Json<typeof stoppedChatSchema>

/** Written by `passim conversations --json`. */
const storedConversationSchema = z.object({
  id: z.string(),
  title: z.string(),
  metadata: metadataSchema,
  turns: z.int().describe('Number of questions.'),
  createdAt: time,
  updatedAt: time,
})

export const conversationListSchema = z.object({
  conversations: z.array(storedConversationSchema),
})
export type ConversationListJson = Json<typeof conversationListSchema>

const storedTurnSchema = z.object({
  ...turnShape,
  createdAt: time,
  failure: failureSchema.optional(),
})

/** Written by `/history` of `passim chat --json`. */
export const turnListSchema = z.array(storedTurnSchema)
export type TurnListJson = Json<typeof turnListSchema>

/** Written by `passim conversations show --json`. */
export const shownConversationSchema = z.object({
  id: z.string(),
  title: z.string(),
  turns: turnListSchema,
})
export type ShownConversationJson = Json<typeof shownConversationSchema>

export const removedConversationSchema = z.object({ deleted: z.string() })
export type RemovedConversationJson = Json<typeof removedConversationSchema>

const contentSchema = z.union([
  z.string(),
  z.array(
    z.union([
      z.object({ text: z.string() }),
      z.object({ image: z.string() }),
      z.object({ file: z.string() }),
      z.object({ audio: z.unknown() }),
      z.object({ video: z.union([z.string(), z.array(z.string())]) }),
    ]),
  ),
])

const originSchema = z.object({
  server: z.string().describe('Digest of the server and model that the reasoning came from.'),
  fields: z.array(z.string()),
  isFromClient: z.literal(true).optional(),
  details: z.array(z.unknown()).optional(),
  seal: z.unknown().optional(),
})

const itemShape = {
  id: z.string(),
  number: z.int().describe('Number in the conversation, from 1.'),
  turn: z.int().describe('Number of the turn, from 1; 0 before the first question.'),
  createdAt: time,
}

const itemSchema = z.discriminatedUnion('kind', [
  z.object({
    ...itemShape,
    kind: z.literal('message'),
    role: z.enum(['user', 'assistant', 'system', 'developer']),
    content: contentSchema,
    isIncomplete: z.boolean().optional(),
    answer: z
      .object({
        ...answerSchema.pick({
          abstained: true,
          mode: true,
          warnings: true,
          usage: true,
          incomplete: true,
          citations: true,
          toolCitations: true,
        }).shape,
        ...claimsShape,
        judgement: ratingSchema.optional(),
      })
      .optional(),
    extra: z.record(z.string(), z.unknown()).optional(),
  }),
  z.object({
    ...itemShape,
    kind: z.literal('reasoning'),
    text: z.string(),
    origin: originSchema.optional(),
  }),
  z.object({
    ...itemShape,
    kind: z.literal('search'),
    query: z.string(),
    results: z.array(
      z.object({
        documentId: z.string(),
        fileId: z.string().optional(),
        name: z.string(),
        score: z.number(),
        confidence: z.number().optional(),
        attributes: attributesSchema,
      }),
    ),
  }),
  z.object({
    ...itemShape,
    kind: z.literal('call'),
    callId: z.string(),
    name: z.string(),
    arguments: z.string(),
    origin: originSchema.optional(),
    mayRepeat: z.literal(true).optional(),
    isCallers: z.boolean().optional(),
  }),
  z.object({
    ...itemShape,
    kind: z.literal('result'),
    callId: z.string(),
    name: z.string().optional(),
    content: contentSchema,
    isCallers: z.boolean().optional(),
  }),
  z.object({
    ...itemShape,
    kind: z.literal('status'),
    code: z.string(),
    message: z.string(),
    extra: z.record(z.string(), z.unknown()).optional(),
  }),
])

/** Written by `passim conversations export --json`. */
export const exportedConversationSchema = storedConversationSchema.extend({
  items: z.array(itemSchema),
})
export type ExportedConversationJson = Json<typeof exportedConversationSchema>
