import { t } from '../preferences.ts'
import { placeOf } from '../source/shown-source.ts'
import type { Turn } from './turn.ts'

/** An answer as Markdown to be pasted elsewhere: the text, and under it each source with its words. */
export function withSources({ answer, citations, isAbstained }: Turn): string {
  if (citations.length === 0) return answer
  const lines = citations.map(citation => {
    const words = citation.text.replace(/\s+/g, ' ').trim()
    return `- [${citation.marker}] ${escaped(placeOf(citation))}: “${escaped(words)}”`
  })
  const heading = isAbstained ? t().ask.nearest : t().ask.sources
  return `${answer}\n\n**${heading}**\n\n${lines.join('\n')}\n`
}

/** What would be a sign of Markdown in words that are none. */
function escaped(text: string): string {
  return text.replace(/[\\`*_<>[\]#|]/g, '\\$&')
}
