/** Range `[start, end)` in UTF-16 units. */
export type TextPiece = { readonly start: number; readonly end: number; readonly text: string }

export const MAX_PIECE_CHARS = 1_000

/** Runs without a border, cut anywhere because encoding is quadratic. */
const LONG_RUN = /[\p{L}\p{M}]{65}|[^\s\p{L}\p{N}]{65}|\s{65}/u
const MAX_RUN_CHARS = 64

const PUNCTUATION = new Set('，。、；：！？')
const isBlank = /\s/
const isLetter = /\p{L}/u

/**
 * Splits before a space, and between a letter and a Chinese mark. Elsewhere a cut may add a
 * token.
 */
export function* splitText(text: string): Generator<TextPiece> {
  for (let start = 0; start < text.length; ) {
    const end = findPieceEnd(text, start)
    const piece = text.slice(start, end)
    if (LONG_RUN.test(piece)) yield* splitRun(text, start, end)
    else yield { start, end, text: piece }
    start = end
  }
}

function findPieceEnd(text: string, start: number): number {
  const last = start + MAX_PIECE_CHARS
  if (last >= text.length) return text.length
  for (let index = last; index > start; index--) if (isBoundary(text, index)) return index
  return alignToCharacter(text, last)
}

function isBoundary(text: string, index: number): boolean {
  const before = text.charAt(index - 1)
  const after = text.charAt(index)
  if (after === ' ') return !isBlank.test(before)
  return PUNCTUATION.has(after) && isLetter.test(before)
}

function* splitRun(text: string, from: number, to: number): Generator<TextPiece> {
  for (let start = from; start < to; ) {
    const end = alignToCharacter(text, Math.min(start + MAX_RUN_CHARS, to))
    yield { start, end, text: text.slice(start, end) }
    start = end
  }
}

function alignToCharacter(text: string, index: number): number {
  return (text.codePointAt(index - 1) ?? 0) > 0xffff ? index + 1 : index
}
