import { z } from 'zod'
import { type Json, unixMilliseconds } from './schema.ts'

export const keySchema = z.object({
  id: z.string(),
  name: z.string(),
  tenant: z.string().describe('Whose store it opens.'),
  scope: z.enum(['read', 'write', 'admin']),
  createdAt: unixMilliseconds,
  lastUsedAt: unixMilliseconds
    .optional()
    .describe('In Unix milliseconds, to the minute; absent until it is used.'),
  revokedAt: unixMilliseconds.optional(),
})
export type KeyJson = Json<typeof keySchema>

export const keyListSchema = z.object({ keys: z.array(keySchema) })
export type KeyListJson = Json<typeof keyListSchema>

export const newKeySchema = keySchema.extend({
  token: z.string().describe('What `Authorization: Bearer` takes.'),
})
export type NewKeyJson = Json<typeof newKeySchema>
