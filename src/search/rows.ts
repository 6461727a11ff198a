import type { IndexRow } from '../ingest/chunk-index.ts'
import type { Candidate, Found } from './index-reader.ts'

type Details = Omit<Candidate, keyof Found>

/** What a hit needs of a row, as one text. */
export function detailsOf(row: IndexRow): string {
  const { ordinal, chunkId, charStart, charEnd, pages, tokens, language, headings, context } = row
  const details: Details = {
    ordinal,
    chunkId,
    charStart,
    charEnd,
    ...(pages && { pages }),
    tokens,
    language,
    headings,
    context,
  }
  return JSON.stringify(details)
}

/** A row that was found with its details, as LanceDB gives them back. */
export function toCandidate<Row extends Found>(details: string, found: Row): Row & Candidate {
  return { ...(JSON.parse(details) as Details), ...found } // written by detailsOf
}
