import { sentences } from '../ingest/sentences.ts'
import { Analyzer } from '../search/analysis/analyzer.ts'

/** Characters that are shown of a passage. */
const MAX_CHARACTERS = 400

const analyzer = new Analyzer()

/** A passage from the sentence on where most words of the query stand; from its beginning where none does. */
export function excerptOf(text: string, query: string): string {
  if (text.length <= MAX_CHARACTERS) return text
  const wanted = new Set(analyzer.queryTerms(query))
  const held = sentences(text).map(span => ({
    ...span,
    terms: analyzer.terms(text.slice(span.start, span.end)).filter(term => wanted.has(term)),
  }))
  const starts = held.map(({ start }, at) => {
    const shown = held.slice(at).filter(({ end }) => end - start <= MAX_CHARACTERS)
    const count = new Set([...shown, held[at]!].flatMap(({ terms }) => terms)).size // itself is one of them
    return { start, count, begins: held[at]!.terms.length > 0 }
  })
  const most = Math.max(0, ...starts.map(({ count }) => count))
  const start = most === 0 ? 0 : (starts.find(({ count, begins }) => count === most && begins)?.start ?? 0)
  const end = start + MAX_CHARACTERS
  return `${start > 0 ? '… ' : ''}${text.slice(start, end)}${end < text.length ? ' …' : ''}`
}
