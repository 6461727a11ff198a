import type { TokenCounter } from '../../ingest/tokens.ts'
import { type Excerpt, extensionOf, inDocumentOrder, SEPARATOR } from './excerpt.ts'
import { PackedRuns } from './packed-runs.ts'

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

/** A hit that is not in the context, and why. */
type Omission = { readonly hit: Excerpt; readonly reason: 'budget' | 'repeated' }

export type PackedContext = {
  readonly passages: readonly Passage[]
  readonly omitted: readonly Omission[]
  /** Of the rendered passages. */
  readonly tokens: number
}

type PackOptions = {
  readonly counter: TokenCounter
  readonly maxTokens: number
  /** A passage as the model will see it, frame and all: that is what is counted. */
  readonly render: (passage: Passage) => string
  /** The first passage's id, when others were given out before. */
  readonly firstId?: number
}

/** For counting, while it is not known which number a passage will have. */
const WIDEST_ID = 999

/**
 * What fits of the hits: whole chunks, best first, never more tokens than allowed. Chunks that overlap or touch become
 * one passage. Documents stand in the order of their best hit, passages in the order of the document. A chunk that
 * does not fit is passed over and the next one tried.
 */
export function packContext(hits: readonly Excerpt[], options: PackOptions): PackedContext {
  const { counter, maxTokens, render } = options
  const renderFrame = (parts: readonly Excerpt[]) => render(toPassage(parts, WIDEST_ID, ''))
  const runs = new PackedRuns({ counter, renderFrame })
  const omitted: Omission[] = []
  const texts = new Set<string>()
  const taken: Excerpt[] = []
  for (const hit of hits) {
    const key = textKey(hit)
    const addition = texts.has(key) ? undefined : runs.plan(hit, maxTokens)
    if (!addition) {
      omitted.push({ hit, reason: texts.has(key) ? 'repeated' : 'budget' })
      continue
    }
    runs.take(addition)
    texts.add(key)
    taken.push(hit)
  }
  return trimToBudget(taken, omitted, options)
}

/** The text as the packed passages make it: what the budget holds for. */
export function renderContext(passages: readonly Passage[], render: PackOptions['render']): string {
  return passages.map(render).join(SEPARATOR)
}

/** Parts do not always count as the whole does, so the whole is counted once, and the worst hits leave until it fits. */
function trimToBudget(taken: readonly Excerpt[], omitted: readonly Omission[], options: PackOptions): PackedContext {
  const passages = mergeHits(taken, options.firstId)
  const tokens = options.counter.count(renderContext(passages, options.render))
  if (tokens <= options.maxTokens) return { passages, omitted, tokens }
  const last: Omission = { hit: taken.at(-1)!, reason: 'budget' } // nothing taken counts as no tokens
  return trimToBudget(taken.slice(0, -1), [...omitted, last], options)
}

/** The hits as passages: documents in order of first appearance, each one's chunks merged where they meet. */
export function mergeHits(hits: readonly Excerpt[], firstId = 1): readonly Passage[] {
  return allRuns(hits).map((run, at) => toPassage(run, firstId + at))
}

function allRuns(hits: readonly Excerpt[]): readonly (readonly Excerpt[])[] {
  const groups = new Map<string, Excerpt[]>()
  for (const hit of hits) {
    const group = groups.get(hit.documentId)
    if (group) group.push(hit)
    else groups.set(hit.documentId, [hit])
  }
  return [...groups.values()].flatMap(runsOf)
}

/** One document's hits in its order, cut where there is text between them that was not found. */
function runsOf(hits: readonly Excerpt[]): readonly (readonly Excerpt[])[] {
  const runs: Excerpt[][] = []
  let reach = Number.NEGATIVE_INFINITY
  for (const hit of hits.toSorted(inDocumentOrder)) {
    const run = hit.charStart <= reach ? runs.at(-1) : undefined
    if (run) run.push(hit)
    else runs.push([hit])
    reach = Math.max(reach, hit.charEnd + SEPARATOR.length)
  }
  return runs
}

function toPassage(parts: readonly Excerpt[], id: number, text = joinedText(parts)): Passage {
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
  return parts.reduce((text, part) => text + extensionOf(part, charStart + text.length), '')
}

function pageRange(parts: readonly Excerpt[]): readonly [number, number] | undefined {
  const pages = parts.flatMap(part => part.pages ?? [])
  if (pages.length === 0) return undefined
  return [Math.min(...pages), Math.max(...pages)]
}

function textKey(hit: Excerpt): string {
  return hit.text.replace(/\s+/g, ' ').trim()
}
