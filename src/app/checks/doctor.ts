import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { availableParallelism, totalmem } from 'node:os'
import { promisify } from 'node:util'
import type { Settings } from '../../config.ts'
import { localizable, type Sentence, withDetail } from '../../errors/localizable.ts'
import { AppError, toFailure } from '../../errors.ts'
import type { Embedder } from '../../ingest/embed/embedder.ts'
import { findOcrProblem } from '../../ingest/parse/ocr/availability.ts'
import { findOcrPackages, OCR_MODEL } from '../../ingest/parse/ocr/ocr-packages.ts'
import { PpOcr } from '../../ingest/parse/ocr/pp-ocr.ts'
import type { Parser } from '../../ingest/parse/parser.ts'
import { parseEngine } from '../../ingest/store/catalog/collections.ts'
import type { Catalog } from '../../ingest/store/catalog.ts'
import { estimateAddingBytes } from '../../search/lance/word-partitions.ts'
import type { PublishedIndexes } from '../../search/readers/published-reader.ts'
import { formatBytes } from '../../system/byte-sizes.ts'
import { reserveSpace } from '../../system/disk.ts'
import type { Check, DoctorReport } from '../../wire/checks.ts'
import { describeRisk } from '../answer-risk.ts'
import type { ChatModels } from '../chat-models.ts'
import type { Embedders } from '../embedders.ts'
import { findLibreOffice } from '../indexing/parsing.ts'
import type { SharedStorage } from '../stores/shared-storage.ts'
import { STORE_FORMAT, type Store } from '../stores/store.ts'
import type { TextModels } from '../text-models.ts'
import { readPackageVersion } from '../version.ts'
import { describeAbilities, probeModel } from './model-abilities.ts'
import { listMachineSettings, listSettings } from './settings-in-effect.ts'

type DoctorDeps = {
  readonly storage: SharedStorage | undefined
  readonly settings: Settings
  readonly store: Store
  readonly indexes: Pick<PublishedIndexes, 'open'>
  readonly embedders: Embedders
  readonly texts: TextModels
  readonly parsers: readonly Parser[]
  /** Absent unless the chat model is to be used. */
  readonly models?: ChatModels
}

type Finding = Omit<Check, 'detail'> & { readonly detail: Sentence }

/** Room for a small document with its text, vectors and index. */
const SMALL_DOCUMENT_BYTES = 2 ** 20

const MODEL_WAIT_MS = 10_000
const MAX_VERSION_CHARS = 100

/** Time for two answers, so that a model loaded first is not called broken. */
const ABILITIES_WAIT_MS = 120_000

const RERANKER_WAIT_MS = 30_000
const STORAGE_WAIT_MS = 10_000

export async function runChecks({
  settings,
  store,
  indexes,
  embedders,
  texts,
  parsers,
  storage,
  models,
}: DoctorDeps): Promise<DoctorReport> {
  const { bavail, bsize } = await statfs(store.home)
  const checks = [
    await checkCatalog(store),
    checkDisk(store, bavail * bsize),
    ...(storage ? [await checkStorage(storage, store)] : []),
    ...(settings.catalog.url ? [await checkDatabase(store.catalog)] : []),
    ...(settings.weaviate ? [await checkWeaviate(settings.weaviate)] : []),
    await checkEmbedder(embedders.configured),
    await checkReranker(settings, texts),
    await checkCollections(store, embedders, indexes),
    await checkUpkeep(store, settings),
    await checkOcr(settings),
    await checkLibreOffice(settings),
    checkSandbox(),
    await checkAnswerRisk(settings.answering),
    await checkChatModel(settings),
    ...(models && settings.model ? [await checkAbilities(models, settings.model)] : []),
  ]
  return {
    ok: checks.every(({ ok }) => ok),
    version: readPackageVersion(),
    node: process.version,
    platform: `${process.platform} ${process.arch}`,
    cores: availableParallelism(),
    memoryBytes: totalmem(),
    machineSettings: listMachineSettings(settings),
    settings: listSettings(settings),
    home: store.home,
    freeBytes: bavail * bsize,
    storeFormat: STORE_FORMAT,
    collections: (await store.collections.list()).length,
    parsers: parsers.map(parser => parser.id),
    embedders: embedders.names,
    hosts: await listHosts({ settings, store, storage }),
    checks: checks.map(({ detail, ...check }) => withDetail(check, detail)),
  }
}

