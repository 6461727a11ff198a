import { z } from 'zod'
import type { Json } from './schema.ts'

/** Result of `passim export`. */
export const backupSummarySchema = z.object({
  file: z.string(),
  contents: z.int().describe('Number of stored files in the backup.'),
  missing: z
    .int()
    .describe('Number of stored files without an intact original; `passim verify` names them.'),
})
export type BackupSummary = Json<typeof backupSummarySchema>

/** Result of `passim import`. */
export const importSchema = backupSummarySchema.extend({ home: z.string() })
export type ImportJson = Json<typeof importSchema>

/** Result of `passim migrate`. */
const migrationSchema = z.object({
  tenants: z.array(z.string()).describe('Tenants whose stores were moved.'),
  place: z.string().describe('Database that contains them now.'),
})
export type Migration = Json<typeof migrationSchema>
