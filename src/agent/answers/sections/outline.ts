import type { DocumentReader } from '../../../ingest/catalog/document.ts'

/** A line of a document, with its place in the parsed text. */
export type Line = {
  readonly text: string
  readonly charStart: number
  readonly charEnd: number
  /** Of a heading: 1 (top) to 6. */
  readonly level?: number
  /** It is a row of a table. */
  readonly isRow: boolean
  /** Its format says that it is an item of a list. */
  readonly isItem: boolean
}

/** A longer document is not read for its sections. */
const MAX_TOKENS = 150_000

/** The lines of a document; of the last line of a section that needs none, nothing. Nothing of a document that is too long. */
export async function linesOf(
  reader: DocumentReader,
  documentId: string,
  signal?: AbortSignal,
): Promise<readonly Line[]> {
  if ((reader.find(documentId)?.tokens ?? Number.POSITIVE_INFINITY) > MAX_TOKENS) return []
  const lines: Line[] = []
  for await (const { kind, text, level, charStart } of reader.blocks(documentId, signal)) {
    let at = charStart
    for (const line of text.split('\n')) {
      const place = { charStart: at, charEnd: at + line.length }
      if (line.trim() !== '')
        lines.push({
          ...{ text: line, ...place, isRow: kind === 'table', isItem: kind === 'list' },
          ...(kind === 'heading' && { level: level ?? 1 }),
        })
      at += line.length + 1
    }
  }
  return lines
}
