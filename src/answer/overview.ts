import type { PlacedBlock } from '../ingest/block.ts'
import type { Overview } from '../search/passages/overviews.ts'
import { type Excerpt, toPassage } from '../search/passages/passage.ts'
import type { Language } from '../text/language.ts'
import { sentences } from '../text/sentences.ts'
import { andMore, SECTIONS, VERBATIM } from './phrases.ts'
import { type Quote, quoteText } from './quoting/selection.ts'

/** How much of a document is quoted: alone, or beside others. */
const ALONE = { openingCharacters: 420, headings: 8 }
const BESIDE = { openingCharacters: 200, headings: 3 }

/**
 * An answer about documents as wholes: names and titles in our words, openings and headings in the documents', each with its marker,
 * and what the markers quote, in their order.
 */
export function overviewAnswer(
  overviews: readonly Overview[],
  { language, total }: { readonly language: Language; readonly total: number },
): { readonly text: string; readonly quotes: readonly Quote[] } {
  const size = overviews.length === 1 ? ALONE : BESIDE
  const quotes: Quote[] = []
  const mark = (quote: Quote) => `${quoteText(quote, language)} [${quotes.push(quote)}]`
  const parts = overviews.map(overview => {
    const opening = openingQuote(overview, size.openingCharacters)
    const beginning = mark(opening)
    const sections = sectionsAfter(overview, opening, size.headings).map(mark).join('; ')
    return [label(overview), beginning, sections && SECTIONS[language] + sections]
      .filter(Boolean)
      .join('\n')
  })
  const rest =
    total > overviews.length && overviews.length > 1
      ? andMore(language, overviews.length, total)
      : ''
  return { text: [VERBATIM[language], ...parts, rest].filter(Boolean).join('\n'), quotes }
}

function label({ document: { name, title } }: Overview): string {
  return title && title !== name ? `${title} (${name})` : name
}

/** An opening shorter than this says too little; it goes on under the next heading. */
const SHORT_OPENING = 60

/** Whole sentences from the opening's beginning to the next heading. */
function openingQuote({ opening, headings }: Overview, maxCharacters: number): Quote {
  const passage = toPassage([opening], 1)
  const spans = sentences(passage.text)
  const next = headings.find(heading => heading.charStart > opening.charStart + SHORT_OPENING)
  const stop = Math.min(maxCharacters, (next?.charStart ?? opening.charEnd) - opening.charStart)
  const first = Math.min(spans[0]?.end ?? passage.text.length, ALONE.openingCharacters)
  const end = spans.findLast(span => span.end <= stop)?.end ?? first
  return { passage, span: { start: spans[0]?.start ?? 0, end } }
}

/** Headings as quotes of their own, those that the opening shows and the title left out. */
function sectionsAfter(
  { opening, headings, document }: Overview,
  shown: Quote,
  limit: number,
): readonly Quote[] {
  const further = headings.filter(
    heading =>
      heading.charStart >= opening.charStart + shown.span.end && heading.text !== document.title,
  )
  return further.slice(0, limit).map(heading => headingQuote(opening, heading))
}

function headingQuote(opening: Excerpt, { text, charStart, charEnd, page }: PlacedBlock): Quote {
  const pages = page === undefined ? undefined : ([page, page] as const)
  const excerpt = { ...opening, context: '', charStart, charEnd, text, pages }
  return { passage: toPassage([excerpt], 1), span: { start: 0, end: text.length } }
}
