import type { PlacedBlock } from '../../src/ingest/block.ts'
import { BLOCK_SEPARATOR } from '../../src/ingest/block.ts'
import { readTables } from '../../src/ingest/parse/tables/read-tables.ts'
import type { Document } from '../../src/ingest/store/catalog/document.ts'
import type { DocumentReader } from '../../src/ingest/store/document-reader.ts'
import type { Hit, Query, Searcher } from '../../src/search/searcher.ts'
import { wordCounter } from './word-counter.ts'

/** A document given inline: its blocks are what blank lines separate, `#` makes a heading, a form feed ends a page. */
export type InlineDocument = {
  readonly name: string
  readonly text: string
  readonly title?: string
}

/** Searcher and DocumentReader over texts given inline: every block under its headings is a chunk; shared words rank. */
export class MemorySearcher implements Searcher, DocumentReader {
  readonly documents: readonly Document[]
  /** Every query so far. */
  readonly queries: Query[] = []
  readonly #blocks: ReadonlyMap<string, readonly PlacedBlock[]>
  readonly #texts: ReadonlyMap<string, string>
  readonly #hits: readonly Hit[]

  constructor(inline: readonly InlineDocument[]) {
    this.documents = inline.map((document, at) => toDocument(document, at))
    this.#blocks = new Map(inline.map(({ text }, at) => [`doc_${at + 1}`, placeBlocks(text)]))
    const textOf = (blocks: readonly PlacedBlock[]) =>
      blocks.map(block => block.text).join(BLOCK_SEPARATOR)
    this.#texts = new Map([...this.#blocks].map(([id, blocks]) => [id, textOf(blocks)]))
    this.#hits = this.documents.flatMap(document =>
      toHits(document, this.#blocks.get(document.id) ?? []),
    )
  }

  async search(query: Query, signal?: AbortSignal): Promise<readonly Hit[]> {
    signal?.throwIfAborted()
    this.queries.push(query)
    const wanted = termsOf(query.text)
    const scored = this.#hits
      .filter(hit => query.documentIds?.includes(hit.documentId) ?? true)
      .map(hit => ({ ...hit, score: shared(wanted, termsOf(`${hit.context}\n${hit.text}`)) }))
    return scored
      .filter(hit => hit.score > 0)
      .toSorted((a, b) => b.score - a.score)
      .slice(0, query.limit)
  }

  async find(documentId: string): Promise<Document | undefined> {
    return this.documents.find(document => document.id === documentId)
  }

  async read(documentId: string, charStart: number, charEnd: number): Promise<string> {
    return this.textOf(documentId).slice(Math.max(0, charStart), charEnd)
  }

  async *readBlocks(documentId: string): AsyncIterable<PlacedBlock> {
    yield* this.#blocks.get(documentId) ?? []
  }

  async readTables(documentId: string) {
    return await readTables(this.readBlocks(documentId))
  }

  /** The parsed text. */
  textOf(documentId: string): string {
    return this.#texts.get(documentId) ?? ''
  }
}

function placeBlocks(text: string): readonly PlacedBlock[] {
  const placed: PlacedBlock[] = []
  let charStart = 0
  for (const [at, page] of text.split('\f').entries()) {
    for (const raw of page
      .split(/\n{2,}/)
      .map(block => block.trim())
      .filter(Boolean)) {
      const level = raw.match(/^#+(?= )/)?.[0].length
      const block = level ? raw.slice(level + 1) : raw
      const kind = level ? ({ kind: 'heading', level } as const) : ({ kind: 'paragraph' } as const)
      const pages = text.includes('\f') ? { page: at + 1 } : {}
      placed.push({ ...kind, ...pages, text: block, charStart, charEnd: charStart + block.length })
      charStart += block.length + BLOCK_SEPARATOR.length
    }
  }
  return placed
}

function toDocument({ name, text, title }: InlineDocument, at: number): Document {
  return {
    id: `doc_${at + 1}`,
    collectionId: 'default',
    fileId: `file_${at + 1}`,
    hash: 'a1',
    source: `/inline/${at + 1}/${name}`,
    name,
    title: title ?? placeBlocks(text).find(block => block.kind === 'heading')?.text ?? name,
    status: 'completed',
    mediaType: 'text/plain',
    bytes: text.length,
    chunks: 1,
    tokens: wordCounter.count(text),
    attributes: {},
    metadata: {},
    warnings: [],
    createdAt: 0,
  }
}

function toHits(document: Document, blocks: readonly PlacedBlock[]): readonly Hit[] {
  let headings: readonly string[] = []
  return blocks.flatMap(block => {
    if (block.kind === 'heading')
      headings = [...headings.slice(0, (block.level ?? 1) - 1), block.text]
    return block.kind === 'heading' ? [] : [toHit(document, block, headings)]
  })
}

function toHit(document: Document, block: PlacedBlock, headings: readonly string[]): Hit {
  const { id: documentId, fileId, collectionId, source, name, title, attributes } = document
  const { text, charStart, charEnd, page } = block
  return {
    score: 0,
    weak: false,
    chunkId: `${documentId}:${charStart}`,
    ...{
      documentId,
      fileId,
      collectionId,
      source,
      name,
      title,
      attributes,
      headings,
      charStart,
      charEnd,
      text,
    },
    ...(page !== undefined && { pages: [page, page] as const }),
    context: [title, headings.filter(heading => heading !== title).join(' > ')]
      .filter(Boolean)
      .join('\n'),
    tokens: wordCounter.count(text),
  }
}

function termsOf(text: string): ReadonlySet<string> {
  return new Set(
    text.toLowerCase().match(/\p{Script=Han}|(?:(?!\p{Script=Han})[\p{L}\p{N}])+/gu) ?? [],
  )
}

function shared(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  return [...a].filter(term => b.has(term)).length / Math.sqrt(b.size)
}
