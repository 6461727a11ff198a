/** Pieces with log probabilities, packed: 100,000 arrays would take long to collect. */
export type Vocabulary = {
  /** All pieces, ordered by id, with a space for each `▁`. */
  readonly units: Uint16Array
  /** Also the end of the last piece. */
  readonly starts: Uint32Array
  readonly scores: Float64Array
}

export type VocabularyList = readonly (readonly [piece: string, score: number])[]

export function packVocabulary(list: VocabularyList): Vocabulary {
  const starts = new Uint32Array(list.length + 1)
  for (const [index, [piece]] of list.entries())
    starts[index + 1] = (starts[index] ?? 0) + piece.length
  const text = list
    .map(([piece]) => piece)
    .join('')
    .replaceAll('▁', ' ')
  const bytes = new Uint8Array(Buffer.from(text, 'utf16le'))
  const scores = Float64Array.from(list, ([, score]) => score)
  return { units: new Uint16Array(bytes.buffer), starts, scores }
}
