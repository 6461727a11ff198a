import type { Readable } from 'node:stream'
import { HTTPException } from 'hono/http-exception'
import type { z } from 'zod'
import { localizable, type Sentence } from '../../errors/localizable.ts'
import { getReason } from '../../errors.ts'
import { raceAbort } from '../../system/unless-aborted.ts'
import { getValue, OUR_WORDS, toRefusal } from './check.ts'
import type { OlderForms, RequestContext } from './context.ts'
import { createInvalid, createRefusal } from './errors.ts'
import { isTolerant } from './parameters.ts'

/** Bounds a JSON body; protects memory; documents are files. */
export const MAX_BODY_BYTES = 4 * 1024 * 1024

/** Objects and lists, so that reporting faults stays cheap (100 times the reading). */
const MAX_BODY_OBJECTS = 10_000

/** Properties, so that reporting faults stays cheap. */
const MAX_BODY_PROPERTIES = 50_000

/** Protects recursive code, whose stack ends below a thousand. */
const MAX_BODY_DEPTH = 256

/**
 * Takes an empty body for `{}`, and `null` for absence unless the schema accepts it. A tolerant
 * schema removes unknown parameters.
 */
export async function readBody<Schema extends z.ZodType>(
  c: RequestContext,
  schema: Schema,
): Promise<z.output<Schema>> {
  const bytes = c.get('body') ?? (await readBytes(c))
  const body = parseJson(bytes, 'request body', c.req.header('content-type'))
  renameOlder(body, c.get('olderForms'))
  c.set('received', body)
  const ignored: string[] = []
  if (isTolerant(schema)) c.set('ignored', ignored)
  return checkBody(body, schema, { mayHaveNulls: bytes.includes('null'), ignored })
}

function renameOlder(body: unknown, forms: OlderForms | undefined): void {
  if (!isRecord(body)) return
  for (const [older, name] of forms?.names ?? []) {
    if (!Object.hasOwn(body, older)) continue
    body[name] = body[older]
    Reflect.deleteProperty(body, older)
  }
}

/** Parses one line as `readBody` does. */
export function parseLine<Schema extends z.ZodType>(
  bytes: Buffer,
  schema: Schema,
): z.output<Schema> {
  const mayHaveNulls = bytes.includes('null')
  return checkBody(parseJson(bytes, 'line'), schema, { mayHaveNulls, ignored: [] })
}

type CheckOptions = {
  readonly mayHaveNulls: boolean
  readonly ignored: string[]
}

function checkBody<Schema extends z.ZodType>(
  body: unknown,
  schema: Schema,
  { mayHaveNulls, ignored }: CheckOptions,
): z.output<Schema> {
  requireBounded(body)
  for (;;) {
    const { data, error, success } = schema.safeParse(body, OUR_WORDS)
    if (success) return data
    const nulls = mayHaveNulls ? dropRefusedNulls(body, error.issues) : []
    const unknownFields = isTolerant(schema) ? dropUnknownFields(body, error.issues) : []
    ignored.push(...unknownFields)
    if (nulls.length + unknownFields.length === 0) throw toRefusal(error, { schema, value: body })
  }
}

type Issue = z.core.$ZodIssue

function dropRefusedNulls(
  body: unknown,
  issues: readonly Issue[],
): readonly (readonly PropertyKey[])[] {
  return issues.flatMap(listPlaces).filter(place => dropNull(body, place))
}

/** Refuses parameters inside lists, which may change a tool or message. */
function dropUnknownFields(body: unknown, issues: readonly Issue[]): readonly string[] {
  return issues.flatMap(issue => {
    if (issue.code !== 'unrecognized_keys' || issue.path.some(step => typeof step !== 'string'))
      return []
    const owner = getValue(body, issue.path)
    if (!isRecord(owner)) return []
    return issue.keys
      .filter(key => Object.hasOwn(owner, key) && Reflect.deleteProperty(owner, key))
      .map(key => [...issue.path, key].join('.'))
  })
}

