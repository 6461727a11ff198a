import type { AgentEvent, AgentResult } from '../../agent/event.ts'
import type { Attributes } from '../../ingest/store/catalog/document.ts'
import type { Hit } from '../../search/searcher.ts'
import { rewriteMarkers } from '../../text/markers.ts'
import { localizeWarning, type RequestContext } from '../http/context.ts'

/** OpenAI's limit of attributes. */
const MAX_ATTRIBUTES = 16

export function hasSpansHeader(c: RequestContext): boolean {
  return c.req.header('x-passim-spans') === '1'
}

export function toSupportJson(
  c: RequestContext,
  {
    unsupported,
    unconfirmed,
    toolCitations,
  }: Pick<AgentResult, 'unsupported' | 'unconfirmed' | 'toolCitations'>,
) {
  if (!hasSpansHeader(c)) return {}
  return {
    ...(unsupported.length > 0 && { passim_unsupported: unsupported }),
    ...(unconfirmed && { passim_unconfirmed: unconfirmed }),
    ...(toolCitations && { passim_tool_citations: toolCitations }),
  }
}

export function toWarningsJson(c: RequestContext, { warnings }: Pick<AgentResult, 'warnings'>) {
  if (!warnings || !hasSpansHeader(c)) return {}
  return { passim_warnings: warnings.map(warning => localizeWarning(c, warning)) }
}

/** Removes markers of tool results, which OpenAI's clients cannot resolve. */
export async function* withResolvableMarkers(
  c: RequestContext,
  events: AsyncIterable<AgentEvent>,
): AsyncGenerator<AgentEvent> {
  for await (const event of events) {
    if (event.type === 'finish' && !hasSpansHeader(c))
      yield { type: 'finish', result: removeToolMarkers(event.result) }
    else yield event
  }
}

function removeToolMarkers({ toolCitations, ...result }: AgentResult): AgentResult {
  if (!toolCitations) return result
  const markers = new Set(result.citations.map(({ marker }) => marker))
  return { ...result, text: rewriteMarkers(result.text, id => markers.has(id)) }
}

export function toAttributesJson(
  c: RequestContext,
  { attributes, pages, charStart, charEnd, chunkId }: Hit,
): Attributes {
  if (!hasSpansHeader(c)) return attributes
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
