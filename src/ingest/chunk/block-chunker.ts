import { localizable } from '../../errors/localizable.ts'
import { AppError } from '../../errors.ts'
import { getFirst, getItem, getLast } from '../../system/items.ts'
import { TimeSlices } from '../../system/time-slices.ts'
import { CELL_SEPARATOR, clipText, MAX_REPEATED_CHARS } from '../block.ts'
import type { Chunk, Chunker, ChunkerInput, Chunking } from './chunker.ts'
import { cutPieces, type Piece } from './pieces.ts'
import type { TokenCounter } from './tokens.ts'

/** A chunk may end from here, so that blocks and sections are not mixed. */
const FULL_ENOUGH = 0.6
/** A chunk of code may end from here, so that a function of average length is not cut. */
const CODE_ENOUGH = 0.4

/** Bounded, so that every chunk advances. */
const MAX_OVERLAP = 0.5
const MIN_TOKENS = 16
/** Limit of `max_chunk_size_tokens` at OpenAI. */
const MAX_TOKENS = 4096
const MIN_CONTEXT_TOKENS = 16
const MAX_CONTEXT_TOKENS = 96

type TextChunk = Chunk & { readonly text: string }

/**
 * Packs complete blocks, or cuts them at sentence ends, code at its least indented part. Never
 * crosses a top-level heading.
 */
export class BlockChunker implements Chunker {
  readonly id: string
  readonly #counter: TokenCounter
  readonly #maxTokens: number
  readonly #overlapTokens: number
  readonly #contextTokens: number

  /** `modelTokens` is the embedder's length, context included. Throws `invalid_input`. */
  constructor({ tokens, overlap }: Chunking, modelTokens: number, counter: TokenCounter) {
    if (!(tokens >= MIN_TOKENS && tokens <= MAX_TOKENS)) {
      throw new AppError(
        'invalid_input',
        localizable`Chunks of ${tokens} tokens: choose ${MIN_TOKENS} to ${MAX_TOKENS}.`,
      )
    }
    if (!(overlap >= 0 && overlap <= MAX_OVERLAP)) {
      throw new AppError(
        'invalid_input',
        localizable`An overlap of ${overlap}: choose a share from 0 to ${MAX_OVERLAP}.`,
      )
    }
    this.#counter = counter
    this.#maxTokens = tokens
    this.#overlapTokens = Math.floor(tokens * overlap)
    const remainingTokens = modelTokens - tokens
    this.#contextTokens =
      remainingTokens < MIN_CONTEXT_TOKENS
        ? MAX_CONTEXT_TOKENS
        : Math.min(MAX_CONTEXT_TOKENS, remainingTokens)
    this.id = `block@8:${tokens}:${this.#overlapTokens}:${this.#contextTokens}:${counter.id}`
  }

  async *chunks({
    title: fullTitle,
    blocks,
    slices = new TimeSlices(),
  }: ChunkerInput): AsyncGenerator<TextChunk> {
    const title = clipText(fullTitle, MAX_REPEATED_CHARS)
    let ordinal = 0
    let open: Piece[] = []
    let tokens = 0
    for await (const several of cutPieces(blocks, {
      counter: this.#counter,
      maxTokens: this.#maxTokens,
      slices,
    })) {
      for (const piece of several) {
        const ended = this.#countEnded(open, piece)
        if (ended > 0) {
          yield this.#chunk(ordinal++, title, open.slice(0, ended))
          open = open.slice(ended)
          tokens = sum(open)
        }
        while (open.length > 0 && tokens + piece.tokens > this.#maxTokens) {
          const cut = this.#cut(open, piece)
          yield this.#chunk(ordinal++, title, open.slice(0, cut))
          open = [...this.#takeOverlap(open, cut, piece), ...open.slice(cut)]
          tokens = sum(open)
          if (slices.isOver) await slices.next()
        }
        open.push(piece)
        tokens += piece.tokens
      }
    }
    if (open.length > 0) yield this.#chunk(ordinal, title, open)
  }

  #countEnded(open: readonly Piece[], next: Piece): number {
    if (this.#endsSection(open, next)) return open.length
    return changesKind(open, next) ? findLastContent(open) + 1 : 0
  }

  #endsSection(open: readonly Piece[], next: Piece): boolean {
    if (next.level === undefined || open.every(piece => piece.level !== undefined)) return false
    return next.level === 1 || sum(open) >= this.#maxTokens * FULL_ENOUGH
  }

  #cut(open: readonly Piece[], next: Piece): number {
    const codeStart = this.#findCodeStart(open, next)
    let cut = codeStart ?? open.length
    if (codeStart === undefined && !next.startsBlock) {
      const blockStart = open.findLastIndex(piece => piece.startsBlock)
      if (blockStart > 0 && sum(open.slice(0, blockStart)) >= this.#maxTokens * FULL_ENOUGH)
        cut = blockStart
    }
    const content = findLastContent(open.slice(0, cut))
    return content >= 0 ? content + 1 : cut
  }

