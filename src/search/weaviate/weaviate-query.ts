import { z } from 'zod'
import type { Restriction } from '../index-reader.ts'
import { findRuns } from '../version-runs.ts'
import { toObjectId } from './weaviate-objects.ts'

/** Rows per query: the default of QUERY_MAXIMUM_RESULTS. */
export const MAX_ROWS = 10_000

type Part = {
  readonly className: string
  readonly tenant: string
  readonly limit: number
  readonly ranking?: string
  readonly where?: string
  readonly fields: string
}

export function buildGetQuery(parts: Readonly<Record<string, Part>>): string {
  const queries = Object.entries(parts).map(
    ([name, { className, tenant, limit, ranking, where, fields }]) => {
      const parameters = [
        `tenant:${quoteText(tenant)}`,
        `limit:${limit}`,
        ranking,
        where && `where:${where}`,
      ]
      return `${name}:${className}(${parameters.filter(Boolean).join(',')}){${fields}}`
    },
  )
  return `{Get{${queries.join(' ')}}}`
}

type Count = { readonly className: string; readonly tenant: string; readonly where?: string }

export function buildCountQuery(parts: readonly Count[]): string {
  const queries = parts.map(({ className, tenant, where }, index) => {
    const parameters = [`tenant:${quoteText(tenant)}`, where && `where:${where}`]
      .filter(Boolean)
      .join(',')
    return `n${index}:${className}(${parameters}){meta{count}}`
  })
  return `{Aggregate{${queries.join(' ')}}}`
}

const objectSchema = z.object({
  _additional: z.object({
    id: z.string(),
    score: z.string().optional(),
    distance: z.number().optional(),
    vector: z.array(z.number()).optional(),
  }),
  terms: z.string().nullish(),
  details: z.string().nullish(),
  draw: z.number().nullish(),
})

export type FoundObject = z.infer<typeof objectSchema>

const objectsSchema = z.object({ Get: z.record(z.string(), z.array(objectSchema).nullable()) })
const countsSchema = z.object({
  Aggregate: z.record(z.string(), z.array(z.object({ meta: z.object({ count: z.number() }) }))),
})

export function readObjects(
  data: unknown,
): Readonly<Record<string, readonly FoundObject[] | null>> {
  return objectsSchema.parse(data, { jitless: true }).Get
}

export function readCounts(data: unknown): readonly number[] {
  const counts = countsSchema.parse(data, { jitless: true }).Aggregate
  return Object.keys(counts).map((_, index) => counts[`n${index}`]?.[0]?.meta.count ?? 0)
}

function quoteText(text: string): string {
  return JSON.stringify(text)
}

export function buildWordRanking(terms: readonly string[], operator: 'And' | 'Or'): string {
  const all = operator === 'And' ? ',searchOperator:{operator:And}' : ''
  return `bm25:{query:${quoteText(terms.join(' '))},properties:["terms"]${all}}`
}

export function buildVectorRanking(vector: readonly number[]): string {
  return `nearVector:{vector:[${vector.join(',')}]}`
}

export const BY_PLACE = 'sort:[{path:["version"],order:asc},{path:["ordinal"],order:asc}]'

export function buildComparison(property: string, operator: string, value: number): string {
  return `{path:["${property}"],operator:${operator},valueInt:${value}}`
}

export function buildTextCondition(
  property: string,
  operator: string,
  values: readonly string[],
): string {
  return `{path:["${property}"],operator:${operator},valueText:${JSON.stringify(values)}}`
}

export function buildLanguageCondition(value: string): string {
  return `{path:["language"],operator:Equal,valueText:${quoteText(value)}}`
}

export function joinConditions(conditions: readonly string[]): string | undefined {
  if (conditions.length < 2) return conditions[0]
  return `{operator:And,operands:[${conditions.join(',')}]}`
}

export function isEmpty({ versions, rows }: Restriction): boolean {
  return versions?.length === 0 || rows?.length === 0
}

type Named = 'id' | 'chunk'

/** Leaves sequences to a later check; here rows need all of their terms. */
export function buildCondition(only: Restriction, named: Named = 'id'): string | undefined {
  const { versions, rows, sequences = [], pages, beforeOrdinal } = only
  const conditions = [
    versions && buildVersionCondition(versions),
    rows && buildTextCondition(named, 'ContainsAny', rows.map(toObjectId)),
    sequences.length > 0 &&
      buildTextCondition('terms', 'ContainsAll', [...new Set(sequences.flat())]),
    pages && buildComparison('pageLast', 'GreaterThanEqual', pages[0]),
    pages && buildComparison('pageFirst', 'LessThanEqual', pages[1]),
    beforeOrdinal !== undefined && buildComparison('ordinal', 'LessThan', beforeOrdinal),
  ]
  return joinConditions(conditions.filter(condition => typeof condition === 'string'))
}

/** Length from which a run is a range, so that the condition stays short. */
const LONG_RUN = 4

function buildVersionCondition(versions: readonly number[]): string {
  const runs = findRuns(versions)
  const isLong = ([first, last]: readonly [number, number]) => last - first >= LONG_RUN
  const single = runs.filter(run => !isLong(run)).flatMap(listNumbers)
  const named =
    single.length > 0
      ? [`{path:["version"],operator:ContainsAny,valueInt:[${single.join(',')}]}`]
      : []
  const ranges = runs.filter(isLong).map(([first, last]) => {
    const ends = [
      buildComparison('version', 'GreaterThanEqual', first),
      buildComparison('version', 'LessThanEqual', last),
    ]
    return `{operator:And,operands:[${ends.join(',')}]}`
  })
  const either = [...named, ...ranges]
  const [only, ...others] = either
  return only !== undefined && others.length === 0
    ? only
    : `{operator:Or,operands:[${either.join(',')}]}`
}

function listNumbers([first, last]: readonly [number, number]): readonly number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index)
}
