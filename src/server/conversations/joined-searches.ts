import type { AgentEvent } from '../../agent/event.ts'
import type { Hit } from '../../search/searcher.ts'

type Retrieval = Extract<AgentEvent, { readonly type: 'retrieval' }>

export async function* joinSearches(events: AsyncIterable<AgentEvent>): AsyncGenerator<AgentEvent> {
  let search: Retrieval | undefined
  for await (const event of events) {
    if (event.type === 'retrieval' && event.query === search?.query) {
      search = { ...search, hits: addNewHits(search.hits, event.hits) }
      continue
    }
    if (search) yield search
    search = event.type === 'retrieval' ? event : undefined
    if (event.type !== 'retrieval') yield event
  }
  if (search) yield search
}

function addNewHits(hits: readonly Hit[], others: readonly Hit[]): readonly Hit[] {
  const getKey = ({ documentId, chunkId }: Hit) => `${documentId} ${chunkId}`
  const existing = new Set(hits.map(getKey))
  return [...hits, ...others.filter(hit => !existing.has(getKey(hit)))]
}
