/** Characters of cached texts; protects memory; longer texts are not cached. */
const MAX_CHARACTERS = 400_000
const MAX_TEXT = 4_000

/** Caches by text, because passages return with the next question. Results must not be changed. */
export function memoize<T>(tell: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>()
  let characters = 0
  return text => {
    if (text.length > MAX_TEXT) return tell(text)
    const isKnown = known.has(text)
    const told = isKnown ? (known.get(text) as T) : tell(text)
    known.delete(text)
    known.set(text, told) // most recent last
    if (isKnown) return told
    characters += text.length
    for (const [oldest] of known) {
      if (characters <= MAX_CHARACTERS) break
      known.delete(oldest)
      characters -= oldest.length
    }
    return told
  }
}
