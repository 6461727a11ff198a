import { z } from 'zod'
import { OPEN_PATHS } from '../http/access.ts'
import { codesByStatus } from '../http/errors.ts'
import { IGNORED_HEADER } from '../http/ignored.ts'
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

/** What the service takes and answers, in OpenAPI's words, made from the routes and the schemas that they read with. */
export function describe(routes: Routes, version: string): Description {
  const paths: Record<string, Record<string, DescribedOperation>> = {}
  for (const [name, route] of Object.entries(routes)) {
    const [method = '', path = ''] = name.split(' ')
    const url = urlOf(path)
    paths[url] = { ...paths[url], [method.toLowerCase()]: describeRoute(method, path, route) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Passim',
      version,
      description: 'Documents, and answers from them with citations that can be checked.',
    },
    paths,
    components: {
      schemas: answerSchemas(),
      headers: HEADERS,
      responses: errorResponses(),
      securitySchemes: { key: KEY },
    },
    security: [{ key: [] }, {}],
  }
}

const KEY = {
  type: 'http',
  scheme: 'bearer',
  description:
    'A key that passim keys create made. A service without keys, which answers its own machine only, needs none.',
}

const HEADERS = {
  RequestId: {
    description: 'Names the request in the log of the server.',
    schema: { type: 'string' },
  },
  ShouldRetry: {
    description: '`false` where asking again would get the same answer.',
    schema: { type: 'string' },
  },
  RetryAfter: {
    description: 'Seconds until the next try may be better.',
    schema: { type: 'string' },
  },
  Ignored: {
    description: 'Names of request parameters that were ignored because they are unknown.',
    schema: { type: 'string' },
  },
  RateLimit: { description: 'Requests a minute of the key.', schema: { type: 'string' } },
  RateRemaining: { description: 'How many of these are left.', schema: { type: 'string' } },
}

const ON_EVERY_ANSWER = {
  'x-request-id': { $ref: '#/components/headers/RequestId' },
  'x-ratelimit-limit-requests': { $ref: '#/components/headers/RateLimit' },
  'x-ratelimit-remaining-requests': { $ref: '#/components/headers/RateRemaining' },
}

/** A response for each status of an error, with the codes that come with it. */
function errorResponses(): Readonly<Record<string, object>> {
  const headers = {
    ...ON_EVERY_ANSWER,
    'x-should-retry': { $ref: '#/components/headers/ShouldRetry' },
    'retry-after': { $ref: '#/components/headers/RetryAfter' },
  }
  const content = { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } }
  const entries = [...codesByStatus()].map(([status, codes]) => {
    const description = `An error with the code ${codes.map(code => `\`${code}\``).join(' or ')}.`
    return [`Error${status}`, { description, headers, content }] as const
  })
  return Object.fromEntries([
    ...entries,
    ['Error', { description: 'Any other error.', headers, content }],
  ])
}

function answerSchemas(): Readonly<Record<string, object>> {
  const registry = z.registry<{ id: string }>()
  for (const [id, schema] of Object.entries(ANSWERS)) registry.add(schema, { id })
  const uri = (id: string) => `#/components/schemas/${id}`
  const { schemas } = z.toJSONSchema(registry, { uri, ...WRITING })
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
 * As for requests, so that further fields of an answer are allowed. The bounds of every whole number say nothing, and
 * generators of clients know no `items: false`, for which there is a bound.
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

/** A route's pattern as OpenAPI writes it; of a parameter's own pattern only a fixed ending is left. */
export function urlOf(path: string): string {
  return path.replace(/:(\w+)(?:\{[^}]*?(?:\\(\.\w+))?\})?/g, '{$1}$2')
}

function describeRoute(method: string, path: string, route: Route): DescribedOperation {
  const { summary, description } = route
  const url = urlOf(path)
  const parameters = [
    ...pathParameters(path),
    ...queryParameters(route.query),
    ...headerParameters(route, method, path),
  ]
  const content = contentOf(route)
  return {
    operationId: `${method.toLowerCase()}${url.replace(/\W+(\w)/g, (_, letter: string) => letter.toUpperCase()).replace(/\W/g, '')}`,
    summary,
    ...(description && { description }),
    tags: [tagOf(path)],
    ...(parameters.length > 0 && { parameters }),
    ...(content && { requestBody: { required: true, content } }),
    responses: { ...successes(route), ...failures(route, method, path) },
    ...(OPEN_PATHS.has(path) && { security: [] }),
  }
}

function tagOf(path: string): string {
  const [, first = '', second] = path.split('/')
  return (/^(?:v\d|api)$/.test(first) ? second : first) || 'page'
}

