import type { Failure } from '../../errors.ts'
import { advanceCollection } from '../store/catalog/collections.ts'
import type { WantedDocument } from '../store/catalog/documents.ts'
import type { JobJournal } from '../store/catalog/job-journal.ts'
import { publishedVersion, type Version } from '../store/catalog/versions.ts'
import type { Statements } from '../store/catalog.ts'
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
