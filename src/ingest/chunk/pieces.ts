import type { TimeSlices } from '../../system/time-slices.ts'
import { type Span, splitSentences } from '../../text/sentences.ts'
import {
  BLOCK_SEPARATOR,
  CELL_SEPARATOR,
  clipText,
  formatTableText,
  MAX_REPEATED_CHARS,
  type PlacedBlock,
} from '../block.ts'
import { findTableHeader } from '../parse/tables/header.ts'
import type { TokenCounter } from './tokens.ts'

/** Bounded, so that a long run of unknown characters is still cut. */
const MAX_CHARS_PER_TOKEN = 32

export type Piece = {
  readonly start: number
  readonly end: number
  readonly text: string
  /** White space before it, so that texts join to an exact slice. */
  readonly gap: string
  readonly tokens: number
  readonly startsBlock: boolean
  readonly level?: number
  readonly page?: number
  /** Its own heading included. */
  readonly headings: readonly string[]
  /** Whether its block only lists what other places contain. */
  readonly isListing: boolean
  /** Columns before the code of a line that begins a part: a block, or lines after a blank one. */
  readonly codeIndent?: number
  readonly links?: readonly string[]
  /** Header, on one line, of the table that this row continues; of its own cells if it is cut. */
  readonly tableHeader?: string
}

type PiecesOptions = {
  readonly counter: TokenCounter
  readonly maxTokens: number
  readonly slices: TimeSlices
}

export async function* cutPieces(
  blocks: AsyncIterable<PlacedBlock>,
  { slices, ...options }: PiecesOptions,
): AsyncGenerator<readonly Piece[]> {
  let path: readonly Heading[] = []
  let gap = ''
  let tableHeader: readonly string[] = []
  for await (const block of blocks) {
    if (block.kind === 'heading')
      path = appendHeading(path, {
        level: block.level ?? 1,
        text: clipText(block.text, MAX_REPEATED_CHARS),
      })
    if (block.kind === 'table' && !block.isContinued)
      tableHeader = formatHeaderLine(block).split(CELL_SEPARATOR)
    const cut = cutBlock(block, { ...options, headings: boundPath(path), gap, tableHeader })
    let own: Piece[] = []
    let end = 0
    for (const piece of cut) {
      own.push(piece)
      end = piece.end - block.charStart
      if (!slices.isOver) continue
      yield own
      own = []
      await slices.next()
    }
    yield own
    gap = (end === 0 ? gap : '') + block.text.slice(end) + BLOCK_SEPARATOR
  }
}

type Heading = { readonly level: number; readonly text: string }

function appendHeading(path: readonly Heading[], heading: Heading): readonly Heading[] {
  return [...path.filter(above => above.level < heading.level), heading]
}

/** Prefers the innermost headings: every chunk below repeats the path. */
function boundPath(path: readonly Heading[]): readonly string[] {
  let room = MAX_REPEATED_CHARS
  const bounded = path.toReversed().map(({ text }) => {
    const clipped = clipText(text, room)
    room -= clipped.length
    return clipped
  })
  return bounded.toReversed().filter(text => text !== '')
}

type Cut = Omit<PiecesOptions, 'slices'> & {
  readonly headings: readonly string[]
  readonly gap: string
  readonly tableHeader: readonly string[]
}

function* cutBlock(
  block: PlacedBlock,
  { counter, maxTokens, headings, gap, tableHeader }: Cut,
): Generator<Piece> {
  const { text } = block
  const isTable = block.kind === 'table'
  const getHeader = isTable ? createHeaders(block, tableHeader) : () => ''
  let end = 0
  let startsBlock = true
  for (const span of splitUnits(block)) {
    for (const part of splitToFit(text, span, { counter, maxTokens, isTable })) {
      const before = text.slice(end, part.start)
      const header = getHeader(span, part)
      const startsPart = block.kind === 'code' && (startsBlock || BLANK_LINE.test(before))
      yield {
        start: block.charStart + part.start,
        end: block.charStart + part.end,
        text: text.slice(part.start, part.end),
        gap: (startsBlock ? gap : '') + before,
        tokens: part.tokens,
        startsBlock,
        headings,
        isListing: block.kind === 'listing',
        ...(startsPart && { codeIndent: countIndent(text.slice(part.start, part.end)) }),
        ...(block.kind === 'heading' && { level: block.level ?? 1 }),
        ...(block.page !== undefined && { page: block.page }),
        ...(header && { tableHeader: header }),
        ...(startsBlock && block.links && { links: block.links }),
      }
      end = part.end
      startsBlock = false
    }
  }
}

