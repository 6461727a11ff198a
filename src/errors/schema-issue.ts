/** Describes the first fault of a value: its field, and the rest of a sentence about it, without a full stop. */
export function describeSchemaFault({ issues }: { readonly issues: readonly SchemaIssue[] }): {
  readonly field: string
  readonly what: string
  /** Name of an unknown field. */
  readonly unknown?: string | undefined
} {
  const issue = findClosestIssue(issues[0] ?? { path: [], message: 'it is not as expected' })
  return {
    field: issue.path.map(String).join('.'),
    what: describeFault(issue),
    unknown: issue.keys?.[0],
  }
}

function describeFault({
  code,
  message,
  expected,
  values = [],
  keys = [],
  origin = '',
  ...issue
}: SchemaIssue): string {
  const kind = String(expected)
    .split(' or ')
    .map(name => ARTICLED[name] ?? name)
    .join(' or ')
  switch (code) {
    case 'invalid_type':
      return message.endsWith('received undefined')
        ? `is missing: it has to be ${kind}`
        : `has to be ${kind}`
    case 'invalid_value':
      return `has to be ${values.length > 1 ? 'one of ' : ''}${values.map(String).join(', ')}`
    case 'unrecognized_keys':
      return `has no field ${keys[0]}`
    case 'too_small':
      return origin === 'string' && Number(issue.minimum) === 1
        ? 'is empty'
        : `has to be at least ${issue.minimum}${UNITS[origin] ?? ''}`
    case 'too_big':
      return `has to be at most ${issue.maximum}${UNITS[origin] ?? ''}`
    case 'invalid_format':
      return `is not a ${issue.format === 'url' ? 'URL' : `valid ${issue.format}`}`
    default:
      return `cannot be used: ${message.replace(/^Invalid input: |\.$/g, '')}`
  }
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
const UNITS: Readonly<Record<string, string>> = { string: ' characters long', array: ' items long' }

/** Issue that zod reports, reduced to the fields that messages need. */
export type SchemaIssue = {
  readonly code?: string | undefined
  readonly path: readonly PropertyKey[]
  readonly message: string
  readonly expected?: unknown
  readonly values?: readonly unknown[]
  readonly keys?: readonly string[]
  readonly origin?: string
  readonly format?: string
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

/** Message of a union without an error message of its own. */
const UNEXPLAINED = 'Invalid input'

const BOUND_CODES: ReadonlySet<unknown> = new Set([
  'too_big',
  'too_small',
  'invalid_format',
  'not_multiple_of',
  'custom',
])

/**
 * Returns the issue of the union alternative that the value fits best. Alternatives rank by their worst issue: bounds before
 * content, content before tag or type.
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
  const alternatives = issue.errors
    .map(errors => errors.flatMap(error => resolveUnion(error, fitsInner)))
    .map(issues => ({ issues, misfit: measureMisfit(issues) }))
  const [best] = alternatives.toSorted((a, b) => compare(a.misfit, b.misfit))
  if (!best) return [issue]
  const [worst] = best.misfit
  const rivals =
    worst === CONTENT ? [best] : alternatives.filter(({ misfit }) => misfit[0] === worst)
  const isExplained = worst === TAG && issue.message !== UNEXPLAINED
  const tag = isExplained
    ? best.issues.find(inner => rivals.every(({ issues }) => hasTag(issues, inner)))
    : undefined
  if (tag) return [toOuter({ ...tag, message: issue.message })]
  const inside = rivals.flatMap(({ issues }) => issues)
  return joinRivals(best.issues, inside, fitsInner).map(toOuter)
}

/** Measures the misfit, smaller is better: rank of the worst issue, number of issues other than bounds, and depth of the first one. */
function measureMisfit(issues: readonly SchemaIssue[]): readonly number[] {
  const ranks = issues.map(rankIssue)
  const worst = ranks.reduce((most, rank) => Math.max(most, rank), BOUND)
  return [worst, ranks.filter(rank => rank !== BOUND).length, -(issues[0]?.path.length ?? 0)]
}

function rankIssue({ code, path, errors }: SchemaIssue): number {
  if (BOUND_CODES.has(code)) return BOUND
  const isValue = code === 'invalid_value' || (code === 'invalid_union' && errors?.length === 0)
  if (path.length === 0 && (isValue || code === 'invalid_type')) return KIND
  return isValue && path.length === 1 && typeof path[0] === 'string' ? TAG : CONTENT
}

function hasTag(issues: readonly SchemaIssue[], tag: SchemaIssue): boolean {
  return issues.some(issue => rankIssue(issue) === TAG && issue.path[0] === tag.path[0])
}

function compare(a: readonly number[], b: readonly number[]): number {
  return a.map((value, index) => value - (b[index] ?? 0)).find(difference => difference !== 0) ?? 0
}

/** Returns the issues of the best alternative. The first one also names what its rivals expect in that place. */
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
    return {
      ...first,
      expected,
      message: first.message.replace(`expected ${first.expected}`, `expected ${expected}`),
    }
  }
  if (first.code === 'invalid_value') {
    const values = [...new Set(alike.flatMap(issue => issue.values ?? []))]
    if (values.length === first.values?.length) return first
    const options = values.map(value => JSON.stringify(value)).join('|')
    return { ...first, values, message: `Invalid option: expected one of ${options}` }
  }
  return first.code === 'too_big' && fitsWhenCut
    ? findExceededBound(first, alike, fitsWhenCut)
    : first
}

/** Finds the bound that a list exceeds. Zod does not check the items of a list that is too long, so all alternatives fit it equally. */
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
