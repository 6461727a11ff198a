import { getFirst, getItem, getLast } from '../../../../system/items.ts'
import { type Block, type Box, formatTableText, type Line } from '../../../block.ts'
import { type Column, sortByReadingOrder } from './columns.ts'
import { findHeadingLevel } from './headings.ts'
import { joinJustifiedLines } from './layout/justified-lines.ts'
import { addLinks } from './layout/link-places.ts'
import {
  type Fragment,
  findBoundingBox,
  isIdeograph,
  joinSegments,
  type Segment,
  toRows,
  toSegment,
  toSegments,
} from './lines.ts'
import type { PageContent } from './page.ts'
import { findListMarker, type Paragraph, toParagraphs } from './paragraphs.ts'
import type { PrintedWords } from './printed-words.ts'
import type { Profile } from './profile.ts'
import { findAlignedTables } from './tables/aligned-tables.ts'
import { continuesTable, type OpenTable } from './tables/continued-tables.ts'
import { Enclosures } from './tables/enclosures.ts'
import { findRuledTables } from './tables/ruled-tables.ts'
import { joinLines, type PdfTable } from './tables/table.ts'

const CAPTION =
  /^(fig(ure|\.)?|table|图|圖|表|chart|exhibit|listing)\s*[\dIVX一二三四五六七八九十]+([.-]\d+)*(\s*[.:：、—–]|\s+[\p{Lu}\p{Script=Han}])/iu
const MAX_CAPTION_CHARACTERS = 1000

type Part =
  | (Paragraph & { readonly isAside?: true })
  | { readonly table: PdfTable }
  | { readonly code: readonly Segment[][] }

/** Lines of code, so that one line, which may be a name, stays text. */
const MIN_LINES = 2

export type PageBlocks = { readonly blocks: readonly Block[]; readonly open: OpenTable | undefined }

type Surroundings = {
  readonly dropped?: ReadonlySet<Fragment>
  /** Dropped lines that come after the text of the page. */
  readonly heads?: readonly Segment[]
  readonly profile: Profile
  readonly open?: OpenTable
}

export function buildPageBlocks(
  content: PageContent,
  { dropped, heads = [], profile, open }: Surroundings,
): PageBlocks {
  const fragments = content.fragments.filter(fragment => !dropped?.has(fragment))
  const { tables, rest } = findRuledTables(
    content.rules,
    fragments.filter(fragment => !fragment.isAside),
    profile.words,
  )
  const columns = sortByReadingOrder<Segment | PdfTable>([...toSegments(rest), ...tables])
  const context = { profile, enclosures: new Enclosures(content.rules) }
  const parts = joinAcross(columns.map(column => listColumnParts(column, context)))
  const first = parts[0]
  const last = parts.at(-1)
  const isContinued =
    open !== undefined &&
    first !== undefined &&
    'table' in first &&
    continuesTable(open, first.table)
  const asides = [
    ...fragments.filter(({ isAside }) => isAside).map(fragment => toSegment([fragment])),
    ...heads,
  ]
  const blocks = [...parts, ...asides.map(toAsidePart)]
    .map(part =>
      part === first && isContinued
        ? { ...toBlock(part, profile), isContinued }
        : toBlock(part, profile),
    )
    .filter(block => block.text !== '')
    .map(block => onPage(block, content))
  const table = last && 'table' in last ? last.table : undefined
  const header = isContinued && last === first ? open.header : table?.rows[0]
  return {
    blocks: addLinks(blocks, content.links ?? []),
    open: table && header && { table, header },
  }
}

type Context = { readonly profile: Profile; readonly enclosures: Enclosures }

function listColumnParts(column: Column<Segment | PdfTable>, context: Context): Part[] {
  const parts: Part[] = []
  let segments: Segment[] = []
  for (const item of column.items) {
    if ('rows' in item) {
      parts.push(...listTextParts(segments, column, context), { table: item })
      segments = []
    } else segments.push(item)
  }
  return [...parts, ...listTextParts(segments, column, context)]
}

function listTextParts(
  segments: readonly Segment[],
  column: Column<unknown>,
  { profile, enclosures }: Context,
): Part[] {
  const rows = toRows(joinJustifiedLines(segments))
  const runs = profile.isBodyMono ? [{ rows }] : splitCodeRuns(rows)
  return runs.flatMap((run): Part[] => {
    if ('code' in run) return [run]
    return findAlignedTables(run.rows, profile.words, enclosures).flatMap((flow): Part[] =>
      'table' in flow ? [flow] : toParagraphs(flow.rows.map(joinSegments), column),
    )
  })
}

function toAsidePart(line: Segment): Part {
  return { lines: [line], column: line, isAside: true }
}

function onPage(block: Block, { page, toPageBox }: PageContent): Block {
  const lines = block.lines?.map(line => ({ ...line, box: toPageBox(line.box) }))
  return { ...block, page, box: block.box && toPageBox(block.box), lines }
}

