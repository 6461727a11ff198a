import type { AgentEvent } from '../agent/event.ts'
import type { Library } from '../ingest/store/library.ts'
import type { Filed } from './items.ts'

/** Adds file ids, so that the event can be shown when documents are gone. */
export async function addFileIdsToEvent(event: AgentEvent, library: Library): Promise<AgentEvent> {
  if (event.type === 'retrieval') return { ...event, hits: await addFileIds(event.hits, library) }
  if (event.type === 'citation')
    return { ...event, citation: await addFileId(event.citation, library) }
  if (event.type !== 'finish') return event
  return {
    ...event,
    result: { ...event.result, citations: await addFileIds(event.result.citations, library) },
  }
}

type Place = { readonly documentId: string; readonly fileId?: string }

async function addFileIds<Placed extends Place>(
  places: readonly Placed[],
  library: Pick<Library, 'find'>,
): Promise<readonly Filed<Placed>[]> {
  return await Promise.all(places.map(place => addFileId(place, library)))
}

async function addFileId<Placed extends Place>(
  place: Placed,
  library: Pick<Library, 'find'>,
): Promise<Filed<Placed>> {
  const fileId = place.fileId ?? (await library.find(place.documentId))?.fileId
  return { ...place, ...(fileId !== undefined && { fileId }) }
}
