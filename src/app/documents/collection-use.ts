import { localizable } from '../../errors/localizable.ts'
import { AppError } from '../../errors.ts'
import {
  type Collection,
  type Collections,
  isExpired,
} from '../../ingest/store/catalog/collections.ts'

/** Minimum age of the noted use, so that searches do not write each time. */
const NOTED_MS = 60_000

/** Postpones expiry. Throws `not_found` if it has expired. */
export async function noteUse(collections: Collections, collection: Collection): Promise<void> {
  if (isExpired(collection)) {
    throw new AppError(
      'not_found',
      localizable`The collection ${collection.name || collection.id} has expired, and its contents were deleted. Create another one.`,
    )
  }
  const isNoted = collection.idleDays === undefined || Date.now() - collection.usedAt < NOTED_MS
  if (!isNoted) await collections.touch(collection.id)
}
