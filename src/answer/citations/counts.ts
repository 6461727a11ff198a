import { CELL_SEPARATOR } from '../../ingest/block.ts'
import type { Passage } from '../../search/passages/passage.ts'
import { boundAround } from '../../text/polarity.ts'
import type { Terms } from '../../text/terms.ts'
import { type Anchor, findAnchors, findNumbers, hasUnit, isSameAnchor } from './anchors.ts'
import type { Bearing } from './claims.ts'
import { readStatements } from './statements.ts'

type Count = { readonly number: Anchor; readonly counted: string }

/** Finds `2 plans` and the row `plans | 2`. */
export function listCounts(text: string, terms: Terms): readonly Count[] {
  const [key = '', ...cells] = text.slice(text.lastIndexOf('\n') + 1).split(CELL_SEPARATOR)
  return findNumbers(findAnchors(text)).flatMap(number => {
    const { quantity, span } = number
    const [before, after] = [text.slice(0, span.start), text.slice(span.end)]
    if (!quantity || hasUnit(number) || boundAround(before, after)) return []
    const noun = cells.length > 0 ? key : (/^ ?[\p{L}-]+/u.exec(after)?.[0] ?? '')
    const words = terms.listContent(noun).map(({ word }) => word)
    return words.length > 0 ? [{ number, counted: words.join(' ') }] : []
  })
}

/** Rows of a tool's result decide; a text may count others under the same noun. */
export function judgeCounts(
  claimed: readonly Count[],
  bearings: readonly Bearing[],
  { terms, answers = [] }: { readonly terms: Terms; readonly answers?: readonly Passage[] },
): readonly Bearing[] {
  const compare = (text: string) => {
    const stated = listCounts(text, terms)
    return claimed.flatMap(one =>
      stated
        .filter(({ counted }) => counted === one.counted)
        .map(({ number }) => isSameAnchor(one.number, number)),
    )
  }
  const rows = answers.flatMap(passage =>
    readStatements(passage, terms).flatMap(({ cells, text, spans }) => {
      const same = cells ? compare(text) : []
      const support = same.includes(true) ? ('stated' as const) : ('not-stated' as const)
      return same.length > 0 ? [{ support, passage, spans }] : []
    }),
  )
  if (rows.length > 0) return rows
  return bearings.filter(({ support, passage, spans }) => {
    const text = spans.map(({ start, end }) => passage.text.slice(start, end)).join('\n')
    return support === 'stated' && compare(text).includes(true)
  })
}
