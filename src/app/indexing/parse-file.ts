import { access, constants, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type LoadOptions, loadSettings } from '../../config.ts'
import { localizable } from '../../errors/localizable.ts'
import { AppError } from '../../errors.ts'
import type { PlacedBlock } from '../../ingest/block.ts'
import { BlockChunker } from '../../ingest/chunk/block-chunker.ts'
import type { Chunker, Chunking } from '../../ingest/chunk/chunker.ts'
import { chooseParser, type OcrMode, type Parser } from '../../ingest/parse/parser.ts'
import { countPages } from '../../ingest/parse/streams.ts'
import { TrigramLanguage } from '../../ingest/parse/trigram-language.ts'
import { createUnreadableError, findSourceKind } from '../../ingest/sources/folders/walk.ts'
import { toChunkId } from '../../ingest/store/contents/derived.ts'
import { ParsedDocument } from '../../ingest/store/contents/parsed.ts'
import type { ParsedReport } from '../../ingest/store/contents/parsed-writer.ts'
import { hashFile } from '../../system/digest.ts'
import type { ChunkListJson } from '../../wire/document.ts'
import { openEmbedder, openTokenCounter } from '../embedding.ts'
import { openParsing } from './parsing.ts'

export type ParseOptions = {
  readonly password?: string | undefined
  readonly ocr?: OcrMode | undefined
  readonly isSample?: boolean
  /** Receives finished pages, and their number if the format states it. */
  readonly onPage?: ((done: number, total?: number) => void) | undefined
  readonly signal?: AbortSignal | undefined
}

export class ParseFile {
  readonly #listParsers: (ocr?: OcrMode) => readonly Parser[]
  readonly #detect: (path: string, name: string) => Promise<string>
  readonly #trigrams = new TrigramLanguage()

  constructor(
    listParsers: (ocr?: OcrMode) => readonly Parser[],
    detect: (path: string, name: string) => Promise<string>,
  ) {
    this.#listParsers = listParsers
    this.#detect = detect
  }

  /** Removes the parsed output when `use` returns. */
  async run<Result>(
    file: string,
    options: ParseOptions,
    use: (report: ParsedReport, blocks: AsyncIterable<PlacedBlock>) => Promise<Result>,
  ): Promise<Result> {
    await requireFile(file)
    const folder = await mkdtemp(path.join(tmpdir(), 'passim-'))
    try {
      const name = path.basename(file)
      const mediaType = await this.#detect(file, name)
      const input = {
        path: file,
        name,
        mediaType,
        ...(options.password && { password: options.password }),
        ...(options.isSample && { isSample: true }),
      }
      const parser = chooseParser(this.#listParsers(options.ocr), input)
      const parsed = new ParsedDocument(path.join(folder, 'parsed'))
      const report = await parsed.write(
        { parserId: parser.id, mediaType, trigrams: this.#trigrams },
        attachmentsFolder =>
          countPages(
            parser.parse({ ...input, attachmentsFolder }, options.signal),
            options.onPage ?? (() => {}),
          ),
      )
      return await use(report, parsed.readBlocks(options.signal))
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  }

  async readChunks(
    file: string,
    chunker: Chunker,
    options: ParseOptions,
  ): Promise<ChunkListJson['chunks']> {
    await requireFile(file)
    const sha256 = await hashFile(file, options.signal)
    return await this.run(file, options, async ({ parserId, title }, blocks) => {
      const chunks: ChunkListJson['chunks'][number][] = []
      for await (const { ordinal, ...chunk } of chunker.chunks({ title, blocks })) {
        chunks.push({
          id: toChunkId({ sha256, parserId, chunkerId: chunker.id, embedderId: '' }, ordinal),
          ...chunk,
        })
      }
      return chunks
    })
  }
}

/** Throws `not_found`, `invalid_input` for a folder, `forbidden_source`. */
export async function requireFile(file: string): Promise<void> {
  if ((await findSourceKind(file)) !== 'file')
    throw new AppError('invalid_input', localizable`${file} is a folder. Give one file.`)
  await access(file, constants.R_OK).catch((error: unknown) => {
    throw createUnreadableError(file, error)
  })
}

export async function withFileParser<Result>(
  options: LoadOptions,
  use: (parser: FileParser) => Promise<Result>,
): Promise<Result> {
  const settings = await loadSettings(options)
  const parsing = openParsing(settings)
  const chunker = async (chunking: Chunking = settings.chunking) => {
    const embedder = await openEmbedder(settings)
    return new BlockChunker(chunking, embedder.maxTokens, await openTokenCounter(settings))
  }
  try {
    return await use({ parser: new ParseFile(parsing.listParsers, parsing.detect), chunker })
  } finally {
    await parsing.processes.close()
  }
}

export type FileParser = {
  readonly parser: ParseFile
  readonly chunker: (chunking?: Chunking) => Promise<BlockChunker>
}
