type Found<Marker extends string> = {
  readonly before: string
  readonly marker: Marker
  readonly after: string
}

export function findMarker<Marker extends string>(
  text: string,
  markers: readonly Marker[],
): Found<Marker> | undefined {
  const places = markers
    .map(marker => ({ marker, at: text.indexOf(marker) }))
    .filter(({ at }) => at >= 0)
  const first = places.toSorted((a, b) => a.at - b.at)[0]
  if (!first) return undefined
  const { marker, at } = first
  return { marker, before: text.slice(0, at), after: text.slice(at + marker.length) }
}

/** Returns the length that cannot belong to a split marker. */
export function measureSafeLength(text: string, markers: readonly string[]): number {
  const longest = Math.max(...markers.map(marker => marker.length)) - 1
  for (let endLength = Math.min(longest, text.length); endLength > 0; endLength--) {
    const end = text.slice(-endLength)
    if (markers.some(marker => marker.startsWith(end))) return text.length - endLength
  }
  return text.length
}
