import type { StoreEvent } from '../../ingest/store/catalog/events.ts'
import { parseExternalId } from '../../ingest/store/catalog/external-id.ts'
import type { EventJson } from '../../wire/event.ts'

export function toEventJson({ id, type, at, number: _, error, ...facts }: StoreEvent): EventJson {
  const externalId = facts.source === undefined ? undefined : parseExternalId(facts.source)
  return {
    id,
    type,
    timestamp: new Date(at).toISOString(),
    data: {
      ...facts,
      ...(externalId !== undefined && { externalId }),
      ...(error && { error: { code: error.code, message: error.message } }),
    },
  }
}
