import { BLOCK_SEPARATOR, type PlacedBlock } from '../block.ts'
import { type Span, sentences } from '../sentences.ts'
import type { TokenCounter } from '../tokens.ts'

/** The smallest thing a chunk is made of: a heading, a sentence, a table row, a line of code. Never over the limit. */
export type Piece = {
  /** `[start, end)` of the parsed text. */
  readonly start: number
  readonly end: number
  readonly text: string
  /** The white space between the piece before and this one, so that texts join to an exact slice. */
  readonly gap: string
  readonly tokens: number
  readonly startsBlock: boolean
  /** Level of a heading; absent for everything else. */
  readonly level?: number
  readonly page?: number
  /** Path of the section it stands in, its own heading included. */
  readonly headings: readonly string[]
  /** First row of the table that this row continues. */
  readonly tableHeader?: string
}

/**
 * Cut blocks into pieces of at most `maxTokens`; those of a block come together, for a step of an async iteration costs as
 * much as cutting a sentence.
 */
export async function* pieces(
  blocks: AsyncIterable<PlacedBlock>,
  counter: TokenCounter,
  maxTokens: number,
): AsyncGenerator<readonly Piece[]> {
  let path: readonly Heading[] = []
  let gap = ''
  for await (const block of blocks) {
    if (block.kind === 'heading') path = descend(path, { level: block.level ?? 1, text: block.text })
    const cut = { counter, maxTokens, headings: path.map(heading => heading.text), gap }
    const { pieces, rest } = piecesOf(block, cut)
    yield pieces
    gap = rest + BLOCK_SEPARATOR
  }
}

type Heading = { readonly level: number; readonly text: string }

/** The path below the nearest heading that stands higher. */
function descend(path: readonly Heading[], heading: Heading): readonly Heading[] {
  return [...path.filter(above => above.level < heading.level), heading]
}

type Cut = {
  readonly counter: TokenCounter
  readonly maxTokens: number
  readonly headings: readonly string[]
  /** What stands between the last piece and this block. */
  readonly gap: string
}

/** What comes of a block; `rest` is what of its text follows the last piece. */
type CutBlock = { readonly pieces: readonly Piece[]; readonly rest: string }

function piecesOf(block: PlacedBlock, { counter, maxTokens, headings, gap }: Cut): CutBlock {
  const pieces: Piece[] = []
  const tableHeader = block.kind === 'table' ? block.text.split('\n', 1)[0] : undefined
  let end = 0
  let startsBlock = true
  for (const span of unitsOf(block)) {
    for (const part of fitting(block.text, span, counter, maxTokens)) {
      const text = block.text.slice(part.start, part.end)
      pieces.push({
        start: block.charStart + part.start,
        end: block.charStart + part.end,
        text,
        gap: (startsBlock ? gap : '') + block.text.slice(end, part.start),
        tokens: part.tokens,
        startsBlock,
        headings,
        ...(block.kind === 'heading' && { level: block.level ?? 1 }),
        ...(block.page !== undefined && { page: block.page }),
        ...(tableHeader && !startsBlock && { tableHeader }),
      })
      end = part.end
      startsBlock = false
    }
  }
  return { pieces, rest: (startsBlock ? gap : '') + block.text.slice(end) }
}

function unitsOf(block: PlacedBlock): readonly Span[] {
  if (block.kind === 'heading') return [{ start: 0, end: block.text.length }]
  if (block.kind === 'table' || block.kind === 'code') return lines(block.text)
  return sentences(block.text)
}

function lines(text: string): readonly Span[] {
  return [...text.matchAll(/[^\n]*\S[^\n]*/g)].map(match => ({
    start: match.index,
    end: match.index + match[0].length,
  }))
}

type CountedSpan = Span & { readonly tokens: number }

/** Halve a unit at a word boundary until every part fits. */
function fitting(text: string, { start, end }: Span, counter: TokenCounter, maxTokens: number): readonly CountedSpan[] {
  const tokens = counter.count(text.slice(start, end))
  if (tokens <= maxTokens || end - start <= 1) return [{ start, end, tokens }]
  const middle = boundaryNear(text, { start, end })
  return [
    ...fitting(text, { start, end: middle }, counter, maxTokens),
    ...fitting(text, { start: middle, end }, counter, maxTokens),
  ]
}

/** A place to cut close to the middle: after white space or a comma, else anywhere but inside a surrogate pair. */
function boundaryNear(text: string, { start, end }: Span): number {
  const middle = (start + end) >> 1
  const reach = (end - start) >> 2
  for (let distance = 0; distance < reach; distance++) {
    for (const place of [middle + distance, middle - distance]) {
      if (/[\s,;，、；]/.test(text[place - 1] ?? '')) return place
    }
  }
  const isLowSurrogate = /[\udc00-\udfff]/.test(text[middle] ?? '')
  return isLowSurrogate && middle - 1 > start ? middle - 1 : middle
}
