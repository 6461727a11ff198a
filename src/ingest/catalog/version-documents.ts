import type { Catalog } from '../catalog.ts'
import type { Document } from './document.ts'
import { type DocumentRow, toDocument, VERSION_ROWS } from './document-rows.ts'
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
    const unknown = versions.filter(version => !cache.has(version))
    if (unknown.length > 0) for (const [version, document] of await this.#read(unknown)) cache.set(version, document)
    return versions.map(version => cache.get(version))
  }

  async #read(versions: readonly number[]): Promise<readonly (readonly [number, VersionDocument])[]> {
    const rows = await this.#catalog.all<Row>(VERSION_ROWS, JSON.stringify(versions))
    return rows.map(row => {
      const { sha256, parser_id: parserId, chunker_id: chunkerId } = row
      return [row.version, { sha256, parserId, chunkerId, document: toDocument(row) }]
    })
  }
}

type Row = DocumentRow & { readonly version: number; readonly parser_id: string; readonly chunker_id: string }
