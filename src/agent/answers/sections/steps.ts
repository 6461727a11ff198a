import { type ItemList, numberedListAt } from './item-list.ts'
import type { Line } from './outline.ts'

/** A stretch of a document, and how many items of its list stand after it. */
export type Stretch = { readonly charStart: number; readonly charEnd: number; readonly more: number }

/** So many characters of a list are quoted. */
const MAX_LIST = 1_500

/** Items that are longer on average, a Chinese character as two, are rules or clauses: what one says is asked, not all of them. */
const MAX_STEP = 150
const HAN = /\p{Script=Han}/gu

/** What announces a list, and the heading above that, are quoted if they are so short together. */
const MAX_ANNOUNCEMENT = 300
const LEADS_ON = /[:：]["”’)）]*\s*$/u

/** The numbered list that a stretch has an item of, with what announces it; undefined where it has none, or one too far down. */
export function stepsAround(
  lines: readonly Line[],
  { charStart, charEnd }: Omit<Stretch, 'more'>,
): Stretch | undefined {
  const first = lines.findIndex(line => line.charEnd > charStart)
  const last = lines.findLastIndex(line => line.charStart < charEnd)
  for (let at = Math.max(0, first); at <= last; at++) {
    const list = numberedListAt(lines, at)
    if (list) return around(lines, list, { charStart, charEnd })
  }
  return undefined
}

function around(
  lines: readonly Line[],
  list: ItemList,
  { charStart, charEnd }: Omit<Stretch, 'more'>,
): Stretch | undefined {
  const { items } = list
  const start = announcementOf(lines, lines.indexOf(items[0]![0]!)) // a list has items, an item lines
  const ends = items.map(item => item.at(-1)!.charEnd)
  if (widthOf(items) > items.length * MAX_STEP) return undefined
  const shown = ends.filter(end => end - start <= MAX_LIST)
  const isIn = (shown.at(-1) ?? -1) >= Math.min(charEnd, ends.at(-1)!)
  if (!isIn) return undefined
  return {
    charStart: Math.min(start, charStart),
    charEnd: Math.max(shown.at(-1)!, charEnd), // one at least
    more: ends.length - shown.length,
  }
}

function widthOf(items: ItemList['items']): number {
  return items.flat().reduce((sum, { text }) => sum + text.length + (text.match(HAN)?.length ?? 0), 0)
}

/** Where the line begins that leads on to a list, or the heading just above; its first item where it has neither. */
function announcementOf(lines: readonly Line[], at: number): number {
  const [first, before] = [lines[at]!, lines[at - 1]] // the list's first line
  if (before && LEADS_ON.test(before.text)) return before.charStart
  const heading = lines.slice(0, at).findLastIndex(line => line.level !== undefined)
  const head = lines[heading]
  const isOwn = lines.slice(heading + 1, at).every(line => !line.isRow && !line.isItem)
  const isNear = head !== undefined && first.charStart - head.charStart <= MAX_ANNOUNCEMENT
  return isOwn && isNear ? head.charStart : first.charStart
}
