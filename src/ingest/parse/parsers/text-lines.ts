/** The lines of text that comes in pieces, without their ends; one that is longer than `maxCharacters` is cut. */
export async function* textLines(
  pieces: AsyncIterable<string>,
  maxCharacters = Infinity,
): AsyncGenerator<string> {
  let rest = ''
  for await (const piece of pieces) {
    const parts = piece.split('\n')
    parts[0] = rest + parts[0]
    rest = parts.pop() ?? ''
    for (const part of parts) yield* cut(part.replace(/\r$/, ''), maxCharacters)
    while (rest.length > maxCharacters * 2) {
      const end = safeEnd(rest, maxCharacters)
      yield rest.slice(0, end)
      rest = rest.slice(end)
    }
  }
  if (rest) yield* cut(rest.replace(/\r$/, ''), maxCharacters)
}

function* cut(line: string, maxCharacters: number): Iterable<string> {
  let start = 0
  while (line.length - start > maxCharacters) {
    const end = start + safeEnd(line.slice(start, start + maxCharacters + 1), maxCharacters)
    yield line.slice(start, end)
    start = end
  }
  yield line.slice(start)
}

/** Never between the halves of a surrogate pair. */
function safeEnd(text: string, end: number): number {
  return /[\ud800-\udbff]$/.test(text.slice(0, end)) ? end + 1 : end
}
