import type { Settings } from '../../config.ts'
import { AppError } from '../../errors.ts'
import { BlockChunker } from '../../ingest/chunk/block-chunker.ts'
import type { Chunker, Chunking } from '../../ingest/chunk/chunker.ts'
import type { OpenEmbedder, PassageEmbedder } from '../../ingest/embed/embedder.ts'
import { WindowedEmbedder } from '../../ingest/embed/windowed.ts'
import type { Content } from '../../ingest/parse/detection/detection.ts'
import { findOcrProblem, OCR_OFF, type OcrProblem } from '../../ingest/parse/ocr/availability.ts'
import { findRefusal, type Remedy } from '../../ingest/parse/refused-formats.ts'
import { Changes, type ChangesDeps } from '../../ingest/sources/change.ts'
import { FolderSource } from '../../ingest/sources/folders/folder-source.ts'
import { SourceSync } from '../../ingest/sources/source-sync.ts'
import { Fetcher } from '../../ingest/sources/web/fetcher.ts'
import { SiteSource } from '../../ingest/sources/web/site-source.ts'
import { looksLikeUrl, redactUrl } from '../../ingest/sources/web/web-url.ts'
import type { DocumentSettings } from '../../ingest/store/catalog/document.ts'
import type { ChunkIndex } from '../../ingest/store/chunk-index.ts'
import { Ingest } from '../../ingest/work/ingest.ts'
import { Preparer } from '../../ingest/work/prepare.ts'
import { Queue } from '../../ingest/work/queue.ts'
import { Removal } from '../../ingest/work/removal.ts'
import type { Foreground } from '../../system/foreground.ts'
import type { Embedders } from '../embedders.ts'
import type { TokenCounters } from '../embedding.ts'
import type { Store } from '../stores/store.ts'
import { readPackageVersion } from '../version.ts'
import type { OpenRoot } from './index-documents.ts'
import type { Parsing } from './parsing.ts'

/**
 * Documents in flight per parser process, so that chunking, embedding and writing overlap with
 * parsing.
 */
const DOCUMENTS_PER_PROCESS = 2

type IngestingDeps = {
  readonly settings: Settings
  readonly store: Store
  readonly parsing: Parsing
  readonly embedders: Embedders
  readonly index: ChunkIndex
  readonly counters: TokenCounters
  readonly onRemoved: () => Promise<void>
  readonly foreground: Foreground
}

type Ingesting = {
  readonly ingest: Ingest
  readonly queue: Queue
  readonly sourceSync: SourceSync
  readonly openRoot: OpenRoot
  readonly changes: Changes
  readonly removal: Removal
  readonly createChunker: (chunking: Chunking) => Promise<Chunker>
}

export function openIngesting(deps: IngestingDeps): Ingesting {
  const { store, parsing, embedders, index, counters, onRemoved } = deps
  const createChunker = async (chunking: Chunking) =>
    new BlockChunker(chunking, embedders.configured.maxTokens, await counters.open())
  const preparer = createPreparer(deps)
  const queue = new Queue({
    catalog: store.catalog,
    content: store.content,
    documents: store.documents,
    versions: store.versions,
    listParsers: parsing.listParsers,
    createChunker,
  })
  const removal = new Removal({
    files: store.files,
    deletions: store.deletions,
    reEmbeddings: store.reEmbeddings,
    leases: store.leases,
    index,
    onRemoved,
  })
  const ingest = createIngest(deps, { preparer, removal, createChunker })
  const failureKey = preparer.computeFailureKey.bind(preparer)
  const changes = { documents: store.documents, queue, removal, failureKey }
  return {
    ingest,
    queue,
    sourceSync: createSourceSync(deps, changes),
    openRoot: createOpenRoot(deps),
    changes: new Changes(changes),
    removal,
    createChunker,
  }
}

function createPreparer({ store, parsing, foreground }: IngestingDeps): Preparer {
  return new Preparer({
    content: store.content,
    listParsers: parsing.listParsers,
    detect: parsing.detect,
    foreground,
    limits: parsing.processes.limits,
    countOtherAttachments: async (rootId, parentId) =>
      await store.documents.countOtherAttachments(rootId, parentId),
    findDigest: async stages => await store.versions.findDigest(stages),
  })
}

