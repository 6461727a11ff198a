import type { Catalog } from '../catalog.ts'
import type { Document } from './document.ts'
import { type DocumentRow, toDocument, VERSION_ROW } from './document-rows.ts'
import type { Stages } from './versions.ts'

/** A document, and what its published version was made of. */
export type VersionDocument = Pick<Stages, 'sha256' | 'parserId' | 'chunkerId'> & { readonly document: Document }

/** Documents that are remembered: a kilobyte or two each. */
const MAX_KNOWN = 1_000

/** The documents that published versions stand for, remembered until anything is written to the catalog. */
export class VersionDocuments {
  readonly #catalog: Catalog
  #known = new Map<number, VersionDocument>()
  #state = ''

  constructor(catalog: Catalog) {
    this.#catalog = catalog
  }

  /** In the order of the versions; undefined where one is not published any more. */
  async of(versions: readonly number[]): Promise<readonly (VersionDocument | undefined)[]> {
    const state = await this.#catalog.state()
    if (state !== this.#state || this.#known.size > MAX_KNOWN) this.#known = new Map() // who still reads for the one before fills that
    this.#state = state
    const cache = this.#known
    return await Promise.all(
      versions.map(async version => {
        const known = cache.get(version) ?? (await this.#read(version))
        if (known) cache.set(version, known)
        return known
      }),
    )
  }

  async #read(version: number): Promise<VersionDocument | undefined> {
    const row = await this.#catalog.get<DocumentRow & { parser_id: string; chunker_id: string }>(VERSION_ROW, version)
    if (!row) return undefined
    return { sha256: row.sha256, parserId: row.parser_id, chunkerId: row.chunker_id, document: toDocument(row) }
  }
}
