import { z } from 'zod'
import { localizable } from '../../errors/localizable.ts'
import { describeIssue } from '../../errors/schema-issue.ts'
import { check, getValue } from './check.ts'
import type { RequestContext } from './context.ts'
import { createInvalid } from './errors.ts'

/** `?now=true` deletes permanently. */
export const deleteSchema = z.object({
  now: z
    .boolean()
    .default(false)
    .describe(
      'If true, delete permanently. Default false: the deletion can be restored for a week.',
    ),
})

/** Ignores unknown and empty parameters. A list is `name=a&name=b` or `name[]=a&name[]=b`. */
export function readQuery<Schema extends z.ZodType>(
  c: RequestContext,
  schema: Schema,
): z.output<Schema> {
  const lists = new Map<string, readonly string[]>()
  for (const [written, values] of Object.entries(c.req.queries())) {
    const plain = written.replace(/\[\]$/, '')
    const name = c.get('olderForms')?.names.get(plain) ?? plain
    lists.set(name, [...(lists.get(name) ?? []), ...values.filter(value => value !== '')])
  }
  const first = [...lists].flatMap(([name, [value]]) =>
    value === undefined ? [] : [[name, value]],
  )
  return checkTexts(schema, Object.fromEntries(first), lists)
}

export function checkTexts<Schema extends z.ZodType>(
  schema: Schema,
  texts: Readonly<Record<string, unknown>>,
  lists: ReadonlyMap<string, readonly string[]> = new Map(),
): z.output<Schema> {
  const values: Record<string, unknown> = structuredClone(texts)
  const convertIssue = (issue: Issue): boolean => convertText(values, issue, lists)
  while (schema.safeParse(values).error?.issues.map(convertIssue).includes(true));
  const issue = schema.safeParse(values).error?.issues[0]
  const text = issue?.code === 'invalid_type' ? getValue(values, issue.path) : undefined
  if (issue?.code !== 'invalid_type' || typeof text !== 'string') return check(schema, values)
  const place = issue.path.join('.')
  const message = localizable`${place} ${describeIssue(issue, false)}, not ${JSON.stringify(text)}.`
  throw createInvalid(message, place, 'invalid_type')
}

type Issue = z.core.$ZodIssue

function convertText(
  values: Record<string, unknown>,
  issue: Issue,
  lists: ReadonlyMap<string, readonly string[]>,
): boolean {
  if (issue.code !== 'invalid_type') return false
  const text = getValue(values, issue.path)
  const key = issue.path.at(-1)
  if (typeof text !== 'string' || key === undefined) return false
  const value =
    convert(text, issue.expected) ??
    (issue.expected === 'array' ? (lists.get(String(key)) ?? [text]) : text)
  const owner = getValue(values, issue.path.slice(0, -1)) as Record<PropertyKey, unknown>
  owner[key] = value
  return value !== text
}

const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['false', false],
  ['1', true],
  ['0', false],
])

function convert(text: string, expected: string): unknown {
  if (expected === 'boolean') return BOOLEANS.get(text.toLowerCase())
  if (expected === 'number' || expected === 'int')
    return text.trim() === '' ? undefined : toNumber(text)
  const isList = expected === 'array'
  const isObject = expected === 'object' || expected === 'record'
  if (!isList && !isObject) return undefined
  const value = parseJson(text)
  return typeof value === 'object' && value !== null && Array.isArray(value) === isList
    ? value
    : undefined
}

function toNumber(text: string): number | undefined {
  const number = Number(text)
  return Number.isFinite(number) ? number : undefined
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