async function listHosts({
  settings,
  store,
  storage,
}: Pick<DoctorDeps, 'settings' | 'store' | 'storage'>): Promise<string[]> {
  const { model, embedder, embedders, reranker, agent, s3, weaviate, webhooks, server } = settings
  const parts = [model, embedder, ...Object.values(embedders), reranker, ...webhooks]
  const mcp = Object.values(agent.mcpServers).map(mcpServer =>
    'url' in mcpServer ? mcpServer.url : undefined,
  )
  const sources = Object.values(settings.sources).flatMap(source =>
    'url' in source && !source.url.startsWith('file:') ? [source.url] : [],
  )
  const stores = [storage && s3?.url, settings.catalog.url, ...(weaviate?.urls ?? [])]
  const urls = [...parts.map(part => part?.url), ...mcp, ...sources, ...stores, server.traces?.url]
  const servers = urls.filter(url => url !== undefined)
  const hosts = [...servers, ...(await store.documents.listUrls())].map(url => new URL(url).host)
  return [...new Set(hosts)].toSorted()
}

async function checkCatalog({ catalog }: Store): Promise<Finding> {
  const problems = await catalog.integrityProblems()
  return {
    name: 'catalog',
    ok: problems.length === 0,
    detail: problems[0] ?? localizable`no problems found`,
  }
}

/** Fails once a small document cannot be written. */
function checkDisk({ home }: Store, freeBytes: number): Finding {
  const detail = localizable`${formatBytes(freeBytes)} free`
  try {
    reserveSpace(home, SMALL_DOCUMENT_BYTES)
    return { name: 'disk', ok: true, detail }
  } catch (error) {
    return { name: 'disk', ok: false, detail, error: toFailure(error) }
  }
}

async function checkStorage(storage: SharedStorage, store: Store): Promise<Finding> {
  const started = performance.now()
  try {
    await storage.probe(STORAGE_WAIT_MS)
    const ms = Math.round(performance.now() - started)
    await storage.require(store)
    return { name: 's3', ok: true, detail: localizable`${storage.name}: five requests in ${ms} ms` }
  } catch (error) {
    return { name: 's3', ok: false, detail: storage.name, error: toFailure(error) }
  }
}

/** Measures round trip and clock difference, because leases use the database's clock. */
async function checkDatabase(catalog: Catalog): Promise<Finding> {
  const startedAt = performance.now()
  try {
    const row = await catalog.get<{ now: number }>(`SELECT unixepoch('subsec') * 1000 AS now`)
    const aheadMs = Math.round((row?.now ?? 0) - Date.now())
    for (let statement = 1; statement < 5; statement++) await catalog.get('SELECT 1')
    const ms = Math.round(performance.now() - startedAt)
    const detail =
      aheadMs < 0
        ? localizable`PostgreSQL: five statements in ${ms} ms, its clock ${-aheadMs} ms behind`
        : localizable`PostgreSQL: five statements in ${ms} ms, its clock ${aheadMs} ms ahead`
    return { name: 'database', ok: true, detail }
  } catch (error) {
    return { name: 'database', ok: false, detail: 'PostgreSQL', error: toFailure(error) }
  }
}

async function checkWeaviate({ urls, key }: NonNullable<Settings['weaviate']>): Promise<Finding> {
  const { WeaviateClient } = await import('../../search/weaviate/weaviate-client.ts')
  const client = new WeaviateClient({ urls, key })
  try {
    const version = await client.readVersion(AbortSignal.timeout(STORAGE_WAIT_MS))
    return {
      name: 'weaviate',
      ok: true,
      detail: localizable`${client.name}: version ${version}, ready`,
    }
  } catch (error) {
    return { name: 'weaviate', ok: false, detail: client.name, error: toFailure(error) }
  }
}

