import type { Turns } from '../../system/turns.ts'
import { type Span, splitSentences } from '../../text/sentences.ts'
import {
  BLOCK_SEPARATOR,
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
  /** Header, on one line, of the table that this row continues. */
  readonly tableHeader?: string
}

type PiecesOptions = {
  readonly counter: TokenCounter
  readonly maxTokens: number
  readonly turns: Turns
}

/** Yields one array per turn, because an async step costs as much as cutting a sentence. */
export async function* cutPieces(
  blocks: AsyncIterable<PlacedBlock>,
  { turns, ...options }: PiecesOptions,
): AsyncGenerator<readonly Piece[]> {
  let path: readonly Heading[] = []
  let gap = ''
  let tableHeader = ''
  for await (const block of blocks) {
    if (block.kind === 'heading')
      path = descend(path, {
        level: block.level ?? 1,
        text: clipText(block.text, MAX_REPEATED_CHARS),
      })
    if (block.kind === 'table' && !block.isContinued)
      tableHeader = clipText(formatHeaderLine(block), MAX_REPEATED_CHARS)
    const cut = cutBlock(block, { ...options, headings: boundPath(path), gap, tableHeader })
    let own: Piece[] = []
    let end = 0
    for (const piece of cut) {
      own.push(piece)
      end = piece.end - block.charStart
      if (!turns.isOver) continue
      yield own
      own = []
      await turns.next()
    }
    yield own
    gap = (end === 0 ? gap : '') + block.text.slice(end) + BLOCK_SEPARATOR
  }
}

type Heading = { readonly level: number; readonly text: string }

function descend(path: readonly Heading[], heading: Heading): readonly Heading[] {
  return [...path.filter(above => above.level < heading.level), heading]
}

/** Prefers the innermost headings: every chunk below repeats the path. */
function boundPath(path: readonly Heading[]): readonly string[] {
  let room = MAX_REPEATED_CHARS
  const bounded = path.toReversed().map(({ text }) => {
    const kept = clipText(text, room)
    room -= kept.length
    return kept
  })
  return bounded.toReversed().filter(text => text !== '')
}

type Cut = Omit<PiecesOptions, 'turns'> & {
  readonly headings: readonly string[]
  readonly gap: string
  readonly tableHeader: string
}

function* cutBlock(
  block: PlacedBlock,
  { counter, maxTokens, headings, gap, tableHeader }: Cut,
): Generator<Piece> {
  const { text } = block
  const isTable = block.kind === 'table'
  let end = 0
  let startsBlock = true
  for (const span of splitUnits(block)) {
    for (const part of splitToFit(text, span, counter, maxTokens)) {
      const before = text.slice(end, part.start)
      const beginsPart = block.kind === 'code' && (startsBlock || BLANK_LINE.test(before))
      yield {
        start: block.charStart + part.start,
        end: block.charStart + part.end,
        text: text.slice(part.start, part.end),
        gap: (startsBlock ? gap : '') + before,
        tokens: part.tokens,
        startsBlock,
        headings,
        isListing: block.kind === 'listing',
        ...(beginsPart && { codeIndent: countIndent(text.slice(part.start, part.end)) }),
        ...(block.kind === 'heading' && { level: block.level ?? 1 }),
        ...(block.page !== undefined && { page: block.page }),
        ...(isTable && tableHeader && (block.isContinued || !startsBlock) && { tableHeader }),
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

function formatHeaderLine({ text, rows = [] }: PlacedBlock): string {
  const header = findTableHeader(rows)
  if (header.rows > 1) return formatTableText([header.names])
  const end = text.indexOf('\n')
  return end < 0 ? text : text.slice(0, end)
}

function splitUnits(block: PlacedBlock): readonly Span[] {
  if (block.kind === 'heading') return [{ start: 0, end: block.text.length }]
  if (block.kind === 'table' || block.kind === 'code' || block.kind === 'listing')
    return lines(block.text)
  return splitSentences(block.text)
}

function lines(text: string): readonly Span[] {
  return [...text.matchAll(/[^\n]*\S[^\n]*/g)].map(match => ({
    start: match.index,
    end: match.index + match[0].length,
  }))
}

type CountedSpan = Span & { readonly tokens: number }

/** Halves it at word boundaries. */
function* splitToFit(
  text: string,
  { start, end }: Span,
  counter: TokenCounter,
  maxTokens: number,
): Generator<CountedSpan> {
  const least = Math.ceil((end - start) / MAX_CHARS_PER_TOKEN)
  const tokens = least > maxTokens ? least : Math.max(least, counter.count(text.slice(start, end)))
  if (tokens <= maxTokens || end - start <= 1) return yield { start, end, tokens }
  const middle = findBoundary(text, { start, end })
  yield* splitToFit(text, { start, end: middle }, counter, maxTokens)
  yield* splitToFit(text, { start: middle, end }, counter, maxTokens)
}

/** Distance from the middle, so that the search for a boundary is bounded. */
const MAX_REACH = 1_000

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
