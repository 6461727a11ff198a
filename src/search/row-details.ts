import type { IndexRow } from '../ingest/store/chunk-index.ts'
import type { Candidate, Found } from './index-reader.ts'

/** What a hit needs of a row. */
export type Details = Omit<Candidate, keyof Found>

/** In place of the details of a row that is no chunk of its own. */
export const NO_DETAILS = '{}'

/** As one text. */
export function writeDetails(row: IndexRow): string {
  const { ordinal, chunkId, charStart, charEnd, pages, tokens, headings, context, isListing } = row
  const details: Details = {
    ordinal,
    chunkId,
    charStart,
    charEnd,
    ...(pages && { pages }),
    tokens,
    headings,
    context,
    ...(isListing && { isListing }),
  }
  return JSON.stringify(details)
}

export function readDetails(text: unknown): Details {
  return JSON.parse(text as string) as Details // written by detailsOf
}

/** Returns the text that a chunk is found by: its title (first line of the context) counts twice; the file's name is included. */
export function toSearchedText({ context, text, name }: IndexRow): string {
  const title = context.split('\n', 1)[0] ?? ''
  return `${title}\n${context}\n${name.replace(/\.[^.]*$/, '')}\n${text}`
}
