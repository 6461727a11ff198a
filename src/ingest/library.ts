import { AppError } from '../errors.ts'
import type { PlacedBlock } from './block.ts'
import type { Document, DocumentReader } from './catalog/document.ts'
import type { Documents } from './catalog/documents.ts'
import type { VersionDocument, VersionDocuments } from './catalog/version-documents.ts'
import type { Version, Versions } from './catalog/versions.ts'
import type { Chunk } from './chunker.ts'
import type { ContentStore } from './stored/content.ts'
import { isTorn } from './stored/parsed.ts'
import type { ParsedReport } from './stored/parsed-writer.ts'
import { chunkId, type DerivedDocument, DerivedPaths } from './stored/stages.ts'

/** A place in the parsed text of a version. */
type VersionSpan = { readonly version: number; readonly charStart: number; readonly charEnd: number }

/** What stands there, and in which document. */
export type PublishedPassage = { readonly document: Document; readonly text: string }

export type LibraryParts = {
  readonly content: ContentStore
  readonly documents: Documents
  readonly versions: Versions
  readonly ofVersions: VersionDocuments
}

/** Reads documents as they are published: their text by position, their blocks, their extraction report. */
export class Library implements DocumentReader {
  readonly #content: ContentStore
  readonly #documents: Documents
  readonly #versions: Versions
  readonly #ofVersions: VersionDocuments

  constructor({ content, documents, versions, ofVersions }: LibraryParts) {
    this.#content = content
    this.#documents = documents
    this.#versions = versions
    this.#ofVersions = ofVersions
  }

  find(documentId: string): Document | undefined {
    return this.#documents.find(documentId)
  }

  findByVersion(version: number): Document | undefined {
    return this.#ofVersions.of([version])[0]?.document
  }

  /** The versions that stand for these documents in the index. */
  versionsOf(documentIds: readonly string[]): readonly number[] {
    return documentIds.map(id => this.#versions.published(id)?.version).filter(version => version !== undefined)
  }

  /** Where the vectors of the document's sentences are kept; undefined when it is not published. */
  pieceVectors(documentId: string, embedderId: string): string | undefined {
    const version = this.#versions.published(documentId)
    return version && new DerivedPaths(this.#content, version.sha256).pieceVectors(embedderId)
  }

  async read(documentId: string, charStart: number, charEnd: number): Promise<string> {
    const { parsed } = this.#derived(this.#published(documentId))
    return await parsed.read(charStart, charEnd).catch(error => this.#explain(error, documentId))
  }

  /** What stands there; undefined when the version is not published any more. */
  passages(spans: readonly VersionSpan[]): readonly (PublishedPassage | undefined)[] {
    const found = this.#ofVersions.of(spans.map(({ version }) => version))
    return spans.map((span, at) => this.#passage(span, found[at]))
  }

  passage(span: VersionSpan): PublishedPassage | undefined {
    return this.passages([span])[0]
  }

  #passage({ version, charStart, charEnd }: VersionSpan, found: VersionDocument | undefined) {
    if (!found) return undefined
    try {
      return { document: found.document, text: this.#derived(found).parsed.readNow(charStart, charEnd) }
    } catch (error) {
      if (this.#ofVersions.of([version])[0]) this.#explain(error, found.document.id)
      return undefined
    }
  }

  blocks(documentId: string, signal?: AbortSignal): AsyncIterable<PlacedBlock> {
    const { parsed } = this.#derived(this.#published(documentId))
    return this.#explained(() => parsed.blocks(signal), documentId)
  }

  /** The chunks that the document is searched by, with their texts, in its order. */
  async *chunks(documentId: string): AsyncIterable<Chunk & { readonly id: string; readonly text: string }> {
    const version = this.#published(documentId)
    const { parsed, chunked } = this.#derived(version)
    const chunks = this.#explained(() => parsed.texts(chunked.chunks()), documentId)
    for await (const chunk of chunks) yield { ...chunk, id: chunkId(version, chunk.ordinal) }
  }

  async report(documentId: string): Promise<ParsedReport> {
    const { parsed } = this.#derived(this.#published(documentId))
    return await parsed.report().catch(error => this.#explain(error, documentId))
  }

  async *#explained<Part>(parts: () => AsyncIterable<Part>, documentId: string): AsyncIterable<Part> {
    try {
      yield* parts()
    } catch (error) {
      this.#explain(error, documentId)
    }
  }

  /** A power cut may take what is derived, also from a document that was published before. */
  #explain(error: unknown, documentId: string): never {
    if (!isTorn(error)) throw error
    const name = this.#documents.find(documentId)?.name ?? documentId
    const message = `What is stored of ${name} is damaged: passim verify --repair makes it anew from the file that was indexed.`
    throw new AppError('internal', message, { cause: error })
  }

  #published(documentId: string): Version {
    const version = this.#versions.published(documentId)
    if (version) return version
    throw new AppError('not_found', `There is no text of document ${documentId}: it is not there, or not indexed.`)
  }

  #derived(version: Pick<Version, 'sha256' | 'parserId' | 'chunkerId'>): DerivedDocument {
    return new DerivedPaths(this.#content, version.sha256).document(version)
  }
}
