import { z } from 'zod'
import type { FileEntry } from '../../app/documents/collection-admin.ts'
import type { FileBatchState } from '../../app/documents/file-batch-admin.ts'
import type { FileBatchJson } from '../../wire/vector-store.ts'
import { attributesInputSchema } from '../documents/attributes.ts'
import type { RequestContext } from '../http/context.ts'
import { readBody } from '../http/input.ts'
import type { Routes } from '../route.ts'
import { chunkingStrategySchema, toChunking } from './chunking-strategy.ts'
import { answerPolled, findCollection } from './vector-store.ts'
import { addFileSchema, listFiles, listFilesSchema, toEntry } from './vector-store-files.ts'

const MAX_FILES = 2_000

const createBatchSchema = z
  .strictObject({
    file_ids: z
      .array(z.string())
      .min(1)
      .max(MAX_FILES)
      .optional()
      .describe('Ids of uploaded files to index (1 to 2,000). Send either `file_ids` or `files`.'),
    files: z
      .array(addFileSchema)
      .min(1)
      .max(MAX_FILES)
      .optional()
      .describe(
        'Files to index, each with its own attributes and chunking strategy (1 to 2,000). Send either `file_ids` or `files`.',
      ),
    attributes: attributesInputSchema
      .nullish()
      .describe('Attributes of every file in `file_ids`, to filter by (at most 16).'),
    chunking_strategy: chunkingStrategySchema
      .optional()
      .describe('How every file in `file_ids` is split into passages. Default: `auto`.'),
  })
  .refine(({ file_ids, files }) => (file_ids === undefined) !== (files === undefined), {
    path: ['file_ids'],
    message: 'give either file_ids or files',
  })

export const fileBatchRoutes: Routes = {
  'POST /v1/vector_stores/:id/file_batches': {
    summary: 'Index several files in one batch',
    body: createBatchSchema,
    example: { file_ids: ['file-0123456789abcdef0123456789abcdef'] },
    answer: 'VectorStoreFileBatch',
    reply: create,
  },
  'GET /v1/vector_stores/:id/file_batches/:batchId': {
    summary: 'Get a batch and its progress',
    answer: 'VectorStoreFileBatch',
    reply: async c =>
      answerPolled(c, toBatchJson(await c.var.passim.fileBatches.state(await findBatch(c)))),
  },
  'POST /v1/vector_stores/:id/file_batches/:batchId/cancel': {
    summary: 'Cancel a batch',
    answer: 'VectorStoreFileBatch',
    reply: async c =>
      c.json(toBatchJson(await c.var.passim.fileBatches.cancel(await findBatch(c)))),
  },
  'GET /v1/vector_stores/:id/file_batches/:batchId/files': {
    summary: 'List the files of a batch',
    query: listFilesSchema,
    answer: 'VectorStoreFilePage',
    reply: async c =>
      await listFiles(c, await c.var.passim.fileBatches.listDocuments(await findBatch(c))),
  },
}

async function create(c: RequestContext): Promise<Response> {
  const { fileBatches, background } = c.var.passim
  const collection = await findCollection(c)
  const batch = await fileBatches.create(
    collection,
    toEntries(await readBody(c, createBatchSchema)),
  )
  background.start(collection)
  return answerPolled(c, toBatchJson(await fileBatches.state(batch)))
}

/** Applies shared options to `file_ids`; `files` have their own. */
function toEntries({
  file_ids,
  files,
  attributes,
  chunking_strategy,
}: z.output<typeof createBatchSchema>) {
  const shared = { attributes: attributes ?? undefined, chunking: toChunking(chunking_strategy) }
  return file_ids?.map((fileId): FileEntry => ({ fileId, ...shared })) ?? (files ?? []).map(toEntry)
}

async function findBatch(c: RequestContext) {
  return await c.var.passim.fileBatches.get(await findCollection(c), c.req.param('batchId')!)
}

function toBatchJson({ batch, status, counts }: FileBatchState): FileBatchJson {
  return {
    id: batch.id,
    object: 'vector_store.files_batch',
    created_at: Math.floor(batch.createdAt / 1000),
    vector_store_id: batch.collectionId,
    status,
    file_counts: { ...counts, total: batch.documentIds.length },
  }
}
