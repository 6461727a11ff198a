import { z } from 'zod'
import { type Json, pageEnd, time } from './schema.ts'

export const keySchema = z.object({
  id: z.string(),
  name: z.string(),
  tenant: z.string().describe('Tenant whose store the key opens.'),
  scope: z.enum(['read', 'write', 'admin']),
  collections: z
    .array(z.string())
    .optional()
    .describe('Names or ids of the only collections that the key sees. Absent: all.'),
  filter: z
    .record(z.string(), z.unknown())
    .optional()
    .describe('Condition of the only documents that the key sees. Absent: all.'),
  createdAt: time,
  lastUsedAt: time
    .optional()
    .describe(
      'Time of the last use in RFC 3339, rounded to a minute; absent if the key was never used.',
    ),
  revokedAt: time.optional(),
})
export type KeyJson = Json<typeof keySchema>

export const keyListSchema = z.object({
  keys: z.array(keySchema).describe('Keys, newest first.'),
  ...pageEnd,
})
export type KeyListJson = Json<typeof keyListSchema>

export const newKeySchema = keySchema.extend({
  token: z
    .string()
    .describe('Secret to send as `Authorization: Bearer TOKEN`. It is not shown again.'),
})
export type NewKeyJson = Json<typeof newKeySchema>
