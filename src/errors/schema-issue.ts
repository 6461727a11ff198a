import { localizable, type Sentence } from './localizable.ts'

/** Describes the first fault of a value: its field, and the rest of a sentence about it. */
export function describeSchemaFault({ issues }: { readonly issues: readonly SchemaIssue[] }): {
  readonly field: string
  readonly what: Sentence
  /** Name of an unknown field. */
  readonly unknown?: string
} {
  const issue = findClosestIssue(issues[0] ?? { path: [], message: 'it is not as expected' })
  const isMissing = issue.code === 'invalid_type' && issue.message.endsWith('received undefined')
  return {
    field: issue.path.map(String).join('.'),
    what: describeIssue(issue, isMissing),
    unknown: issue.keys?.[0],
  }
}

/** Returns the rest of a sentence about the field, in words of our own. */
export function describeIssue(issue: SchemaIssue, isMissing: boolean): Sentence {
  switch (issue.code) {
    case 'invalid_type':
      return describeNeed(nameKinds(issue), isMissing)
    case 'invalid_value':
      return describeNeed(nameValues(issue.values ?? []), isMissing)
    case 'unrecognized_keys':
      return localizable`has no field ${issue.keys?.[0]}`
    case 'too_small':
    case 'too_big':
      return describeBound(issue)
    case 'invalid_format':
      return describeFormat(issue)
    default:
      return describeOther(issue, isMissing)
  }
}

function describeNeed(needed: Sentence, isMissing: boolean): Sentence {
  return isMissing
    ? localizable`is missing: it has to be ${needed}`
    : localizable`has to be ${needed}`
}

function nameValues(values: readonly unknown[]): Sentence {
  const list = values.map(String).join(', ')
  return values.length > 1 ? localizable`one of ${list}` : list
}

function describeBound({ code, origin = '', minimum, maximum }: SchemaIssue): Sentence {
  const bound = Number(code === 'too_big' ? maximum : minimum)
  const [one, many] = UNITS[origin] ?? ['', '']
  const unit = bound === 1 ? one : many
  if (code === 'too_big') return localizable`has to be at most ${bound}${unit}`
  return unit && bound === 1 ? 'is empty' : localizable`has to be at least ${bound}${unit}`
}

function describeFormat({ format, pattern, message }: SchemaIssue): Sentence {
  const isOwn = message !== '' && !message.startsWith('Invalid')
  if (format === 'regex' && isOwn) return message
  if (format === 'regex' && pattern) return localizable`has to match the pattern ${pattern}`
  return format === 'url' ? 'is not a URL' : localizable`is not a valid ${format}`
}

function describeOther(
  { message, options = [], params }: SchemaIssue,
  isMissing: boolean,
): Sentence {
  if (options.length > 0)
    return describeNeed(localizable`one of ${options.map(String).join(', ')}`, isMissing)
  if (isMissing) return 'is missing'
  const reason = params?.reason ?? message.replace(/^Invalid input(?:: |$)|\.$/g, '')
  return reason ? localizable`cannot be used: ${reason}` : 'has a form that is not accepted'
}

function nameKinds({ expected }: SchemaIssue): Sentence {
  return String(expected)
    .split(' or ')
    .map((name): Sentence => ARTICLED[name] ?? name)
    .reduce((before, name) => localizable`${before} or ${name}`)
}

const ARTICLED: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  array: 'a list',
  record: 'an object',
}
const UNITS: Readonly<Record<string, readonly [string, string]>> = {
  string: [' character long', ' characters long'],
  array: [' item long', ' items long'],
}

export type SchemaIssue = {
  readonly code?: string
  readonly path: readonly PropertyKey[]
  readonly message: string
  readonly expected?: unknown
  readonly values?: readonly unknown[]
  /** Tags of the alternatives, if the value has none of them. */
  readonly options?: readonly unknown[]
  readonly keys?: readonly string[]
  readonly origin?: string
  /** Value at the place, if the schema was asked to report it. */
  readonly input?: unknown
  readonly format?: string
  readonly pattern?: string
  /** Message of a check of our own that contains values. */
  readonly params?: { readonly reason?: Sentence }
  readonly minimum?: number | bigint
  readonly maximum?: number | bigint
  /** Issues of each alternative of a union. */
  readonly errors?: readonly (readonly SchemaIssue[])[]
}

/** Returns whether the value at the issue's place is valid once its list is cut to the issue's maximum. */
type FitsWhenCut = (issue: SchemaIssue) => boolean

/** Ranks of issues, best fit first: a size or format, something inside, the tag of an alternative, or the type of the value. */
const BOUND = 0
const CONTENT = 1
const TAG = 2
const KIND = 3

/** Messages of a union without an error message of its own; empty if the library's are turned off. */
const UNEXPLAINED: ReadonlySet<string> = new Set(['', 'Invalid input'])

const BOUND_CODES: ReadonlySet<unknown> = new Set([
  'too_big',
  'too_small',
  'invalid_format',
  'not_multiple_of',
  'custom',
])

/**
 * Returns the issue of the best fitting union alternative: bounds before content, content
 * before tag or type.
 */
