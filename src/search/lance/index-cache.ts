import { Session } from '@lancedb/lancedb'

/** Protects small machines. */
const CACHE_BYTES = 1024 * 1024 * 1024

/** Share for file metadata, so that the index keeps most of the cache. */
const METADATA_SHARE = 1 / 4

/** Stores may share the memory: entries are keyed by table path. */
export class IndexCache {
  readonly session: Session

  constructor(maxBytes = CACHE_BYTES) {
    this.session = new Session(BigInt(maxBytes), BigInt(Math.ceil(maxBytes * METADATA_SHARE)))
  }

  get bytes(): number {
    return Number(this.session.sizeBytes())
  }
}