const BLANK_LINE = /\n[^\S\n]*\n/
const TAB = '    '

function countIndent(line: string): number {
  return (/^[^\S\n]*/.exec(line)?.[0] ?? '').replaceAll('\t', TAB).length
}

function createHeaders(
  { text, isContinued }: PlacedBlock,
  cells: readonly string[],
): (row: Span, part: Span) => string {
  const header = formatHeader(cells)
  let end = 0
  let column = 0
  return (row, part) => {
    if (row.start === 0 && !isContinued) return ''
    const isCut = part.start > row.start || part.end < row.end
    if (!isCut) return header
    if (part.start === row.start) column = 0
    else column += countBorders(text.slice(end, part.start))
    const first = column
    column += countBorders(text.slice(part.start, part.end))
    end = part.end
    return formatHeader(cells.slice(first, column + 1)) || header
  }
}

function countBorders(text: string): number {
  return text.split(CELL_SEPARATOR).length - 1
}

function formatHeader(cells: readonly string[]): string {
  return clipText(cells.join(CELL_SEPARATOR), MAX_REPEATED_CHARS)
}

function formatHeaderLine({ text, rows = [] }: PlacedBlock): string {
  const header = findTableHeader(rows)
  if (header.rows > 1) return formatTableText([header.names])
  const end = text.indexOf('\n')
  return end < 0 ? text : text.slice(0, end)
}

function splitUnits(block: PlacedBlock): readonly Span[] {
  if (block.kind === 'heading') return [{ start: 0, end: block.text.length }]
  if (block.kind === 'table' || block.kind === 'code' || block.kind === 'listing')
    return splitLines(block.text)
  return splitSentences(block.text)
}

function splitLines(text: string): readonly Span[] {
  return [...text.matchAll(/[^\n]*\S[^\n]*/g)].map(match => ({
    start: match.index,
    end: match.index + match[0].length,
  }))
}

type CountedSpan = Span & { readonly tokens: number }

type Fit = Pick<PiecesOptions, 'counter' | 'maxTokens'> & { readonly isTable: boolean }

/** Halves it at borders of cells, or else of words. */
function* splitToFit(text: string, { start, end }: Span, fit: Fit): Generator<CountedSpan> {
  const { counter, maxTokens, isTable } = fit
  const minTokens = Math.ceil((end - start) / MAX_CHARS_PER_TOKEN)
  const tokens =
    minTokens > maxTokens ? minTokens : Math.max(minTokens, counter.count(text.slice(start, end)))
  if (tokens <= maxTokens || end - start <= 1) return yield { start, end, tokens }
  const border = isTable ? findCellBorder(text, { start, end }) : undefined
  const middle = border?.end ?? findBoundary(text, { start, end })
  yield* splitToFit(text, { start, end: border?.start ?? middle }, fit)
  yield* splitToFit(text, { start: middle, end }, fit)
}

/** Distance from the middle, so that the search for a boundary is bounded. */
const MAX_REACH = 1_000

function findCellBorder(text: string, { start, end }: Span): Span | undefined {
  const middle = (start + end) >> 1
  const reach = Math.min((end - start) >> 1, MAX_REACH)
  const near = text.slice(middle - reach, middle + reach)
  const half = near.length >> 1
  const borders = [near.lastIndexOf(CELL_SEPARATOR, half), near.indexOf(CELL_SEPARATOR, half)]
  const [nearest] = borders
    .filter(index => index > 0 && index + CELL_SEPARATOR.length < near.length)
    .toSorted((a, b) => Math.abs(a - half) - Math.abs(b - half))
  if (nearest === undefined) return undefined
  const border = middle - reach + nearest
  return { start: border, end: border + CELL_SEPARATOR.length }
}

function findBoundary(text: string, { start, end }: Span): number {
  const middle = (start + end) >> 1
  const reach = Math.min((end - start) >> 2, MAX_REACH)
  for (let distance = 0; distance < reach; distance++) {
    for (const place of [middle + distance, middle - distance]) {
      if (/[\s,;，、；]/.test(text[place - 1] ?? '')) return place
    }
  }
  const isLowSurrogate = /[\udc00-\udfff]/.test(text[middle] ?? '')
  return isLowSurrogate && middle - 1 > start ? middle - 1 : middle
}
