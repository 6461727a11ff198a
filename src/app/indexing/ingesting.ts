import path from 'node:path'
import type { Settings } from '../../config.ts'
import { AppError } from '../../errors.ts'
import { BlockChunker } from '../../ingest/chunk/block-chunker.ts'
import type { Chunker, Chunking } from '../../ingest/chunk/chunker.ts'
import type { TokenCounter } from '../../ingest/chunk/tokens.ts'
import type { EmbedderOf, PassageEmbedder } from '../../ingest/embed/embedder.ts'
import { WindowedEmbedder } from '../../ingest/embed/windowed.ts'
import type { Content } from '../../ingest/parse/detection/detection.ts'
import { ocrProblem } from '../../ingest/parse/ocr/availability.ts'
import { Changes } from '../../ingest/sources/change.ts'
import { Sync } from '../../ingest/sources/folders/sync.ts'
import { Fetcher } from '../../ingest/sources/web/fetcher.ts'
import { WebPages } from '../../ingest/sources/web/web-pages.ts'
import { WebSync } from '../../ingest/sources/web/web-sync.ts'
import type { DocumentSettings } from '../../ingest/store/catalog/document.ts'
import type { ChunkIndex } from '../../ingest/store/chunk-index.ts'
import { Ingest } from '../../ingest/work/ingest.ts'
import { Preparer } from '../../ingest/work/prepare.ts'
import { Queue } from '../../ingest/work/queue.ts'
import { Removal } from '../../ingest/work/removal.ts'
import type { Foreground } from '../../system/foreground.ts'
import type { Embedders } from '../embedders.ts'
import type { Store } from '../stores/store.ts'
import { packageVersion } from '../version.ts'
import type { Parsing } from './parsing.ts'

/** Documents in flight per parser process: while one is parsed, others are chunked, embedded or written. */
const DOCUMENTS_PER_PROCESS = 2

type IngestingParts = {
  readonly settings: Settings
  readonly store: Store
  readonly parsing: Parsing
  readonly embedders: Embedders
  readonly index: ChunkIndex
  readonly counter: () => Promise<TokenCounter>
  readonly onRemoved: () => Promise<void>
  readonly foreground: Foreground
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
  const { settings, store, parsing, embedders, index, counter, foreground, onRemoved } = parts
  const { parsersFor, detect } = parsing
  const chunkerFor = async (chunking: Chunking) =>
    new BlockChunker(chunking, embedders.configured.maxTokens, await counter())
  const preparer = new Preparer({
    ...{ content: store.content, parsersFor, detect, foreground, limits: parsing.processes.limits },
    countAttachments: async rootId => await store.documents.countAttachments(rootId),
    digestOf: stages => store.versions.digestOf(stages),
  })
  const embedderOf: EmbedderOf<PassageEmbedder> = async (collection, signal) => {
    const embedder = await embedders.of(collection, signal)
    if (!embedder) return undefined
    await store.collections.noteDimensions({
      embedderId: embedder.id,
      dimensions: embedder.dimensions,
    })
    return new WindowedEmbedder(embedder, counter)
  }
  const queue = new Queue({ ...store, parsersFor, chunkerFor })
  const removal = new Removal({ ...store, index, onRemoved })
  const ingest = new Ingest({
    ...store,
    index,
    removal,
    onRemoved,
    preparer,
    foreground,
    chunkerFor,
    embedderOf,
    concurrency: settings.parsing.processes * DOCUMENTS_PER_PROCESS,
  })
  const failureKey = preparer.failureKey.bind(preparer)
  const known = { ...store, queue, removal, failureKey }
  let isOcrPossible: boolean | undefined
  const isSupported = (
    file: string,
    { ocr = settings.ocr.mode }: DocumentSettings,
    content?: Content,
  ) => {
    isOcrPossible ??= !ocrProblem(settings.ocr)
    return canRead(parsing, { file, content }, ocr !== 'off' && isOcrPossible)
  }
  const sync = new Sync({ ...known, isSupported, foreground })
  const isReadable = (mediaType: string) =>
    parsersFor().some(parser => parser.mediaTypes.includes(mediaType))
  const pages = new WebPages({ ...known, detect, isReadable })
  const webSync = new WebSync({
    ...known,
    ...settings.fetching,
    pages,
    fetcherFor: fetcherFor(settings),
  })
  return { ingest, queue, sync, webSync, changes: new Changes(known), removal, chunkerFor }
}

/** What fetches from the web, to public addresses only unless it is allowed otherwise. */
export function fetcherFor({ fetching }: Settings) {
  const userAgent = `Passim/${packageVersion()}`
  return (allowPrivate = fetching.allowPrivate) =>
    new Fetcher({ ...fetching, userAgent, ...(allowPrivate && { isAllowed: () => true }) })
}

type Found = { readonly file: string; readonly content: Content | undefined }

/**
 * A file that claims to be something it is not can be read: it fails with its name, instead of being passed over.
 * Without OCR nobody means the pictures in a folder.
 */
async function canRead(
  { parsersFor, detect }: Parsing,
  { file, content }: Found,
  withPictures: boolean,
) {
  try {
    const mediaType = await detect(file, path.basename(file), content)
    if (!withPictures && mediaType.startsWith('image/')) return false
    return parsersFor().some(parser => parser.mediaTypes.includes(mediaType))
  } catch (error) {
    if (error instanceof AppError) return error.code !== 'unsupported_format'
    throw error
  }
}
