import { unpackWarnings } from '../../../errors/localizable.ts'
import { parseOwnJson } from '../../../system/own-json.ts'
import type { Metadata, Warning } from '../../parse/parser.ts'
import type { Catalog, Statements, Tables } from '../catalog.ts'
import { CatalogCache } from './until-written.ts'

/**
 * `pending`: rows are being written; `published`: readers see it; `retired`: rows await
 * clean-up. The next writer retires pending versions of a dead one.
 */
type VersionState = 'pending' | 'published' | 'retired'

/** Equal stages mean equal rows. `embedderId` is empty without vectors. */
export type Stages = {
  readonly sha256: string
  readonly parserId: string
  readonly chunkerId: string
  readonly embedderId: string
}

export type VersionReport = {
  readonly title: string
  readonly mediaType: string
  readonly pages?: number
  readonly characters: number
  readonly chunks: number
  readonly tokens: number
  /** See `ChunkDigest`; older versions have none. */
  readonly digest?: string
  readonly metadata: Metadata
  readonly warnings: readonly Warning[]
  readonly indexedAt: number
}

export type Version = Stages & {
  readonly version: number
  readonly documentId: string
  readonly collectionId: string
  readonly state: VersionState
  readonly report: VersionReport
}

type Row = {
  version: number
  document_id: string
  collection_id: string
  state: VersionState
  sha256: string
  parser_id: string
  chunker_id: string
  embedder_id: string
  report: string
}

/** Cached states; takes a few megabytes. Protects memory. */
const MAX_CACHED = 100_000

/** Numbers are never reused, so an orphan row never passes for a current one. */
export class Versions {
  static readonly tables: Tables = {
    1: [
      `CREATE TABLE versions (
    version INTEGER PRIMARY KEY AUTOINCREMENT, document_id TEXT NOT NULL, collection_id TEXT NOT NULL,
    state TEXT NOT NULL, sha256 TEXT NOT NULL, parser_id TEXT NOT NULL, chunker_id TEXT NOT NULL, embedder_id TEXT NOT NULL,
    report TEXT NOT NULL
  )`,
      'CREATE INDEX versions_by_document ON versions (document_id)',
      'CREATE INDEX versions_by_state ON versions (collection_id, state)',
      'CREATE INDEX versions_by_content ON versions (sha256)',
    ],
  }

  readonly #catalog: Catalog
  readonly #currentCache: CatalogCache<number, boolean>

  constructor(catalog: Catalog) {
    this.#catalog = catalog
    this.#currentCache = new CatalogCache(catalog, MAX_CACHED)
  }

  async filterExisting(versions: readonly number[]): Promise<ReadonlySet<number>> {
    const sql =
      'SELECT version FROM versions WHERE version IN (SELECT CAST(value AS BIGINT) FROM json_each(?))'
    return new Set(
      (await this.#catalog.all<{ version: number }>(sql, JSON.stringify(versions))).map(
        row => row.version,
      ),
    )
  }

  async findPublished(documentId: string): Promise<Version | undefined> {
    return await findPublishedVersion(this.#catalog, documentId)
  }

  async listPublishedNumbers(documentIds: readonly string[]): Promise<readonly number[]> {
    const sql = `SELECT version FROM json_each(?) JOIN versions ON document_id = value AND state = 'published' ORDER BY key`
    return (await this.#catalog.all<{ version: number }>(sql, JSON.stringify(documentIds))).map(
      row => row.version,
    )
  }

  async findPublishedNumber(documentId: string): Promise<number | undefined> {
    const sql = `SELECT version FROM versions WHERE document_id = ? AND state = 'published'`
    return (await this.#catalog.get<{ version: number }>(sql, documentId))?.version
  }

  /** Cached until the catalog changes. */
  async filterCurrent(versions: ReadonlySet<number>): Promise<ReadonlySet<number>> {
    const published = await this.#currentCache.getMany(
      [...versions],
      async missing => await this.#readPublished(missing),
    )
    return new Set([...versions].filter(version => published.get(version)))
  }

  /** Reads one text: a row per version would cost more than the query. */
  async #readPublished(
    versions: readonly number[],
  ): Promise<readonly (readonly [number, boolean])[]> {
    const sql = `SELECT json_group_array(version) AS current FROM versions
      WHERE state = 'published' AND version IN (SELECT CAST(value AS BIGINT) FROM json_each(?))`
    const row = await this.#catalog.get<{ current: string }>(sql, JSON.stringify(versions))
    const current = new Set(parseOwnJson<number[]>(row?.current ?? '[]'))
    return versions.map(version => [version, current.has(version)] as const)
  }

  async findDigest({ sha256, parserId, chunkerId }: Stages): Promise<string | undefined> {
    const sql = `SELECT report ->> '$.digest' AS digest FROM versions
      WHERE sha256 = ? AND parser_id = ? AND chunker_id = ? AND state = 'published' AND report ->> '$.digest' IS NOT NULL LIMIT 1`
    return (await this.#catalog.get<{ digest: string }>(sql, sha256, parserId, chunkerId))?.digest
  }

  async hasPublished(collectionId: string): Promise<boolean> {
    const sql = `SELECT 1 FROM versions WHERE collection_id = ? AND state = 'published' LIMIT 1`
    return (await this.#catalog.get(sql, collectionId)) !== undefined
  }

  async listInTable(tableId: string): Promise<readonly number[]> {
    const sql = `SELECT version FROM versions WHERE state = 'published' AND collection_id IN
      (SELECT id FROM collections WHERE coalesce(table_id, id) = ?) ORDER BY version`
    const rows = await this.#catalog.all<{ version: number }>(sql, tableId)
    return rows.map(({ version }) => version)
  }

  async listInState(collectionId: string, state: VersionState): Promise<readonly Version[]> {
    const sql = 'SELECT * FROM versions WHERE collection_id = ? AND state = ? ORDER BY version'
    return (await this.#catalog.all<Row>(sql, collectionId, state)).map(fromRow)
  }

  /** Requires the writer lease. */
  async retirePending(collectionId: string): Promise<void> {
    const sql = `UPDATE versions SET state = 'retired' WHERE collection_id = ? AND state = 'pending'`
    await this.#catalog.run(sql, collectionId)
  }

  async forget(versions: readonly number[]): Promise<void> {
    const sql = `DELETE FROM versions WHERE state = 'retired' AND version IN (SELECT CAST(value AS BIGINT) FROM json_each(?))`
    await this.#catalog.run(sql, JSON.stringify(versions))
  }
}

export async function findPublishedVersion(
  catalog: Statements,
  documentId: string,
): Promise<Version | undefined> {
  const sql = `SELECT * FROM versions WHERE document_id = ? AND state = 'published'`
  const row = await catalog.get<Row>(sql, documentId)
  return row && fromRow(row)
}

function fromRow(row: Row): Version {
  return {
    version: row.version,
    documentId: row.document_id,
    collectionId: row.collection_id,
    state: row.state,
    sha256: row.sha256,
    parserId: row.parser_id,
    chunkerId: row.chunker_id,
    embedderId: row.embedder_id,
    report: unpackWarnings(parseOwnJson<VersionReport>(row.report)),
  }
}
