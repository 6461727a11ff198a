/** Writes `1–4, 7` or `none`. */
export function formatPageRanges(pages: readonly number[]): string {
  const starts = pages.filter((page, index) => pages[index - 1] !== page - 1)
  const ends = pages.filter((page, index) => pages[index + 1] !== page + 1)
  const ranges = starts.map((start, index) =>
    start === ends[index] ? `${start}` : `${start}–${ends[index]}`,
  )
  return ranges.join(', ') || 'none'
}
