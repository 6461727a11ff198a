import type { Hono } from 'hono'
import { z } from 'zod'
import { askSchema } from './ask.ts'
import { chatRequestSchema } from './chat/chat-request.ts'
import { reEmbedSchema } from './collections.ts'
import type { ServerEnv } from './context.ts'
import { retrievalSchema } from './dify.ts'
import { embeddingsSchema } from './embeddings.ts'
import { rerankSchema } from './rerank.ts'
import { responseRequestSchema } from './responses/response-request.ts'
import { searchSchema } from './search.ts'
import { uploadFormSchema } from './upload-file.ts'
import { completeUploadSchema, createUploadSchema } from './uploads.ts'
import { createBatchSchema } from './vector-store-file-batches.ts'
import { addFileSchema, updateFileSchema } from './vector-store-files.ts'
import { vectorSearchSchema } from './vector-store-search.ts'
import { createStoreSchema, updateStoreSchema } from './vector-stores.ts'

/** The JSON bodies of the routes that take one: the schemas that the routes themselves read them with. */
const BODIES: Readonly<Record<string, z.ZodType>> = {
  'POST /v1/uploads': createUploadSchema,
  'POST /v1/uploads/:id/complete': completeUploadSchema,
  'POST /v1/vector_stores': createStoreSchema,
  'POST /v1/vector_stores/:id': updateStoreSchema,
  'POST /v1/vector_stores/:id/search': vectorSearchSchema,
  'POST /v1/vector_stores/:id/files': addFileSchema,
  'POST /v1/vector_stores/:id/files/:fileId': updateFileSchema,
  'POST /v1/vector_stores/:id/file_batches': createBatchSchema,
  'POST /v1/embeddings': embeddingsSchema,
  'POST /v1/chat/completions': chatRequestSchema,
  'POST /v1/responses': responseRequestSchema,
  'POST /v1/rerank': rerankSchema,
  'POST /v2/rerank': rerankSchema,
  'POST /retrieval': retrievalSchema,
  'POST /api/search': searchSchema,
  'POST /api/ask': askSchema,
  'POST /api/collections/:id/re-embed': reEmbedSchema,
}

/** What else a form has beside the part with its bytes. */
const FORMS: Readonly<Record<string, { readonly part: string; readonly fields: z.ZodType }>> = {
  'POST /v1/files': { part: 'file', fields: uploadFormSchema },
  'POST /v1/uploads/:id/parts': { part: 'data', fields: z.strictObject({}) },
}

type JsonSchema = {
  readonly properties?: object
  readonly required?: readonly string[]
  readonly [key: string]: unknown
}

export type Description = {
  readonly openapi: '3.1.0'
  readonly info: { readonly title: string; readonly version: string }
  readonly paths: Readonly<Record<string, Readonly<Record<string, object>>>>
  readonly components: object
  readonly security: readonly object[]
}

/** What the service takes, in OpenAPI's words, made from the routes and the schemas that are in force. */
export function describe(app: Hono<ServerEnv>, version: string): Description {
  const paths: Record<string, Record<string, object>> = {}
  for (const { method, path } of app.routes) {
    if (method === 'ALL') continue
    const url = path.replace(/\{[^}]*\}/g, '').replace(/:(\w+)/g, '{$1}')
    paths[url] = { ...paths[url], [method.toLowerCase()]: operation(method, path) }
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Passim', version },
    paths,
    components: {
      schemas: { Error: ERROR },
      securitySchemes: { key: { type: 'http', scheme: 'bearer' } },
    },
    security: [{ key: [] }, {}],
  }
}

/** The one envelope of every error. */
const ERROR = {
  type: 'object',
  required: ['error'],
  properties: {
    error: {
      type: 'object',
      required: ['message', 'type', 'param', 'code'],
      properties: {
        message: { type: 'string' },
        type: { type: 'string' },
        param: { type: ['string', 'null'] },
        code: { type: 'string' },
      },
    },
  },
}

function operation(method: string, path: string): object {
  const names = [...path.matchAll(/:(\w+)/g)].map(match => match[1])
  const parameters = names.map(name => ({ name, in: 'path', required: true, schema: { type: 'string' } }))
  const content = contentOf(`${method} ${path}`)
  const error = { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } }
  return {
    operationId: `${method.toLowerCase()}${path.replace(/\{[^}]*\}/g, '').replace(/\W+(\w)/g, (_, letter: string) => letter.toUpperCase())}`,
    ...(parameters.length > 0 && { parameters }),
    ...(content && { requestBody: { required: true, content } }),
    responses: { '200': { description: 'Done.' }, default: { description: 'An error.', content: error } },
  }
}

function contentOf(route: string): object | undefined {
  const body = BODIES[route]
  if (body) return { 'application/json': { schema: jsonSchema(body) } }
  const form = FORMS[route]
  if (!form) return undefined
  const { properties = {}, required = [], ...fields } = jsonSchema(form.fields)
  const bytes = { [form.part]: { type: 'string', format: 'binary' } }
  const schema = { ...fields, properties: { ...bytes, ...properties }, required: [form.part, ...required] }
  return { 'multipart/form-data': { schema } }
}

function jsonSchema(schema: z.ZodType): JsonSchema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
  return rest
}
