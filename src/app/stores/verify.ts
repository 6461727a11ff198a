import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { access, constants } from 'node:fs/promises'
import path from 'node:path'
import { localizable, withMessage } from '../../errors/localizable.ts'
import {
  type Collection,
  type Collections,
  NO_EMBEDDER,
  toIndexTable,
} from '../../ingest/store/catalog/collections.ts'
import type { Documents } from '../../ingest/store/catalog/documents.ts'
import type { Version, Versions } from '../../ingest/store/catalog/versions.ts'
import type { Catalog } from '../../ingest/store/catalog.ts'
import type { ChunkIndex } from '../../ingest/store/chunk-index.ts'
import { ChunkDigest } from '../../ingest/store/contents/chunked.ts'
import type { ContentStore } from '../../ingest/store/contents/content.ts'
import { DerivedPaths, toChunkId } from '../../ingest/store/contents/derived.ts'
import type { Files } from '../../ingest/store/contents/files.ts'
import { withStoredDimensions } from '../../ingest/store/contents/stored-dimensions.ts'
import { StoredVectors } from '../../ingest/store/contents/vectors.ts'
import type { Ingest } from '../../ingest/work/ingest.ts'
import type { Removal } from '../../ingest/work/removal.ts'
import { hashFile } from '../../system/digest.ts'
import type { Problem, Repair, Verification } from '../../wire/checks.ts'

const REINDEX_HINT =
  'Index or upload it again; verify --repair takes a file of a folder by itself, unless it has changed.'

type VerifyDeps = {
  readonly catalog: Catalog
  readonly content: ContentStore
  readonly files: Files
  readonly collections: Collections
  readonly documents: Documents
  readonly versions: Versions
  readonly index: ChunkIndex
  readonly ingest: Ingest
  readonly removal: Removal
}

export class Verify {
  readonly #deps: VerifyDeps

  constructor(deps: VerifyDeps) {
    this.#deps = deps
  }

