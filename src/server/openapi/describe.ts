import { z } from 'zod'
import { OPEN_PATHS, SCOPE_HEADER } from '../http/access.ts'
import { listCodesByStatus } from '../http/errors.ts'
import { isRepeatable } from '../http/idempotency.ts'
import { IGNORED_HEADER } from '../http/ignored.ts'
import { LINES_TYPE } from '../http/lines.ts'
import { listOpenAICodes } from '../http/openai-errors.ts'
import { isTolerant } from '../http/parameters.ts'
import type { Route, Routes } from '../route.ts'
import { ANSWERS } from './answers.ts'
import type {
  Content,
  DescribedOperation,
  Description,
  JsonSchema,
  Parameter,
} from './description.ts'
import { describeLinks } from './links.ts'
import { toOperationId, toUrl } from './operation-id.ts'
import { PATH_PARAMETERS } from './path-parameters.ts'
import { WEBHOOKS } from './webhooks.ts'

export function describe(
  routes: Routes,
  { version, url }: { readonly version: string; readonly url: string },
): Description {
  const paths: Record<string, Record<string, DescribedOperation>> = {}
  for (const [name, route] of Object.entries(routes)) {
    const [method = '', path = ''] = name.split(' ')
    const place = toUrl(path)
    const links = describeLinks(route, { method, path, routes })
    const operation = describeRoute({ method, path, route, links })
    paths[place] = { ...paths[place], [method.toLowerCase()]: operation }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Passim',
      version,
      description:
        'Indexes documents, searches them, and answers questions with citations that can be checked. Routes under `/v1` have the forms of OpenAI. Under `/api`, fields are in camel case, times are in RFC 3339, and lists end with `hasMore` and `last`, the value of `after` for the next page. The header `passim-version: 2026-11-30` requests the forms of earlier builds. The messages of errors, warnings, notices and checks are in Chinese if `Accept-Language` prefers it to English.',
    },
    servers: [{ url }],
    paths,
    webhooks: WEBHOOKS,
    components: {
      schemas: answerSchemas(),
      headers: HEADERS,
      responses: describeErrors(),
      securitySchemes: { key: KEY },
    },
    security: [{ key: [] }, {}],
  }
}

const KEY = {
  type: 'http',
  scheme: 'bearer',
  description:
    'A key made by `passim keys create`. A service without keys accepts requests from its own machine only and needs none.',
}

const HEADERS = {
  RequestId: {
    description: "Id of the request in the server's log.",
    schema: { type: 'string' },
  },
  ShouldRetry: {
    description: '`false` if the same request would fail again.',
    schema: { type: 'string' },
  },
  RetryAfter: {
    description: 'Seconds to wait before the next try.',
    schema: { type: 'string' },
  },
  Ignored: {
    description:
      'Names of request parameters that were ignored because they or the model are unknown.',
    schema: { type: 'string' },
  },
  Scope: {
    description:
      'Scope of the key of the request: `read`, `write` or `admin`. Absent without keys.',
    schema: { type: 'string' },
  },
  RateLimit: {
    description: 'Maximum number of requests per minute with this key.',
    schema: { type: 'string' },
  },
  RateRemaining: {
    description: 'Number of requests that the key may send now.',
    schema: { type: 'string' },
  },
}

const ON_EVERY_ANSWER = {
  'x-request-id': { $ref: '#/components/headers/RequestId' },
  [SCOPE_HEADER]: { $ref: '#/components/headers/Scope' },
  'x-ratelimit-limit-requests': { $ref: '#/components/headers/RateLimit' },
  'x-ratelimit-remaining-requests': { $ref: '#/components/headers/RateRemaining' },
}

function describeErrors(): Readonly<Record<string, object>> {
  const headers = {
    ...ON_EVERY_ANSWER,
    'x-should-retry': { $ref: '#/components/headers/ShouldRetry' },
    'retry-after': { $ref: '#/components/headers/RetryAfter' },
  }
  const content = { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } }
  const entries = [...listCodesByStatus()].map(([status, codes]) => {
    const openaiCodes = codes.flatMap(listOpenAICodes)
    const isSame = String(openaiCodes) === String(codes)
    const description = `An error with the code ${joinCodes(codes)}.${isSame ? '' : ` Under \`/v1\`: ${joinCodes(openaiCodes)}.`}`
    return [`Error${status}`, { description, headers, content }] as const
  })
  return Object.fromEntries([
    ...entries,
    ['Error', { description: 'Any other error.', headers, content }],
  ])
}

function joinCodes(codes: readonly string[]): string {
  return codes.map(code => `\`${code}\``).join(' or ')
}

