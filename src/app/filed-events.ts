import type { Filed } from '../agent/conversations/items.ts'
import type { AgentEvent } from '../agent/event.ts'
import type { Library } from '../ingest/library.ts'

/** The event with the ids of files, by which they can be shown when the documents are gone. */
export function withFiles(event: AgentEvent, library: Library): AgentEvent {
  const filed = <Place extends { readonly documentId: string }>(place: Place): Filed<Place> => {
    const fileId = library.find(place.documentId)?.fileId
    return { ...place, ...(fileId !== undefined && { fileId }) }
  }
  if (event.type === 'retrieval') return { ...event, hits: event.hits.map(filed) }
  if (event.type === 'citation') return { ...event, citation: filed(event.citation) }
  if (event.type !== 'finish') return event
  return { ...event, result: { ...event.result, citations: event.result.citations.map(filed) } }
}
