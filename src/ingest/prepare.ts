import path from 'node:path'
import { AppError } from '../errors.ts'
import type { IndexRow } from './chunk-index.ts'
import { ChunkedDocument } from './chunked.ts'
import type { Chunk, Chunker } from './chunker.ts'
import type { ContentStore } from './content.ts'
import { digestOf } from './digest.ts'
import type { WantedDocument } from './documents.ts'
import type { Embedder } from './embedder.ts'
import { ParsedDocument, type ParsedReport } from './parsed.ts'
import { chooseParser, type Parser, type ParserEvent } from './parser.ts'
import { StoredVectors } from './vectors.ts'
import type { Stages, VersionReport } from './versions.ts'

/** Chunks embedded between two writes: what a killed run repeats at most. */
const EMBED_BATCH = 16

export type Stage = 'parse' | 'chunk' | 'embed' | 'write'

/** How far one document is. */
export type Progress = {
  readonly documentId: string
  readonly source: string
  readonly stage: Stage
  /** Pages, chunks or rows done, and of how many where that is known. */
  readonly done: number
  readonly total?: number
}

export type PrepareOptions = {
  readonly signal?: AbortSignal | undefined
  readonly onProgress?: ((progress: Progress) => void) | undefined
}

/** A document ready to be written: everything but its version number. */
export type Prepared = {
  readonly stages: Stages
  readonly report: VersionReport
  rows(): AsyncIterable<Omit<IndexRow, 'version'>>
}

export type PrepareParts = {
  readonly content: ContentStore
  readonly parsers: readonly Parser[]
  readonly detect: (path: string, name: string) => Promise<string>
  readonly embedder: Embedder
}

/** Where the derived output of a content lies, by the stages that made it. */
export class DerivedPaths {
  readonly #folder: string

  constructor(content: ContentStore, sha256: string) {
    this.#folder = content.folder(sha256)
  }

