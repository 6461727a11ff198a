import { sentences } from '../../../ingest/sentences.ts'
import { endOfBlock, listFrom } from './item-list.ts'
import type { Line } from './outline.ts'
import type { Stretch } from './steps.ts'

/** So many characters are quoted of what stands under a heading. */
const MAX_UNDER = 800
const MAX_LABEL = 80
const ENDS = /[。！？；.!?;]["'”’」』）)\]]*\s*$/u

type Place = Omit<Stretch, 'more'>

/**
 * A stretch that is a heading, or begins with one over a list, with what stands under it: the list, or else the first
 * paragraph. A heading at its end, with nothing of its own, is left out. Undefined for every other stretch.
 */
export function underHeading(lines: readonly Line[], { charStart, charEnd }: Place): Stretch | undefined {
  const first = lines.findIndex(line => line.charEnd > charStart)
  const reach = lines.findLastIndex(line => line.charStart < charEnd)
  if (first < 0 || reach < first) return undefined
  const last = withoutHeadings(lines, first, reach)
  const end = last < reach ? lines[last]!.charEnd : charEnd // of the lines
  const head = headOver(lines, first, last)
  const under = head === undefined ? undefined : readUnder(lines, head, { last, charStart })
  if (!under && last === reach) return undefined
  return { charStart, charEnd: Math.max(end, under?.charEnd ?? 0), more: under?.more ?? 0 }
}

/** The last line of a stretch before the headings at its end; its last line where it is nothing else. */
function withoutHeadings(lines: readonly Line[], first: number, reach: number): number {
  const last = lines.slice(first, reach + 1).findLastIndex(line => line.level === undefined)
  return last < 0 ? reach : first + last
}

/** The last of the headings that a stretch begins with, or its first line, if that is a label over a list. */
function headOver(lines: readonly Line[], first: number, last: number): number | undefined {
  let head = first - 1
  while (head < last && lines[head + 1]?.level !== undefined) head++
  if (head >= first) return head
  const { text, isRow, isItem } = lines[first]! // the caller's line
  const isLabel = text.length <= MAX_LABEL && !ENDS.test(text) && !isRow && !isItem
  return isLabel && !listFrom(lines, first) && listFrom(lines, first + 1) ? first : undefined
}

/** Where what stands under a heading ends; undefined where there is nothing, or the stretch has gone beyond it. */
function readUnder(lines: readonly Line[], head: number, { last, charStart }: { last: number; charStart: number }) {
  const below = lines[head + 1]
  if (!below || below.level !== undefined) return undefined
  const list = listFrom(lines, head + 1)
  if (!list && last > head) return undefined
  const parts = list?.items.map(item => item.at(-1)!) ?? lines.slice(head + 1, endOfBlock(lines, head + 1)) // an item has lines
  const shown = parts.filter(part => part.charEnd - charStart <= MAX_UNDER)
  const end = shown.at(-1)?.charEnd ?? cutAtSentence(below, charStart + MAX_UNDER)
  const isCounted = list !== undefined || below.isRow
  const more = isCounted ? parts.length - Math.max(1, shown.length) : 0
  return last >= lines.indexOf(parts.at(-1)!) ? undefined : { charEnd: end, more } // has one
}

/** The end of the last sentence of a line that ends by a place, or of its first. */
function cutAtSentence({ text, charStart }: Line, limit: number): number {
  const ends = sentences(text).map(({ end }) => charStart + end)
  return ends.findLast(end => end <= limit) ?? ends[0] ?? limit
}
