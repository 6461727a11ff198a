import type { Failure } from '../../errors.ts'
import { advanceCollection } from '../store/catalog/collections.ts'
import type { QueuePart, WantedDocument } from '../store/catalog/documents.ts'
import type { JobJournal } from '../store/catalog/job-journal.ts'
import { publishedVersion, type Version } from '../store/catalog/versions.ts'
import type { Statements } from '../store/catalog.ts'
import type { ChunkIndex, IndexRow, IndexTable } from '../store/chunk-index.ts'
import type { ContentStore } from '../store/contents/content.ts'
import type { Attachments } from './attachments.ts'
import { isWhole, type Prepared } from './prepared.ts'

/** A document that is prepared; its version has a number from its first written row on. */
export type Publication = Pick<Prepared, 'stages' | 'goal' | 'report' | 'attachments'> & {
  readonly wanted: WantedDocument
  version?: number
}

/** `before`: the version that readers saw, if any. Superseded where something else was wanted by then: nothing is published. */
export type Published = { readonly isSuperseded: boolean; readonly before?: Version | undefined }

type PublicationsParts = {
  readonly catalog: Statements
  readonly content: ContentStore
  readonly attachments: Attachments
  readonly journal: JobJournal
}

/** How documents that were worked on end: each method is one step for all who read the catalog. For the writer of a collection. */
export class Publications {
  readonly #parts: PublicationsParts

  constructor(parts: PublicationsParts) {
    this.#parts = parts
  }

  /** Give each a number for its rows to be written under. */
  async begin(publications: readonly Publication[]): Promise<void> {
    const { catalog } = this.#parts
    const sql = `INSERT INTO versions (document_id, collection_id, state, sha256, parser_id, chunker_id, embedder_id, report)
      VALUES (?, ?, 'pending', ?, ?, ?, ?, ?) RETURNING version`
    await catalog.transaction(async inside => {
      for (const publication of publications) {
        const { wanted, stages, report } = publication
        const { sha256, parserId, chunkerId, embedderId } = stages
        const made = [sha256, parserId, chunkerId, embedderId, JSON.stringify(report)]
        const row = await inside.get<{ version: number }>(
          sql,
          wanted.id,
          wanted.collectionId,
          ...made,
        )
        publication.version = row!.version // inserted
      }
    })
  }

  /** At once, so that a reader finds each document as it was or as it is. */
  async publish(
    collectionId: string,
    publications: readonly Publication[],
  ): Promise<readonly Published[]> {
    const { catalog, content } = this.#parts
    return await catalog.transaction(async inside => {
      const published: Published[] = []
      for (const publication of publications)
        published.push(await this.#publish(inside, publication))
      content.settleSync()
      await advanceCollection(inside, collectionId)
      return published
    })
  }

  /**
   * A document that cannot be read any more is not found any more either: nothing stale is ever served. False where something
   * else is wanted of it by now.
   */
  async fail(
    wanted: WantedDocument,
    failure: Failure,
    failedStages: string | undefined,
  ): Promise<boolean> {
    const { catalog, attachments, journal } = this.#parts
    const { id, revision, collectionId } = wanted
    const sql = `UPDATE documents SET status = 'failed', error = ?, failed_stages = ? WHERE id = ? AND revision = ?`
    return await catalog.transaction(async inside => {
      if (
        (await inside.run(sql, JSON.stringify(failure), failedStages ?? null, id, revision)) === 0
      ) {
        await journal.drop(inside, wanted)
        return false
      }
      await inside.run(`UPDATE versions SET state = 'retired' WHERE document_id = ?`, id)
      await attachments.removeFrom(inside, id)
      await journal.finish(inside, wanted, 'failed', failure)
      await advanceCollection(inside, collectionId)
      return true
    })
  }

  /** A version that another writer retired meanwhile (this one lost its lease) has no rows to count on. */
  async #publish(inside: Statements, publication: Publication): Promise<Published> {
    const { attachments, journal } = this.#parts
    const { wanted, version = 0, goal } = publication
    const setState = 'UPDATE versions SET state = ? WHERE version = ?'
    if (
      !(await this.#isPending(inside, version)) ||
      !(await this.#isStillWanted(inside, publication))
    ) {
      await inside.run(setState, 'retired', version)
      await journal.drop(inside, wanted)
      return { isSuperseded: true }
    }
    const before = await publishedVersion(inside, wanted.id)
    if (before) await inside.run(setState, 'retired', before.version)
    await inside.run(setState, 'published', version)
    await attachments.replace(inside, wanted, goal, publication.attachments)
    if (isWhole(publication)) await journal.finish(inside, wanted, 'completed')
    else await journal.putBack(inside, wanted)
    return { isSuperseded: false, before }
  }

  async #isPending(inside: Statements, version: number): Promise<boolean> {
    const sql = `SELECT 1 FROM versions WHERE version = ? AND state = 'pending'`
    return (await inside.get(sql, version)) !== undefined
  }

  /** A document stays in the queue until it is all that is wanted of it. */
  async #isStillWanted(
    inside: Statements,
    { wanted: { id, revision }, ...prepared }: Publication,
  ): Promise<boolean> {
    if (isWhole(prepared)) {
      const sql = `UPDATE documents SET status = 'completed', error = NULL WHERE id = ? AND revision = ?`
      return (await inside.run(sql, id, revision)) > 0
    }
    const sql = `SELECT 1 FROM documents WHERE id = ? AND revision = ? AND status = 'in_progress'`
    return (await inside.get(sql, id, revision)) !== undefined
  }
}

