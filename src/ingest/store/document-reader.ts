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

/** Reads documents that may be deleted between a search and its answer: one that is gone says nothing, so that nothing is cited from it. */
export class PresentDocuments implements DocumentReader {
  readonly #documents: DocumentReader

  constructor(documents: DocumentReader) {
    this.#documents = documents
  }

  find(documentId: string): Promise<Document | undefined> {
    return this.#documents.find(documentId)
  }

  read(documentId: string, charStart: number, charEnd: number): Promise<string> {
    return this.#unlessGone(documentId, '', () =>
      this.#documents.read(documentId, charStart, charEnd),
    )
  }

  async *blocks(documentId: string, signal?: AbortSignal): AsyncIterable<PlacedBlock> {
    try {
      yield* this.#documents.blocks(documentId, signal)
    } catch (error) {
      await this.#throwUnlessGone(documentId, error)
    }
  }

  tables(documentId: string, signal?: AbortSignal): Promise<readonly Table[]> {
    return this.#unlessGone(documentId, [], () => this.#documents.tables(documentId, signal))
  }

  async #unlessGone<Part>(
    documentId: string,
    nothing: Part,
    read: () => Promise<Part>,
  ): Promise<Part> {
    try {
      return await read()
    } catch (error) {
      await this.#throwUnlessGone(documentId, error)
      return nothing
    }
  }

  /** What else went wrong with a document that is there is told as it is. */
  async #throwUnlessGone(documentId: string, error: unknown): Promise<void> {
    if (await this.#documents.find(documentId)) throw error
  }
}
