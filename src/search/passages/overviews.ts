import type { PlacedBlock } from '../../ingest/block.ts'
import type { Document } from '../../ingest/store/catalog/document.ts'
import type { DocumentReader } from '../../ingest/store/document-reader.ts'
import type { Excerpt } from './passage.ts'

/** What a document is about, as far as its own title, beginning and headings tell. */
export type Overview = {
  readonly document: Document
  /** Its first prose; the context holds title and headings. */
  readonly opening: Excerpt
  /** Of the upper two levels, where they stand. */
  readonly headings: readonly PlacedBlock[]
}

/** More documents than this are named and counted, not described. */
const MAX_OVERVIEWS = 5

/** A document's headings are looked for this far; what follows is too much for an overview. */
const MAX_BLOCKS = 3000
const MAX_HEADINGS = 12
const OPENING_CHARACTERS = 1200

/** The opening is looked for in so many blocks: title pages and lists of contents stand before it. */
const FRONT_BLOCKS = 120

const INTRODUCTION =
  /^[\d.\s一二三四五六七八九十、第章（）()]*(?:abstract|executive summary|summary|introduction|overview|purpose|scope|preface|摘\s*要|概\s*述|简\s*介|前\s*言|引\s*言|导\s*言|总\s*则|目\s*的|背\s*景)/i

/** Title, beginning and headings of the first few documents. */
export async function readOverviews(
  documents: readonly Document[],
  reader: DocumentReader,
  signal?: AbortSignal,
): Promise<readonly Overview[]> {
  const chosen = documents.slice(0, MAX_OVERVIEWS)
  const overviews = await Promise.all(
    chosen.map(document => readOverview(document, reader, signal)),
  )
  return overviews.filter(overview => overview !== undefined)
}

async function readOverview(
  document: Document,
  reader: DocumentReader,
  signal?: AbortSignal,
): Promise<Overview | undefined> {
  const front: PlacedBlock[] = []
  const headings: PlacedBlock[] = []
  let seen = 0
  for await (const block of reader.blocks(document.id, signal)) {
    if (front.length < FRONT_BLOCKS) front.push(block)
    if (block.kind === 'heading' && (block.level ?? 1) <= 2) headings.push(block)
    if (++seen >= MAX_BLOCKS || (headings.length >= MAX_HEADINGS && seen >= FRONT_BLOCKS)) break
  }
  const [first, ...others] = openingBlocks(front)
  if (!first) return undefined
  const shown = headings.slice(0, MAX_HEADINGS)
  const end = Math.min(
    others.at(-1)?.charEnd ?? first.charEnd,
    first.charStart + OPENING_CHARACTERS,
  )
  const text = await reader.read(document.id, first.charStart, end)
  return { document, opening: toExcerpt(document, text, first, shown), headings: shown }
}

/** From the first prose under an introduction's heading, else from the first prose, else from the start. */
function openingBlocks(front: readonly PlacedBlock[]): readonly PlacedBlock[] {
  const introduction = front.findIndex(
    block => block.kind === 'heading' && INTRODUCTION.test(block.text),
  )
  const starts = [
    front.findIndex((block, at) => at > introduction && isProse(block)),
    front.findIndex(isProse),
  ]
  const start = starts.find(at => at >= 0) ?? 0
  const limit = (front[start]?.charStart ?? 0) + OPENING_CHARACTERS
  return front.slice(start).filter(block => block.charEnd <= limit || block === front[start])
}

/** Whole sentences of some length: no list of contents, no date, no address line. */
function isProse({ kind, text }: PlacedBlock): boolean {
  return (
    kind === 'paragraph' &&
    /[.。！？!?；;]["”’」)）]*$/.test(text.trim()) &&
    /\p{Script=Han}{4}[\s\S]{16}|.{48}/u.test(text)
  )
}

function toExcerpt(
  document: Document,
  text: string,
  { charStart, page }: PlacedBlock,
  headings: readonly PlacedBlock[],
): Excerpt {
  const { id: documentId, source, name, title } = document
  const context = [...new Set([title, ...headings.map(heading => heading.text)])].join('\n')
  const pages = page === undefined ? {} : { pages: [page, page + 1] as const } // where it ends is asked when it is cited
  const place = { charStart, charEnd: charStart + text.length, text }
  return { documentId, source, name, title, headings: [], context, ...place, ...pages }
}
