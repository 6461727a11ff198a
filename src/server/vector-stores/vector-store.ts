import {
  type Collection,
  computeExpiry,
  isExpired,
} from '../../ingest/store/catalog/collections.ts'
import type {
  FileBatchJson,
  VectorStoreFileJson,
  VectorStoreJson,
} from '../../wire/vector-store.ts'
import type { RequestContext } from '../http/context.ts'

/** Suggested poll interval; most files are indexed within a second. */
const POLL_AFTER_MS = '150'

/** Throws `not_found`, also for hidden collections. */
export async function findCollection(c: RequestContext): Promise<Collection> {
  return await c.var.passim.collections.get(c.req.param('id')!)
}

export async function toVectorStoreJson(
  c: RequestContext,
  collection: Collection,
): Promise<VectorStoreJson> {
  const { documents, bytes } = await c.var.passim.collections.summarize(collection)
  const { in_progress, completed, failed, cancelled } = documents
  return {
    id: collection.id,
    object: 'vector_store',
    created_at: Math.floor(collection.createdAt / 1000),
    name: collection.name,
    usage_bytes: bytes,
    file_counts: { ...documents, total: in_progress + completed + failed + cancelled },
    status: isExpired(collection) ? 'expired' : in_progress > 0 ? 'in_progress' : 'completed',
    ...toExpiryJson(collection),
    last_active_at: Math.floor(collection.usedAt / 1000),
    metadata: collection.metadata,
  }
}

function toExpiryJson(
  collection: Collection,
): Pick<VectorStoreJson, 'expires_after' | 'expires_at'> {
  const { idleDays: days } = collection
  const expiresAt = computeExpiry(collection)
  if (days === undefined || expiresAt === undefined) return {}
  return {
    expires_after: { anchor: 'last_active_at', days },
    expires_at: Math.floor(expiresAt / 1000),
  }
}

/** Adds the poll interval while in progress. */
export function answerPolled(
  c: RequestContext,
  polled: VectorStoreJson | VectorStoreFileJson | FileBatchJson,
): Response {
  if (polled.status === 'in_progress') c.header('openai-poll-after-ms', POLL_AFTER_MS)
  return c.json(polled)
}
