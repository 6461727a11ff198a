import type { Span } from '../../../ingest/sentences.ts'
import type { Condition } from './condition.ts'

const BEFORE =
  /(?:\b(?:except(?:ing)?(?: for)?|other than|apart from|besides|excluding|but not|not counting)(?: the)?|除[了去开]?|不(?:含|包括|算))\s*["']?$/u
const JOINED = /^\s*(?:,|、|\band\b|\bor\b|[和与及或])\s*(?:the\s)?$/u
const BEHIND = /^["']?\s*(?:[以之]外|外|以?外的?)?/u
const REACH = 24

/** Values that a question leaves out, `except Maud`, `除了北库`, as conditions that no row with them meets, with the words that say so. */
export function withExclusions(
  text: string,
  cells: readonly Condition[],
): { readonly cells: readonly Condition[]; readonly words: readonly Span[] } {
  const words: Span[] = []
  const excluded = new Set<Condition>()
  for (const cell of cells.toSorted((a, b) => a.start - b.start)) {
    const before = text.slice(Math.max(0, cell.start - REACH), cell.start)
    const lead = BEFORE.exec(before)
    const joined = [...excluded].some(
      other => other.end <= cell.start && JOINED.test(text.slice(other.end, cell.start)),
    )
    if ((!lead && !joined) || cell.kind !== 'cell') continue
    excluded.add(cell)
    words.push({
      start: cell.start - (lead?.[0].length ?? 0),
      end: cell.end + (BEHIND.exec(text.slice(cell.end))?.[0].length ?? 0),
    })
  }
  const told = cells.map(cell =>
    excluded.has(cell)
      ? { ...cell, isExcluded: true, holds: (...row: Parameters<Condition['holds']>) => !cell.holds(...row) }
      : cell,
  )
  return { cells: told, words }
}
