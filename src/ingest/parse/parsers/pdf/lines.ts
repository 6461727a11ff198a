import { getFirst, getLast } from '../../../../system/items.ts'
import type { Box } from '../../../block.ts'
import { type Elevation, toElevatedText } from '../raised-text.ts'
import type { FontTraits } from './fonts.ts'
import { changesDirection, orderByDirection } from './layout/reading-direction.ts'

/** Text in one font, in points from the top left. */
export type Fragment = FontTraits & {
  readonly text: string
  readonly x0: number
  readonly x1: number
  readonly top: number
  readonly bottom: number
  readonly baseline: number
  readonly size: number
  readonly isAside: boolean
  readonly isDownwards?: boolean
  readonly isSpaced: boolean
}

export type Segment = {
  readonly text: string
  readonly x0: number
  readonly x1: number
  readonly top: number
  readonly bottom: number
  readonly baseline: number
  readonly size: number
  readonly isBold: boolean
  readonly isMono: boolean
  readonly fragments: readonly Fragment[]
}

/** Em between segments, so that columns are not joined; the next is that of a space. */
const SEGMENT_GAP = 0.8
const WORD_GAP = 0.16
/** Em; accents are drawn over less. */
const OVERLAP = 1
/** Em between ideographs, so that justified Chinese lines get no spaces. */
const IDEOGRAPH_GAP = 0.5
/** Size, and distance in em, of exponents and note signs. */
const ELEVATED_SIZE = 0.85
const ELEVATED_BY = 0.1
/** Ratio to the text beside it, so that a smaller text stays a line of its own. */
const MIN_ELEVATED_SIZE = 0.4
/** Share of a line. */
const BOLD_SHARE = 0.8
/** Em between a number or bullet and its text. */
const LABEL_GAP = 2.5

const IDEOGRAPH =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303f\uff00-\uffef]/u
const LABEL =
  /^([(（]?([A-Za-z]?\d{1,4}|\d{0,3}[A-Za-z]|[ivx]{1,4}|[IVX]{1,4}|[一二三四五六七八九十]{1,4})[)）.、]?|\d{1,2}(\.\d{1,2})+\.?|[•·●○▪■◆◦‣★☛☞▲▼\u2701-\u2775\u2794-\u27be–—*-]|[\u2460-\u24ff\uf000-\uf0ff])$/u

