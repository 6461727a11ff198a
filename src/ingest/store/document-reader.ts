import type { PlacedBlock } from '../block.ts'
import type { Table } from '../parse/tables/table.ts'
import type { Document } from './catalog/document.ts'

/** Reads what was parsed of the published version of a document. */
export interface DocumentReader {
  find(documentId: string): Promise<Document | undefined>
  /** `[charStart, charEnd)` of the parsed text; clipped to its length. */
  read(documentId: string, charStart: number, charEnd: number): Promise<string>
  /** The blocks in order, streamed; stop early by leaving the loop. */
  blocks(documentId: string, signal?: AbortSignal): AsyncIterable<PlacedBlock>
  /** The tables in order, their columns typed; of more than 100,000 cells the first ones. */
  tables(documentId: string, signal?: AbortSignal): Promise<readonly Table[]>
}
