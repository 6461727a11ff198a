import { findClosestIssue, type SchemaIssue } from './schema-issue.ts'

/** Describes the first fault of a value: its field, and the rest of a sentence about it, without a full stop. */
export function schemaFault({ issues }: { readonly issues: readonly SchemaIssue[] }): {
  readonly field: string
  readonly what: string
  /** Name of an unknown field. */
  readonly unknown?: string | undefined
} {
  const issue = findClosestIssue(issues[0] ?? { path: [], message: 'it is not as expected' })
  return { field: issue.path.map(String).join('.'), what: faultOf(issue), unknown: issue.keys?.[0] }
}

function faultOf({
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
  ...{ string: 'a string', number: 'a number', int: 'a whole number', boolean: 'true or false' },
  ...{ object: 'an object', array: 'a list', record: 'an object' },
}
const UNITS: Readonly<Record<string, string>> = { string: ' characters long', array: ' items long' }
