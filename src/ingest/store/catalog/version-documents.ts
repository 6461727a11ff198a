import type { Catalog } from '../catalog.ts'
import type { Document } from './document.ts'
import { type DocumentRow, toDocument } from './document-rows.ts'
import { UntilWritten } from './until-written.ts'
import type { Stages } from './versions.ts'

/** Versions that readers see, with their documents and what they were made of. */
const VERSION_ROWS = `SELECT documents.*, files.bytes, versions.sha256, versions.parser_id, versions.chunker_id, versions.report,
    versions.version, versions.embedder_id AS embedded_by
  FROM versions JOIN documents ON documents.id = versions.document_id JOIN files ON files.id = documents.file_id
  WHERE versions.version IN (SELECT CAST(value AS BIGINT) FROM json_each(?)) AND versions.state = 'published'`

/** A document, and what its published version was made of. */
export type VersionDocument = Pick<Stages, 'sha256' | 'parserId' | 'chunkerId'> & {
  readonly document: Document
}

/** The documents that published versions stand for, remembered until anything is written to the catalog: a kilobyte or two each. */
export class VersionDocuments {
  readonly #catalog: Catalog
  readonly #known: UntilWritten<number, VersionDocument>

  constructor(catalog: Catalog) {
    this.#catalog = catalog
    this.#known = new UntilWritten(catalog)
  }

  /** In the order of the versions; undefined where one is not published any more. */
  async of(versions: readonly number[]): Promise<readonly (VersionDocument | undefined)[]> {
    const known = await this.#known.of(versions, async unknown => await this.#read(unknown))
    return versions.map(version => known.get(version))
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
