import type { Readable } from 'node:stream'
import { HTTPException } from 'hono/http-exception'
import { z } from 'zod'
import { unlessAborted } from '../ingest/unless-aborted.ts'
import type { RequestContext } from './context.ts'
import { invalid, refusal, unsupported } from './errors.ts'

/** Most that a JSON body may have; documents come as files. */
export const MAX_BODY_BYTES = 4 * 1024 * 1024

/** Most objects and lists that it may have: to say of each what is wrong with it takes a hundred times as long as to read it. */
const MAX_BODY_OBJECTS = 10_000

/** Most properties that they may have together, for the same reason. */
const MAX_BODY_PROPERTIES = 50_000

/** How deep they may stand in one another: what writes or compares them goes down by itself, and runs out of stack somewhere below a thousand. */
const MAX_BODY_DEPTH = 256

/**
 * The request's JSON body, as the schema says. Nothing at all stands for `{}`, and `null` for a parameter that is not there,
 * except where the schema gives it a meaning of its own.
 */
export async function readBody<Schema extends z.ZodType>(c: RequestContext, schema: Schema): Promise<z.output<Schema>> {
  const bytes = c.get('body') ?? (await readBytes(c))
  const body = parseJson(bytes)
  requireBounded(body)
  while (bytes.includes('null') && dropRefusedNulls(schema, body)); // most bodies have none, and are checked once
  return check(schema, body)
}

/** The request's query parameters, as the schema says; others are passed over. */
export function readQuery<Schema extends z.ZodType>(c: RequestContext, schema: Schema): z.output<Schema> {
  return check(schema, c.req.query())
}

/** `?now=true`: for good, where it could be brought back otherwise. */
export const deleteSchema = z.object({
  now: z
    .enum(['true', 'false'])
    .optional()
    .transform(now => now === 'true')
    .describe('`true` deletes for good; else it can be restored for a week.'),
})

/** The same where some parameters are lists, which clients write as `name=a&name=b` or `name[]=a&name[]=b`. */
export function readQueries<Schema extends z.ZodType>(
  c: RequestContext,
  schema: Schema,
  lists: readonly string[],
): z.output<Schema> {
  const found = lists.map(name => [name, c.req.queries(`${name}[]`) ?? c.req.queries(name)])
  return check(schema, { ...c.req.query(), ...Object.fromEntries(found) })
}

/** The value as the schema says, or a refusal that names what is wrong with it, where the client wrote it. */
export function check<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  written: (place: readonly PropertyKey[]) => readonly PropertyKey[] = place => place,
): z.output<Schema> {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const issue = closest(parsed.error.issues[0]!) // a failed parse has an issue
  if (issue.code === 'unrecognized_keys') {
    const key = written([...issue.path, issue.keys[0]!]).join('.') // one at least
    throw invalid(`Unknown parameter: ${key}.`, key)
  }
  const place = written(issue.path).join('.')
  if (issue.code === 'invalid_type' && issue.expected === 'never') {
    throw unsupported(`${place} is not taken: ${issue.message}.`, place)
  }
  throw invalid(`${place ? `${place}: ` : ''}${issue.message}.`, place || undefined)
}

type Issue = z.core.$ZodIssue

/** Takes out of a parsed body each `null` that the schema does not know; false where there is none left. */
function dropRefusedNulls(schema: z.ZodType, body: unknown): boolean {
  const { error } = schema.safeParse(body)
  const dropped = (error?.issues ?? []).flatMap(placesOf).filter(place => dropNull(body, place))
  return dropped.length > 0
}

/** Every place that an issue is about; of a value that may be one of several things, what is wrong with it as each of them. */
function placesOf(issue: Issue): readonly PropertyKey[][] {
  const { path } = issue
  if (issue.code === 'unrecognized_keys') return issue.keys.map(key => [...path, key])
  if (issue.code !== 'invalid_union') return [path]
  return [
    path,
    ...issue.errors
      .flat()
      .flatMap(placesOf)
      .map(place => [...path, ...place]),
  ]
}

