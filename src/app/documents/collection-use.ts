import { AppError } from '../../errors.ts'
import {
  type Collection,
  type Collections,
  isExpired,
} from '../../ingest/store/catalog/collections.ts'

/** A use is written down when the last one noted is older, in milliseconds: searching should not write each time. */
const NOTED_MS = 60_000

/** Somebody works with a collection: it does not expire for now. Throws `not_found` when it has already. */
export async function noteUse(collections: Collections, collection: Collection): Promise<void> {
  if (isExpired(collection)) {
    throw new AppError(
      'not_found',
      `The collection ${collection.name || collection.id} has expired, and what was in it is gone. Make another.`,
    )
  }
  const isNoted = collection.idleDays === undefined || Date.now() - collection.usedAt < NOTED_MS
  if (!isNoted) await collections.touch(collection.id)
}