  parsed(parserId: string): string {
    return path.join(this.#folder, `parsed-${digestOf(parserId)}`)
  }

  chunks(parserId: string, chunkerId: string): string {
    return path.join(this.#folder, `chunks-${digestOf(parserId, chunkerId)}.jsonl`)
  }

  vectors(parserId: string, chunkerId: string, embedderId: string): string {
    return path.join(this.#folder, `vectors-${digestOf(parserId, chunkerId, embedderId)}.f32`)
  }
}

/** Id of a chunk: the same content cut by the same stages has the same chunks everywhere. */
export function chunkId({ sha256, parserId, chunkerId }: Stages, ordinal: number): string {
  return `chunk_${digestOf(sha256, parserId, chunkerId, ordinal)}`
}

/**
 * Takes a document through parsing, chunking and embedding. Each stage's output is kept beside the content under the
 * stage's id, so what was done before, for this document or another with the same bytes, is not done again.
 */
export class Preparer {
  readonly #parts: PrepareParts

  constructor(parts: PrepareParts) {
    this.#parts = parts
  }

  /** Changes when another attempt at bytes that cannot be read might end otherwise: with any of the parsers. */
  failureKey(sha256: string): string {
    return digestOf(sha256, ...this.#parts.parsers.map(parser => parser.id))
  }

  async prepare(wanted: WantedDocument, chunker: Chunker, options: PrepareOptions): Promise<Prepared> {
    const { content, embedder } = this.#parts
    const paths = new DerivedPaths(content, wanted.sha256)
    const { report, parsed } = await this.#parse(wanted, paths, options)
    const stages: Stages = {
      sha256: wanted.sha256,
      parserId: report.parserId,
      chunkerId: chunker.id,
      embedderId: wanted.settings.withoutVectors ? '' : embedder.id,
    }
    const chunked = new ChunkedDocument(paths.chunks(stages.parserId, stages.chunkerId))
    const totals = await this.#chunk({ wanted, chunked, parsed, report, chunker }, options)
    const vectors = await this.#embed({ wanted, stages, chunked, parsed, total: totals.chunks }, paths, options)
    return {
      stages,
      report: { ...versionReport(report), ...totals },
      rows: () => rowsOf({ stages, name: wanted.name, chunked, parsed, vectors }),
    }
  }

  async #parse(wanted: WantedDocument, paths: DerivedPaths, { signal, onProgress }: PrepareOptions) {
    const original = this.#parts.content.original(wanted.sha256)
    const mediaType = wanted.settings.mediaType ?? (await this.#parts.detect(original, wanted.name))
    const input = { path: original, name: wanted.name, mediaType }
    const parser = chooseParser(this.#parts.parsers, input)
    const parsed = new ParsedDocument(paths.parsed(parser.id))
    if (parsed.exists) return { parsed, report: await parsed.report() }
    const pages = countPages(parser.parse(input, signal), done =>
      onProgress?.({ documentId: wanted.id, source: wanted.source, stage: 'parse', done }),
    )
    const report = await parsed.write(parser.id, mediaType, pages)
    if (report.characters > 0) return { parsed, report }
    throw new AppError('no_text', `There is no text in ${wanted.name}.`)
  }

  async #chunk(input: ChunkInput, { signal, onProgress }: PrepareOptions): Promise<{ chunks: number; tokens: number }> {
    const { wanted, chunked, parsed, report, chunker } = input
    if (!chunked.exists) {
      const chunks = chunker.chunks({ title: report.title, blocks: parsed.blocks(signal) })
      const counted = countItems(chunks, done =>
        onProgress?.({ documentId: wanted.id, source: wanted.source, stage: 'chunk', done }),
      )
      return await chunked.write(counted)
    }
    const totals = { chunks: 0, tokens: 0 }
    for await (const chunk of chunked.chunks()) {
      totals.chunks++
      totals.tokens += chunk.tokens
    }
    return totals
  }

  async #embed(input: EmbedInput, paths: DerivedPaths, { signal, onProgress }: PrepareOptions) {
    const { wanted, stages, chunked, parsed, total } = input
    if (!stages.embedderId) return undefined
    const { embedder } = this.#parts
    const file = paths.vectors(stages.parserId, stages.chunkerId, stages.embedderId)
    const vectors = new StoredVectors(file, embedder.dimensions, wanted.id)
    if (vectors.exists) return vectors
    let done = Math.min(await vectors.count(), total)
    for await (const batch of batches(skip(chunked.chunks(), done), EMBED_BATCH)) {
      const texts = await Promise.all(batch.map(async chunk => embeddedText(chunk, await textOf(parsed, chunk))))
      await vectors.append(done, await embedder.embed(texts, 'passage', signal))
      done += batch.length
      onProgress?.({ documentId: wanted.id, source: wanted.source, stage: 'embed', done, total })
    }
    await vectors.finish()
    return vectors
  }
}

type ChunkInput = {
  readonly wanted: WantedDocument
  readonly chunked: ChunkedDocument
  readonly parsed: ParsedDocument
  readonly report: ParsedReport
  readonly chunker: Chunker
}

type EmbedInput = Pick<ChunkInput, 'wanted' | 'chunked' | 'parsed'> & {
  readonly stages: Stages
  readonly total: number
}

/** What the embedder reads of a chunk: its context, then its text. */
export function embeddedText(chunk: Chunk, text: string): string {
  return chunk.context ? `${chunk.context}\n${text}` : text
}

function textOf(parsed: ParsedDocument, chunk: Chunk): Promise<string> {
  return parsed.read(chunk.charStart, chunk.charEnd)
}

type RowParts = Pick<ChunkInput, 'chunked' | 'parsed'> & {
  readonly stages: Stages
  readonly name: string
  readonly vectors: StoredVectors | undefined
}

async function* rowsOf({
  stages,
  name,
  chunked,
  parsed,
  vectors,
}: RowParts): AsyncGenerator<Omit<IndexRow, 'version'>> {
  const stored = vectors?.vectors()
  try {
    for await (const chunk of chunked.chunks()) {
      const vector = (await stored?.next())?.value as Float32Array | undefined // the generator returns nothing else
      const text = await textOf(parsed, chunk)
      yield { ...chunk, chunkId: chunkId(stages, chunk.ordinal), text, name, ...(vector && { vector }) }
    }
  } finally {
    await stored?.return(undefined)
  }
}

function versionReport(report: ParsedReport): Omit<VersionReport, 'chunks' | 'tokens'> {
  const pages = report.metadata.pages ?? (report.pages.length || undefined)
  return {
    title: report.title,
    mediaType: report.mediaType,
    ...(pages !== undefined && { pages }),
    characters: report.characters,
    metadata: report.metadata,
    warnings: report.warnings,
    indexedAt: Date.now(),
  }
}

async function* countPages(events: AsyncIterable<ParserEvent>, onPage: (done: number) => void) {
  let pages = 0
  for await (const event of events) {
    if (event.type === 'page') onPage(++pages)
    yield event
  }
}

async function* countItems<Item>(items: AsyncIterable<Item>, onItem: (done: number) => void) {
  let done = 0
  for await (const item of items) {
    onItem(++done)
    yield item
  }
}

async function* skip<Item>(items: AsyncIterable<Item>, count: number) {
  let index = 0
  for await (const item of items) if (index++ >= count) yield item
}

async function* batches<Item>(items: AsyncIterable<Item>, size: number) {
  let batch: Item[] = []
  for await (const item of items) {
    batch.push(item)
    if (batch.length < size) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}
