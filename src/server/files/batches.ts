import { z } from 'zod'
import { type Batch, type BatchUsage, NO_USAGE } from '../../ingest/store/catalog/batches.ts'
import type { BatchJson } from '../../wire/batch.ts'
import { metadataSchema } from '../generation/metadata.ts'
import type { RequestContext } from '../http/context.ts'
import { readBody } from '../http/input.ts'
import { createLostPlace, encodePage, pageSchema } from '../http/pagination.ts'
import { readQuery } from '../http/query.ts'
import { streamJson } from '../http/sliced-json.ts'
import type { Routes } from '../route.ts'
import type { BatchRequests } from './batch-requests.ts'
import { fileExpirySchema, toLifetimeMs } from './upload-file.ts'

const createBatchSchema = z.strictObject({
  input_file_id: z
    .string()
    .describe(
      'Id of an uploaded file with the purpose `batch`: up to 50,000 lines and 200 MB. Each line is a JSON object with `custom_id`, `method` (`POST`), `url` (the endpoint) and `body`.',
    ),
  endpoint: z
    .enum(['/v1/embeddings', '/v1/responses', '/v1/chat/completions'])
    .describe('Endpoint of all requests in the file.'),
  completion_window: z
    .literal('24h')
    .describe('Time after which requests that have no answer yet expire.'),
  metadata: metadataSchema
    .nullish()
    .describe('Key-value pairs to store with the batch (at most 16).'),
  output_expires_after: fileExpirySchema
    .optional()
    .describe(
      'When the output files expire: 3,600 to 2,592,000 seconds after their creation. Default: never.',
    ),
})

const listBatchesSchema = pageSchema({ limit: 20, maxLimit: 100 })

export function createBatchRoutes(requests: BatchRequests): Routes {
  return {
    'POST /v1/batches': {
      summary: 'Create a batch of requests from an uploaded file',
      description:
        'The requests are answered in the background, after other requests, with the rights of the key that creates the batch. A restart continues it.',
      body: createBatchSchema,
      example: {
        input_file_id: 'file-0123456789abcdef0123456789abcdef',
        endpoint: '/v1/embeddings',
        completion_window: '24h',
      },
      answer: 'Batch',
      reply: async c => await create(c, requests),
    },
    'GET /v1/batches': {
      summary: 'List the batches',
      query: listBatchesSchema,
      answer: 'BatchPage',
      reply: list,
    },
    'GET /v1/batches/:id': {
      summary: 'Get a batch and its progress',
      answer: 'Batch',
      reply: async c =>
        c.json(toBatchJson(await c.var.passim.batches.get(c.req.param('id') ?? ''))),
    },
    'POST /v1/batches/:id/cancel': {
      summary: 'Cancel a batch; what is answered stays in its output files',
      answer: 'Batch',
      reply: async c => await cancel(c, requests),
    },
  }
}

async function create(c: RequestContext, requests: BatchRequests): Promise<Response> {
  const { input_file_id, endpoint, metadata, output_expires_after } = await readBody(
    c,
    createBatchSchema,
  )
  const { batches } = c.var.passim
  const batch = await batches.create({
    inputFileId: input_file_id,
    endpoint,
    metadata: metadata ?? undefined,
    outputLifetimeMs: toLifetimeMs(output_expires_after),
    keyId: c.get('key')?.id,
    origin: new URL(c.req.url).origin,
  })
  await requests.start(c.var.passim)
  return c.json(toBatchJson(batch))
}

async function list(c: RequestContext): Promise<Response> {
  const { batches } = c.var.passim
  const query = readQuery(c, listBatchesSchema)
  for (const name of ['after', 'before'] as const) {
    const id = query[name]
    if (id !== undefined && !(await batches.find(id))) throw createLostPlace(id, name)
  }
  const found = await batches.list(query, query.limit + 1)
  return streamJson(c, await encodePage(found, query, toBatchJson))
}

async function cancel(c: RequestContext, requests: BatchRequests): Promise<Response> {
  const { batches } = c.var.passim
  const batch = await batches.cancel(c.req.param('id') ?? '')
  await requests.start(c.var.passim)
  return c.json(toBatchJson(batch))
}

function toBatchJson(batch: Batch): BatchJson {
  const { id, status, createdAt, completed, failed, details } = batch
  const { endpoint, inputFileId, outputFileId, errorFileId, metadata, total = 0 } = details
  const { model, usage = NO_USAGE } = details
  return {
    id,
    object: 'batch',
    endpoint,
    ...(model !== undefined && { model }),
    errors: toErrorsJson(details.errors),
    input_file_id: inputFileId,
    completion_window: '24h',
    status,
    ...(outputFileId !== undefined && { output_file_id: outputFileId }),
    ...(errorFileId !== undefined && { error_file_id: errorFileId }),
    created_at: toSeconds(createdAt),
    expires_at: toSeconds(details.expiresAt),
    ...toTimesJson(details.reachedAt),
    request_counts: { total, completed, failed },
    usage: toUsageJson(usage),
    metadata: metadata ?? null,
  }
}

function toUsageJson(usage: BatchUsage): BatchJson['usage'] {
  const { inputTokens, cachedTokens, outputTokens, reasoningTokens } = usage
  return {
    input_tokens: inputTokens,
    input_tokens_details: { cached_tokens: cachedTokens },
    output_tokens: outputTokens,
    output_tokens_details: { reasoning_tokens: reasoningTokens },
    total_tokens: inputTokens + outputTokens,
  }
}

function toErrorsJson(faults: Batch['details']['errors']): BatchJson['errors'] {
  if (!faults) return null
  const data = faults.map(fault => ({
    ...fault,
    line: fault.line ?? null,
    param: fault.param ?? null,
  }))
  return { object: 'list', data }
}

function toTimesJson(reachedAt: Batch['details']['reachedAt']): Readonly<Record<string, number>> {
  const reached = Object.entries(reachedAt) satisfies readonly (readonly [string, number])[]
  return Object.fromEntries(reached.map(([status, at]) => [`${status}_at`, toSeconds(at)]))
}

function toSeconds(ms: number): number {
  return Math.floor(ms / 1000)
}