type IngestStages = Pick<Ingesting, 'removal' | 'createChunker'> & { readonly preparer: Preparer }

function createIngest(
  deps: IngestingDeps,
  { preparer, removal, createChunker }: IngestStages,
): Ingest {
  const { settings, store, embedders, index, counters } = deps
  const openEmbedder: OpenEmbedder<PassageEmbedder> = async (collection, signal) => {
    const embedder = await embedders.open(collection, signal)
    if (!embedder) return undefined
    await store.collections.recordDimensions({
      embedderId: embedder.id,
      dimensions: embedder.dimensions,
    })
    return new WindowedEmbedder(embedder, counters.openEmbedders)
  }
  return new Ingest({
    catalog: store.catalog,
    content: store.content,
    collections: store.collections,
    documents: store.documents,
    versions: store.versions,
    files: store.files,
    jobs: store.jobs,
    leases: store.leases,
    reEmbeddings: store.reEmbeddings,
    index,
    removal,
    onRemoved: deps.onRemoved,
    foreground: deps.foreground,
    preparer,
    createChunker,
    openEmbedder,
    concurrency: settings.parsing.processes * DOCUMENTS_PER_PROCESS,
  })
}

function createFileCheck({ settings, parsing }: IngestingDeps) {
  let missing: { readonly problem: OcrProblem | undefined } | undefined
  return (found: Found, { ocr = settings.ocr.mode, mediaType }: DocumentSettings) => {
    missing ??= { problem: findOcrProblem() }
    const problem = ocr === 'off' ? OCR_OFF : missing.problem
    return findFileRefusal(parsing, { ...found, mediaType }, problem)
  }
}

function createSourceSync(deps: IngestingDeps, changes: ChangesDeps): SourceSync {
  const { settings, store, foreground } = deps
  return new SourceSync({
    ...changes,
    content: store.content,
    files: store.files,
    versions: store.versions,
    skips: store.sourceSkips,
    foreground,
    maxBytes: settings.fetching.maxBytes,
    findRefusal: createFileCheck(deps),
  })
}

function createOpenRoot({ settings, store: { home }, parsing }: IngestingDeps): OpenRoot {
  const { delayMs, maxPages } = settings.fetching
  const openFetcher = createFetcher(settings)
  const { settleMs } = settings.watching
  return (root, { crawl, maxPages: ownMaxPages = maxPages, allowPrivate, include, exclude }) => {
    if (!looksLikeUrl(root))
      return { root, source: new FolderSource(root, { include, exclude, home, settleMs }) }
    const parts = { fetcher: openFetcher(allowPrivate), detect: parsing.detect }
    const limits = { crawl, maxPages: ownMaxPages, delayMs, include, exclude }
    return { root: redactUrl(root), source: new SiteSource(root, parts, limits) }
  }
}

export function createFetcher({ fetching }: Settings) {
  const userAgent = `Passim/${readPackageVersion()}`
  return (allowPrivate = fetching.allowPrivate) =>
    new Fetcher({ ...fetching, userAgent, ...(allowPrivate && { isAllowed: () => true }) })
}

type Found = {
  readonly file: string
  readonly name: string
  readonly content?: Content | undefined
}

/**
 * Accepts wrong types, so that they fail by name instead of being skipped. Without OCR, skips
 * pictures in folders.
 */
async function findFileRefusal(
  parsing: Parsing,
  { file, name, content, mediaType: declared }: Found & Pick<DocumentSettings, 'mediaType'>,
  ocrProblem: OcrProblem | undefined,
): Promise<Remedy | undefined> {
  try {
    const mediaType = declared ?? (await parsing.detect(file, name, content))
    if (ocrProblem && mediaType.startsWith('image/')) return ocrProblem
    return findRefusal(mediaType, parsing.listParsers())
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return error.code === 'unsupported_format' ? error : undefined
  }
}
