import { existsSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { availableParallelism, totalmem } from 'node:os'
import type { Settings } from '../../config.ts'
import { toFailure } from '../../errors.ts'
import type { Embedder } from '../../ingest/embedder.ts'
import type { Parser } from '../../ingest/parser.ts'
import type { Embedders } from '../embedders.ts'
import { STORE_FORMAT, type Store } from '../store.ts'
import type { TextModels } from '../text-models.ts'
import { packageVersion } from '../version.ts'
import { chatModelCheck } from './chat-model-check.ts'
import type { Check } from './check.ts'
import { ocrCheck } from './ocr-check.ts'
import { rerankerCheck } from './reranker-check.ts'

export type DoctorReport = {
  readonly ok: boolean
  readonly version: string
  readonly node: string
  readonly platform: string
  readonly cores: number
  readonly memoryBytes: number
  readonly home: string
  readonly freeBytes: number
  readonly storeFormat: number
  readonly collections: number
  readonly parsers: readonly string[]
  /** What `--embedder` takes. */
  readonly embedders: readonly string[]
  /** Every host that may be contacted: of models set, and of documents from the web when they are indexed again. */
  readonly hosts: readonly string[]
  readonly checks: readonly Check[]
}

export type DoctorParts = {
  readonly settings: Settings
  readonly store: Store
  readonly embedders: Embedders
  readonly texts: TextModels
  readonly parsers: readonly Parser[]
}

/** What works on this machine, found out by trying it. */
export async function doctor({ settings, store, embedders, texts, parsers }: DoctorParts): Promise<DoctorReport> {
  const checks = [
    await catalogCheck(store),
    await embedderCheck(embedders.configured),
    await rerankerCheck(settings, texts),
    collectionCheck(store, embedders),
    await ocrCheck(settings),
    sandboxCheck(),
    await chatModelCheck(settings),
  ]
  const { bavail, bsize } = await statfs(store.home)
  const mcp = Object.values(settings.agent.mcpServers).map(server => ('url' in server ? server.url : undefined))
  const further = Object.values(settings.embedders).map(({ url }) => url)
  const urls = [settings.model?.url, settings.embedder.url, ...further, settings.reranker?.url, ...mcp]
  const servers = urls.filter(url => url !== undefined)
  const hosts = [...servers, ...store.documents.urls()].map(url => new URL(url).host)
  return {
    ok: checks.every(check => check.ok),
    version: packageVersion(),
    node: process.version,
    platform: `${process.platform} ${process.arch}`,
    cores: availableParallelism(),
    memoryBytes: totalmem(),
    home: store.home,
    freeBytes: bavail * bsize,
    storeFormat: STORE_FORMAT,
    collections: store.collections.list().length,
    parsers: parsers.map(parser => parser.id),
    embedders: embedders.names,
    hosts: [...new Set(hosts)].toSorted(),
    checks,
  }
}

async function catalogCheck({ catalog }: Store): Promise<Check> {
  const problems = catalog.integrityProblems()
  return { name: 'catalog', ok: problems.length === 0, detail: problems[0] ?? 'sound' }
}

/** The models of all collections, and whether each is set up here. */
function collectionCheck({ collections }: Store, embedders: Embedders): Check {
  const all = collections.list()
  try {
    for (const collection of all) embedders.require(collection)
  } catch (error) {
    return { name: 'collections', ok: false, detail: `${all.length}`, error: toFailure(error) }
  }
  const models = [...new Set(all.map(({ embedderId }) => embedderId))]
  return {
    name: 'collections',
    ok: true,
    detail: models.length > 0 ? `embedded with ${models.join(', ')}` : 'none yet',
  }
}

async function embedderCheck(embedder: Embedder): Promise<Check> {
  const started = performance.now()
  try {
    await embedder.embed([`doctor ${started}`], 'query')
    const ms = Math.round(performance.now() - started)
    return {
      name: 'embedder',
      ok: true,
      detail: `${embedder.id}, ${embedder.dimensions} dimensions, first vector after ${ms} ms`,
    }
  } catch (error) {
    return { name: 'embedder', ok: false, detail: embedder.id, error: toFailure(error) }
  }
}

/** Parsers run in child processes; how their memory is watched depends on the system. */
function sandboxCheck(): Check {
  const detail = existsSync('/proc/self/statm') ? 'memory is read from /proc' : 'parsers report their own memory'
  return { name: 'parser processes', ok: true, detail }
}
