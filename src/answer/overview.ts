import type { PlacedBlock } from '../ingest/block.ts'
import type { Document } from '../ingest/store/catalog/document.ts'
import type { DocumentReader } from '../ingest/store/document-reader.ts'
import { type Excerpt, toPassage } from '../search/passages/passage.ts'
import type { Language } from '../text/language.ts'
import { splitSentences } from '../text/sentences.ts'
import { SECTIONS, VERBATIM, writeMore } from './phrases.ts'
import { type Quote, quoteText } from './quoting/selection.ts'

type Overview = {
  readonly document: Document
  /** First prose; the context has title and headings. */
  readonly opening: Excerpt
  /** Headings of the upper two levels. */
  readonly headings: readonly PlacedBlock[]
}

/** Described documents, so that the answer stays short; others are counted. */
const MAX_OVERVIEWS = 5

/** Blocks searched for headings, so that long documents stay cheap. */
const MAX_BLOCKS = 3000
const MAX_HEADINGS = 12
const OPENING_CHARACTERS = 1200

/** Blocks searched for the opening, so that title pages and contents are passed. */
const FRONT_BLOCKS = 120

const INTRODUCTION =
  /^[\d.\s一二三四五六七八九十、第章（）()]*(?:abstract|executive summary|summary|introduction|overview|purpose|scope|preface|摘\s*要|概\s*述|简\s*介|前\s*言|引\s*言|导\s*言|总\s*则|目\s*的|背\s*景)/i

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
  for await (const block of reader.readBlocks(document.id, signal)) {
    if (front.length < FRONT_BLOCKS) front.push(block)
    if (block.kind === 'heading' && (block.level ?? 1) <= 2) headings.push(block)
    if (++seen >= MAX_BLOCKS || (headings.length >= MAX_HEADINGS && seen >= FRONT_BLOCKS)) break
  }
  const [first, ...others] = listOpeningBlocks(front)
  if (!first) return undefined
  const listedHeadings = headings.slice(0, MAX_HEADINGS)
  const end = Math.min(
    others.at(-1)?.charEnd ?? first.charEnd,
    first.charStart + OPENING_CHARACTERS,
  )
  const text = await reader.read(document.id, first.charStart, end)
  return {
    document,
    opening: toExcerpt(document, text, first, listedHeadings),
    headings: listedHeadings,
  }
}

function listOpeningBlocks(front: readonly PlacedBlock[]): readonly PlacedBlock[] {
  const introduction = front.findIndex(
    block => block.kind === 'heading' && INTRODUCTION.test(block.text),
  )
  const starts = [
    front.findIndex((block, index) => index > introduction && isProse(block)),
    front.findIndex(isProse),
  ]
  const start = starts.find(index => index >= 0) ?? 0
  const limit = (front[start]?.charStart ?? 0) + OPENING_CHARACTERS
  return front.slice(start).filter(block => block.charEnd <= limit || block === front[start])
}

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
  const pages = page === undefined ? {} : { pages: [page, page + 1] as const } // citing computes the last page
  const place = { charStart, charEnd: charStart + text.length, text }
  return { documentId, source, name, title, headings: [], context, ...place, ...pages }
}

/** Quoted amounts of one document, and of several. */
const ALONE = { openingCharacters: 420, headings: 8 }
const BESIDE = { openingCharacters: 200, headings: 3 }

export function composeOverview(
  overviews: readonly Overview[],
  { language, total }: { readonly language: Language; readonly total: number },
): { readonly text: string; readonly quotes: readonly Quote[] } {
  const size = overviews.length === 1 ? ALONE : BESIDE
  const quotes: Quote[] = []
  const mark = (quote: Quote) => `${quoteText(quote, language)} [${quotes.push(quote)}]`
  const parts = overviews.map(overview => {
    const opening = quoteOpening(overview, size.openingCharacters)
    const openingText = mark(opening)
    const sections = listSections(overview, opening, size.headings).map(mark).join('; ')
    return [label(overview), openingText, sections && SECTIONS[language] + sections]
      .filter(Boolean)
      .join('\n')
  })
  const rest =
    total > overviews.length && overviews.length > 1
      ? writeMore(language, overviews.length, total)
      : ''
  return { text: [VERBATIM[language], ...parts, rest].filter(Boolean).join('\n'), quotes }
}

function label({ document: { name, title } }: Overview): string {
  return title && title !== name ? `${title} (${name})` : name
}

/** Characters of an opening, so that it says something; a shorter one continues. */
const SHORT_OPENING = 60

/** Quotes sentences up to the next heading. */
function quoteOpening({ opening, headings }: Overview, maxCharacters: number): Quote {
  const passage = toPassage([opening], 1)
  const spans = splitSentences(passage.text)
  const next = headings.find(heading => heading.charStart > opening.charStart + SHORT_OPENING)
  const stop = Math.min(maxCharacters, (next?.charStart ?? opening.charEnd) - opening.charStart)
  const first = Math.min(spans[0]?.end ?? passage.text.length, ALONE.openingCharacters)
  const end = spans.findLast(span => span.end <= stop)?.end ?? first
  return { passage, span: { start: spans[0]?.start ?? 0, end } }
}

function listSections(
  { opening, headings, document }: Overview,
  quoted: Quote,
  limit: number,
): readonly Quote[] {
  const further = headings.filter(
    heading =>
      heading.charStart >= opening.charStart + quoted.span.end && heading.text !== document.title,
  )
  return further.slice(0, limit).map(heading => quoteHeading(opening, heading))
}

function quoteHeading(opening: Excerpt, { text, charStart, charEnd, page }: PlacedBlock): Quote {
  const pages = page === undefined ? undefined : ([page, page] as const)
  const excerpt = { ...opening, context: '', charStart, charEnd, text, pages }
  return { passage: toPassage([excerpt], 1), span: { start: 0, end: text.length } }
}
