import { paperShade, type Raster } from './raster.ts'

/** A character with the middle of where it stands, in pixels from the left of the line's picture. */
export type PlacedCharacter = { readonly character: string; readonly x: number }

/** So much of the contrast of a line is ink. */
const INK = 0.4
/** A gap is a space from this share of the line's height, and where it is so much wider than the usual gap. */
const MIN_GAP = 0.13
const WIDER = 1.8

const SPACED = /[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{N}\p{P}\p{S}]/u
const WIDE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303f\uff00-\uffef]/u
/** Set close to the character before it, with white about it that is its own. */
const CLOSING = /[.,:;!?)\]}%'’”]/
const OPENING = /[([{'‘“]/

/**
 * The text with a space wherever the line shows a gap as wide as one: a model trained on Chinese, which has none,
 * leaves out spaces between Latin words.
 */
export function withInkSpaces(characters: readonly PlacedCharacter[], line: Raster): string {
  const gaps = characters.some(({ character }) => /\p{Script=Latin}/u.test(character)) ? wideGaps(line) : []
  let text = ''
  for (const [index, { character, x }] of characters.entries()) {
    const previous = characters[index - 1]
    const isParted = previous && gaps.some(gap => gap > previous.x && gap < x)
    text += isParted && mayPart(previous.character, character) ? ` ${character}` : character
  }
  return text
}

function mayPart(left: string, right: string): boolean {
  if (!SPACED.test(left) || !SPACED.test(right) || WIDE.test(left) || WIDE.test(right)) return false
  return !CLOSING.test(right) && !OPENING.test(left)
}

/** The middles of the gaps between words. */
function wideGaps(line: Raster): number[] {
  const gaps = gapsOf(line)
  const widths = gaps.map(gap => gap.end - gap.start).sort((a, b) => a - b)
  const usual = widths[Math.floor(widths.length / 2)] ?? 0
  const least = Math.max(line.height * MIN_GAP, usual * WIDER)
  return gaps.filter(gap => gap.end - gap.start >= least).map(gap => (gap.start + gap.end) / 2)
}

/** Runs of columns without ink, between columns that have some. */
function gapsOf({ width, height, pixels }: Raster): { start: number; end: number }[] {
  const paper = paperShade(pixels)
  const contrast = pixels.reduce((most, shade) => Math.max(most, Math.abs(shade - paper)), 0)
  const gaps: { start: number; end: number }[] = []
  let end: number | undefined
  for (let x = 0; x < width; x++) {
    let ink = 0
    for (let y = 0; y < height; y++) ink = Math.max(ink, Math.abs(pixels[y * width + x]! - paper))
    if (ink < contrast * INK) continue
    if (end !== undefined && x > end) gaps.push({ start: end, end: x })
    end = x + 1
  }
  return gaps
}
