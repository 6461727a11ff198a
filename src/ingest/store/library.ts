import { localizable } from '../../errors/localizable.ts'
import { AppError } from '../../errors.ts'
import { RecentMap } from '../../system/recent-map.ts'
import type { Span } from '../../text/sentences.ts'
import type { PlacedBlock } from '../block.ts'
import { type ChunkEdit, ChunkEditMatcher } from '../chunk/chunk-edits.ts'
import type { Chunk } from '../chunk/chunker.ts'
import { readTables } from '../parse/tables/read-tables.ts'
import type { Table } from '../parse/tables/table.ts'
import type { Document } from './catalog/document.ts'
import type { Documents } from './catalog/documents.ts'
import type { VersionDocument, VersionDocuments } from './catalog/version-documents.ts'
import type { Version, Versions } from './catalog/versions.ts'
import type { ContentStore } from './contents/content.ts'
import { type DerivedDocument, DerivedPaths, toChunkId } from './contents/derived.ts'
import { isTorn } from './contents/parsed.ts'
import type { ParsedReport } from './contents/parsed-writer.ts'
import type { DocumentReader } from './document-reader.ts'

type VersionSpan = {
  readonly version: number
  readonly charStart: number
  readonly charEnd: number
}

export type PublishedPassage = { readonly document: Document; readonly text: string }

type DocumentChunk = Chunk &
  Pick<ChunkEdit, 'isExcluded' | 'note'> & { readonly id: string; readonly text: string }

type LibraryDeps = {
  readonly content: ContentStore
  readonly documents: Documents
  readonly versions: Versions
  readonly ofVersions: VersionDocuments
}

/** About 40 MB (200 bytes each). Protects memory. */
const MAX_CELLS = 200_000

export class Library implements DocumentReader {
  readonly #content: ContentStore
  readonly #documents: Documents
  readonly #versions: Versions
  readonly #ofVersions: VersionDocuments
  readonly #tables = new RecentMap<number, readonly Table[]>(MAX_CELLS, countCells)

  constructor({ content, documents, versions, ofVersions }: LibraryDeps) {
    this.#content = content
    this.#documents = documents
    this.#versions = versions
    this.#ofVersions = ofVersions
  }

  async find(documentId: string): Promise<Document | undefined> {
    return await this.#documents.find(documentId)
  }

  async findAll(documentIds: readonly string[]): Promise<readonly Document[]> {
    return await this.#documents.findAll(documentIds)
  }

