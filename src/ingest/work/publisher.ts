import { packMessages, packWarnings } from '../../errors/localizable.ts'
import type { Failure } from '../../errors.ts'
import { raiseEpoch } from '../store/catalog/collections.ts'
import type { QueuePart, RequestedDocument } from '../store/catalog/documents.ts'
import type { JobJournal } from '../store/catalog/job-journal.ts'
import { forgetEarlierFacts } from '../store/catalog/queued-documents.ts'
import { findPublishedVersion, type Version } from '../store/catalog/versions.ts'
import type { Statements } from '../store/catalog.ts'
import type { ChunkIndex, IndexRow, IndexTable } from '../store/chunk-index.ts'
import type { ContentStore } from '../store/contents/content.ts'
import { removeAttachments, replaceAttachments } from './attachments.ts'
import { isComplete, type Prepared } from './prepared.ts'

/** Rows per write: small documents share one. Protects memory. */
const MAX_ROWS = 2_048
/** Documents per publication, so that its transaction stays short. */
const MAX_DOCUMENTS = 256

/**
 * Short, so that uploads are soon found. `unpublished`: readers cannot find it yet; `published`: it only gets
 * its vectors.
 */
const MAX_WAIT_MS = { unpublished: 750, published: 2_000 }

/** The version gets a number with its first row. */
type Publication = Pick<Prepared, 'stages' | 'goal' | 'report' | 'attachments'> & {
  readonly requested: RequestedDocument
  version?: number
}

type Published = { readonly isSuperseded: boolean; readonly before?: Version | undefined }

type PendingRow = { readonly entry: Publication; readonly row: Omit<IndexRow, 'version'> }

/** `words`: waits for vectors. `superseded`: changed before it was written. */
export type Outcome = 'words' | 'indexed' | 'replaced' | 'superseded'

type Flushed = { readonly requested: RequestedDocument; readonly outcome: Outcome }

type PutOptions = {
  readonly part: QueuePart
  /** Receives the number of rows written of a large document. */
  readonly onWritten: (rows: number) => void
}

type PublisherDeps = {
  readonly catalog: Statements
  readonly content: ContentStore
  readonly index: ChunkIndex
  readonly journal: JobJournal
}

/**
 * Writes rows under a version that no reader sees, then publishes the batch in one transaction.
 * Requires the writer lease.
 */
export class Publisher {
  readonly #deps: PublisherDeps
  readonly #collectionId: string
  readonly #table: IndexTable
  #rows: PendingRow[] = []
  #entries: Publication[] = []
  #flushedAt = Date.now()
  #hasUnpublished = false
  /** Their older version was retired when their words were published. */
  readonly #replaced = new Set<string>()

  constructor(deps: PublisherDeps, collectionId: string, table: IndexTable) {
    this.#deps = deps
    this.#collectionId = collectionId
    this.#table = table
  }

