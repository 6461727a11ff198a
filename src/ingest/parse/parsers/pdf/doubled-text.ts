import { removeBlanks } from './letter-spacing.ts'
import type { Fragment } from './lines.ts'

const PLACES_ACROSS = 2 ** 20
const NEARLY_THE_SAME = [-1, 0, 1].flatMap(dx => [-1, 0, 1].map(dy => dx * PLACES_ACROSS + dy))

/** Shorter texts are in any line. */
const MIN_CHARACTERS = 3
/** Points; overlapping lines share a band. */
const BAND = 8
/** Protects against pages that print all text in one place. */
const MAX_IN_BAND = 500
/** Distance of the baselines of a line and its copy, in em. */
const SAME_LINE = 0.5
/** Em that a copy may reach beyond its line. */
const STICKS_OUT = 1
/** Em between a letter and its copy: less than a narrow letter, which may be doubled. */
const COPY_SHIFT = 0.15

/** Removes shadows, emulated bold, and OCR layers. */
export function removeDoubledText(fragments: readonly Fragment[]): Fragment[] {
  return removeCovered(removeRepeated(trimRepeatedStarts(fragments)))
}

/** Bold text may be drawn letter by letter, each twice: `B`, `BO`, `OL`, `LD`. */
function trimRepeatedStarts(fragments: readonly Fragment[]): Fragment[] {
  return fragments.flatMap((fragment, index) => {
    const last = fragments[index - 1]
    const repeated = last ? countRepeatedLetters(last, fragment) : 0
    if (repeated === 0) return [fragment]
    const text = fragment.text.slice(repeated).trimStart()
    const omitted = fragment.text.length - text.length
    const unit = (fragment.x1 - fragment.x0) / fragment.text.length
    const isSpaced = omitted > repeated
    const x0 = isSpaced ? fragment.x0 + omitted * unit : (last?.x1 ?? fragment.x0)
    return text === '' ? [] : [{ ...fragment, text, x0, isSpaced }]
  })
}

function countRepeatedLetters(last: Fragment, { text, x0, baseline, size }: Fragment): number {
  const unit = (last.x1 - last.x0) / last.text.length
  const letters = Math.round((last.x1 - x0) / unit)
  const isInPlace =
    Math.abs(last.x1 - letters * unit - x0) < size * COPY_SHIFT &&
    Math.abs(last.baseline - baseline) < size * COPY_SHIFT
  const isRepeated = letters > 0 && last.text.endsWith(text.slice(0, letters))
  return isInPlace && isRepeated && letters <= text.length ? letters : 0
}

function removeRepeated(fragments: readonly Fragment[]): Fragment[] {
  const seen = new Map<string, Set<number>>()
  return fragments.filter(({ text, x0, baseline }) => {
    const place = Math.round(x0 / 2) * PLACES_ACROSS + Math.round(baseline / 2)
    const places = seen.get(text)
    if (!places) seen.set(text, new Set([place]))
    else if (NEARLY_THE_SAME.some(step => places.has(place + step))) return false
    else places.add(place)
    return true
  })
}

function removeCovered(fragments: readonly Fragment[]): Fragment[] {
  const bands = new Map<number, { fragment: Fragment; text: string }[]>()
  const byLength = fragments
    .map(fragment => ({ fragment, text: removeBlanks(fragment.text) }))
    .sort((a, b) => b.text.length - a.text.length)
  const covered = new Set<Fragment>()
  for (const piece of byLength) {
    const band = Math.round(piece.fragment.baseline / BAND)
    const near = [-1, 0, 1].flatMap(step => bands.get(band + step) ?? [])
    if (near.some(longer => covers(longer, piece) || containsLetters(longer, piece)))
      covered.add(piece.fragment)
    else {
      const lines = bands.get(band)
      if (!lines) bands.set(band, [piece])
      else if (lines.length < MAX_IN_BAND) lines.push(piece)
    }
  }
  return covered.size === 0 ? [...fragments] : fragments.filter(piece => !covered.has(piece))
}

type Piece = { readonly fragment: Fragment; readonly text: string }

function covers(longer: Piece, piece: Piece): boolean {
  const { size, x0, x1, baseline } = longer.fragment
  const room = size * STICKS_OUT
  return (
    piece.text.length >= MIN_CHARACTERS &&
    Math.abs(baseline - piece.fragment.baseline) < size * SAME_LINE &&
    piece.fragment.x0 > x0 - room &&
    piece.fragment.x1 < x1 + room &&
    longer.text.includes(piece.text) &&
    isAtItsPlace(longer, piece)
  )
}

/** A copy may lack letters, as `54 5` under `54.5`. It stands exactly in its line. */
function containsLetters({ fragment: longer }: Piece, { fragment, text: letters }: Piece): boolean {
  const room = longer.size * COPY_SHIFT
  if (
    Math.abs(longer.baseline - fragment.baseline) > room ||
    Math.abs(longer.size - fragment.size) > room ||
    fragment.x0 < longer.x0 - room ||
    fragment.x1 > longer.x1 + room
  )
    return false
  const units = longer.text.length / (longer.x1 - longer.x0)
  const step = ((fragment.x1 - fragment.x0) / fragment.text.length) * units
  const start = (fragment.x0 - longer.x0) * units
  const around = letters.length === 1 ? 1 : findTolerance(longer.text)
  let next = 0
  return [...fragment.text].every((letter, index) => {
    if (letter.trim() === '') return true
    const expected = start + index * step
    const found = longer.text.indexOf(letter, Math.max(next, Math.floor(expected - around)))
    next = found + 1
    return found >= 0 && found <= expected + around
  })
}

function findTolerance(text: string): number {
  return Math.max(2, text.length * 0.1)
}

/** The same word elsewhere in the line is another word. */
function isAtItsPlace({ fragment, text }: Piece, piece: Piece): boolean {
  const unit = (fragment.x1 - fragment.x0) / text.length
  const expected = (piece.fragment.x0 - fragment.x0) / unit
  const around = findTolerance(text)
  const found = text.indexOf(piece.text, Math.max(0, Math.floor(expected - around)))
  return found >= 0 && found <= expected + around
}