  async findByVersion(version: number): Promise<Document | undefined> {
    return (await this.#ofVersions.findMany([version]))[0]?.document
  }

  async listVersions(documentIds: readonly string[]): Promise<readonly number[]> {
    return await this.#versions.listPublishedNumbers(documentIds)
  }

  async getPiecePath(documentId: string, embedderId: string): Promise<string | undefined> {
    const version = await this.#versions.findPublished(documentId)
    return version && new DerivedPaths(this.#content, version.sha256).getPiecesPath(embedderId)
  }

  async read(documentId: string, charStart: number, charEnd: number): Promise<string> {
    const { parsed } = await this.#download(await this.#findPublished(documentId))
    return await parsed.read(charStart, charEnd).catch(error => this.#explain(error, documentId))
  }

  /** Call it before `passages`: shared contents may not be on this disk. */
  async download(
    spans: readonly Pick<VersionSpan, 'version'>[],
    signal?: AbortSignal,
  ): Promise<void> {
    if (!this.#content.hasBucket) return
    const versions = [...new Set(spans.map(({ version }) => version))]
    await Promise.all(
      (await this.#ofVersions.findMany(versions)).map(
        found => found && this.#download(found, signal),
      ),
    )
  }

  async readPassages(
    spans: readonly VersionSpan[],
  ): Promise<readonly (PublishedPassage | undefined)[]> {
    const found = await this.#ofVersions.findMany(spans.map(({ version }) => version))
    return await Promise.all(
      spans.map(async (span, index) => await this.#readPassage(span, found[index])),
    )
  }

  async readPassage(span: VersionSpan): Promise<PublishedPassage | undefined> {
    return (await this.readPassages([span]))[0]
  }

  async #readPassage(
    { version, charStart, charEnd }: VersionSpan,
    found: VersionDocument | undefined,
  ) {
    if (!found) return undefined
    try {
      const parsed = new DerivedPaths(this.#content, found.sha256).openParsed(
        found.parserId,
        found.chunkerId,
      )
      return { document: found.document, text: parsed.readNow(charStart, charEnd) }
    } catch (error) {
      if ((await this.#ofVersions.findMany([version]))[0])
        await this.#explain(error, found.document.id)
      return undefined
    }
  }

  readBlocks(documentId: string, signal?: AbortSignal): AsyncIterable<PlacedBlock> {
    const open = async () => await this.#download(await this.#findPublished(documentId), signal)
    return this.#withExplanation(async () => (await open()).parsed.readBlocks(signal), documentId)
  }

  async readTables(documentId: string, signal?: AbortSignal): Promise<readonly Table[]> {
    const { version } = await this.#findPublished(documentId)
    const tables =
      this.#tables.get(version) ?? (await readTables(this.readBlocks(documentId, signal), signal))
    this.#tables.set(version, tables) // now the last to be evicted
    return tables
  }

  async *readChunks(documentId: string, signal?: AbortSignal): AsyncIterable<DocumentChunk> {
    const matcher = new ChunkEditMatcher(await this.listChunkEdits(documentId))
    const version = await this.#findPublished(documentId)
    const { parsed, chunked } = await this.#download(version, signal)
    const read = async () => parsed.readTexts(chunked.readChunks(), signal)
    const chunks = this.#withExplanation(read, documentId)
    for await (const chunk of chunks) {
      const { isExcluded, note } = matcher.match(chunk.text) ?? {}
      const edited = { ...(isExcluded && { isExcluded }), ...(note && { note }) }
      yield { ...chunk, ...edited, id: toChunkId(version, chunk.ordinal) }
    }
  }

  async listChunkEdits(documentId: string): Promise<readonly ChunkEdit[]> {
    return (await this.#documents.findRequested(documentId))?.chunkEdits ?? []
  }

  async listExcluded(documentId: string): Promise<readonly Span[]> {
    const edits = await this.listChunkEdits(documentId)
    if (!edits.some(({ isExcluded }) => isExcluded)) return []
    const spans: Span[] = []
    let allowedEnd = 0
    for await (const { isExcluded, charStart, charEnd } of this.readChunks(documentId)) {
      const last = spans.at(-1)
      if (isExcluded) spans.push({ start: Math.max(charStart, allowedEnd), end: charEnd })
      else if (last) spans[spans.length - 1] = { ...last, end: Math.min(last.end, charStart) }
      if (!isExcluded) allowedEnd = charEnd
    }
    return spans.filter(({ start, end }) => start < end)
  }

  /** Reads a span without the text that only excluded chunks have. */
  async readIncluded(documentId: string, charStart: number, charEnd: number): Promise<string> {
    const parts: string[] = []
    let next = charStart
    for (const { start, end } of await this.listExcluded(documentId)) {
      if (end <= next) continue
      if (start >= charEnd) break
      if (start > next) parts.push(await this.read(documentId, next, start))
      next = end
    }
    if (next < charEnd) parts.push(await this.read(documentId, next, charEnd))
    return parts.join('')
  }

  async report(documentId: string): Promise<ParsedReport> {
    const { parsed } = await this.#download(await this.#findPublished(documentId))
    return await parsed.report().catch(error => this.#explain(error, documentId))
  }

  async readPageLabels(documentId: string): Promise<ReadonlyMap<number, string>> {
    const { pages } = await this.report(documentId)
    return new Map(pages.flatMap(({ page, label }) => (label ? [[page, label]] : [])))
  }

  async *#withExplanation<Part>(
    parts: () => Promise<AsyncIterable<Part>>,
    documentId: string,
  ): AsyncIterable<Part> {
    try {
      yield* await parts()
    } catch (error) {
      await this.#explain(error, documentId)
    }
  }

  /** Reports files that a power cut damaged; rethrows other errors. */
  async #explain(error: unknown, documentId: string): Promise<never> {
    if (!isTorn(error)) throw error
    const name = (await this.#documents.find(documentId))?.name ?? documentId
    const message = localizable`The stored text of ${name} is damaged. It can be rebuilt from the file that was indexed.`
    throw new AppError('internal', message, { cause: error, advice: 'Run passim verify --repair.' })
  }

  async #findPublished(documentId: string): Promise<Version> {
    const version = await this.#versions.findPublished(documentId)
    if (version) return version
    throw new AppError(
      'not_found',
      localizable`There is no text of document ${documentId}: it does not exist or is not indexed.`,
    )
  }

  async #download(
    version: Pick<Version, 'sha256' | 'parserId' | 'chunkerId'>,
    signal?: AbortSignal,
  ) {
    const derived = this.#openDerived(version)
    if (this.#content.hasBucket && !(derived.parsed.exists && derived.chunked.exists))
      await this.#content.download(version.sha256, 'text', signal)
    return derived
  }

  #openDerived(version: Pick<Version, 'sha256' | 'parserId' | 'chunkerId'>): DerivedDocument {
    return new DerivedPaths(this.#content, version.sha256).openDocument(version)
  }
}

/** Counts at least one, so that documents without tables are evicted, too. */
function countCells(tables: readonly Table[]): number {
  return tables.reduce((sum, { rows, columns }) => sum + (rows.length + 1) * columns.length, 1)
}