async function checkCollections(
  { collections }: Store,
  embedders: Embedders,
  indexes: Pick<PublishedIndexes, 'open'>,
): Promise<Finding> {
  const all = await collections.list()
  try {
    for (const collection of all) embedders.require(collection)
    for (const collection of all)
      await indexes.open(collection, AbortSignal.timeout(STORAGE_WAIT_MS))
  } catch (error) {
    return { name: 'collections', ok: false, detail: `${all.length}`, error: toFailure(error) }
  }
  const models = [...new Set(all.map(({ embedderId }) => embedderId))]
  return {
    name: 'collections',
    ok: true,
    detail: models.length > 0 ? localizable`embedded with ${models}` : localizable`none yet`,
  }
}

/** States the memory for the largest collection, which no setting bounds. */
async function checkUpkeep(
  { collections, documents }: Store,
  { upkeep }: Settings,
): Promise<Finding> {
  const { processRows } = upkeep
  let name = ''
  let chunks = 0
  for (const collection of await collections.list()) {
    if (parseEngine(collection.tableId) !== 'lance') continue
    const totals = await documents.countTotals(collection.id)
    if (totals.chunks > chunks) [name, chunks] = [collection.name, totals.chunks]
  }
  if (chunks <= processRows)
    return {
      name: 'upkeep',
      ok: true,
      detail: localizable`no index of more than ${processRows} chunks`,
    }
  const bytes = formatBytes(estimateAddingBytes(chunks))
  const detail = localizable`adding to the word index of ${name} (${chunks} chunks) takes about ${bytes} of memory, which no setting limits`
  return { name: 'upkeep', ok: true, detail }
}

async function checkEmbedder(embedder: Embedder): Promise<Finding> {
  const started = performance.now()
  try {
    await embedder.embed([`doctor ${started}`], 'query')
    const ms = Math.round(performance.now() - started)
    return {
      name: 'embedder',
      ok: true,
      detail: localizable`${embedder.id}, ${embedder.dimensions} dimensions, first vector after ${ms} ms`,
    }
  } catch (error) {
    return { name: 'embedder', ok: false, detail: embedder.id, error: toFailure(error) }
  }
}

function checkSandbox(): Finding {
  const detail = existsSync('/proc/self/statm')
    ? localizable`their memory is read from /proc`
    : localizable`they report their own memory`
  return { name: 'parser processes', ok: true, detail }
}

async function checkAnswerRisk(answering: Settings['answering']): Promise<Finding> {
  const name = 'answer risk'
  try {
    return { name, ok: true, detail: await describeRisk(answering) }
  } catch (error) {
    return { name, ok: false, detail: answering.calibration ?? '', error: toFailure(error) }
  }
}

/** Lists the server's models, which costs nothing. */
async function checkChatModel({ model }: Pick<Settings, 'model'>): Promise<Finding> {
  const name = 'chat model'
  if (!model) return { name, ok: true, detail: localizable`none, so answers quote the documents` }
  const detail = localizable`${model.name} at ${new URL(model.url).host}`
  try {
    await requireServer(model)
    return { name, ok: true, detail }
  } catch (error) {
    return { name, ok: false, detail, error: toFailure(error) }
  }
}

async function checkAbilities(
  models: ChatModels,
  { name: model }: NonNullable<Settings['model']>,
): Promise<Finding> {
  const name = 'chat model in use'
  try {
    const abilities = await probeModel(models.open(), AbortSignal.timeout(ABILITIES_WAIT_MS))
    return { name, ok: true, detail: describeAbilities(abilities, models.listAdaptations()) }
  } catch (error) {
    return { name, ok: false, detail: model, error: toFailure(error) }
  }
}

