const SEGMENTER = new Intl.Segmenter('zh', { granularity: 'word' })

/** Each segment is told with a copy of all that was segmented, so that long texts are read in stretches of so many characters. */
const MAX_STRETCH = 1_000

type Segment = Pick<Intl.SegmentData, 'segment' | 'index' | 'isWordLike'>

/** The words of a text and what stands between them, in their order; Chinese by its dictionary. Linear in the length of the text. */
export function segmentsOf(text: string): readonly Segment[] {
  const all: Segment[] = []
  let start = 0
  while (start < text.length) {
    const stretch = [...SEGMENTER.segment(text.slice(start, start + MAX_STRETCH))]
    const isLast = start + MAX_STRETCH >= text.length
    const whole = isLast || stretch.length === 1 ? stretch : stretch.slice(0, -1) // the last one may go on
    for (const { segment, index, isWordLike } of whole)
      all.push({ segment, index: start + index, isWordLike: isWordLike === true })
    const { index = 0, segment = '' } = whole.at(-1) ?? {}
    start += index + segment.length
  }
  return all
}

/** The word of a short text that stands there. */
export function segmentAt(text: string, at: number): Segment | undefined {
  return SEGMENTER.segment(text).containing(at)
}
