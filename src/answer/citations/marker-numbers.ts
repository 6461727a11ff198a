import { rewriteMarkers } from './markers.ts'

/**
 * What the sources of an answer are called in it: 1, 2, 3 in the order in which it first cites them, whatever their numbers
 * were to the model, which was shown more of them.
 */
export class MarkerNumbers {
  readonly #numbers = new Map<number, number>()

  readonly of = (id: number): number => {
    const known = this.#numbers.get(id) ?? this.#numbers.size + 1
    this.#numbers.set(id, known)
    return known
  }
}

type Cited<Citation> = { readonly text: string; readonly citations: readonly Citation[] }

/** A text and its citations under these numbers. */
export function numberMarkers<Citation extends { readonly marker: number }>(
  { text, citations }: Cited<Citation>,
  numbers: MarkerNumbers = new MarkerNumbers(),
): Cited<Citation> {
  const cited = new Set(citations.map(({ marker }) => marker))
  const numbered = rewriteMarkers(text, id => cited.has(id), { numberOf: numbers.of })
  return {
    text: numbered,
    citations: citations.map(citation => ({ ...citation, marker: numbers.of(citation.marker) })),
  }
}
