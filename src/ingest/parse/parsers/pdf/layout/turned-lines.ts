import type { TextItem } from 'pdfjs-dist/types/src/display/api.js'

/** Em from the end of a piece to the next of its line, along the line and across it. */
const MAX_GAP = 0.8
const MAX_OVERLAP = 0.3
const MAX_DISTANCE = 0.3
const SPACE = 0.16
/** Difference of two directions in radians. */
const SAME_DIRECTION = 0.02

export function joinTurnedItems(
  items: readonly TextItem[],
  isTurned: (item: TextItem) => boolean,
): readonly TextItem[] {
  const joined: TextItem[] = []
  let place = 0
  for (const item of items) {
    const last = joined[place]
    const isBlank = item.str.trim() === ''
    const gap = last && !isBlank && isTurned(item) ? measureGap(last, item) : undefined
    if (last && gap !== undefined) joined[place] = joinItems(last, item, gap)
    else joined.push(item)
    if (!isBlank && gap === undefined) place = joined.length - 1
  }
  return joined
}

function joinItems(first: TextItem, second: TextItem, gap: number): TextItem {
  const isSpaced = gap > SPACE && !first.str.endsWith(' ') && !second.str.startsWith(' ')
  return {
    ...first,
    str: `${first.str}${isSpaced ? ' ' : ''}${second.str}`,
    width: first.width + gap * findSize(second) + second.width,
  }
}

function measureGap(first: TextItem, second: TextItem): number | undefined {
  const [angle, other] = [findAngle(first), findAngle(second)]
  if (Math.abs(Math.sin(angle - other)) > SAME_DIRECTION || first.dir !== second.dir)
    return undefined
  const size = findSize(second)
  const x = (second.transform[4] - first.transform[4]) / size
  const y = (second.transform[5] - first.transform[5]) / size
  const along = x * Math.cos(angle) + y * Math.sin(angle) - first.width / size
  const across = y * Math.cos(angle) - x * Math.sin(angle)
  const isNext = along > -MAX_OVERLAP && along < MAX_GAP && Math.abs(across) < MAX_DISTANCE
  return isNext ? along : undefined
}

function findAngle({ transform: [a, b] }: TextItem): number {
  return Math.atan2(b, a)
}

function findSize({ transform: [, , c, d] }: TextItem): number {
  return Math.hypot(c, d) || 1
}