  /** Returns the last of the least indented parts of code. */
  #findCodeStart(open: readonly Piece[], next: Piece): number | undefined {
    let best: { readonly cut: number; readonly indent: number } | undefined
    let tokens = 0
    for (const [cut, { codeIndent: indent, tokens: own }] of [...open, next].entries()) {
      const isFullEnough = cut > 0 && tokens >= this.#maxTokens * CODE_ENOUGH
      if (isFullEnough && indent !== undefined && indent <= (best?.indent ?? indent))
        best = { cut, indent }
      tokens += own
    }
    return best?.cut
  }

  #takeOverlap(open: readonly Piece[], cut: number, next: Piece): readonly Piece[] {
    const room = Math.min(this.#overlapTokens, this.#maxTokens - sum(open.slice(cut)) - next.tokens)
    let start = cut
    let tokens = 0
    while (start > 1 && open[cut - 1]?.level === undefined) {
      const piece = getItem(open, start - 1)
      tokens += piece.tokens
      if (tokens > room || piece.level !== undefined) break
      start--
    }
    const follows = open[cut] ?? next
    const isStart = follows.level !== undefined || follows.codeIndent !== undefined
    return isStart ? [] : open.slice(start, cut)
  }

  #chunk(ordinal: number, title: string, open: readonly Piece[]): TextChunk {
    const first = getFirst(open)
    const last = getLast(open)
    const text = open.map((piece, index) => (index > 0 ? piece.gap : '') + piece.text).join('')
    const context = buildContext({ title, first, text }, this.#contextTokens, this.#counter)
    const links = boundLinks(open)
    const found = open.map(piece => piece.page).filter(page => page !== undefined)
    return {
      ordinal,
      charStart: first.start,
      charEnd: last.end,
      text,
      context,
      headings: first.headings,
      ...(found.length > 0 && { pages: [Math.min(...found), Math.max(...found)] as const }),
      tokens: this.#counter.count(text),
      ...(links.length > 0 && { links }),
      ...(open.some(piece => piece.isListing) && { isListing: true as const }),
    }
  }
}

/** Bounded, so that a page of links is mostly its own text. */
function boundLinks(open: readonly Piece[]): readonly string[] {
  let chars = 0
  return [...new Set(open.flatMap(({ links = [] }) => links))].filter(link => {
    chars += link.length
    return chars <= MAX_REPEATED_CHARS
  })
}

function changesKind(open: readonly Piece[], next: Piece): boolean {
  const before = open[findLastContent(open)]
  return before !== undefined && before.isListing !== next.isListing
}

function findLastContent(open: readonly Piece[]): number {
  return open.findLastIndex(piece => piece.level === undefined)
}

function sum(open: readonly Piece[]): number {
  return open.reduce((total, piece) => total + piece.tokens, 0)
}

type ChunkStart = { readonly title: string; readonly first: Piece; readonly text: string }

/** Bounded in characters, too, because an unknown token may stand for any number. */
function buildContext(
  { title, first, text }: ChunkStart,
  maxTokens: number,
  counter: TokenCounter,
): string {
  const path = first.headings
    .filter(heading => heading !== title && !text.startsWith(heading))
    .join(' > ')
  const parts = [title, path].map(part => part.replace(/\s+/g, ' ').trim())
  const isFitting = (longer: string) =>
    longer.length <= MAX_REPEATED_CHARS && counter.count(longer) <= maxTokens
  let context = ''
  for (const part of parts.filter(part => part !== '')) {
    const longer = context ? `${context}\n${part}` : part
    if (isFitting(longer)) context = longer
    else if (!context) context = clip(part, maxTokens, counter)
  }
  const header = first.tableHeader?.replace(/\s+/g, ' ').trim()
  if (!header) return context
  const longer = context ? `${context}\n${header}` : header
  if (isFitting(longer)) return longer
  const clipped = clip(longer.slice(0, MAX_REPEATED_CHARS), maxTokens, counter)
  return clipped.slice(0, Math.max(context.length, clipped.lastIndexOf(CELL_SEPARATOR)))
}

function clip(text: string, maxTokens: number, counter: TokenCounter): string {
  let fits = 0
  let tooLong = text.length + 1
  while (tooLong - fits > 1) {
    const middle = (fits + tooLong) >> 1
    if (counter.count(text.slice(0, middle)) <= maxTokens) fits = middle
    else tooLong = middle
  }
  return text
    .slice(0, fits)
    .replace(/[\ud800-\udbff]$/, '')
    .trim()
}