/** Accepts any answer except a refusal, because not every server lists models. */
async function requireServer({ url, key }: NonNullable<Settings['model']>): Promise<void> {
  const { origin, pathname } = new URL(url)
  const headers: Record<string, string> = key ? { authorization: `Bearer ${key}` } : {}
  const request = fetch(`${origin}${pathname.replace(/\/$/, '')}/models`, {
    headers,
    signal: AbortSignal.timeout(MODEL_WAIT_MS),
  })
  const response = await request.catch((cause: unknown) => {
    throw new AppError(
      'model_unavailable',
      localizable`${origin} cannot be reached. Is it running, and is model.url right?`,
      {
        cause,
      },
    )
  })
  await response.body?.cancel()
  if (response.status === 401 || response.status === 403) {
    throw new AppError(
      'model_unauthorized',
      localizable`${origin} refuses the key (${response.status}). Check model.key.`,
    )
  }
}

async function checkOcr({ ocr }: Pick<Settings, 'ocr'>): Promise<Finding> {
  const name = 'OCR'
  if (ocr.mode === 'off')
    return { name, ok: true, detail: localizable`off: pictures and scanned pages are not read` }
  const problem = findOcrProblem()
  if (problem)
    return {
      name,
      ok: true,
      detail: localizable`pictures and scanned pages are not read. ${problem.message} ${problem.advice}`,
    }
  const { pdfium, sharp } = findOcrPackages()
  try {
    await (await PpOcr.open()).close()
    const parts = `${ocr.mode}: ${OCR_MODEL}; PDFium ${pdfium}, sharp ${sharp}`
    return { name, ok: true, detail: addUnusedSettings(parts, ocr) }
  } catch (error) {
    return { name, ok: false, detail: `${ocr.mode}: ${OCR_MODEL}`, error: toFailure(error) }
  }
}

/** A missing LibreOffice is no failure. */
async function checkLibreOffice({ parsing }: Pick<Settings, 'parsing'>): Promise<Finding> {
  const name = 'LibreOffice'
  const program = findLibreOffice(parsing.libreOffice)
  if (!program) {
    const detail =
      parsing.libreOffice === 'off'
        ? localizable`off: files of Publisher, Visio, WordPerfect, iWork and older Office programs are not read`
        : localizable`not installed: files of Publisher, Visio, WordPerfect, iWork and older Office programs are not read`
    return { name, ok: true, detail }
  }
  try {
    const { stdout } = await promisify(execFile)(program, ['--version'], {
      timeout: MODEL_WAIT_MS,
    })
    const version = stdout.trim().slice(0, MAX_VERSION_CHARS)
    const detail = localizable`${program} (${version}) converts formats that Passim does not read itself`
    return { name, ok: true, detail }
  } catch (error) {
    const failure = new AppError('invalid_input', localizable`${program} cannot be run.`, {
      cause: error,
      advice: 'Correct parsing.libreOffice, or set it to off.',
    })
    return { name, ok: false, detail: program, error: toFailure(failure) }
  }
}

function addUnusedSettings(parts: string, { engine, languages }: Settings['ocr']): Sentence {
  if (engine && languages)
    return localizable`${parts}. ocr.engine and ocr.languages have no effect, because one model reads all pictures: remove the settings.`
  if (!engine && !languages) return parts
  return localizable`${parts}. ${engine ? 'ocr.engine' : 'ocr.languages'} has no effect, because one model reads all pictures: remove the setting.`
}

async function checkReranker({ reranker }: Settings, texts: TextModels): Promise<Finding> {
  const name = 'reranker'
  if (!reranker)
    return {
      name,
      ok: true,
      detail: localizable`none, so precise search compares sentences with the embedder`,
    }
  const detail = reranker.url
    ? localizable`${reranker.name} at ${new URL(reranker.url).host}`
    : `${reranker.id}`
  try {
    await texts.rerank(
      'doctor',
      ['A doctor treats the sick.'],
      AbortSignal.timeout(RERANKER_WAIT_MS),
    )
    return { name, ok: true, detail }
  } catch (error) {
    return { name, ok: false, detail, error: toFailure(error) }
  }
}
