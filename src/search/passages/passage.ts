import type { Hit } from '../searcher.ts'

/** What packing knows of a hit: a piece of a document, and where it stands. */
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
  /** What to call its document where others have the same name; the name when absent. */
  readonly label?: string
  /** The day on which its document was last changed, where that is known. */
  readonly date?: string
}

/**
 * Consecutive text of one document, made of what was found in it; headings and context are those at its beginning.
 * Between two parts, the text has white space of the same length as the document, perhaps of another kind.
 */
export type Passage = Excerpt & {
  /** What a model cites it by. */
  readonly id: number
  /** What it is made of, in the order of the document. */
  readonly parts: readonly Excerpt[]
}

/** Chunks of one document this near stand next to each other: only the separator of blocks is between them. */
export const SEPARATOR = '\n\n'

export function compareByPosition(a: Excerpt, b: Excerpt): number {
  return a.charStart - b.charStart || b.charEnd - a.charEnd
}

/** What a part adds to a text of its document that ends at `end`, not far before it. */
export function readExtension(part: Excerpt, end: number): string {
  const gap = part.charStart - end
  return gap > 0 ? SEPARATOR.slice(0, gap) + part.text : part.text.slice(-gap)
}

/** The hits as passages: documents in order of first appearance, each one's chunks merged where they meet. */
export function mergeHits(hits: readonly Excerpt[], firstId = 1): readonly Passage[] {
  return collectRuns(hits).map((run, at) => toPassage(run, firstId + at))
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

/** One document's hits in its order, cut where there is text between them that was not found. */
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

export function toPassage(
  parts: readonly Excerpt[],
  id: number,
  text = joinedText(parts),
): Passage {
  const { documentId, source, name, label, date, title, headings, context, charStart } = parts[0]! // a run has at least one
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

function joinedText(parts: readonly Excerpt[]): string {
  const { charStart } = parts[0]! // a run has at least one
  return parts.reduce((text, part) => text + readExtension(part, charStart + text.length), '')
}

function pageRange(parts: readonly Excerpt[]): readonly [number, number] | undefined {
  const pages = parts.flatMap(part => part.pages ?? [])
  if (pages.length === 0) return undefined
  return [Math.min(...pages), Math.max(...pages)]
}