const FIGURE = /^[-+±–−(]?\p{Sc}?\d[\d.,'’]*\s?[%‰\p{Sc})]?$/u

export function toSegments(fragments: readonly Fragment[]): Segment[] {
  return groupRows(fragments).flatMap(row => splitRow(row))
}

function groupRows(fragments: readonly Fragment[]): Fragment[][] {
  const rows: { baseline: number; size: number; fragments: Fragment[] }[] = []
  for (const fragment of [...fragments].sort(
    (a, b) => b.size - a.size || a.baseline - b.baseline,
  )) {
    const row = rows.find(candidate => isOnRow(fragment, candidate))
    if (row) row.fragments.push(fragment)
    else rows.push({ baseline: fragment.baseline, size: fragment.size, fragments: [fragment] })
  }
  return rows
    .sort((a, b) => a.baseline - b.baseline)
    .map(row => row.fragments.sort((a, b) => a.x0 - b.x0 || a.baseline - b.baseline))
}

function isOnRow(
  fragment: Fragment,
  row: { baseline: number; size: number; fragments: readonly Fragment[] },
): boolean {
  const distance = Math.abs(fragment.baseline - row.baseline)
  if (distance > row.size * 0.6) return false
  if (distance <= Math.min(fragment.size, row.size) * 0.25) return true
  if (fragment.size > row.size * 0.85) return false
  return row.fragments.some(
    other =>
      fragment.x0 - other.x1 < row.size * 0.7 &&
      other.x0 - fragment.x1 < row.size * 0.7 &&
      other.size > fragment.size &&
      other.size * MIN_ELEVATED_SIZE <= fragment.size,
  )
}

function splitRow(row: readonly Fragment[]): Segment[] {
  const segments: Fragment[][] = []
  for (const fragment of row) {
    const segment = segments.at(-1)
    const before = segments.at(-2)?.at(-1)
    if (segment && continuesSegment(segment, fragment, before)) segment.push(fragment)
    else segments.push([fragment])
  }
  return segments.map(segment => toSegment(segment))
}

function continuesSegment(
  segment: readonly Fragment[],
  fragment: Fragment,
  before: Fragment | undefined,
): boolean {
  const last = getLast(segment)
  const gap = (fragment.x0 - last.x1) / Math.max(last.size, fragment.size)
  if (gap < SEGMENT_GAP) return true
  const isLabel = segment.length === 1 && LABEL.test(last.text.trim())
  const isWord = /^\p{L}+$/u.test(last.text.trim())
  if (before && isWord && last.x0 - before.x1 < fragment.x0 - last.x1) return false
  return gap < LABEL_GAP && isLabel && !(isFigure(last) && isFigure(fragment))
}

function isFigure({ text }: Fragment): boolean {
  return FIGURE.test(text.trim())
}

export function toSegment(fragments: readonly Fragment[]): Segment {
  const main = findMainFragment(fragments)
  let text = ''
  const read = orderByDirection(fragments)
  for (const [index, fragment] of read.entries()) {
    const previous = read[index - 1]
    text += previous && isSpaceBetween(previous, fragment) ? ' ' : ''
    text += toElevatedText(fragment.text, findElevation(fragment, main))
  }
  return {
    text: cleanSpaces(text),
    x0: Math.min(...fragments.map(fragment => fragment.x0)),
    x1: Math.max(...fragments.map(fragment => fragment.x1)),
    top: Math.min(...fragments.map(fragment => fragment.top)),
    bottom: Math.max(...fragments.map(fragment => fragment.bottom)),
    baseline: main.baseline,
    size: main.size,
    isBold: measureTraitShare(fragments, 'isBold') > BOLD_SHARE,
    isMono: measureTraitShare(fragments, 'isMono') > BOLD_SHARE,
    fragments,
  }
}

function findElevation(fragment: Fragment, main: Fragment): Elevation | undefined {
  const drop = (fragment.baseline - main.baseline) / main.size
  if (fragment.size > main.size * ELEVATED_SIZE || Math.abs(drop) < ELEVATED_BY) return undefined
  return drop < 0 ? 'raised' : 'lowered'
}

export function joinSegments(segments: readonly Segment[]): Segment {
  return segments.length === 1
    ? getFirst(segments)
    : toSegment(segments.flatMap(segment => segment.fragments))
}

export function toRows(segments: readonly Segment[]): Segment[][] {
  const rows: Segment[][] = []
  for (const segment of [...segments].sort((a, b) => a.baseline - b.baseline || a.x0 - b.x0)) {
    const row = rows.at(-1)
    if (
      row &&
      segment.baseline - getFirst(row).baseline <= Math.min(segment.size, getFirst(row).size) * 0.4
    )
      row.push(segment)
    else rows.push([segment])
  }
  return rows.map(row => row.sort((a, b) => a.x0 - b.x0))
}

export function findBoundingBox(
  boxes: readonly Pick<Segment, 'x0' | 'x1' | 'top' | 'bottom'>[],
): Box {
  const round = (value: number) => Math.round(value * 100) / 100
  return [
    round(Math.min(...boxes.map(box => box.x0))),
    round(Math.min(...boxes.map(box => box.top))),
    round(Math.max(...boxes.map(box => box.x1))),
    round(Math.max(...boxes.map(box => box.bottom))),
  ]
}

/** `gap` is in em; labels stay apart from their items. */
export function splitSegments(segments: readonly Segment[], gap: number): Segment[] {
  return segments.flatMap(({ fragments }) => {
    const parts: Fragment[][] = []
    for (const fragment of fragments) {
      const last = parts.at(-1)?.at(-1)
      if (last && fragment.x0 - last.x1 < gap * Math.max(last.size, fragment.size))
        getLast(parts).push(fragment)
      else parts.push([fragment])
    }
    return parts.map(toSegment)
  })
}

export function isIdeograph(character: string | undefined): boolean {
  return character !== undefined && IDEOGRAPH.test(character)
}

function isSpaceBetween(left: Fragment, right: Fragment): boolean {
  if (/\s$/.test(left.text) || /^\s/.test(right.text)) return false
  const isTurned = right.x0 < left.x0
  const between = isTurned ? left.x0 - right.x1 : right.x0 - left.x1
  const gap = between / Math.min(left.size, right.size)
  if (isIdeograph(left.text.at(-1)) && isIdeograph(right.text[0])) return gap > IDEOGRAPH_GAP
  if (gap > WORD_GAP || ((isTurned ? left : right).isSpaced && gap > WORD_GAP / 2)) return true
  return changesDirection(left.text, right.text) || (gap < -OVERLAP && right.text.length > 1)
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is left out
const CONTROLS = /[\u0000-\u0008\u000e-\u001f\u007f]|\u00ad(?!\s*$)/g
const APART = /(?<=[\p{Script=Han}]) (?=[\p{Script=Han}])/gu
const ADJACENT = /(?<=[\p{Script=Han}]) ?(?=[\p{Script=Han}])/gu

/** Single letters with cases, too many for a list of choices. */
const LETTERSPACED = /^([\p{Lu}\p{Ll}] ){5,}[\p{Lu}\p{Ll}]$/u

const LEADER = /\s*(?:(?:\. ?){5,}|(?:[·・] ?){5,}|(?:… ?){3,})\s*/g

function cleanSpaces(text: string): string {
  const clean = text.replace(CONTROLS, '').replace(/\s+/g, ' ').replace(LEADER, ' .... ').trim()
  if (LETTERSPACED.test(clean)) return clean.replaceAll(' ', '')
  const apart = clean.match(APART)?.length ?? 0
  if (apart < 2 || apart * 2 < (clean.match(ADJACENT)?.length ?? 0)) return clean
  return clean.replace(APART, '')
}

function findMainFragment(fragments: readonly Fragment[]): Fragment {
  return fragments.reduce((main, fragment) =>
    fragment.text.length > main.text.length ? fragment : main,
  )
}

function measureTraitShare(fragments: readonly Fragment[], trait: 'isBold' | 'isMono'): number {
  let having = 0
  let all = 0
  for (const fragment of fragments) {
    all += fragment.text.length
    if (fragment[trait]) having += fragment.text.length
  }
  return having / Math.max(1, all)
}
