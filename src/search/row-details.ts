import type { IndexRow } from '../ingest/store/chunk-index.ts'
import { parseOwnJson } from '../system/own-json.ts'
import type { Analyzer } from '../text/analyzer.ts'
import type { Candidate, Found } from './index-reader.ts'

export type Details = Omit<Candidate, keyof Found>

export const NO_DETAILS = '{}'

export function writeDetails(row: IndexRow): string {
  const { ordinal, chunkId, charStart, charEnd, pages, tokens, headings, context, isListing } = row
  const { note, isExcluded } = row
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
    ...(note && { note }),
    ...(isExcluded && { isExcluded }),
  }
  return JSON.stringify(details)
}

export function readDetails(text: unknown): Details {
  return parseOwnJson<Details>(String(text))
}

export function listRowTerms(
  row: IndexRow,
  analyzer: Analyzer,
  { hasValues }: { hasValues: boolean },
): readonly string[] {
  if (row.isExcluded) return []
  const text = toSearchedText(row)
  if (!hasValues) return analyzer.listTerms(text)
  const names = row.about === undefined ? [] : analyzer.listNameTerms(row.name)
  return [...analyzer.listIndexTerms(text), ...names]
}

/** Repeats the title, the first line of the context. */
function toSearchedText(row: IndexRow): string {
  const { context, text, name, about = '', links = [], note = '' } = row
  const title = context.split('\n', 1)[0] ?? ''
  const parts = [title, context, name.replace(/\.[^.]*$/, ''), text, note, about, ...links]
  return parts.join('\n').trimEnd()
}
