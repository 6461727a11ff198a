/** Characters of cached texts; protects memory; longer texts are not cached. */
const MAX_CHARACTERS = 400_000
const MAX_TEXT = 4_000

/** Caches by text, because passages return with the next question. Results must not be changed. */
export function memoize<T>(tell: (text: string) => T): (text: string) => T {
  const cache = new Map<string, T>()
  let characters = 0
  return text => {
    if (text.length > MAX_TEXT) return tell(text)
    const isKnown = cache.has(text)
    const value = isKnown ? (cache.get(text) as T) : tell(text)
    cache.delete(text)
    cache.set(text, value) // most recent last
    if (isKnown) return value
    characters += text.length
    for (const [oldest] of cache) {
      if (characters <= MAX_CHARACTERS) break
      cache.delete(oldest)
      characters -= oldest.length
    }
    return value
  }
}
