/**
 * Edits between a word and its suggestion, and the least share of equal letters, as in Commander.
 */
const MAX_EDITS = 3
const MIN_SIMILARITY = 0.4

export function findSimilarNames(word: string, names: readonly string[]): readonly string[] {
  const scored = [...new Set(names)].flatMap(name => {
    const length = Math.max(word.length, name.length)
    const edits = countEdits(word, name)
    const isSimilar = name.length > 1 && (length - edits) / length > MIN_SIMILARITY
    return isSimilar && edits <= MAX_EDITS ? [{ name, edits }] : []
  })
  const fewest = Math.min(...scored.map(({ edits }) => edits))
  return scored
    .filter(({ edits }) => edits === fewest)
    .map(({ name }) => name)
    .toSorted((a, b) => a.localeCompare(b))
}

/** Counts insertions, deletions, substitutions and swaps of neighbours (optimal string alignment). */
function countEdits(from: string, to: string): number {
  let before: readonly number[] = []
  let row: readonly number[] = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (let i = 1; i <= from.length; i++) {
    const next = [i]
    for (let j = 1; j <= to.length; j++) {
      const isEqual = from[i - 1] === to[j - 1]
      const isSwapped = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1]
      next.push(
        Math.min(
          (row[j] ?? 0) + 1,
          (next[j - 1] ?? 0) + 1,
          (row[j - 1] ?? 0) + (isEqual ? 0 : 1),
          isSwapped ? (before[j - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
        ),
      )
    }
    before = row
    row = next
  }
  return row[to.length] ?? 0
}
