import { z } from 'zod'
import { type Json, unixSeconds } from './schema.ts'

export const threadMessageSchema = z.looseObject({
  thread_id: z.string(),
  message_id: z.string(),
  local_thread_id: z.string(),
  local_message_id: z.string(),
  role: z.enum(['system', 'user', 'assistant', 'function', 'status']),
  content: z
    .looseObject({})
    .describe('Content with `type` and `text`. A status has `code`, `message` and `extra`.'),
  input_skill_id: z.int().optional(),
  attachments: z.array(z.looseObject({ file_id: z.string() })),
  extra: z.looseObject({}),
  created_at: unixSeconds,
})

export type ThreadMessageJson = Json<typeof threadMessageSchema>

export const threadMessagesSchema = z.object({
  data: z.array(threadMessageSchema),
  has_more: z.boolean(),
})
export type ThreadMessagesJson = Json<typeof threadMessagesSchema>

/** A message, pieces of one, or a heartbeat. */
export const threadEventSchema = z.looseObject({ thread_id: z.string() })
export type ThreadEventJson = Json<typeof threadEventSchema>

export const threadPageSchema = z.object({
  data: z.array(
    z.object({
      thread_id: z.string(),
      title: z.string(),
      created_at: unixSeconds,
      updated_at: unixSeconds,
    }),
  ),
  has_more: z.boolean(),
  last_id: z.string().nullable(),
})
export type ThreadPageJson = Json<typeof threadPageSchema>
export const stoppedThreadSchema = z.object({ thread_id: z.string(), stopped: z.boolean() })
export type StoppedThreadJson = Json<typeof stoppedThreadSchema>
export const deletedThreadSchema = z.object({
  thread_id: z.string(),
  deleted: z.literal(true),
})
export type DeletedThreadJson = Json<typeof deletedThreadSchema>
