import { localizable } from '../errors/localizable.ts'
import { AppError } from '../errors.ts'
import type { Attributes } from '../ingest/store/catalog/document.ts'
import { toUnixSeconds } from '../text/iso-date.ts'

const COMPARISONS = [
  'eq',
  'ne',
  'gt',
  'gte',
  'lt',
  'lte',
  'in',
  'nin',
  'contains',
  'under',
] as const
const COMBINATIONS = ['and', 'or'] as const

export type FilterValue = string | number | boolean
type Comparison = (typeof COMPARISONS)[number]

export type AttributeFilter = {
  readonly type: Comparison
  readonly key: string
  readonly value: FilterValue | readonly FilterValue[]
}

/** Follows OpenAI's vector stores. */
export type Filter =
  | AttributeFilter
  | { readonly type: 'and' | 'or'; readonly filters: readonly Filter[] }

/** Limits, so that evaluating a filter per document stays cheap. */
const MAX_DEPTH = 8
const MAX_FILTERS = 100
const MAX_VALUES = 1_000
const MAX_KEY_CHARS = 256
const MAX_VALUE_CHARS = 4_096

/** Throws `invalid_input` with the path and the problem. */
export function parseFilter(input: unknown): Filter {
  const budget = { filters: MAX_FILTERS, values: MAX_VALUES }
  return parseFilterPart(input, { place: 'filter', depth: 1, budget })
}

/**
 * A missing attribute meets only `ne` and `nin`. Text that reads as a number compares with
 * numbers, other text without case. `under` is a folder, or the end of its path.
 */
export function matchFilter(filter: Filter, attributes: Attributes): boolean {
  if (!isComparison(filter)) {
    const { type, filters } = filter
    return type === 'and'
      ? filters.every(inner => matchFilter(inner, attributes))
      : filters.some(inner => matchFilter(inner, attributes))
  }
  const { type, key, value } = filter
  const actual = Object.hasOwn(attributes, key) ? attributes[key] : undefined
  const compare = MOMENTS.has(key) ? orderMoment : order
  const orders = (typeof value === 'object' ? value : [value]).map(one => compare(actual, one))
  if (type === 'contains' || type === 'under')
    return actual !== undefined && typeof value !== 'object' && isWithin(type, actual, value)
  return hasMatchingOrder(type, orders)
}

export function listFilterKeys(filter: Filter): readonly string[] {
  return isComparison(filter) ? [filter.key] : [...new Set(filter.filters.flatMap(listFilterKeys))]
}

function isComparison(filter: Filter): filter is AttributeFilter {
  return 'key' in filter
}

function hasMatchingOrder(
  type: Exclude<Comparison, 'contains' | 'under'>,
  orders: readonly (number | undefined)[],
): boolean {
  if (type === 'ne' || type === 'nin') return !orders.includes(0)
  if (type === 'eq' || type === 'in') return orders.includes(0)
  const [found] = orders
  if (found === undefined) return false
  if (type === 'gt') return found > 0
  if (type === 'gte') return found >= 0
  return type === 'lt' ? found < 0 : found <= 0
}

/** Unix seconds, unless an attribute of one's own has the name. */
export const MOMENTS: ReadonlySet<string> = new Set(['created', 'modified'])

const SECONDS_PER_DAY = 86_400
/** A year, month or day of ISO 8601, or an interval of days. */
const SPAN = /^(?<year>\d{4})(?:-(?<month>\d\d)(?:-(?<day>\d\d)(?:\/(?<last>\d{4}-\d\d-\d\d))?)?)?$/

/** A date equals each moment in it (UTC). */
function orderMoment(actual: FilterValue | undefined, value: FilterValue): number | undefined {
  if (typeof actual !== 'number' || typeof value !== 'string') return order(actual, value)
  const { start, end } = readSpan(value)
  if (start === undefined || end === undefined) return order(actual, value)
  if (actual < start) return -1
  return actual < end ? 0 : 1
}

/** Returns Unix seconds, the end exclusive. */
function readSpan(text: string) {
  const { year, month, day, last } = SPAN.exec(text)?.groups ?? {}
  if (year === undefined) {
    const start = text.includes('T') ? toUnixSeconds(text) : undefined
    return { start, end: start === undefined ? undefined : start + 1 }
  }
  const [years, months, days] = [Number(year), Number(month ?? 1), Number(day ?? 1)]
  const next =
    day === undefined
      ? Date.UTC(month === undefined ? years + 1 : years, month === undefined ? 0 : months)
      : Date.parse(last ?? `${year}-${month}-${day}`) + SECONDS_PER_DAY * 1000
  return { start: Date.UTC(years, months - 1, days) / 1000, end: next / 1000 }
}

