import type { Citation, ToolCitation } from '../../answer/citations/citation.ts'
import { findMarkers, rewriteMarkers } from '../../text/markers.ts'
import type { Ground } from '../grounding.ts'
import type { CitedText } from '../tool.ts'

/**
 * Lets an answer without sources of its own cite those of inner agents. Its sentences are not
 * checked, so their support is `unknown`.
 */
export function withInnerCitations(ground: Ground): Ground {
  if (ground.check) return ground
  const inner = new InnerCitations()
  return {
    ...ground,
    adopt: result => inner.add(result),
    // biome-ignore lint/correctness/useYield: it only looks at the text
    async *check({ text }) {
      return { text, ...inner.find(text), unsupported: [], abstained: false, warnings: [] }
    },
  }
}

class InnerCitations {
  #citations: readonly (Citation | ToolCitation)[] = []

  add({ text, citations, toolCitations = [] }: CitedText): string {
    const before = Math.max(0, ...this.#citations.map(({ marker }) => marker))
    const added = [...citations, ...toolCitations]
    if (added.length === 0) return text
    const markers = new Set(added.map(({ marker }) => marker))
    const renumbered = added.map(citation => ({
      ...citation,
      marker: citation.marker + before,
      support: 'unknown' as const,
    }))
    this.#citations = [...this.#citations, ...renumbered]
    return rewriteMarkers(text, id => markers.has(id), { getNumber: id => id + before })
  }

  find(text: string): Pick<CitedText, 'citations' | 'toolCitations'> {
    const all = new Set(this.#citations.map(({ marker }) => marker))
    const isSource = (id: number) => all.has(id)
    const usedMarkers = new Set(findMarkers(text, { isSource }).map(({ id }) => id))
    const found = this.#citations.filter(({ marker }) => usedMarkers.has(marker))
    return {
      citations: found.flatMap(citation => ('tool' in citation ? [] : [citation])),
      toolCitations: found.flatMap(citation => ('tool' in citation ? [citation] : [])),
    }
  }
}