  /**
   * Hashes content hashes, chunk ids, texts, spans and settings, but no vectors, times or
   * paths.
   */
  async run(signal?: AbortSignal): Promise<Verification> {
    const messages = await this.#deps.catalog.integrityProblems()
    const problems: Problem[] = messages.map(message => ({ kind: 'catalog', message }))
    const hashes: string[] = []
    for (const collection of await this.#deps.collections.listAll()) {
      const seen = await this.#checkCollection(collection, signal)
      problems.push(...seen.problems)
      if (!collection.hidden) hashes.push(`${collection.name} ${seen.hashes.toSorted().join(' ')}`)
    }
    problems.push(...(await this.#findStray()))
    const rootHash = createHash('sha256').update(hashes.toSorted().join('\n')).digest('hex')
    return { ok: problems.length === 0, rootHash, problems }
  }

  /** Restores bytes from unchanged sources, and rebuilds derived data. */
  async repair(signal?: AbortSignal): Promise<Repair> {
    const found = [...(await this.#findStray())]
    for (const collection of await this.#deps.collections.listAll())
      found.push(...(await this.#repairCollection(collection, signal)))
    await this.#deps.files.collectGarbage(await this.#deps.files.listStrayContents())
    await this.#deps.removal.dropStrayTables()
    const now = await this.run(signal)
    const remaining = new Set(now.problems.map(({ message }) => message))
    return { ...now, repaired: found.filter(({ message }) => !remaining.has(message)) }
  }

  /** Returns what was wrong. Checks derived data once its bytes are intact. */
  async #repairCollection(
    collection: Collection,
    signal?: AbortSignal,
  ): Promise<readonly Problem[]> {
    const { index, ingest } = this.#deps
    const first = (await this.#checkCollection(collection, signal)).problems
    const problems = (await this.#restore(first, signal))
      ? (await this.#checkCollection(collection, signal)).problems
      : first
    if (problems.some(problem => problem.kind === 'index')) await index.drop(collection.tableId)
    for (const problem of problems) await this.#queueAgain(problem)
    if (problems.length > 0) await ingest.drain(collection, { signal })
    return [...new Map([...first, ...problems].map(problem => [problem.message, problem])).values()]
  }

  async #restore(problems: readonly Problem[], signal?: AbortSignal): Promise<boolean> {
    const { documents, versions, files } = this.#deps
    let isRestored = false
    for (const { kind, documentId = '' } of problems) {
      const source = (await documents.find(documentId))?.source ?? ''
      const published = kind === 'content' ? await versions.findPublished(documentId) : undefined
      if (!published || !path.isAbsolute(source) || !(await canRead(source))) continue
      if (await files.restore(published.sha256, source, signal)) isRestored = true
    }
    return isRestored
  }

  async #findStray(): Promise<readonly Problem[]> {
    const contents = await this.#deps.files.listStrayContents()
    const tables = await this.#deps.removal.listStrayTables()
    const problems: Problem[] = tables.map(id => {
      return withMessage({ kind: 'index' }, localizable`There is a table ${id} of no collection.`)
    })
    if (contents.length === 0) return problems
    return [
      ...problems,
      withMessage(
        { kind: 'content' },
        localizable`${contents.length} stored contents belong to no document.`,
      ),
    ]
  }

  /** Leaves data read from damaged bytes searchable. */
  async #queueAgain({ kind, documentId, stage }: Problem): Promise<void> {
    const { content, documents, versions } = this.#deps
    const published = documentId && (await versions.findPublished(documentId))
    if (!published || kind !== 'derived') return // the next drain writes a dropped index
    const vectors = path.basename(this.#getVectorsFile(published))
    if (stage === 'vectors') await content.removeDerived(published.sha256, name => name === vectors)
    else await content.clearDerived(published.sha256)
    await documents.requeue([published.documentId])
  }

  async #checkCollection(storedCollection: Collection, signal?: AbortSignal) {
    const collection = await withStoredDimensions(storedCollection, this.#deps)
    const published = await this.#deps.versions.listInState(collection.id, 'published')
    const damage = await this.#deps.index.findDamage(toIndexTable(collection), signal)
    const rows =
      damage === undefined
        ? await this.#deps.index.countVersions(toIndexTable(collection))
        : undefined
    const problems: Problem[] = []
    const hashes: string[] = []
    for (const version of published) {
      signal?.throwIfAborted()
      const problem =
        (await this.#checkContent(version)) ??
        (await this.#checkDerived(version, collection, hashes)) ??
        (rows && (await this.#indexProblem(version, rows)))
      if (problem) problems.push(Object.assign(problem, { documentId: version.documentId }))
    }
    const ofIndex = rows
      ? await this.#findUnclaimed(collection, rows)
      : [toUnreadableProblem(collection, damage)]
    return { problems: [...problems, ...ofIndex], hashes }
  }

  /** Reports unclaimed rows only if no upkeep removes them. */
  async #findUnclaimed(
    collection: Collection,
    rows: ReadonlyMap<number, number>,
  ): Promise<readonly Problem[]> {
    const existing = await this.#deps.versions.filterExisting([...rows.keys()])
    const unknown = [...rows.keys()].filter(version => !existing.has(version))
    if (unknown.length === 0) return []
    return [
      withMessage(
        { kind: 'index' },
        localizable`The index of ${collection.name} has rows of ${unknown.length} unknown versions.`,
      ),
    ]
  }

  async #indexProblem(
    version: Version,
    rows: ReadonlyMap<number, number>,
  ): Promise<Problem | undefined> {
    const { chunks } = version.report
    const found = rows.get(version.version) ?? 0
    if (found === chunks) return undefined
    return withMessage(
      { kind: 'index' },
      localizable`The index has ${found} of ${chunks} chunks of ${await this.#getName(version)}.`,
    )
  }

  async #getName({ documentId }: Version): Promise<string> {
    return (await this.#deps.documents.find(documentId))?.name ?? documentId
  }

  async #checkContent(version: Version): Promise<Problem | undefined> {
    const { content } = this.#deps
    const { sha256 } = version
    const name = await this.#getName(version)
    await content.download(sha256, 'all')
    if (!existsSync(content.getOriginalPath(sha256)))
      return withMessage(
        { kind: 'content' },
        localizable`The stored bytes of ${name} are missing. ${REINDEX_HINT}`,
      )
    if ((await hashFile(content.getOriginalPath(sha256))) === sha256) return undefined
    return withMessage(
      { kind: 'content' },
      localizable`The stored bytes of ${name} are damaged. ${REINDEX_HINT}`,
    )
  }

  async #getModel({ embedderId, documentId }: Version, collection: Collection): Promise<string> {
    const { status, settings } = (await this.#deps.documents.findRequested(documentId)) ?? {}
    const isWaiting =
      status === 'in_progress' && !settings?.withoutVectors && collection.embedderId !== NO_EMBEDDER
    return isWaiting ? collection.embedderId : embedderId
  }

  #getVectorsFile({ sha256, parserId, chunkerId, embedderId }: Version): string {
    return new DerivedPaths(this.#deps.content, sha256).getVectorsPath(
      parserId,
      chunkerId,
      embedderId,
    )
  }

  async #findVectorsProblem(
    version: Version,
    dimensions: number,
    chunks: number,
  ): Promise<Problem | undefined> {
    if (!version.embedderId) return undefined
    const vectors = new StoredVectors(this.#getVectorsFile(version), dimensions, '')
    const reportProblem = async (what: string): Promise<Problem> => {
      return {
        kind: 'derived',
        message: `The vectors of ${await this.#getName(version)} are ${what}.`,
        stage: 'vectors',
      }
    }
    if (!vectors.hasVectors(chunks)) return await reportProblem('missing or cut off')
    return (await vectors.areSound(chunks)) ? undefined : await reportProblem('damaged')
  }

  async #checkDerived(
    version: Version,
    collection: Collection,
    hashes: string[],
  ): Promise<Problem | undefined> {
    const { parsed, chunked } = new DerivedPaths(this.#deps.content, version.sha256).openDocument(
      version,
    )
    const message = localizable`The parsed text of ${await this.#getName(version)} is missing or damaged.`
    const totals = await chunked.readTotals()
    if (!totals || !(await parsed.isIntact())) return withMessage({ kind: 'derived' }, message)
    const problem = await this.#findVectorsProblem(version, collection.dimensions, totals.chunks)
    if (problem) return problem
    const settings = [
      version.sha256,
      version.parserId,
      version.chunkerId,
      await this.#getModel(version, collection),
    ]
    const hash = createHash('sha256').update(settings.join(' '))
    const { digest: published } = version.report
    const digest = new ChunkDigest()
    let chunks = 0
    for await (const { text, ...chunk } of parsed.readTexts(chunked.readChunks())) {
      if (published) digest.add({ ...chunk, text })
      if (text.length !== chunk.charEnd - chunk.charStart)
        return withMessage({ kind: 'derived' }, message)
      hash.update(
        `${toChunkId(version, chunk.ordinal)} ${chunk.charStart} ${chunk.charEnd} ${chunk.context} ${text}`,
      )
      chunks++
    }
    const isChanged = published !== undefined && digest.hex() !== published
    if (isChanged || chunks !== version.report.chunks)
      return withMessage({ kind: 'derived' }, message)
    hashes.push(hash.digest('hex'))
    return undefined
  }
}

function toUnreadableProblem({ name }: Collection, damage = ''): Problem {
  return withMessage({ kind: 'index' }, localizable`The index of ${name} cannot be read: ${damage}`)
}

async function canRead(file: string): Promise<boolean> {
  return await access(file, constants.R_OK).then(
    () => true,
    () => false,
  )
}
