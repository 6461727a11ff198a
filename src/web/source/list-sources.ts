import type { CitationJson } from '../../wire/answer.ts'

/** A page, or a section of a document without pages. */
type Source = {
  /** Offset of its first citation. */
  readonly at: number
  readonly citation: CitationJson
  readonly markers: readonly number[]
  /** `stated` if one citation confirms its sentence. */
  readonly support: CitationJson['support']
}

export function listSources(citations: readonly CitationJson[]): readonly Source[] {
  const sources = new Map<string, Source>()
  for (const [at, citation] of citations.entries()) {
    const { documentId, page, headings, marker, support } = citation
    const place = JSON.stringify([documentId, page ?? headings])
    const existing = sources.get(place) ?? { at, citation, markers: [], support }
    const markers = [...new Set([...existing.markers, marker])]
    sources.set(place, {
      ...existing,
      markers,
      support: support === 'stated' ? support : existing.support,
    })
  }
  return [...sources.values()]
}