  get isDue(): boolean {
    const maxWaitMs = MAX_WAIT_MS[this.#hasUnpublished ? 'unpublished' : 'published']
    return this.#entries.length >= MAX_DOCUMENTS || Date.now() - this.#flushedAt >= maxWaitMs
  }

  get hasUnpublished(): boolean {
    return this.#hasUnpublished
  }

  async put(
    requested: RequestedDocument,
    prepared: Prepared,
    { part, onWritten }: PutOptions,
  ): Promise<void> {
    const { stages, goal, report, attachments } = prepared
    const entry: Publication = { requested, stages, goal, report, attachments }
    this.#entries.push(entry)
    if (part === 'unpublished') this.#hasUnpublished = true
    let rows = 0
    for await (const row of prepared.readRows()) {
      rows++
      this.#rows.push({ entry, row })
      if (this.#rows.length < MAX_ROWS) continue
      await this.#write()
      onWritten(rows)
    }
  }

  async flush(): Promise<readonly Flushed[]> {
    await this.#write()
    const entries = this.#entries
    this.#entries = []
    this.#hasUnpublished = false
    this.#flushedAt = Date.now()
    if (entries.length === 0) return []
    const { catalog, content } = this.#deps
    return await catalog.transaction(async inside => {
      const flushed: Flushed[] = []
      for (const entry of entries) {
        const outcome = this.#determineOutcome(entry, await this.#publish(inside, entry))
        flushed.push({ requested: entry.requested, outcome })
      }
      content.flushRenames()
      await raiseEpoch(inside, this.#collectionId)
      return flushed
    })
  }

  /** Removes an unreadable document from search. Returns false if it has changed meanwhile. */
  async fail(
    requested: RequestedDocument,
    failure: Failure,
    failedStages: string | undefined,
  ): Promise<boolean> {
    const { catalog, journal } = this.#deps
    const { id, revision, collectionId } = requested
    const sql = `UPDATE documents SET status = 'failed', error = ?, failed_stages = ? WHERE id = ? AND revision = ?`
    return await catalog.transaction(async inside => {
      const error = JSON.stringify(packMessages(failure))
      if ((await inside.run(sql, error, failedStages ?? null, id, revision)) === 0) {
        await journal.drop(inside, requested)
        return false
      }
      await inside.run(`UPDATE versions SET state = 'retired' WHERE document_id = ?`, id)
      await removeAttachments(inside, id)
      await forgetEarlierFacts(inside, requested)
      await journal.finish(inside, requested, 'failed', failure)
      await raiseEpoch(inside, collectionId)
      return true
    })
  }

  /** Numbers all documents first: rows that no version claims would stay for ever. */
  async #write(): Promise<void> {
    const rows = this.#rows
    this.#rows = []
    const { catalog, index } = this.#deps
    const unnumbered = this.#entries.filter(entry => entry.version === undefined)
    if (unnumbered.length > 0) await addVersions(catalog, unnumbered)
    const numbered = rows.map(({ entry, row }) => ({ ...row, version: entry.version! }))
    if (numbered.length > 0) await index.add(this.#table, numbered)
  }

  /** Skips a version that another writer retired: its rows may be gone. */
  async #publish(inside: Statements, publication: Publication): Promise<Published> {
    const { content, journal } = this.#deps
    const { requested: parent, version = 0, goal, attachments } = publication
    const setState = 'UPDATE versions SET state = ? WHERE version = ?'
    if (!(await isPending(inside, version)) || !(await markIfRequested(inside, publication))) {
      await inside.run(setState, 'retired', version)
      await journal.drop(inside, parent)
      return { isSuperseded: true }
    }
    const before = await findPublishedVersion(inside, parent.id)
    if (before) await inside.run(setState, 'retired', before.version)
    await inside.run(setState, 'published', version)
    await replaceAttachments(inside, content, { parent, stages: goal, attachments })
    await forgetEarlierFacts(inside, parent)
    if (isComplete(publication)) await journal.finish(inside, parent, 'completed')
    else await journal.putBack(inside, parent)
    return { isSuperseded: false, before }
  }

  #determineOutcome(
    { requested, ...prepared }: Publication,
    { isSuperseded, before }: Published,
  ): Outcome {
    if (isSuperseded) return 'superseded'
    if (!isComplete(prepared)) {
      if (before) this.#replaced.add(requested.id)
      return 'words'
    }
    const hadWords =
      before?.sha256 === requested.sha256 && !isComplete({ ...prepared, stages: before })
    const isFirst = !before || (hadWords && !this.#replaced.has(requested.id))
    this.#replaced.delete(requested.id)
    return isFirst ? 'indexed' : 'replaced'
  }
}

async function addVersions(
  catalog: Statements,
  publications: readonly Publication[],
): Promise<void> {
  const sql = `INSERT INTO versions (document_id, collection_id, state, sha256, parser_id, chunker_id, embedder_id, report)
    VALUES (?, ?, 'pending', ?, ?, ?, ?, ?) RETURNING version`
  await catalog.transaction(async inside => {
    for (const publication of publications) {
      const { requested, stages, report } = publication
      const row = await inside.get<{ version: number }>(
        sql,
        requested.id,
        requested.collectionId,
        stages.sha256,
        stages.parserId,
        stages.chunkerId,
        stages.embedderId,
        JSON.stringify(packWarnings(report)),
      )
      publication.version = row!.version
    }
  })
}

async function isPending(inside: Statements, version: number): Promise<boolean> {
  const sql = `SELECT 1 FROM versions WHERE version = ? AND state = 'pending'`
  return (await inside.get(sql, version)) !== undefined
}

/** Returns false if it is no longer requested. */
async function markIfRequested(
  inside: Statements,
  { requested: { id, revision }, ...prepared }: Publication,
): Promise<boolean> {
  if (isComplete(prepared)) {
    const sql = `UPDATE documents SET status = 'completed', error = NULL WHERE id = ? AND revision = ?`
    return (await inside.run(sql, id, revision)) > 0
  }
  const sql = `SELECT 1 FROM documents WHERE id = ? AND revision = ? AND status = 'in_progress'`
  return (await inside.get(sql, id, revision)) !== undefined
}