/** Rows written at a time: small documents share a write, large ones take several. */
const MAX_ROWS = 2_048
const MAX_DOCUMENTS = 256

/**
 * A document that is ready and cannot be found waits no longer than this, unless a larger one is being written; one that is
 * found already, and gets its vectors, may wait longer.
 */
const MAX_WAIT_MS = { unfound: 750, found: 2_000 }

type PendingRow = { readonly entry: Publication; readonly row: Omit<IndexRow, 'version'> }

/**
 * What became of a prepared document: `words` when it is found by its words and waits for its vectors, `superseded` when
 * something else was wanted by the time it was written.
 */
export type Outcome = 'words' | 'indexed' | 'replaced' | 'superseded'

type Flushed = { readonly wanted: WantedDocument; readonly outcome: Outcome }

type PutOptions = {
  readonly part: QueuePart
  readonly onWritten: (rows: number) => void
}

type PublisherParts = { readonly publications: Publications; readonly index: ChunkIndex }

/**
 * Publishes prepared documents of one collection: rows first, under a version that no reader sees, then all versions
 * of the batch at once in one step of the catalog. A document that has to wait for its vectors is published without them
 * first, and a second time with them; between the two it is one that waits in the queue, and nothing else.
 * Used by the holder of the collection's writer lease only.
 */
export class Publisher {
  readonly #parts: PublisherParts
  readonly #collectionId: string
  readonly #table: IndexTable
  #rows: PendingRow[] = []
  #entries: Publication[] = []
  #flushedAt = Date.now()
  #hasUnfound = false
  /** Documents of which an older version went when their words were published. */
  readonly #replaced = new Set<string>()

  constructor(parts: PublisherParts, collectionId: string, table: IndexTable) {
    this.#parts = parts
    this.#collectionId = collectionId
    this.#table = table
  }

  /** Enough is written, or it has waited long enough, to be published. */
  get isDue(): boolean {
    const maxWaitMs = MAX_WAIT_MS[this.#hasUnfound ? 'unfound' : 'found']
    return this.#entries.length >= MAX_DOCUMENTS || Date.now() - this.#flushedAt >= maxWaitMs
  }

  /** Something was put that cannot be found before the next `flush`. */
  get hasUnfound(): boolean {
    return this.#hasUnfound
  }

  /** Write a document's rows, to be published by the next `flush`; tells how many of a large one are written. */
  async put(
    wanted: WantedDocument,
    prepared: Prepared,
    { part, onWritten }: PutOptions,
  ): Promise<void> {
    const { stages, goal, report, attachments } = prepared
    const entry: Publication = { wanted, stages, goal, report, attachments }
    this.#entries.push(entry)
    if (part === 'unfound') this.#hasUnfound = true
    let rows = 0
    for await (const row of prepared.rows()) {
      rows++
      this.#rows.push({ entry, row })
      if (this.#rows.length < MAX_ROWS) continue
      await this.#write()
      onWritten(rows)
    }
  }

  /** Publish what was put: at once, so that a reader finds each document as it was or as it is. */
  async flush(): Promise<readonly Flushed[]> {
    await this.#write()
    const entries = this.#entries
    this.#entries = []
    this.#hasUnfound = false
    this.#flushedAt = Date.now()
    if (entries.length === 0) return []
    const published = await this.#parts.publications.publish(this.#collectionId, entries)
    return entries.map((entry, at) => ({
      wanted: entry.wanted,
      outcome: this.#outcome(entry, published[at]!),
    })) // one for each
  }

  #outcome({ wanted, ...prepared }: Publication, { isSuperseded, before }: Published): Outcome {
    if (isSuperseded) return 'superseded'
    if (!isWhole(prepared)) {
      if (before) this.#replaced.add(wanted.id)
      return 'words'
    }
    const hadWords = before?.sha256 === wanted.sha256 && !isWhole({ ...prepared, stages: before })
    const isFirst = !before || (hadWords && !this.#replaced.has(wanted.id))
    this.#replaced.delete(wanted.id)
    return isFirst ? 'indexed' : 'replaced'
  }

  /** Numbers first, for all at once: rows that no version claims would stay for ever. */
  async #write(): Promise<void> {
    const rows = this.#rows
    this.#rows = []
    const { publications, index } = this.#parts
    const unnumbered = this.#entries.filter(entry => entry.version === undefined)
    if (unnumbered.length > 0) await publications.begin(unnumbered)
    const numbered = rows.map(({ entry, row }) => ({ ...row, version: entry.version! })) // numbered just now at the latest
    if (numbered.length > 0) await index.add(this.#table, numbered)
  }
}
