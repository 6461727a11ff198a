import type { Hono } from 'hono'
import { z } from 'zod'
import { escapeHtml } from '../app/answer-page/escape-html.ts'
import { askSchema } from './ask.ts'
import { chatRequestSchema } from './chat/chat-request.ts'
import { spanSchema } from './citations.ts'
import { reEmbedSchema } from './collections.ts'
import type { ServerEnv } from './context.ts'
import {
  eventsSchema,
  listConversationsSchema,
  renameSchema,
  turnsSchema,
} from './conversations/conversation-routes.ts'
import {
  addItemsSchema,
  createConversationSchema,
  includeItemsSchema,
  listItemsSchema,
  updateConversationSchema,
} from './conversations/openai-conversations.ts'
import { retrievalSchema } from './dify.ts'
import { listDocumentsSchema } from './documents.ts'
import { embeddingsSchema } from './embeddings.ts'
import { listUploadedSchema } from './files.ts'
import { listJobsSchema } from './jobs.ts'
import { createKeySchema } from './keys.ts'
import { blocksSchema, pictureSchema } from './pages.ts'
import { rerankSchema } from './rerank.ts'
import { inputTokensSchema } from './responses/input-tokens.ts'
import { responseRequestSchema } from './responses/response-request.ts'
import { itemsSchema, retrieveSchema } from './responses/responses.ts'
import { searchSchema } from './search.ts'
import { tablesSchema } from './tables.ts'
import { uploadFormSchema } from './upload-file.ts'
import { completeUploadSchema, createUploadSchema } from './uploads.ts'
import { createBatchSchema } from './vector-store-file-batches.ts'
import { addFileSchema, listFilesSchema, updateFileSchema } from './vector-store-files.ts'
import { vectorSearchSchema } from './vector-store-search.ts'
import { createStoreSchema, listStoresSchema, updateStoreSchema } from './vector-stores.ts'

/** What else a form has beside the part with its bytes. */
const FORMS: Readonly<Record<string, { readonly part: string; readonly fields: z.ZodType }>> = {
  'POST /v1/files': { part: 'file', fields: uploadFormSchema },
  'POST /v1/uploads/:id/parts': { part: 'data', fields: z.strictObject({}) },
}
const STYLE = `body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}
summary{cursor:pointer;padding:.3rem 0}code,pre{font:14px/1.4 ui-monospace,monospace}
pre{overflow:auto;padding:.7rem;border:1px solid #8886;border-radius:.3rem}b{display:inline-block;min-width:4.5rem}
@media(prefers-color-scheme:dark){body{background:#111;color:#ddd}a{color:#8cf}}`

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
  'POST /v1/conversations': createConversationSchema,
  'POST /v1/conversations/:id': updateConversationSchema,
  'POST /v1/conversations/:id/items': addItemsSchema,
  'POST /v1/responses': responseRequestSchema,
  'POST /v1/responses/input_tokens': inputTokensSchema,
  'POST /v1/rerank': rerankSchema,
  'POST /v2/rerank': rerankSchema,
  'POST /retrieval': retrievalSchema,
  'POST /api/search': searchSchema,
  'POST /api/ask': askSchema,
  'PATCH /api/conversations/:id': renameSchema,
  'POST /api/collections/:id/re-embed': reEmbedSchema,
  'POST /api/keys': createKeySchema,
}

/** The query parameters of the routes that take some, by the same schemas. */
const QUERIES: Readonly<Record<string, z.ZodType>> = {
  'GET /v1/files': listUploadedSchema,
  'GET /v1/vector_stores': listStoresSchema,
  'GET /v1/vector_stores/:id/files': listFilesSchema,
  'GET /v1/vector_stores/:id/file_batches/:batchId/files': listFilesSchema,
  'POST /v1/conversations/:id/items': includeItemsSchema,
  'GET /v1/conversations/:id/items': listItemsSchema,
  'GET /v1/conversations/:id/items/:itemId': includeItemsSchema,
  'GET /v1/responses/:id': retrieveSchema,
  'GET /v1/responses/:id/input_items': itemsSchema,
  'GET /api/conversations': listConversationsSchema,
  'GET /api/conversations/:id': turnsSchema,
  'GET /api/conversations/:id/events': eventsSchema,
  'GET /api/citations/:id': spanSchema,
  'GET /api/documents': listDocumentsSchema,
  'GET /api/documents/:id/tables': tablesSchema,
  'GET /api/documents/:id/pages/:page{[0-9]+\\.png}': pictureSchema,
  'GET /api/documents/:id/blocks': blocksSchema,
  'GET /api/jobs': listJobsSchema,
}

type JsonSchema = {
  readonly properties?: object
  readonly required?: readonly string[]
  readonly [key: string]: unknown
}

type Description = {
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
    const url = urlOf(path)
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

/** A route's pattern as OpenAPI writes it; of a parameter's own pattern only a fixed ending is left. */
function urlOf(path: string): string {
  return path.replace(/:(\w+)(?:\{[^}]*?(?:\\(\.\w+))?\})?/g, '{$1}$2')
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
  const inPath = names.map(name => ({ name, in: 'path', required: true, schema: { type: 'string' } }))
  const parameters = [...inPath, ...queryParameters(QUERIES[`${method} ${path}`])]
  const content = contentOf(`${method} ${path}`)
  const error = { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } }
  return {
    operationId: `${method.toLowerCase()}${path.replace(/\{[^}]*\}/g, '').replace(/\W+(\w)/g, (_, letter: string) => letter.toUpperCase())}`,
    ...(parameters.length > 0 && { parameters }),
    ...(content && { requestBody: { required: true, content } }),
    responses: { '200': { description: 'Done.' }, default: { description: 'An error.', content: error } },
  }
}

function queryParameters(schema: z.ZodType | undefined): readonly object[] {
  if (!schema) return []
  const { properties = {}, required = [] } = jsonSchema(schema)
  return Object.entries(properties).map(([name, property]) => ({
    ...{ name, in: 'query', required: required.includes(name), schema: property },
  }))
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

/** Styles are in the page, nothing is loaded from anywhere, and no script runs. */
export const DOCS_POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"

/** `/docs`: the description as a page that reads without a network. */
export function docsPage({ info, paths }: Description): string {
  const routes = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => route(method, path, operation)),
  )
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${escapeHtml(info.title)}</title><style>${STYLE}</style>
<h1>${escapeHtml(info.title)} ${escapeHtml(info.version)}</h1>
<p>OpenAI's files, vector stores and answers under <code>/v1</code>, ours under <code>/api</code>. For programs:
<a href="/openapi.json">openapi.json</a>; for people: <a href="/">the page</a>.</p>
${routes.join('\n')}
</html>`
}

function route(method: string, path: string, operation: object): string {
  const { requestBody } = operation as { readonly requestBody?: { readonly content: object } } // as openapi.ts made it
  const title = `<b>${method.toUpperCase()}</b> <code>${escapeHtml(path)}</code>`
  if (!requestBody) return `<p>${title}</p>`
  const body = Object.entries(requestBody.content).map(
    ([type, { schema }]) => `<p>${escapeHtml(type)}</p><pre>${escapeHtml(JSON.stringify(schema, null, 2))}</pre>`,
  )
  return `<details><summary>${title}</summary>${body.join('')}</details>`
}