function joinAcross(columns: readonly Part[][]): Part[] {
  const joined: Part[] = []
  for (const parts of columns) {
    const [first, ...others] = parts
    const last = joined.at(-1)
    if (first && last && 'lines' in first && 'lines' in last && isBrokenOff(last, first)) {
      joined[joined.length - 1] = { lines: [...last.lines, ...first.lines], column: first.column }
      joined.push(...others)
    } else joined.push(...parts)
  }
  return joined
}

function isBrokenOff(last: Paragraph, first: Paragraph): boolean {
  const end = getLast(last.lines)
  const start = getFirst(first.lines)
  if (Math.abs(end.size - start.size) > 0.5 || end.isBold !== start.isBold) return false
  if (last.column.x1 - end.x1 > end.size * 3 || /[.!?。！？:：;；]["”’)）]?$/.test(end.text))
    return false
  if (last.column.x0 === first.column.x0 || start.top > end.top) return false
  return /^\p{Ll}/u.test(start.text) || (isIdeograph(start.text[0]) && !findListMarker(start.text))
}

function toBlock(part: Part, profile: Profile): Block {
  if ('table' in part) return toTableBlock(part.table)
  return 'code' in part ? toCodeBlock(part.code) : toTextBlock(part, profile)
}

function toCodeBlock(rows: readonly Segment[][]): Block {
  const printed = formatCodeLines(rows)
  const boxes = rows.map(row => findBoundingBox(row))
  return {
    kind: 'code',
    text: printed.join('\n'),
    box: findBoundingBox(rows.flat()),
    lines: placeLines(printed, boxes),
  }
}

function toTableBlock({ rows: grid, ...place }: PdfTable): Block {
  const rows = grid.map(({ cells }) => cells)
  const printed = rows.map(row => formatTableText([row]))
  const boxes = grid.map(({ box }) => box)
  return {
    kind: 'table',
    text: formatTableText(rows),
    rows,
    box: findBoundingBox([place]),
    lines: placeLines(printed, boxes),
  }
}

function placeLines(printed: readonly string[], boxes: readonly Box[]): Line[] {
  let start = 0
  return printed.map((text, index) => {
    const line = { start, end: start + text.length, box: getItem(boxes, index) }
    start = line.end + 1
    return line
  })
}

function toTextBlock(paragraph: Paragraph & { readonly isAside?: true }, profile: Profile): Block {
  const { text, lines } = joinText(paragraph.lines, profile.words)
  const box = findBoundingBox(paragraph.lines)
  if (CAPTION.test(text) && text.length <= MAX_CAPTION_CHARACTERS)
    return { kind: 'caption', text, box, lines }
  const level = paragraph.isAside ? undefined : findHeadingLevel(paragraph, text, profile)
  if (level) return { kind: 'heading', text, level, box, lines }
  const item = findListMarker(text)
  if (!item) return { kind: 'paragraph', text, box, lines }
  return item.isBullet
    ? removeMarker({ kind: 'list', text, box, lines }, item.marker.length)
    : { kind: 'list', text, box, lines }
}

function joinText(
  printed: readonly Segment[],
  words: PrintedWords,
): { text: string; lines: Line[] } {
  let text = ''
  const lines: Line[] = []
  for (const line of printed) {
    const joined = joinLines(text, line.text, words)
    const start = Math.min(joined.length - line.text.length, joined.length)
    const last = lines.at(-1)
    if (last && last.end > start) lines[lines.length - 1] = { ...last, end: start }
    lines.push({ start, end: joined.length, box: findBoundingBox([line]) })
    text = joined
  }
  if (text.endsWith('\u00ad')) text = `${text.slice(0, -1)}-`
  return { text, lines }
}

function removeMarker(block: Block, length: number): Block {
  const lines = block.lines?.map(line => ({
    ...line,
    start: Math.max(0, line.start - length),
    end: Math.max(0, line.end - length),
  }))
  return { ...block, text: block.text.slice(length), lines }
}

type CodeRun = { readonly code: readonly Segment[][] } | { readonly rows: readonly Segment[][] }

function splitCodeRuns(rows: readonly Segment[][]): CodeRun[] {
  const runs: Segment[][][] = []
  for (const row of rows) {
    const run = runs.at(-1)
    if (run && isCode(getFirst(run)) === isCode(row)) run.push(row)
    else runs.push([row])
  }
  return runs.map(run =>
    isCode(getFirst(run)) && run.length >= MIN_LINES ? { code: run } : { rows: run },
  )
}

function isCode(row: readonly Segment[]): boolean {
  return row.every(segment => segment.isMono)
}

function formatCodeLines(rows: readonly Segment[][]): string[] {
  const left = Math.min(...rows.map(row => getFirst(row).x0))
  const characters = rows.flat().reduce((sum, segment) => sum + segment.text.length, 0)
  const unit =
    rows.flat().reduce((sum, segment) => sum + segment.x1 - segment.x0, 0) / Math.max(1, characters)
  return rows.map(row => {
    let line = ''
    for (const segment of row) {
      const column = Math.round((segment.x0 - left) / unit)
      line = line.padEnd(Math.max(column, line === '' ? 0 : line.length + 1)) + segment.text
    }
    return line
  })
}
