const SEGMENTER = new Intl.Segmenter('zh', { granularity: 'word' })

/** Characters per call, so that long texts cost linear time: the segmenter copies its input. */
const MAX_STRETCH = 1_000

type Segment = Pick<Intl.SegmentData, 'segment' | 'index' | 'isWordLike'>

/** Segments Chinese by dictionary. Linear in the text. */
export function segmentText(text: string): readonly Segment[] {
  const all: Segment[] = []
  let start = 0
  while (start < text.length) {
    const stretch = [...SEGMENTER.segment(text.slice(start, start + MAX_STRETCH))]
    const isLast = start + MAX_STRETCH >= text.length
    const complete = isLast || stretch.length === 1 ? stretch : stretch.slice(0, -1) // the last one may continue
    for (const { segment, index, isWordLike } of complete)
      all.push({ segment, index: start + index, isWordLike: isWordLike === true })
    const { index = 0, segment = '' } = complete.at(-1) ?? {}
    start += index + segment.length
  }
  return all
}
