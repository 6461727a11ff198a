import type { Warning } from '../ingest/parser.ts'
import { type Filter, keysOf } from '../search/filter.ts'

/** Attributes that one warning names at most. */
const MAX_NAMED = 30

/**
 * One for each attribute of a filter that no document has: a slip of the pen finds nothing, or with `!=` everything, and says
 * nothing by itself. `names` are those that there are; where there is no document nothing is wrong with a filter.
 */
export function filterWarnings(filter: Filter, names: ReadonlySet<string>): readonly Warning[] {
  if (names.size === 0) return []
  const sorted = [...names].toSorted()
  const rest = sorted.length > MAX_NAMED ? ` and ${sorted.length - MAX_NAMED} more` : ''
  const there = `${sorted.slice(0, MAX_NAMED).join(', ')}${rest}`
  return keysOf(filter)
    .filter(key => !names.has(key))
    .map(key => ({
      code: 'unknown_attribute',
      message: `No document that is searched has the attribute ${key}, which the filter asks for. There are: ${there}.`,
    }))
}
