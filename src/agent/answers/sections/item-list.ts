import { chineseNumber } from '../../../search/analysis/chinese-number.ts'
import type { Line } from './outline.ts'

/** The items of a list, in order: each one's lines. */
export type ItemList = { readonly items: readonly (readonly Line[])[] }

const NUMBERED =
  /^\s*(?:(?:step\s+|步骤\s*)?[(（]?(\d{1,3}|[一二三四五六七八九十]{1,3})(?:[)）、．]|[.:：](?!\d))|第([一二三四五六七八九十\d]{1,3})步)/iu
const BULLET = /^\s*[-*•·‣▪◦]\s/u

/** So many lines may stand between two numbers. */
const MAX_BETWEEN = 8
/** A numbered line no longer than this, without a full stop and with text under it, is a heading. */
const MAX_HEAD = 60
const ENDS = /[。！？；：.!?;:]["'”’」』）)\]]*$/u

/** The numbered list that a line stands in, from its first number on; undefined where it stands in none. */
export function numberedListAt(lines: readonly Line[], at: number): ItemList | undefined {
  let start = at
  while (start > 0 && !numberOf(lines[start]) && goesOn(lines, start)) start--
  if (!numberOf(lines[start])) return undefined
  const openings = [start]
  for (
    let next = neighbour(lines, start, -1);
    next >= 0;
    next = neighbour(lines, openings[0]!, -1) // has one
  )
    openings.unshift(next)
  for (
    let next = neighbour(lines, start, 1);
    next >= 0;
    next = neighbour(lines, openings.at(-1)!, 1) // has one
  )
    openings.push(next)
  const items = openings.map((from, item) => lines.slice(from, openings[item + 1] ?? endOfBlock(lines, from)))
  const heads = items.filter(item => item.length > 1 && isHead(item[0]!)) // an item has a line
  return items.length < 2 || heads.length * 2 > items.length ? undefined : { items }
}

/** The list that begins at a line: numbered, or of lines that are items or have a mark. */
export function listFrom(lines: readonly Line[], at: number): ItemList | undefined {
  const numbered = numberOf(lines[at]) === 1 ? numberedListAt(lines, at) : undefined
  if (numbered) return numbered
  const items: (readonly Line[])[] = []
  for (let from = at; isItem(lines[from]); from += items.at(-1)!.length) {
    let end = from + 1
    while (end < lines.length && goesOn(lines, end) && !isItem(lines[end])) end++
    items.push(lines.slice(from, end))
  }
  return items.length > 0 ? { items } : undefined
}

function isItem(line: Line | undefined): boolean {
  return line !== undefined && line.level === undefined && (line.isItem || BULLET.test(line.text))
}

function numberOf(line: Line | undefined): number | undefined {
  if (!line || line.level !== undefined || line.isRow) return undefined
  const { 1: mark, 2: step } = line.text.match(NUMBERED) ?? []
  const digits = mark ?? step
  return digits === undefined ? undefined : /\d/.test(digits) ? Number(digits) : chineseNumber(digits)
}

/** Where the item before or after one is; -1 where there is none. No list goes past a heading. */
function neighbour(lines: readonly Line[], at: number, step: 1 | -1): number {
  const wanted = numberOf(lines[at])! + step // called of items
  for (let place = at + step; Math.abs(place - at) <= MAX_BETWEEN; place += step) {
    const line = lines[place]
    if (!line || line.level !== undefined) return -1
    const number = numberOf(line)
    if (number === wanted) return place
    if (number === 1 && step === 1) return -1
  }
  return -1
}

/** The place after the last line of the block that a line stands in. */
export function endOfBlock(lines: readonly Line[], from: number): number {
  let end = from + 1
  while (end < lines.length && goesOn(lines, end)) end++
  return end
}

/** It is in the block of the line before: only the end of a line is between them. */
function goesOn(lines: readonly Line[], at: number): boolean {
  const [before, line] = [lines[at - 1], lines[at]]
  return before !== undefined && line !== undefined && line.charStart - before.charEnd === 1
}

function isHead({ text }: Line): boolean {
  return text.length <= MAX_HEAD && !ENDS.test(text.trim())
}