/** What the ids in a path are of: the resource before them, or what their name says. */
function pathParameters(path: string): readonly Parameter[] {
  return [...path.matchAll(/([a-z_-]+)\/:(\w+)/g)].map(([, owner = '', name = '']) => {
    const what =
      owner === 'citations' ? 'document' : owner.replace(/_/g, ' ').replace(/(batch)es$|s$/, '$1')
    const description =
      name === 'page' ? 'The number of the page, from 1.' : `The id of the ${what}.`
    return { name, in: 'path', required: true, description, schema: { type: 'string' } }
  })
}

function queryParameters(schema: z.ZodType | undefined): readonly Parameter[] {
  if (!schema) return []
  const { properties = {}, required = [] } = jsonSchema(schema)
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

function headerParameters(
  { headers = [] }: Route,
  method: string,
  path: string,
): readonly Parameter[] {
  const isCreating = method === 'POST' && path.startsWith('/v1/')
  const names = [
    ...(isCreating ? ['Idempotency-Key'] : []),
    ...(headers.includes('spans') ? ['X-Passim-Spans'] : []),
    ...(headers.includes('range') ? ['Range', 'If-None-Match'] : []),
  ]
  return names.map(name => ({
    ...{
      name,
      in: 'header',
      required: false,
      description: REQUEST_HEADERS[name],
      schema: { type: 'string' },
    },
  }))
}

const REQUEST_HEADERS: Readonly<Record<string, string>> = {
  'Idempotency-Key': 'For 24 hours the same key gets the same answer, and nothing is done twice.',
  'X-Passim-Spans': '`1` adds where in the document the words stand.',
  Range: 'Part of the bytes, as `bytes=0-99`.',
  'If-None-Match': 'The ETag of what is known already.',
}

function contentOf({ body, example, form }: Route): Content | undefined {
  if (body)
    return { 'application/json': { schema: describeBody(body), ...(example && { example }) } }
  if (!form) return undefined
  const { properties = {}, required = [], ...fields } = jsonSchema(form.fields)
  const bytes = {
    [form.part]: { type: 'string', format: 'binary', description: 'The bytes, with a file name.' },
  }
  const schema = {
    ...fields,
    properties: { ...bytes, ...properties },
    required: [form.part, ...required],
  }
  return { 'multipart/form-data': { schema } }
}

/** Describes a body. One that ignores unknown parameters allows additional properties. */
function describeBody(body: z.ZodType): JsonSchema {
  return { ...jsonSchema(body), ...(isTolerant(body) && { additionalProperties: true }) }
}

function successes({
  answer,
  body,
  media = [],
  events,
  headers = [],
  status = 200,
}: Route): Readonly<Record<string, object>> {
  const asText = media.map(type => {
    const isText = /^text\/|json$/.test(type)
    return [type, { schema: { type: 'string', ...(!isText && { format: 'binary' }) } }] as const
  })
  const content = {
    ...(answer && { 'application/json': { schema: reference(answer) } }),
    ...Object.fromEntries(asText),
    ...(events && { 'text/event-stream': { schema: reference(events) } }),
  }
  const more =
    body && isTolerant(body) ? { [IGNORED_HEADER]: { $ref: '#/components/headers/Ignored' } } : {}
  const done = {
    description: 'Done.',
    headers: { ...ON_EVERY_ANSWER, ...more },
    ...(Object.keys(content).length > 0 && { content }),
  }
  if (!headers.includes('range')) return { [status]: done }
  return {
    '200': done,
    '206': { ...done, description: 'Part of it.' },
    '304': { description: 'Not modified.' },
  }
}

function reference(name: string): JsonSchema {
  return { $ref: `#/components/schemas/${name}` }
}

/** Errors that any request may get, those that only some may, and whatever else. */
function failures(route: Route, method: string, path: string): Readonly<Record<string, object>> {
  const takesBody = route.body !== undefined || route.form !== undefined
  const isOpen = OPEN_PATHS.has(path)
  const statuses = [
    ...(isOpen ? [] : [400, 401, 403, 429, 504]),
    ...(path.includes(':') || takesBody ? [404] : []),
    ...(takesBody ? [409, 413] : []),
    ...(route.headers?.includes('range') ? [416] : []),
    ...(route.asksModel ? [502] : []),
    ...(method === 'GET' ? [] : [507]),
    ...[500, 503],
  ]
  const entries = statuses.map(
    status => [String(status), { $ref: `#/components/responses/Error${status}` }] as const,
  )
  return { ...Object.fromEntries(entries), default: { $ref: '#/components/responses/Error' } }
}

function jsonSchema(schema: z.ZodType): JsonSchema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, WRITING)
  return rest as JsonSchema // JSON Schema's
}
