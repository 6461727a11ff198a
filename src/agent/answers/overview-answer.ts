import type { PlacedBlock } from '../../ingest/block.ts'
import { sentences } from '../../ingest/sentences.ts'
import { mergeHits, type Passage } from '../../search/passages/context.ts'
import type { AskRequest } from '../answer.ts'
import { replyLanguage } from '../language.ts'
import { andMore, SECTIONS, VERBATIM } from '../phrases.ts'
import type { Overview } from './overview.ts'
import { type Quote, quoteText } from './selection.ts'

/** How much of a document is quoted: alone, or beside others. */
const ALONE = { openingCharacters: 420, headings: 8 }
const BESIDE = { openingCharacters: 200, headings: 3 }

/** An answer about documents as wholes: the text, and what its markers quote, in their order. */
export type OverviewAnswer = { readonly text: string; readonly quotes: readonly Quote[] }

/** Names and titles in our words, openings and headings in the documents', each with its marker. */
export function overviewAnswer(request: AskRequest, overviews: readonly Overview[]): OverviewAnswer {
  const language = replyLanguage(request.question)
  const size = overviews.length === 1 ? ALONE : BESIDE
  const quotes: Quote[] = []
  const mark = (quote: Quote) => `${quoteText(quote)} [${quotes.push(quote)}]`
  const parts = overviews.map(overview => {
    const opening = openingQuote(overview, size.openingCharacters)
    const beginning = mark(opening)
    const sections = sectionsAfter(overview, opening, size.headings).map(mark).join('; ')
    return [label(overview), beginning, sections && SECTIONS[language] + sections].filter(Boolean).join('\n')
  })
  const total = request.documents().length
  const rest = total > overviews.length && overviews.length > 1 ? andMore(language, overviews.length, total) : ''
  return { text: [VERBATIM[language], ...parts, rest].filter(Boolean).join('\n'), quotes }
}

function label({ document: { name, title } }: Overview): string {
  return title && title !== name ? `${title} (${name})` : name
}

/** An opening shorter than this says too little; it goes on under the next heading. */
const SHORT_OPENING = 60

/** Whole sentences from the opening's beginning to the next heading. */
function openingQuote({ opening, headings }: Overview, maxCharacters: number): Quote {
  const [passage] = mergeHits([opening]) as [Passage] // one excerpt makes one passage
  const spans = sentences(passage.text)
  const next = headings.find(heading => heading.charStart > opening.charStart + SHORT_OPENING)
  const stop = Math.min(maxCharacters, (next?.charStart ?? opening.charEnd) - opening.charStart)
  const first = Math.min(spans[0]?.end ?? passage.text.length, ALONE.openingCharacters)
  const end = spans.findLast(span => span.end <= stop)?.end ?? first
  return { passage, span: { start: spans[0]?.start ?? 0, end } }
}

/** Headings as quotes of their own, those that the opening shows and the title left out. */
function sectionsAfter({ opening, headings, document }: Overview, shown: Quote, limit: number): readonly Quote[] {
  const further = headings.filter(
    heading => heading.charStart >= opening.charStart + shown.span.end && heading.text !== document.title,
  )
  return further.slice(0, limit).map(heading => headingQuote(opening, heading))
}

function headingQuote({ documentId, source, name, title }: Overview['opening'], heading: PlacedBlock): Quote {
  const { text, charStart, charEnd, page } = heading
  const pages = page === undefined ? {} : { pages: [page, page] as const }
  const place = { documentId, source, name, title, headings: [], context: '', charStart, charEnd, text, ...pages }
  const [passage] = mergeHits([place]) as [Passage] // one excerpt makes one passage
  return { passage, span: { start: 0, end: text.length } }
}
