import { z } from 'zod'
import { localizable } from '../../errors/localizable.ts'
import type { Upload, UploadPart } from '../../ingest/store/catalog/uploads.ts'
import type { StoredFile } from '../../ingest/store/contents/files.ts'
import type { UploadJson, UploadPartJson } from '../../wire/file.ts'
import type { RequestContext } from '../http/context.ts'
import { createInvalid } from '../http/errors.ts'
import { readBody } from '../http/input.ts'
import { receivePart } from '../http/multipart.ts'
import type { Routes } from '../route.ts'
import { toFileJson } from './files.ts'
import { fileExpirySchema, purposeSchema, toLifetimeMs } from './upload-file.ts'

/** OpenAI's limit of 64 MB, so that an interrupted part is soon repeated. */
const MAX_PART_BYTES = 64 * 1024 * 1024

const createUploadSchema = z.strictObject({
  filename: z.string().min(1).max(1024).describe('Base name of the file (1 to 1,024 characters).'),
  purpose: purposeSchema,
  bytes: z
    .int()
    .min(1)
    .describe(
      'Size of the complete file in bytes: the sum of all parts (1 to the setting `server.maxPartedUploadBytes`, 8 GiB unless changed).',
    ),
  mime_type: z
    .string()
    .max(255)
    .describe(
      'Media type of the file (at most 255 characters). It only decides between kinds of text that neither the bytes nor the name tell apart.',
    ),
  expires_after: fileExpirySchema
    .optional()
    .describe(
      'When the file expires: 3,600 to 2,592,000 seconds after its creation. Default: never.',
    ),
})

const completeUploadSchema = z.strictObject({
  part_ids: z
    .array(z.string())
    .max(10_000)
    .describe('Ids of the parts, in the order of the file (at most 10,000).'),
  md5: z
    .string()
    .regex(/^[0-9a-f]{32}$/i)
    .optional()
    .describe(
      'MD5 of the complete file, as 32 hexadecimal digits. The upload fails if it differs.',
    ),
})

export const uploadRoutes: Routes = {
  'POST /v1/uploads': {
    summary: 'Start an upload in parts',
    body: createUploadSchema,
    example: {
      filename: 'report.pdf',
      purpose: 'user_data',
      bytes: 300_000_000,
      mime_type: 'application/pdf',
    },
    answer: 'Upload',
    reply: create,
  },
  'POST /v1/uploads/:id/parts': {
    summary: 'Add a part to an upload',
    form: { part: 'data', fields: z.strictObject({}) },
    answer: 'UploadPart',
    reply: addPart,
  },
  'POST /v1/uploads/:id/complete': {
    summary: 'Complete an upload: join its parts into a file',
    body: completeUploadSchema,
    example: { part_ids: ['part_0123456789abcdef0123456789abcdef'] },
    answer: 'Upload',
    reply: complete,
  },
  'POST /v1/uploads/:id/cancel': {
    summary: 'Cancel an upload',
    answer: 'Upload',
    reply: async c =>
      c.json(toUploadJson(c, await c.var.passim.uploads.cancel(c.req.param('id')!))),
  },
}

async function create(c: RequestContext): Promise<Response> {
  const { uploads, settings } = c.var.passim
  const {
    filename: name,
    purpose,
    bytes,
    expires_after,
    mime_type: declaredType,
  } = await readBody(c, createUploadSchema)
  const max = settings.server.maxPartedUploadBytes
  if (bytes > max)
    throw createInvalid(
      localizable`bytes: the maximum is ${max}. The setting server.maxPartedUploadBytes raises it.`,
      'bytes',
    )
  const fileLifetimeMs = toLifetimeMs(expires_after)
  return c.json(
    toUploadJson(c, await uploads.create({ name, purpose, bytes, fileLifetimeMs, declaredType })),
  )
}

async function addPart(c: RequestContext): Promise<Response> {
  const { uploads } = c.var.passim
  const id = c.req.param('id')!
  await uploads.get(id)
  return await receivePart(
    c,
    { part: 'data', maxBytes: MAX_PART_BYTES },
    async ({ bytes, fields }) => {
      const part = await uploads.addPart(id, bytes, c.var.signal)
      await fields
      return c.json(toPartJson(part))
    },
  )
}

async function complete(c: RequestContext): Promise<Response> {
  const { part_ids: partIds, md5 } = await readBody(c, completeUploadSchema)
  const options = { partIds, ...(md5 && { md5 }), signal: c.var.signal }
  const { upload, file } = await c.var.passim.uploads.complete(c.req.param('id')!, options)
  return c.json(toUploadJson(c, upload, file))
}

function toUploadJson(c: RequestContext, upload: Upload, file?: StoredFile): UploadJson {
  const { id, name, bytes, purpose, status, createdAt, expiresAt } = upload
  return {
    id,
    object: 'upload',
    created_at: Math.floor(createdAt / 1000),
    filename: name,
    bytes,
    purpose,
    status,
    expires_at: Math.floor(expiresAt / 1000),
    ...(file && { file: toFileJson(c, file) }),
  }
}

function toPartJson({ id, uploadId, createdAt }: UploadPart): UploadPartJson {
  return {
    id,
    object: 'upload.part',
    created_at: Math.floor(createdAt / 1000),
    upload_id: uploadId,
  }
}