/** Includes each union member. */
function listPlaces(issue: Issue): readonly PropertyKey[][] {
  const { path } = issue
  if (issue.code === 'unrecognized_keys') return issue.keys.map(key => [...path, key])
  if (issue.code !== 'invalid_union') return [path]
  return [
    path,
    ...issue.errors
      .flat()
      .flatMap(listPlaces)
      .map(place => [...path, ...place]),
  ]
}

function dropNull(body: unknown, place: readonly PropertyKey[]): boolean {
  const key = place.at(-1)
  const owner = getValue(body, place.slice(0, -1))
  if (key === undefined || !isRecord(owner) || owner[key] !== null) return false
  return Reflect.deleteProperty(owner, key)
}

function isRecord(value: unknown): value is Record<PropertyKey, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Throws `too_large`, or the signal's reason. */
export async function readBytes(c: RequestContext): Promise<Buffer> {
  const { incoming } = c.env ?? {}
  try {
    return await raceAbort(incoming ? collect(incoming) : collectWeb(c.req.raw), c.get('signal'))
  } catch (error) {
    if (error instanceof HTTPException) throw error
    if (!c.req.raw.signal.aborted) c.get('signal').throwIfAborted()
    throw createInvalid(
      'The request body ended early: the connection was interrupted. Send the request again.',
    )
  }
}

/** Reads the connection: a web stream costs more than the rest of a request. */
async function collect(incoming: Readable): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  await new Promise<void>((resolve, reject) => {
    const take = (chunk: Buffer) => {
      size += chunk.length
      chunks.push(chunk)
      if (size <= MAX_BODY_BYTES) return
      incoming.off('data', take).pause()
      reject(createTooLarge())
    }
    incoming.on('data', take)
    incoming.once('end', resolve).once('error', reject)
    incoming.once(
      'close',
      () => incoming.readableEnded || reject(new Error('The connection was closed.')),
    )
  })
  return Buffer.concat(chunks.splice(0))
}

async function collectWeb({ body }: Request): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body ?? []) {
    size += chunk.length
    if (size > MAX_BODY_BYTES) throw createTooLarge()
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function createTooLarge(
  what: Sentence = localizable`is larger than ${MAX_BODY_BYTES} bytes`,
): Error {
  const message = localizable`The request body ${what}. Upload documents as files, or split the request into several.`
  return createRefusal({ status: 413, code: 'too_large', message })
}

function requireBounded(body: unknown): void {
  let objects = 0
  let properties = 0
  for (let level = [body].filter(isObject), depth = 1; level.length > 0; depth++) {
    objects += level.length
    properties += level.reduce(
      (sum, value) => sum + (Array.isArray(value) ? 0 : Object.keys(value).length),
      0,
    )
    if (objects > MAX_BODY_OBJECTS)
      throw createTooLarge(localizable`has more than ${MAX_BODY_OBJECTS} objects and lists`)
    if (properties > MAX_BODY_PROPERTIES)
      throw createTooLarge(localizable`has more than ${MAX_BODY_PROPERTIES} properties`)
    if (depth > MAX_BODY_DEPTH)
      throw createTooLarge(
        localizable`has more than ${MAX_BODY_DEPTH} levels of nested objects and lists`,
      )
    level = level.flatMap(value => Object.values(value).filter(isObject))
  }
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

function parseJson(bytes: Buffer, part: 'request body' | 'line', mediaType = ''): unknown {
  if (bytes.length === 0) return {}
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch (error) {
    if (mediaType.startsWith('multipart/form-data'))
      throw createInvalid(
        'The request body is a form, but has to be JSON. Upload files to /v1/files.',
      )
    const reason = getReason(error)
    throw createInvalid(
      part === 'line'
        ? localizable`The line is not valid JSON: ${reason}.`
        : localizable`The request body is not valid JSON: ${reason}.`,
    )
  }
}
