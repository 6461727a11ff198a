import { areOverlapping, type Span } from '../../text/sentences.ts'
import type { PlacedBlock } from '../block.ts'
import type { Table } from '../parse/tables/table.ts'
import type { Document } from './catalog/document.ts'

export interface DocumentReader {
  find(documentId: string): Promise<Document | undefined>
  read(documentId: string, charStart: number, charEnd: number): Promise<string>
  readBlocks(documentId: string, signal?: AbortSignal): AsyncIterable<PlacedBlock>
  /** Returns the first tables in order, up to 100,000 cells. */
  readTables(documentId: string, signal?: AbortSignal): Promise<readonly Table[]>
  /** Returns the labels that pages state, such as `iv`, by number. */
  readPageLabels?(documentId: string): Promise<ReadonlyMap<number, string>>
}

type EditedReader = DocumentReader & {
  /** Text that only excluded chunks have, in order. */
  listExcluded(documentId: string): Promise<readonly Span[]>
}

/**
 * Leaves out excluded chunks, and the tables around them: text ends before one. A document deleted
 * between search and answer is empty, so that it is not cited.
 */
export class PresentDocuments implements DocumentReader {
  readonly #documents: EditedReader
  readonly #excluded = new Map<string, Promise<readonly Span[]>>()

  constructor(documents: EditedReader) {
    this.#documents = documents
  }

  find(documentId: string): Promise<Document | undefined> {
    return this.#documents.find(documentId)
  }

  read(documentId: string, charStart: number, charEnd: number): Promise<string> {
    return this.#ignoreIfGone(documentId, '', async () => {
      const span = { start: charStart, end: charEnd }
      const excluded = await this.#listExcluded(documentId)
      const end = excluded.find(other => areOverlapping(span, other))?.start ?? charEnd
      return end > charStart ? await this.#documents.read(documentId, charStart, end) : ''
    })
  }

  async *readBlocks(documentId: string, signal?: AbortSignal): AsyncIterable<PlacedBlock> {
    try {
      const excluded = await this.#listExcluded(documentId)
      for await (const block of this.#documents.readBlocks(documentId, signal)) {
        const text = cutOut(block, excluded)
        if (text !== '') yield { ...block, text }
      }
    } catch (error) {
      await this.#throwUnlessGone(documentId, error)
    }
  }

  readTables(documentId: string, signal?: AbortSignal): Promise<readonly Table[]> {
    return this.#ignoreIfGone(documentId, [], async () => {
      const excluded = await this.#listExcluded(documentId)
      const tables = await this.#documents.readTables(documentId, signal)
      return tables.filter(({ span }) => !isOverlapping(span, excluded))
    })
  }

  readPageLabels(documentId: string): Promise<ReadonlyMap<number, string>> {
    const none = new Map<number, string>()
    return this.#ignoreIfGone(
      documentId,
      none,
      async () => (await this.#documents.readPageLabels?.(documentId)) ?? none,
    )
  }

  #listExcluded(documentId: string): Promise<readonly Span[]> {
    const excluded = this.#excluded.get(documentId) ?? this.#documents.listExcluded(documentId)
    this.#excluded.set(documentId, excluded)
    return excluded
  }

  async #ignoreIfGone<Part>(
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

  async #throwUnlessGone(documentId: string, error: unknown): Promise<void> {
    if (await this.#documents.find(documentId)) throw error
  }
}

function isOverlapping(span: Span, excluded: readonly Span[]): boolean {
  return excluded.some(other => areOverlapping(span, other))
}

function cutOut({ text, charStart, charEnd }: PlacedBlock, excluded: readonly Span[]): string {
  let rest = ''
  let position = charStart
  for (const { start, end } of excluded) {
    if (end <= position || start >= charEnd) continue
    rest += text.slice(position - charStart, Math.max(0, start - charStart))
    position = end
  }
  return rest + text.slice(position - charStart)
}
