import type { Hit } from '../searcher.ts'

export type Excerpt = Pick<
  Hit,
  | 'documentId'
  | 'source'
  | 'name'
  | 'title'
  | 'pages'
  | 'headings'
  | 'context'
  | 'charStart'
  | 'charEnd'
  | 'text'
> & {
  /** Name of its document if others share it. */
  readonly label?: string
  /** Day of the document's last change. */
  readonly date?: string
}

export type Passage = Excerpt & {
  /** Number that a model cites. */
  readonly id: number
  readonly parts: readonly Excerpt[]
}

/** Separator of blocks; chunks this close are neighbours. */
export const SEPARATOR = '\n\n'

export function compareByPosition(a: Excerpt, b: Excerpt): number {
  return a.charStart - b.charStart || b.charEnd - a.charEnd
}

export function readExtension(part: Excerpt, end: number): string {
  const gap = part.charStart - end
  return gap > 0 ? SEPARATOR.slice(0, gap) + part.text : part.text.slice(-gap)
}

/** Joins neighbouring chunks; documents keep the order of first appearance. */
export function mergeHits(hits: readonly Excerpt[], firstId = 1): readonly Passage[] {
  return collectRuns(hits).map((run, index) => toPassage(run, firstId + index))
}

function collectRuns(hits: readonly Excerpt[]): readonly (readonly Excerpt[])[] {
  const groups = new Map<string, Excerpt[]>()
  for (const hit of hits) {
    const group = groups.get(hit.documentId)
    if (group) group.push(hit)
    else groups.set(hit.documentId, [hit])
  }
  return [...groups.values()].flatMap(splitRuns)
}

/** Splits where text is missing in between. */
function splitRuns(hits: readonly Excerpt[]): readonly (readonly Excerpt[])[] {
  const runs: Excerpt[][] = []
  let reach = Number.NEGATIVE_INFINITY
  for (const hit of hits.toSorted(compareByPosition)) {
    const run = hit.charStart <= reach ? runs.at(-1) : undefined
    if (run) run.push(hit)
    else runs.push([hit])
    reach = Math.max(reach, hit.charEnd + SEPARATOR.length)
  }
  return runs
}

export function toPassage(parts: readonly Excerpt[], id: number, text = joinText(parts)): Passage {
  const { documentId, source, name, label, date, title, headings, context, charStart } = parts[0]!
  const pages = pageRange(parts)
  const place = { charStart, charEnd: charStart + text.length, ...(pages && { pages }) }
  return {
    id,
    documentId,
    source,
    name,
    ...(label && { label }),
    ...(date && { date }),
    title,
    headings,
    context,
    ...place,
    text,
    parts,
  }
}

function joinText(parts: readonly Excerpt[]): string {
  const { charStart } = parts[0]!
  return parts.reduce((text, part) => text + readExtension(part, charStart + text.length), '')
}

function pageRange(parts: readonly Excerpt[]): readonly [number, number] | undefined {
  const pages = parts.flatMap(part => part.pages ?? [])
  if (pages.length === 0) return undefined
  return [Math.min(...pages), Math.max(...pages)]
}
