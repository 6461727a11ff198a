/** So many characters of texts are remembered; a longer text is read anew each time. */
const MAX_CHARACTERS = 400_000
const MAX_TEXT = 4_000

/**
 * What a function tells of texts, without telling it twice of one that was lately asked for: the passages that answer one question
 * come back with the next. What it tells is shared, and must not be changed.
 */
export function remembered<T>(tell: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>()
  let characters = 0
  return text => {
    if (text.length > MAX_TEXT) return tell(text)
    const isKnown = known.has(text)
    const told = isKnown ? (known.get(text) as T) : tell(text)
    known.delete(text)
    known.set(text, told) // the latest last
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
