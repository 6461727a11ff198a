/**
 * Maximum terms of one query with repetitions, whose square LanceDB's cost grows with: among
 * 10,000 rows, 8,000 terms take .8 s of CPU, their 4,600 distinct ones .1 s.
 */
const MAX_REPEATED = 2_000

/** Distinct terms, and the number of times that each counts. */
type TermLayer = { readonly terms: readonly string[]; readonly factor: number }

export function isLongQuery(terms: readonly string[]): boolean {
  return terms.length > MAX_REPEATED
}

export function splitByCounts(terms: readonly string[]): readonly TermLayer[] {
  const counts = new Map<string, number>()
  for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1)
  const layers: TermLayer[] = []
  for (let factor = 1; factor <= terms.length; factor *= 2) {
    const repeatedTerms = [...counts].filter(([, count]) => Math.floor(count / factor) % 2 === 1)
    if (repeatedTerms.length > 0)
      layers.push({ terms: repeatedTerms.map(([term]) => term), factor })
  }
  return layers
}

export function listRepeated(terms: readonly string[]): readonly string[] {
  const once = new Set<string>()
  const repeated = new Set<string>()
  for (const term of terms) (once.has(term) ? repeated : once).add(term)
  return [...repeated]
}