function dropNull(body: unknown, place: readonly PropertyKey[]): boolean {
  const key = place.at(-1)
  const owner = place.slice(0, -1).reduce<unknown>((value, step) => (value as Record<PropertyKey, unknown>)[step], body) // zod came the same way
  if (key === undefined || !isRecord(owner) || owner[key] !== null) return false
  return Reflect.deleteProperty(owner, key)
}

function isRecord(value: unknown): value is Record<PropertyKey, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Where a value may be one of several things, what is wrong with the one that it comes closest to: that which goes wrong deepest in. */
function closest(issue: Issue): Issue {
  if (issue.code === 'invalid_key') return { ...issue, message: issue.issues[0]?.message ?? issue.message }
  if (issue.code !== 'invalid_union') return issue
  const found = issue.errors.flatMap(([first]) => {
    if (!first) return []
    const inner = closest(first)
    return [{ ...inner, path: [...issue.path, ...inner.path] }]
  })
  const [deepest] = found.toSorted((a, b) => b.path.length - a.path.length)
  if (deepest && deepest.path.length > issue.path.length) return deepest
  return found.find(({ code }) => code === 'too_big' || code === 'too_small') ?? issue // the right kind of thing, at least
}

/**
 * Throws `too_large`, and the reason of the signal when that comes before the last byte: when its time is over. That a client
 * leaves is nobody's fault but its own.
 */
export async function readBytes(c: RequestContext): Promise<Buffer> {
  const { incoming } = c.env ?? {}
  try {
    return await unlessAborted(incoming ? collect(incoming) : collectWeb(c.req.raw), c.get('signal'))
  } catch (error) {
    if (error instanceof HTTPException) throw error
    if (!c.req.raw.signal.aborted) c.get('signal').throwIfAborted()
    throw invalid('The request body broke off before its end.')
  }
}

/**
 * From the connection itself, for a stream of the web around it costs more than all else that is done with a small body.
 * What listens here stays with the connection until the next request, and so keeps nothing of the body.
 */
async function collect(incoming: Readable): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  await new Promise<void>((resolve, reject) => {
    const take = (chunk: Buffer) => {
      size += chunk.length
      chunks.push(chunk)
      if (size <= MAX_BODY_BYTES) return
      incoming.off('data', take).pause()
      reject(tooLarge())
    }
    incoming.on('data', take)
    incoming.once('end', resolve).once('error', reject)
    incoming.once('close', () => incoming.readableEnded || reject(new Error('The connection was closed.')))
  })
  return Buffer.concat(chunks.splice(0))
}

/** Where there is no connection. */
async function collectWeb({ body }: Request): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body ?? []) {
    size += chunk.length
    if (size > MAX_BODY_BYTES) throw tooLarge()
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function tooLarge(what = `is larger than ${MAX_BODY_BYTES} bytes`): Error {
  const message = `The request body ${what}. Send documents as files, and what belongs together in several requests.`
  return refusal({ status: 413, code: 'too_large', message })
}

/** Before any of it is checked. */
function requireBounded(body: unknown): void {
  let [objects, properties] = [0, 0]
  for (let level = [body].filter(isObject), depth = 1; level.length > 0; depth++) {
    objects += level.length
    properties += level.reduce((sum, value) => sum + (Array.isArray(value) ? 0 : Object.keys(value).length), 0)
    if (objects > MAX_BODY_OBJECTS) throw tooLarge(`has more than ${MAX_BODY_OBJECTS} objects and lists`)
    if (properties > MAX_BODY_PROPERTIES) throw tooLarge(`has more than ${MAX_BODY_PROPERTIES} properties`)
    if (depth > MAX_BODY_DEPTH) throw tooLarge(`has more than ${MAX_BODY_DEPTH} objects and lists in one another`)
    level = level.flatMap(value => Object.values(value).filter(isObject))
  }
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

function parseJson(bytes: Buffer): unknown {
  if (bytes.length === 0) return {}
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch (error) {
    throw invalid(`The request body is not valid JSON: ${error instanceof Error ? error.message : error}.`)
  }
}
