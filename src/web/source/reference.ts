import type { CitationJson } from '../../wire/answer.ts'

export function formatFootnote({ text }: CitationJson, place: string): string {
  return `“${joinLines(text)}” ${place}.`
}

/** Returns an `@misc` entry on one line, whose key is unique for a place in a document. */
export function formatBibtex(citation: CitationJson): string {
  const { doc, documentId, page, charStart, headings, source, text } = citation
  const { pageLabel = page } = citation
  const fields = {
    title: doc,
    ...(pageLabel !== undefined && { pages: String(pageLabel) }),
    ...(headings.length > 0 && { note: headings.join(', ') }),
    ...(/^https?:/.test(source) && { url: source }),
    annote: joinLines(text),
  }
  const written = Object.entries(fields).map(([name, value]) => `${name} = {${escapeTex(value)}}`)
  return `@misc{${documentId}-${charStart}, ${written.join(', ')}}`
}

function joinLines(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}

/** Escapes TeX's special characters. A brace without its pair would end the field. */
function escapeTex(text: string): string {
  return text
    .replace(/[\\{}]/g, character => (character === '\\' ? '/' : ''))
    .replace(/[#$%&_]/g, '\\$&')
}
