import { localizable, withMessage } from '../../errors/localizable.ts'
import type { Warning } from '../../ingest/parse/parser.ts'
import { type Filter, listFilterKeys } from '../../search/filter.ts'

/** Attributes in a warning, so that it stays readable. */
const MAX_NAMED = 30

/** Warns of attributes that no document has: a typo finds nothing, or everything with `!=`. */
export function listFilterWarnings(filter: Filter, names: ReadonlySet<string>): readonly Warning[] {
  if (names.size === 0) return []
  const sorted = [...names].toSorted()
  const rest = sorted.length > MAX_NAMED ? ` and ${sorted.length - MAX_NAMED} more` : ''
  const there = `${sorted.slice(0, MAX_NAMED).join(', ')}${rest}`
  return listFilterKeys(filter)
    .filter(key => !names.has(key))
    .map(key =>
      withMessage(
        { code: 'unknown_attribute' },
        localizable`None of these documents has the attribute ${key}, which the filter asks for. There are: ${there}.`,
      ),
    )
}
