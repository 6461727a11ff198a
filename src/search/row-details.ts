import type { IndexRow } from '../ingest/store/chunk-index.ts'
import { parseOwnJson } from '../system/own-json.ts'
import type { Candidate, Found } from './index-reader.ts'

export type Details = Omit<Candidate, keyof Found>

export const NO_DETAILS = '{}'

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
  return parseOwnJson<Details>(String(text))
}

/** Repeats the title, the first line of the context, with the file's name. */
export function toSearchedText({ context, text, name, about = '', links = [] }: IndexRow): string {
  const title = context.split('\n', 1)[0] ?? ''
  const parts = [title, context, name.replace(/\.[^.]*$/, ''), text, about, ...links]
  return parts.join('\n').trimEnd()
}
