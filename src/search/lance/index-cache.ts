import { Session } from '@lancedb/lancedb'

/** Where nobody says how much it may hold. */
const CACHE_BYTES = 1024 * 1024 * 1024

/** What share of it is for what LanceDB knows of files. */
const METADATA_SHARE = 1 / 4

/** What LanceDB keeps in memory of indexes and files. Stores may share one: its entries go by the path of a table, so that none finds another's. */
export class IndexCache {
  readonly session: Session

  constructor(maxBytes = CACHE_BYTES) {
    this.session = new Session(BigInt(maxBytes), BigInt(Math.ceil(maxBytes * METADATA_SHARE)))
  }

  /** What is kept now. */
  get bytes(): number {
    return Number(this.session.sizeBytes())
  }
}
