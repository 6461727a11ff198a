import { renderSource } from '../agent/groundings/sources.ts'
import type { TokenCounter } from '../ingest/chunk/tokens.ts'
import { packContext, renderContext } from '../search/passages/context.ts'
import type { Excerpt } from '../search/passages/passage.ts'
import type { Hit } from '../search/searcher.ts'

type Place = Pick<Hit, 'documentId' | 'source' | 'charStart' | 'charEnd'>

export type ModelContext = {
  /** Numbered passages in fences that no content can close. */
  readonly text: string
  readonly tokens: number
  readonly passages: readonly (Place & { readonly id: number })[]
  /** Hits that did not fit or repeat text. */
  readonly omitted: readonly (Place & { readonly reason: 'budget' | 'repeated' })[]
}

/** Packs hits, best first, into `maxTokens`, frames included. */
export function buildModelContext(
  hits: readonly Hit[],
  maxTokens: number,
  counter: TokenCounter,
): ModelContext {
  const { passages, omitted, tokens } = packContext(hits, {
    counter,
    maxTokens,
    render: renderSource,
  })
  return {
    text: renderContext(passages, renderSource),
    tokens,
    passages: passages.map(passage => ({ id: passage.id, ...toPlace(passage) })),
    omitted: omitted.map(({ hit, reason }) => ({ ...toPlace(hit), reason })),
  }
}

function toPlace({ documentId, source, charStart, charEnd }: Excerpt): Place {
  return { documentId, source, charStart, charEnd }
}
