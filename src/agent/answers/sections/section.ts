import { type NumberedName, numberedNames } from './numbered-name.ts'
import type { Line } from './outline.ts'

/** Lines of a document that stand under the first of them. */
export type Section = { readonly lines: readonly Line[] }

const MAX_OPENING = 120
const ENDS = /[。！？；.!?;]$/
/** What may stand before the number of a line that opens a section. */
const BEFORE = /^[^\p{L}\p{N}]*(?:[\p{L}][\p{L}\p{N}'’-]*\s+){0,3}$/u

/** The sections of a document that are counted as the name is, each under its number; of two under one number, the longer. */
export function seriesOf(lines: readonly Line[], kind: string): ReadonlyMap<string, Section> {
  const openings = lines.flatMap((line, at) => {
    const name = openedBy(line, kind)
    return name ? [{ at, number: name.number }] : []
  })
  const series = new Map<string, Section>()
  for (const { at, number } of openings) {
    const next = openings.find(other => other.at > at)?.at ?? lines.length
    const section = { lines: lines.slice(at, Math.min(next, endOf(lines, at))) }
    if (lengthOf(section) > lengthOf(series.get(number))) series.set(number, section)
  }
  return series
}

/** The section that a line opens, as far as headings tell. */
export function sectionAt(lines: readonly Line[], at: number): Section {
  return { lines: lines.slice(at, endOf(lines, at)) }
}

/** Where it ends: before the next heading of its level or above, or the next heading where its own line is none. */
function endOf(lines: readonly Line[], at: number): number {
  const level = lines[at]?.level
  const end = lines.findIndex((line, place) => place > at && line.level !== undefined && line.level <= (level ?? 6))
  return end < 0 ? lines.length : end
}

function openedBy({ text, level, isRow }: Line, kind: string): NumberedName | undefined {
  if (isRow) return undefined
  const start = text.slice(0, MAX_OPENING)
  const name = numberedNames(start)
    .filter(one => one.kind === kind)
    .toSorted((a, b) => a.start - b.start)[0]
  if (!name || !BEFORE.test(start.slice(0, name.start))) return undefined
  if (level !== undefined) return name
  const isLabel = text.length <= MAX_OPENING && !ENDS.test(text.trim())
  return isLabel || (name.kind !== 'version' && start.slice(0, name.start).trim() === '' && isParted(start, name))
    ? name
    : undefined
}

/** `第三条 ...` opens an article, `第三条的规定` speaks of one. */
function isParted(text: string, { end }: NumberedName): boolean {
  return /^\s*(?:$|[\s:：.、，—–-])/u.test(text.slice(end))
}

function lengthOf(section: Section | undefined): number {
  return section ? section.lines.reduce((sum, { text }) => sum + text.length, 0) : -1
}
