import { z } from 'zod'
import type { RequestContext } from './context.ts'
import { invalid, refusal, unsupported } from './errors.ts'

/** Most that a JSON body may have; documents come as files. */
const MAX_BODY_BYTES = 4 * 1024 * 1024

/**
 * The request's JSON body, as the schema says. Nothing at all stands for `{}`, and `null` for a parameter that is not there,
 * except where the schema gives it a meaning of its own.
 */
export async function readBody<Schema extends z.ZodType>(c: RequestContext, schema: Schema): Promise<z.output<Schema>> {
  const bytes = await readBytes(c.req.raw, c.var.signal)
  const body = parseJson(bytes)
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

/** The value as the schema says, or a refusal that names what is wrong with it. */
export function check<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const issue = closest(parsed.error.issues[0]!) // a failed parse has an issue
  if (issue.code === 'unrecognized_keys') {
    const key = [...issue.path, issue.keys[0]].join('.')
    throw invalid(`Unknown parameter: ${key}.`, key)
  }
  const place = issue.path.join('.')
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
  if (issue.code !== 'invalid_union') return issue
  const found = issue.errors.flatMap(([first]) => {
    if (!first) return []
    const inner = closest(first)
    return [{ ...inner, path: [...issue.path, ...inner.path] }]
  })
  const [deepest] = found.toSorted((a, b) => b.path.length - a.path.length)
  return deepest && deepest.path.length > issue.path.length ? deepest : issue
}

/** Throws `too_large`, and the reason of the signal when that comes before the last byte. */
export async function readBytes(request: Request, signal: AbortSignal): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of request.body ? whole(request.body, request.signal, signal) : []) {
    size += chunk.length
    if (size > MAX_BODY_BYTES) {
      const message = `The request body is larger than ${MAX_BODY_BYTES} bytes.`
      throw refusal({ status: 413, code: 'too_large', message })
    }
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** Reading fails when its time is over, or when the client leaves, which is nobody's fault but its own. */
async function* whole(
  body: ReadableStream<Uint8Array>,
  left: AbortSignal,
  signal: AbortSignal,
): AsyncIterable<Uint8Array> {
  try {
    yield* body.pipeThrough(new TransformStream<Uint8Array, Uint8Array>(), { signal })
  } catch {
    if (!left.aborted) signal.throwIfAborted()
    throw invalid('The request body broke off before its end.')
  }
}

function parseJson(bytes: Buffer): unknown {
  if (bytes.length === 0) return {}
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch (error) {
    throw invalid(`The request body is not valid JSON: ${error instanceof Error ? error.message : error}.`)
  }
}
