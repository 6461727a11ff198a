import type { z } from 'zod'
import { findClosestIssue, type SchemaIssue } from '../errors/schema-issue.ts'
import { invalid, unsupported } from './errors.ts'

/** Where a place of the checked value stands in what the client wrote. */
type Written = (place: readonly PropertyKey[]) => readonly PropertyKey[]

/** Returns the value as the schema has it. Refuses one that does not fit, naming what is wrong with it and where. */
export function check<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  written: Written = place => place,
): z.output<Schema> {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  throw toRefusal(parsed.error, { schema, value, written })
}

type Checked = { readonly schema: z.ZodType; readonly value: unknown; readonly written?: Written }

/**
 * Returns the refusal of a value that does not fit. A parameter that is refused by name comes first: without it, the rest of the request
 * may not be what the client means.
 */
export function toRefusal({ issues }: z.ZodError, { schema, value, written = place => place }: Checked): Error {
  const refused = issues.find(isRefusal)
  const issue = refused ?? withKeyFault(findClosestIssue(issues[0]!, issue => isValidWhenCut(schema, value, issue))) // a failed parse has an issue
  if (issue.code === 'unrecognized_keys') {
    const key = written([...issue.path, issue.keys![0]!]).join('.') // one at least
    return invalid(`Unknown parameter: ${key}.`, key)
  }
  const place = written(issue.path).join('.')
  if (isRefusal(issue)) return unsupported(`${place} is not taken: ${issue.message}.`, place)
  return invalid(`${place ? `${place}: ` : ''}${issue.message}.`, place || undefined)
}

function isRefusal({ code, expected }: SchemaIssue): boolean {
  return code === 'invalid_type' && expected === 'never'
}

/** Returns the issue with what is wrong with the key, if it is about a key that a record's schema refuses. */
function withKeyFault(issue: SchemaIssue): SchemaIssue {
  if (issue.code !== 'invalid_key') return issue
  const { issues } = issue as unknown as { readonly issues: readonly SchemaIssue[] } // an issue of that code has them
  return { ...issue, message: issues[0]?.message ?? issue.message }
}

/** Tells whether nothing is wrong at the issue's place once the list there is cut to the issue's maximum. */
function isValidWhenCut(schema: z.ZodType, value: unknown, { path, maximum }: SchemaIssue): boolean {
  const cut = path.reduceRight<(inner: unknown) => unknown>(
    (change, step) => owner => withValue(owner, step, change((owner as Record<PropertyKey, unknown>)[step])), // the issue stands there
    list => (Array.isArray(list) ? list.slice(0, Number(maximum)) : list),
  )(value)
  const { error } = schema.safeParse(cut)
  return !error?.issues.some(issue => path.every((step, at) => issue.path[at] === step))
}

function withValue(owner: unknown, key: PropertyKey, value: unknown): unknown {
  return Array.isArray(owner) ? owner.with(Number(key), value) : { ...(owner as object), [key]: value }
}
