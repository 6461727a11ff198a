import type { AgentEvent, AgentResult } from '../../agent/event.ts'
import type { Attributes } from '../../ingest/store/catalog/document.ts'
import type { Hit } from '../../search/searcher.ts'
import { rewriteMarkers } from '../../text/markers.ts'
import type { RequestContext } from '../http/context.ts'

/** As many attributes as OpenAI's wire allows. */
const MAX_ATTRIBUTES = 16

/** The client asked for places in OpenAI's answers, which have no field for them: `X-Passim-Spans: 1`. */
export function wantsSpans(c: RequestContext): boolean {
  return c.req.header('x-passim-spans') === '1'
}

/** Returns unsupported and unconfirmed sentences and tool citations, if the client requests fields that OpenAI does not have. */
export function toSupportJson(
  c: RequestContext,
  {
    unsupported,
    unconfirmed,
    toolCitations,
  }: Pick<AgentResult, 'unsupported' | 'unconfirmed' | 'toolCitations'>,
) {
  if (!wantsSpans(c)) return {}
  return {
    ...(unsupported.length > 0 && { passim_unsupported: unsupported }),
    ...(unconfirmed && { passim_unconfirmed: unconfirmed }),
    ...(toolCitations && { passim_tool_citations: toolCitations }),
  }
}

/** The events with an answer that OpenAI's clients can make out: what tools answered has no annotation there, so a marker of it would point nowhere. */
export async function* withKnownMarkers(
  c: RequestContext,
  events: AsyncIterable<AgentEvent>,
): AsyncGenerator<AgentEvent> {
  for await (const event of events) {
    if (event.type === 'finish' && !wantsSpans(c))
      yield { type: 'finish', result: withoutToolMarkers(event.result) }
    else yield event
  }
}

function withoutToolMarkers({ toolCitations, ...result }: AgentResult): AgentResult {
  if (!toolCitations) return result
  const known = new Set(result.citations.map(({ marker }) => marker))
  return { ...result, text: rewriteMarkers(result.text, id => known.has(id)) }
}

/** The user's attributes, with the place of the hit among them where the client asks and there is room. The user's win. */
export function attributesJson(
  c: RequestContext,
  { attributes, pages, charStart, charEnd, chunkId }: Hit,
): Attributes {
  if (!wantsSpans(c)) return attributes
  const place = {
    ...(pages && { passim_page: pages[0] }),
    passim_char_start: charStart,
    passim_char_end: charEnd,
    passim_chunk_id: chunkId,
  }
  const added = Object.entries(place).filter(([key]) => !(key in attributes))
  const room = MAX_ATTRIBUTES - Object.keys(attributes).length
  return { ...attributes, ...Object.fromEntries(added.slice(0, Math.max(0, room))) }
}
