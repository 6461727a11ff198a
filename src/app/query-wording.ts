import type { AgentEvent } from '../agent/event.ts'
import type { AppliedSynonym } from '../search/synonyms/synonyms.ts'

type Terms = readonly AppliedSynonym[]

/** Adds to the result the corrections and synonyms that its searches used. */
export async function* withWording(events: AsyncIterable<AgentEvent>): AsyncGenerator<AgentEvent> {
  let corrected: Terms = []
  let synonyms: Terms = []
  for await (const event of events) {
    if (event.type === 'retrieval') {
      corrected = addTerms(
        corrected,
        event.hits.flatMap(hit => hit.corrected ?? []),
      )
      synonyms = addTerms(
        synonyms,
        event.hits.flatMap(hit => hit.synonyms ?? []),
      )
    }
    if (event.type !== 'finish') yield event
    else {
      const wording = {
        ...(corrected.length > 0 && { corrected }),
        ...(synonyms.length > 0 && { synonyms }),
      }
      yield { ...event, result: { ...event.result, ...wording } }
    }
  }
}

function addTerms(before: Terms, added: Terms): Terms {
  return [...new Map([...before, ...added].map(synonym => [synonym.from, synonym])).values()]
}