function answerSchemas(): Readonly<Record<string, object>> {
  const registry = z.registry<{ id: string }>()
  for (const [id, schema] of Object.entries(ANSWERS)) registry.add(schema, { id })
  const toUri = (id: string) => `#/components/schemas/${id}`
  const { schemas } = z.toJSONSchema(registry, { uri: toUri, ...WRITING })
  return Object.fromEntries(
    Object.entries(schemas).map(([name, { $schema: _, $id: __, ...schema }]) => [name, schema]),
  )
}

type Written = {
  minimum?: number
  maximum?: number
  items?: unknown
  prefixItems?: readonly unknown[]
  maxItems?: number
}

/**
 * Describes answers like requests, so that more fields are allowed. Omits what generators do
 * not know: bounds of integers, `items: false`.
 */
const WRITING = {
  io: 'input',
  unrepresentable: 'any',
  override: ({ jsonSchema }: { jsonSchema: Written }) => {
    if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
    if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
    if (!jsonSchema.prefixItems) return
    delete jsonSchema.items
    jsonSchema.maxItems = jsonSchema.prefixItems.length
  },
} as const

type Named = {
  readonly method: string
  readonly path: string
  readonly route: Route
  readonly links: object
}

function describeRoute({ method, path, route, links }: Named): DescribedOperation {
  const { summary, description } = route
  const parameters = [
    ...describePath(path),
    ...queryParameters(route.query),
    ...describeHeaders(route, method, path),
  ]
  const content = describeContent(route)
  return {
    operationId: toOperationId(method, path),
    summary,
    ...(description && { description }),
    tags: [getTag(path)],
    ...(parameters.length > 0 && { parameters }),
    ...(content && { requestBody: { required: true, content } }),
    responses: { ...describeSuccesses(route, links), ...describeFailures(route, method, path) },
    ...(OPEN_PATHS.has(path) && { security: [] }),
  }
}

function getTag(path: string): string {
  const [, first = '', second] = path.split('/')
  return (/^(?:v\d|api)$/.test(first) ? second : first) || 'page'
}

function describePath(path: string): readonly Parameter[] {
  return [...path.matchAll(/([a-z_-]+)\/:(\w+)/g)].map(([, owner = '', name = '']) => {
    const description = PATH_PARAMETERS[`${owner} ${name}`]
    if (description === undefined) throw new Error(`The parameter :${name} of ${path} needs words.`)
    return { name, in: 'path', required: true, description, schema: { type: 'string' } }
  })
}

function queryParameters(schema: z.ZodType | undefined): readonly Parameter[] {
  if (!schema) return []
  const { properties = {}, required = [] } = toJsonSchema(schema)
  return Object.entries(properties).map(([name, property]) => {
    const { description } = property
    return {
      name,
      in: 'query',
      required: required.includes(name),
      ...(description && { description }),
      schema: property,
    }
  })
}

function describeHeaders(
  { headers = [] }: Route,
  method: string,
  path: string,
): readonly Parameter[] {
  const isCreating = method === 'POST' && isRepeatable(path)
  const names = [
    ...(isCreating ? ['Idempotency-Key'] : []),
    ...(headers.includes('spans') ? ['X-Passim-Spans'] : []),
    ...(headers.includes('range') ? ['Range', 'If-None-Match'] : []),
  ]
  return names.map(name => ({
    name,
    in: 'header',
    required: false,
    description: REQUEST_HEADERS[name],
    schema: { type: 'string' },
  }))
}

const REQUEST_HEADERS: Readonly<Record<string, string>> = {
  'Idempotency-Key':
    'Any text that identifies the request (at most 255 characters). For 24 hours a request with the same key gets the stored answer and is not run again.',
  'X-Passim-Spans':
    "`1` adds Passim's own fields: the place of each result in its document, and the warnings of an answer.",
  Range: 'Range of bytes to return, such as `bytes=0-99`. Default: the complete file.',
  'If-None-Match': "ETag of the client's copy. The status is 304 if the file has not changed.",
}

