import type { Language } from '../ingest/language.ts'
import type { Candidate, Found } from './index-reader.ts'

/** Columns that make a candidate. */
export const CANDIDATE_COLUMNS = [
  'version',
  'ordinal',
  'chunk_id',
  'char_start',
  'char_end',
  'page_first',
  'page_last',
  'tokens',
  'language',
  'headings',
  'context',
]

type CandidateRow = {
  version: number
  ordinal: number
  chunk_id: string
  char_start: number
  char_end: number
  page_first: number | null
  page_last: number | null
  tokens: number
  language: Language
  headings: string
  context: string
}

/** A row that was found with its columns, as LanceDB gives them back. */
export function toCandidate<Row extends Found>(row: CandidateRow, found: Row): Row & Candidate {
  return {
    ...found,
    ordinal: row.ordinal,
    chunkId: row.chunk_id,
    charStart: row.char_start,
    charEnd: row.char_end,
    ...(row.page_first !== null && row.page_last !== null && { pages: [row.page_first, row.page_last] as const }),
    tokens: row.tokens,
    language: row.language,
    headings: JSON.parse(row.headings) as string[], // written by rowBatch
    context: row.context,
  }
}

export function byPlace(
  a: Pick<CandidateRow, 'version' | 'ordinal'>,
  b: Pick<CandidateRow, 'version' | 'ordinal'>,
): number {
  return a.version - b.version || a.ordinal - b.ordinal
}
