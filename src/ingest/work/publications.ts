import type { Failure } from '../../errors.ts'
import { advanceCollection } from '../catalog/collections.ts'
import type { WantedDocument } from '../catalog/documents.ts'
import type { JobJournal } from '../catalog/job-journal.ts'
import { publishedVersion, type Version } from '../catalog/versions.ts'
import type { Catalog } from '../catalog.ts'
import type { ContentStore } from '../stored/content.ts'
import type { Attachments } from './attachments.ts'
import { isWhole, type Prepared } from './prepare.ts'

/** A document that is prepared; its version has a number from its first written row on. */
export type Publication = Pick<Prepared, 'stages' | 'goal' | 'report' | 'attachments'> & {
  readonly wanted: WantedDocument
  version?: number
}

/** `before`: the version that readers saw, if any. Superseded where something else was wanted by then: nothing is published. */
export type Published = { readonly isSuperseded: boolean; readonly before?: Version | undefined }

export type PublicationsParts = {
  readonly catalog: Catalog
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
      VALUES (?, ?, 'pending', ?, ?, ?, ?, ?)`
    const numbers = catalog.transaction(() =>
      publications.map(({ wanted: { id, collectionId }, stages, report }) => {
        const { sha256, parserId, chunkerId, embedderId } = stages
        return catalog.insert(sql, id, collectionId, sha256, parserId, chunkerId, embedderId, JSON.stringify(report))
      }),
    )
    for (const [at, publication] of publications.entries()) publication.version = numbers[at]! // one for each
  }

  /** At once, so that a reader finds each document as it was or as it is. */
  async publish(collectionId: string, publications: readonly Publication[]): Promise<readonly Published[]> {
    const { catalog, content } = this.#parts
    return catalog.transaction(() => {
      const published = publications.map(publication => this.#publish(publication))
      content.settleSync()
      advanceCollection(catalog, collectionId)
      return published
    })
  }

  /**
   * A document that cannot be read any more is not found any more either: nothing stale is ever served. False where something
   * else is wanted of it by now.
   */
  async fail(wanted: WantedDocument, failure: Failure, failedStages: string | undefined): Promise<boolean> {
    const { catalog, attachments, journal } = this.#parts
    const { id, revision, collectionId } = wanted
    const sql = `UPDATE documents SET status = 'failed', error = ?, failed_stages = ? WHERE id = ? AND revision = ?`
    return catalog.transaction(() => {
      if (catalog.run(sql, JSON.stringify(failure), failedStages ?? null, id, revision) === 0) {
        journal.drop(catalog, wanted)
        return false
      }
      catalog.run(`UPDATE versions SET state = 'retired' WHERE document_id = ?`, id)
      attachments.removeFrom(id)
      journal.finish(catalog, wanted, 'failed', failure)
      advanceCollection(catalog, collectionId)
      return true
    })
  }

  /** A version that another writer retired meanwhile (this one lost its lease) has no rows to count on. */
  #publish(publication: Publication): Published {
    const { catalog, attachments, journal } = this.#parts
    const { wanted, version = 0, goal } = publication
    const setState = 'UPDATE versions SET state = ? WHERE version = ?'
    if (!this.#isPending(version) || !this.#isStillWanted(publication)) {
      catalog.run(setState, 'retired', version)
      journal.drop(catalog, wanted)
      return { isSuperseded: true }
    }
    const before = publishedVersion(catalog, wanted.id)
    if (before) catalog.run(setState, 'retired', before.version)
    catalog.run(setState, 'published', version)
    attachments.replace(wanted, goal, publication.attachments)
    if (isWhole(publication)) journal.finish(catalog, wanted, 'completed')
    else journal.putBack(catalog, wanted)
    return { isSuperseded: false, before }
  }

  #isPending(version: number): boolean {
    const sql = `SELECT 1 FROM versions WHERE version = ? AND state = 'pending'`
    return this.#parts.catalog.get(sql, version) !== undefined
  }

  /** A document stays in the queue until it is all that is wanted of it. */
  #isStillWanted({ wanted: { id, revision }, ...prepared }: Publication): boolean {
    const { catalog } = this.#parts
    if (isWhole(prepared)) {
      const sql = `UPDATE documents SET status = 'completed', error = NULL WHERE id = ? AND revision = ?`
      return catalog.run(sql, id, revision) > 0
    }
    const sql = `SELECT 1 FROM documents WHERE id = ? AND revision = ? AND status = 'in_progress'`
    return catalog.get(sql, id, revision) !== undefined
  }
}
