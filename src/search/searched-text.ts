import type { IndexRow } from '../ingest/store/chunk-index.ts'

/** What a chunk is found by: its title (first line of the context) counts twice; the file's name is found too. */
export function searchedText({ context, text, name }: IndexRow): string {
  const title = context.split('\n', 1)[0] ?? ''
  return `${title}\n${context}\n${name.replace(/\.[^.]*$/, '')}\n${text}`
}