export function findClosestIssue(issue: SchemaIssue, fitsWhenCut?: FitsWhenCut): SchemaIssue {
  return resolveUnion(issue, fitsWhenCut)[0] ?? issue
}

function resolveUnion(
  issue: SchemaIssue,
  fitsWhenCut: FitsWhenCut | undefined,
): readonly SchemaIssue[] {
  if (!issue.errors?.length) return [issue]
  const toOuter = (inner: SchemaIssue) => ({ ...inner, path: [...issue.path, ...inner.path] })
  const fitsInner = fitsWhenCut && ((inner: SchemaIssue) => fitsWhenCut(toOuter(inner)))
  const resolved = issue.errors.map(errors =>
    errors.flatMap(error => resolveUnion(error, fitsInner)),
  )
  const isTag = (inner: SchemaIssue) => hasTagForm(inner) && isDistinguishing(inner, resolved)
  const alternatives = resolved.map(issues => ({ issues, misfit: measureMisfit(issues, isTag) }))
  const [best] = alternatives.toSorted((a, b) => compare(a.misfit, b.misfit))
  if (!best) return [issue]
  const [worst] = best.misfit
  const rivals =
    worst === CONTENT ? [best] : alternatives.filter(({ misfit }) => misfit[0] === worst)
  const isExplained = worst === TAG && !UNEXPLAINED.has(issue.message)
  const tag = isExplained
    ? best.issues.find(inner =>
        rivals.every(({ issues }) => issues.some(other => hasWrongTag(other, inner.path[0]))),
      )
    : undefined
  if (tag) return [toOuter({ ...tag, message: issue.message })]
  const inside = rivals.flatMap(({ issues }) => issues)
  return joinRivals(best.issues, inside, fitsInner).map(toOuter)
}

/**
 * Ranks by the worst issue, number of issues other than bounds, number of missing values, and
 * depth of the first issue.
 */
function measureMisfit(
  issues: readonly SchemaIssue[],
  isTag: (issue: SchemaIssue) => boolean,
): readonly number[] {
  const ranks = issues.map(issue => rankIssue(issue, isTag))
  const worst = ranks.reduce((max, rank) => Math.max(max, rank), BOUND)
  return [
    worst,
    ranks.filter(rank => rank !== BOUND).length,
    issues.filter(({ code, input }) => code === 'invalid_type' && input === undefined).length,
    -(issues[0]?.path.length ?? 0),
  ]
}

function rankIssue(issue: SchemaIssue, isTag: (issue: SchemaIssue) => boolean): number {
  const { code, path } = issue
  if (BOUND_CODES.has(code)) return BOUND
  if (path.length === 0 && (isWrongValue(issue) || code === 'invalid_type')) return KIND
  return isTag(issue) ? TAG : CONTENT
}

function isWrongValue({ code, errors }: SchemaIssue): boolean {
  return code === 'invalid_value' || (code === 'invalid_union' && errors?.length === 0)
}

function hasTagForm(issue: SchemaIssue): boolean {
  return isWrongValue(issue) && issue.path.length === 1 && typeof issue.path[0] === 'string'
}

function isDistinguishing(
  { values, path }: SchemaIssue,
  alternatives: readonly (readonly SchemaIssue[])[],
): boolean {
  if (!values || values.length === 1) return true
  const wrong = alternatives.filter(issues => issues.some(other => hasWrongTag(other, path[0])))
  return wrong.length > 1
}

function hasWrongTag(issue: SchemaIssue, field: PropertyKey | undefined): boolean {
  return hasTagForm(issue) && issue.path[0] === field
}

function compare(a: readonly number[], b: readonly number[]): number {
  return a.map((value, index) => value - (b[index] ?? 0)).find(difference => difference !== 0) ?? 0
}

function joinRivals(
  [first, ...rest]: readonly SchemaIssue[],
  rivals: readonly SchemaIssue[],
  fitsWhenCut: FitsWhenCut | undefined,
): readonly SchemaIssue[] {
  if (!first) return []
  const place = String(first.path)
  const alike = rivals.filter(({ code, path }) => code === first.code && String(path) === place)
  return [joinAlike(first, alike, fitsWhenCut), ...rest]
}

function joinAlike(
  first: SchemaIssue,
  alike: readonly SchemaIssue[],
  fitsWhenCut: FitsWhenCut | undefined,
): SchemaIssue {
  if (first.code === 'invalid_type') {
    const expected = [...new Set(alike.map(issue => String(issue.expected)))].join(' or ')
    return { ...first, expected }
  }
  if (first.code === 'invalid_value') {
    const values = [...new Set(alike.flatMap(issue => issue.values ?? []))]
    return { ...first, values }
  }
  return first.code === 'too_big' && fitsWhenCut
    ? findExceededBound(first, alike, fitsWhenCut)
    : first
}

/** Finds the bound that a list exceeds: Zod does not check its items then. */
function findExceededBound(
  first: SchemaIssue,
  alike: readonly SchemaIssue[],
  fitsWhenCut: FitsWhenCut,
): SchemaIssue {
  const bounds = alike.toSorted((a, b) => Number(b.maximum) - Number(a.maximum))
  return bounds.every(({ maximum }) => maximum === first.maximum)
    ? first
    : (bounds.find(fitsWhenCut) ?? first)
}
