/** Characters of cached texts; protects memory; longer texts are not cached. */
const MAX_CHARACTERS = 400_000
const MAX_TEXT = 4_000

/** Caches by text, because passages return with the next question. Results must not be changed. */
export function memoize<T>(compute: (text: string) => T): (text: string) => T {
  const cache = new Map<string, T>()
  let characters = 0
  return text => {
    if (text.length > MAX_TEXT) return compute(text)
    const isCached = cache.has(text)
    const value = isCached ? (cache.get(text) as T) : compute(text)
    cache.delete(text)
    cache.set(text, value) // most recent last
    if (isCached) return value
    characters += text.length
    for (const [oldest] of cache) {
      if (characters <= MAX_CHARACTERS) break
      cache.delete(oldest)
      characters -= oldest.length
    }
    return value
  }
}
