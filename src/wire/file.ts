import { z } from 'zod'
import { createDeletedSchema, createPageSchema, type Json, unixSeconds } from './schema.ts'

export const fileSchema = z.object({
  id: z.string(),
  object: z.literal('file'),
  bytes: z.int(),
  created_at: unixSeconds,
  filename: z.string(),
  purpose: z.string(),
  status: z
    .enum(['processed', 'error'])
    .describe('`error` if no text could be extracted from the file.'),
  status_details: z.string().optional().describe('Reason for the status `error`.'),
  expires_at: unixSeconds.optional(),
})
export type FileJson = Json<typeof fileSchema>

export const filePageSchema = createPageSchema(fileSchema)
export const deletedFileSchema = createDeletedSchema('file')
export type DeletedFileJson = Json<typeof deletedFileSchema>

export const uploadSchema = z.object({
  id: z.string(),
  object: z.literal('upload'),
  bytes: z.int().describe('Size of the complete file in bytes.'),
  created_at: unixSeconds,
  filename: z.string(),
  purpose: z.string(),
  status: z.enum(['pending', 'completed', 'cancelled', 'expired']),
  expires_at: unixSeconds,
  file: fileSchema.optional().describe('The file, once the upload is completed.'),
})
export type UploadJson = Json<typeof uploadSchema>

export const uploadPartSchema = z.object({
  id: z.string(),
  object: z.literal('upload.part'),
  created_at: unixSeconds,
  upload_id: z.string(),
})
export type UploadPartJson = Json<typeof uploadPartSchema>