function describeContent({ body, example, form, lines, takesBytes }: Route): Content | undefined {
  if (!body) return form && describeForm(form)
  const schema = { ...toJsonSchema(body), ...(isTolerant(body) && { additionalProperties: true }) }
  const json = { 'application/json': { schema, ...(example && { example }) } }
  return {
    ...json,
    ...(lines && { [LINES_TYPE]: { schema } }),
    ...(form && describeForm(form)),
    ...(takesBytes && { 'application/octet-stream': { schema: BYTES } }),
  }
}

const BYTES = {
  type: 'string',
  format: 'binary',
  description: "Bytes of the file. Send the file's own content type if it is known.",
}

function describeForm(form: NonNullable<Route['form']>): Content {
  const { properties = {}, required = [], ...fields } = toJsonSchema(form.fields)
  const bytes = {
    [form.part]: {
      type: 'string',
      format: 'binary',
      description: 'Bytes of the file. The part needs a `filename`.',
    },
  }
  const schema = {
    ...fields,
    properties: { ...bytes, ...properties },
    required: [form.part, ...required],
  }
  return { 'multipart/form-data': { schema, ...(form.example && { example: form.example }) } }
}

function describeSuccesses(
  { answer, body, media = [], events, lines, headers = [], status = 200, nothing }: Route,
  links: object,
): Readonly<Record<string, object>> {
  const asText = media.map(type => {
    const isText = /^text\/|json$/.test(type)
    return [type, { schema: { type: 'string', ...(!isText && { format: 'binary' }) } }] as const
  })
  const content = {
    ...(answer && { 'application/json': { schema: toReference(answer) } }),
    ...Object.fromEntries(asText),
    ...(events && { 'text/event-stream': { schema: toReference(events) } }),
    ...(lines && { [LINES_TYPE]: { schema: toReference(lines) } }),
  }
  const more =
    body && isTolerant(body) ? { [IGNORED_HEADER]: { $ref: '#/components/headers/Ignored' } } : {}
  const done = {
    description: 'Success.',
    headers: { ...ON_EVERY_ANSWER, ...more },
    ...(Object.keys(content).length > 0 && { content }),
    ...(Object.keys(links).length > 0 && { links }),
  }
  if (nothing) return { [status]: done, '204': { description: nothing, headers: ON_EVERY_ANSWER } }
  if (!headers.includes('range')) return { [status]: done }
  return {
    '200': done,
    '206': { ...done, description: 'The requested range of bytes.' },
    '304': { description: "The client's copy is current." },
  }
}

function toReference(name: string): JsonSchema {
  return { $ref: `#/components/schemas/${name}` }
}

function describeFailures(
  route: Route,
  method: string,
  path: string,
): Readonly<Record<string, object>> {
  const takesBody = route.body !== undefined || route.form !== undefined
  const isOpen = OPEN_PATHS.has(path) && !takesBody
  const statuses = [
    ...(isOpen ? [] : [400, 401, 403, 429, 504]),
    ...(route.media?.includes('image/png') ? [415] : []),
    ...(path.includes(':') || takesBody || route.query ? [404] : []),
    ...(method !== 'GET' || path.includes(':') || route.query ? [409] : []),
    ...(takesBody ? [413] : []),
    ...(route.headers?.includes('range') ? [416] : []),
    ...(route.mayFailUpstream ? [502] : []),
    ...(method === 'GET' ? [] : [507]),
    ...[500, 503],
  ]
  const entries = statuses.map(
    status => [String(status), { $ref: `#/components/responses/Error${status}` }] as const,
  )
  const rpcErrors = route.speaksRpc ? describeRpcErrors() : {}
  return {
    ...Object.fromEntries(entries),
    ...rpcErrors,
    default: { $ref: '#/components/responses/Error' },
  }
}

/** Describes how the MCP SDK's HTTP transport refuses a message. */
function describeRpcErrors(): Readonly<Record<string, object>> {
  const schema = { anyOf: [toReference('RpcError'), toReference('Error')] }
  const refused = {
    description: 'The message is refused, with a JSON-RPC error.',
    headers: ON_EVERY_ANSWER,
    content: { 'application/json': { schema } },
  }
  return Object.fromEntries([400, 404, 406, 415].map(status => [String(status), refused]))
}

function toJsonSchema(schema: z.ZodType): JsonSchema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, WRITING)
  return rest as JsonSchema
}
