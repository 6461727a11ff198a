import path from 'node:path'
import type { Settings } from '../config.ts'
import { AppError } from '../errors.ts'
import { Changes } from '../ingest/change.ts'
import type { ChunkIndex } from '../ingest/chunk-index.ts'
import type { Chunker } from '../ingest/chunker.ts'
import { BlockChunker } from '../ingest/chunkers/block-chunker.ts'
import type { Chunking } from '../ingest/collections.ts'
import { type Detect, detection } from '../ingest/detection.ts'
import type { Embedder } from '../ingest/embedder.ts'
import { Ingest } from '../ingest/ingest.ts'
import { ParserProcesses } from '../ingest/isolated-parser.ts'
import type { Parser } from '../ingest/parser.ts'
import { builtinParsers } from '../ingest/parsers/index.ts'
import { Preparer } from '../ingest/prepare.ts'
import { Queue } from '../ingest/queue.ts'
import { Removal } from '../ingest/removal.ts'
import { Sync } from '../ingest/sync.ts'
import type { TokenCounter } from '../ingest/tokens.ts'
import { Fetcher } from '../ingest/web/fetcher.ts'
import { WebPages } from '../ingest/web-pages.ts'
import { WebSync } from '../ingest/web-sync.ts'
import type { Store } from './store.ts'
import { packageVersion } from './version.ts'

/** Documents in flight per parser process: while one is parsed, others are chunked, embedded or written. */
const DOCUMENTS_PER_PROCESS = 2

export type Parsing = {
  readonly parsers: readonly Parser[]
  readonly processes: ParserProcesses
  readonly detect: Detect
}

/** The built-in parsers work in child processes; a caller's own work where the caller put them. */
export function openParsing({ parsing }: Settings, parsers: readonly Parser[] = builtinParsers): Parsing {
  const processes = new ParserProcesses(parsing)
  const isolated = parsers.map(parser => (builtinParsers.includes(parser) ? processes.isolate(parser) : parser))
  return { parsers: isolated, processes, detect: detection(parsers) }
}

export type IngestingParts = {
  readonly settings: Settings
  readonly store: Store
  readonly parsing: Parsing
  readonly embedder: Embedder
  readonly index: ChunkIndex
  readonly counter: () => Promise<TokenCounter>
}

export type Ingesting = {
  readonly ingest: Ingest
  readonly queue: Queue
  readonly sync: Sync
  readonly webSync: WebSync
  readonly changes: Changes
  readonly removal: Removal
  readonly chunkerFor: (chunking: Chunking) => Promise<Chunker>
}

export function openIngesting(parts: IngestingParts): Ingesting {
  const { settings, store, parsing, embedder, index, counter } = parts
  const { parsers, detect } = parsing
  const chunkerFor = async (chunking: Chunking) => new BlockChunker(chunking, embedder.maxTokens, await counter())
  const preparer = new Preparer({
    ...{ content: store.content, parsers, detect, embedder },
    countAttachments: rootId => store.documents.countAttachments(rootId),
  })
  const parserIds = new Set(parsers.map(parser => parser.id))
  const queue = new Queue({ ...store, parserIds, embedderId: embedder.id, chunkerFor })
  const ingest = new Ingest({
    ...store,
    index,
    preparer,
    chunkerFor,
    dimensions: embedder.dimensions,
    concurrency: settings.parsing.processes * DOCUMENTS_PER_PROCESS,
  })
  const removal = new Removal({ ...store, index })
  const failureKey = (sha256: string) => preparer.failureKey(sha256)
  const known = { ...store, queue, removal, failureKey }
  const sync = new Sync({ ...known, isSupported: file => isSupported(parsing, file) })
  const isReadable = (mediaType: string) => parsers.some(parser => parser.mediaTypes.includes(mediaType))
  const pages = new WebPages({ ...known, detect, isReadable })
  const webSync = new WebSync({ ...known, ...settings.fetching, pages, fetcherFor: fetcherFor(settings) })
  return { ingest, queue, sync, webSync, changes: new Changes(known), removal, chunkerFor }
}

function fetcherFor({ fetching }: Settings) {
  const userAgent = `Passim/${packageVersion()}`
  return (allowPrivate = fetching.allowPrivate) =>
    new Fetcher({ ...fetching, userAgent, ...(allowPrivate && { isAllowed: () => true }) })
}

/** A file that claims to be something it is not is supported: it fails with its name, instead of being passed over. */
async function isSupported({ parsers, detect }: Parsing, file: string): Promise<boolean> {
  try {
    const mediaType = await detect(file, path.basename(file))
    return parsers.some(parser => parser.mediaTypes.includes(mediaType))
  } catch (error) {
    if (error instanceof AppError) return error.code !== 'unsupported_format'
    throw error
  }
}
