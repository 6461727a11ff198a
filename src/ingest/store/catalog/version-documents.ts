import type { Catalog } from '../catalog.ts'
import type { Document } from './document.ts'
import { type DocumentRow, toDocument } from './document-rows.ts'
import { CatalogCache } from './until-written.ts'
import type { Stages } from './versions.ts'

const VERSION_ROWS = `SELECT documents.*, files.bytes, versions.sha256, versions.parser_id, versions.chunker_id, versions.report,
    versions.version, versions.embedder_id AS embedded_by
  FROM versions JOIN documents ON documents.id = versions.document_id JOIN files ON files.id = documents.file_id
  WHERE versions.version IN (SELECT CAST(value AS BIGINT) FROM json_each(?)) AND versions.state = 'published'`

export type VersionDocument = Pick<Stages, 'sha256' | 'parserId' | 'chunkerId'> & {
  readonly document: Document
}

/** Caches documents of published versions, one or two kilobytes each. */
export class VersionDocuments {
  readonly #catalog: Catalog
  readonly #cache: CatalogCache<number, VersionDocument>

  constructor(catalog: Catalog) {
    this.#catalog = catalog
    this.#cache = new CatalogCache(catalog)
  }

  /** Keeps the order of the versions; undefined for an unpublished one. */
  async findMany(versions: readonly number[]): Promise<readonly (VersionDocument | undefined)[]> {
    const cached = await this.#cache.getMany(versions, async missing => await this.#read(missing))
    return versions.map(version => cached.get(version))
  }

  async #read(
    versions: readonly number[],
  ): Promise<readonly (readonly [number, VersionDocument])[]> {
    const rows = await this.#catalog.all<Row>(VERSION_ROWS, JSON.stringify(versions))
    return rows.map(row => {
      const { sha256, parser_id: parserId, chunker_id: chunkerId } = row
      return [row.version, { sha256, parserId, chunkerId, document: toDocument(row) }]
    })
  }
}

type Row = DocumentRow & {
  readonly version: number
  readonly parser_id: string
  readonly chunker_id: string
}