function order(actual: FilterValue | undefined, value: FilterValue): number | undefined {
  if (actual === undefined) return undefined
  if (typeof actual === 'boolean' || typeof value === 'boolean')
    return String(actual) === String(value) ? 0 : undefined
  if (typeof actual === 'string' && typeof value === 'string')
    return compareText(foldText(actual), foldText(value))
  const difference = toNumber(actual) - toNumber(value)
  return Number.isNaN(difference) ? undefined : difference
}

export function compareText(actual: string, value: string): number {
  return actual < value ? -1 : actual > value ? 1 : 0
}

/** Ignores case and composition, in which file systems differ. */
export function foldText(text: string): string {
  return text.normalize('NFC').toLowerCase()
}

function isWithin(type: 'contains' | 'under', actual: FilterValue, value: FilterValue): boolean {
  if (type === 'contains') return foldText(String(actual)).includes(foldText(String(value)))
  const path = `${foldText(String(actual))}/`
  const folder = `${foldText(String(value)).replace(/\/+$/, '')}/`
  return path.startsWith(folder) || (!folder.startsWith('/') && path.includes(`/${folder}`))
}

function toNumber(value: string | number): number {
  if (typeof value === 'number') return value
  return value.trim() === '' ? Number.NaN : Number(value)
}

type Place = {
  readonly place: string
  readonly depth: number
  readonly budget: { filters: number; values: number }
}

function parseFilterPart(input: unknown, place: Place): Filter {
  if (place.depth > MAX_DEPTH) throw createFault(place, `is nested deeper than ${MAX_DEPTH} levels`)
  if (--place.budget.filters < 0)
    throw createFault(place, `is one too many: at most ${MAX_FILTERS} in one filter`)
  if (typeof input !== 'object' || input === null || Array.isArray(input))
    throw createFault(
      place,
      'must be an object {type, key, value} or {type: "and" | "or", filters}',
    )
  const record: Readonly<Record<string, unknown>> = { ...input }
  const { type } = record
  if (isMember(COMBINATIONS, type)) return { type, filters: parseInner(record, place) }
  if (!isMember(COMPARISONS, type))
    throw createFault(place, `has type ${formatValue(type)}: choose ${listOperators()}`, '.type')
  requireKeys(record, ['type', 'key', 'value'], place)
  return { type, key: parseKey(record.key, place), value: parseValue(type, record.value, place) }
}

function parseInner(record: Readonly<Record<string, unknown>>, place: Place): readonly Filter[] {
  requireKeys(record, ['type', 'filters'], place)
  const { filters } = record
  if (!Array.isArray(filters) || filters.length === 0)
    throw createFault(place, 'must be a list of filters', '.filters')
  return filters.map((inner, index) =>
    parseFilterPart(inner, {
      ...place,
      place: `${place.place}.filters[${index}]`,
      depth: place.depth + 1,
    }),
  )
}

function parseKey(key: unknown, place: Place): string {
  if (typeof key === 'string' && key !== '' && key.length <= MAX_KEY_CHARS) return key
  throw createFault(
    place,
    `must be the name of an attribute, of 1 to ${MAX_KEY_CHARS} characters`,
    '.key',
  )
}

function parseValue(type: Comparison, value: unknown, place: Place): AttributeFilter['value'] {
  const isList = type === 'in' || type === 'nin'
  if (!isList) return parseScalar(value, place)
  if (!Array.isArray(value) || value.length === 0)
    throw createFault(place, `must be a list of values for ${type}`, '.value')
  return value.map(item => parseScalar(item, place))
}

function parseScalar(value: unknown, place: Place): FilterValue {
  if (--place.budget.values < 0)
    throw createFault(
      place,
      `is one too many: at most ${MAX_VALUES} values in one filter`,
      '.value',
    )
  if (typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value)))
    return value
  if (typeof value === 'string' && value.length <= MAX_VALUE_CHARS) return value
  throw createFault(
    place,
    `must be text of at most ${MAX_VALUE_CHARS} characters, a number, true or false`,
    '.value',
  )
}

function requireKeys(
  record: Readonly<Record<string, unknown>>,
  keys: readonly string[],
  place: Place,
): void {
  const other = Object.keys(record).find(key => !keys.includes(key))
  if (other !== undefined)
    throw createFault(
      place,
      `has no such field; there are ${keys.join(', ')}`,
      `.${other.slice(0, 50)}`,
    )
}

function isMember<Name extends string>(names: readonly Name[], name: unknown): name is Name {
  return names.some(other => other === name)
}

function formatValue(value: unknown): string {
  return value === undefined ? 'missing' : (JSON.stringify(value)?.slice(0, 50) ?? 'unknown')
}

function listOperators(): string {
  return [...COMPARISONS, ...COMBINATIONS].join(', ')
}

function createFault({ place }: Place, problem: string, field = ''): AppError {
  return new AppError('invalid_input', localizable`Filter: ${place}${field} ${problem}.`)
}
