import { type LoadOptions, loadSettings } from '../config.ts'
import type { Chunking } from '../ingest/catalog/collections.ts'
import { BlockChunker } from '../ingest/chunkers/block-chunker.ts'
import { openEmbedder, openTokenCounter } from './embedding.ts'
import { ParseFile } from './parse-file.ts'
import { openParsing } from './parsing.ts'

/** What `passim parse` and `passim chunks` show of a file. No store is opened. */
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
    return await use({ parser: new ParseFile(parsing.parsersFor, parsing.detect), chunker })
  } finally {
    await parsing.processes.close()
  }
}

export type FileParser = {
  readonly parser: ParseFile
  readonly chunker: (chunking?: Chunking) => Promise<BlockChunker>
}
