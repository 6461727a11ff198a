import { z } from 'zod'
import { ownFailureSchema } from './error.ts'
import type { Json } from './schema.ts'

/** Written by `passim serve --json` once it is ready. */
const serviceAddressSchema = z.object({ url: z.string() })
export type ServiceAddressJson = Json<typeof serviceAddressSchema>

const problemSchema = z.object({
  kind: z.enum(['catalog', 'content', 'derived', 'index']),
  message: z.string(),
  documentId: z.string().optional(),
  stage: z
    .literal('vectors')
    .optional()
    .describe('Limits the repair of derived data to this stage.'),
})
export type Problem = Json<typeof problemSchema>

/** Result of `passim verify`. */
export const verificationSchema = z.object({
  ok: z.boolean(),
  rootHash: z
    .string()
    .describe('Hash of content and settings, equal for stores with the same documents.'),
  problems: z.array(problemSchema),
})
export type Verification = Json<typeof verificationSchema>

export const repairSchema = verificationSchema.extend({
  repaired: z.array(problemSchema).describe('Problems that no longer exist.'),
})
export type Repair = Json<typeof repairSchema>

const checkNames = [
  'catalog',
  'disk',
  's3',
  'database',
  'weaviate',
  'embedder',
  'reranker',
  'collections',
  'upkeep',
  'OCR',
  'LibreOffice',
  'parser processes',
  'answer risk',
  'chat model',
  'chat model in use',
] as const

const checkSchema = z.object({
  name: z.enum(checkNames),
  ok: z.boolean(),
  detail: z.string(),
  error: ownFailureSchema.optional(),
})
export type Check = Json<typeof checkSchema>

/** Result of `passim doctor`. */
export const doctorReportSchema = z.object({
  ok: z.boolean(),
  version: z.string(),
  node: z.string(),
  platform: z.string(),
  cores: z.int(),
  memoryBytes: z.int(),
  machineSettings: z
    .record(z.string(), z.number())
    .describe('Values on this machine of the settings whose defaults depend on it.'),
  settings: z
    .record(z.string(), z.union([z.string(), z.number(), z.boolean()]))
    .describe('Settings of models, limits and retention in effect, without secrets.'),
  home: z.string(),
  freeBytes: z.int(),
  storeFormat: z.int(),
  collections: z.int(),
  parsers: z.array(z.string()).describe('Ids of the parsers.'),
  embedders: z.array(z.string()).describe('Names that `--embedder` accepts.'),
  hosts: z
    .array(z.string())
    .describe('Hosts of the configured models and of the indexed web pages.'),
  checks: z.array(checkSchema),
})
export type DoctorReport = Json<typeof doctorReportSchema>

const auditProblemSchema = z.object({ message: z.string() })
export type AuditProblem = Json<typeof auditProblemSchema>

/** Result of `passim audit verify`. */
export const auditVerificationSchema = z.object({
  ok: z.boolean(),
  files: z.int(),
  lines: z.int(),
  problems: z.array(auditProblemSchema),
})
export type AuditVerification = Json<typeof auditVerificationSchema>
