import type { CitationJson } from '../../wire/answer.ts'

/** Offset of the first citation of a source, and whether one citation confirms its sentence. */
type Source = {
  readonly at: number
  readonly citation: CitationJson
  readonly support: CitationJson['support']
}

/** Returns each source once, however many of its places an answer cites. */
export function listSources(citations: readonly CitationJson[]): readonly Source[] {
  const firsts = citations.flatMap((citation, index) => {
    const isFirst = citations.findIndex(({ marker }) => marker === citation.marker) === index
    return isFirst ? [{ at: index, citation }] : []
  })
  return firsts.map(({ at, citation }) => {
    const isStated = citations.some(
      ({ marker, support }) => marker === citation.marker && support === 'stated',
    )
    return { at, citation, support: isStated ? 'stated' : citation.support }
  })
}
