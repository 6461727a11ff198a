import type { z } from 'zod'
import { localizable, type Sentence } from '../../errors/localizable.ts'
import { describeIssue, findClosestIssue, type SchemaIssue } from '../../errors/schema-issue.ts'
import { createInvalid, createUnsupported } from './errors.ts'
import type { ParameterFault } from './openai-errors.ts'

/** Maps a path in the checked value to the client's input. */
type Written = (place: readonly PropertyKey[]) => readonly PropertyKey[]

/** Leaves all messages to our schemas and `describeIssue`. */
export const OUR_WORDS = { error: () => '', reportInput: true }

export function check<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  written: Written = place => place,
): z.output<Schema> {
  const parsed = schema.safeParse(value, OUR_WORDS)
  if (parsed.success) return parsed.data
  throw toRefusal(parsed.error, { schema, value, written })
}

type Checked = { readonly schema: z.ZodType; readonly value: unknown; readonly written?: Written }

/** Puts parameters refused by name first: other faults may follow from them. */
export function toRefusal(
  { issues }: z.ZodError,
  { schema, value, written = place => place }: Checked,
): Error {
  const refused = issues.find(isRefusal)
  const issue =
    refused ?? findClosestIssue(issues[0]!, issue => isValidWhenCut(schema, value, issue))
  if (issue.code === 'unrecognized_keys') {
    const key = written([...issue.path, issue.keys![0]!]).join('.')
    return createInvalid(localizable`Unknown parameter: ${key}.`, key, 'unknown_parameter')
  }
  const place = written(issue.path).join('.')
  if (isRefusal(issue))
    return createUnsupported(localizable`${place} is not supported: ${issue.message}.`, place)
  const isMissing = getValue(value, issue.path) === undefined
  return createInvalid(
    writeFault(place, issue, isMissing),
    place || undefined,
    findTypeFault(issue, isMissing),
  )
}

function writeFault(place: string, issue: SchemaIssue, isMissing: boolean): Sentence {
  const key = getKeyFault(issue)
  if (key?.message) return localizable`${place}: ${key.message}.`
  if (key) return localizable`${place}: its name ${describeIssue(key, false)}.`
  if (issue.message)
    return place ? localizable`${place}: ${issue.message}.` : localizable`${issue.message}.`
  return localizable`${place || 'The request body'} ${describeIssue(issue, isMissing)}.`
}

function findTypeFault({ code }: SchemaIssue, isMissing: boolean): ParameterFault | undefined {
  if (isMissing) return 'missing_required_parameter'
  return code === 'invalid_type' ? 'invalid_type' : undefined
}

function isRefusal({ code, expected }: SchemaIssue): boolean {
  return code === 'invalid_type' && expected === 'never'
}

function getKeyFault(issue: SchemaIssue): SchemaIssue | undefined {
  if (issue.code !== 'invalid_key') return undefined
  return (issue as unknown as { readonly issues: readonly SchemaIssue[] }).issues[0]
}

/** Tests the place with the list cut to the issue's maximum. */
function isValidWhenCut(
  schema: z.ZodType,
  value: unknown,
  { path, maximum }: SchemaIssue,
): boolean {
  const cut = path.reduceRight<(inner: unknown) => unknown>(
    (change, step) => owner =>
      withValue(owner, step, change((owner as Record<PropertyKey, unknown>)[step])),
    list => (Array.isArray(list) ? list.slice(0, Number(maximum)) : list),
  )(value)
  const { error } = schema.safeParse(cut, OUR_WORDS)
  return !error?.issues.some(issue => path.every((step, index) => issue.path[index] === step))
}

function withValue(owner: unknown, key: PropertyKey, value: unknown): unknown {
  return Array.isArray(owner)
    ? owner.with(Number(key), value)
    : { ...(owner as object), [key]: value }
}

export function getValue(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce(
    (inner, step) => (inner as Record<PropertyKey, unknown> | null | undefined)?.[step],
    value,
  )
}
