import type { TextItem } from 'pdfjs-dist/types/src/display/api.js'
import { getItem } from '../../../../system/items.ts'
import { readGlyph } from './soft-hyphens.ts'

/** Em between letters that are set apart: the engine takes a tenth for a blank. */
const MIN_SPACED = 0.08
/** Em, so that letters in columns stay apart. */
const MAX_SPACED = 1
/** Distance of words per distance of letters, and em between both. */
const WORD_RATIO = 1.6
const MIN_WORD_GAP = 0.12
/** Letters set apart by blanks or moves, so that short lists of signs stay apart. */
const MIN_LETTERS = 5
/** Letters set apart by the character spacing, which lists do not use. */
const MIN_SPACED_LETTERS = 2

/** Lines of a page, so that searching its text takes less than a second. */
const MAX_LINES = 1_000
const MIN_BLANK = 0.16

export type TextState = {
  /** Units of text space: of the size. */
  readonly size: number
  readonly characterSpacing: number
  readonly wordSpacing: number
}

type Letter = { readonly text: string; readonly gap: number }

/** Joins letters that are set apart by their distances: `H e l l o` is one word. */
export class LetterSpacing {
  readonly #lines: string[] = []

  addGlyphs(glyphs: readonly unknown[], state: TextState): void {
    const letters = measureGaps(glyphs, state)
    const isTracked = state.characterSpacing >= MIN_SPACED * Math.abs(state.size)
    if (letters.length < (isTracked ? MIN_SPACED_LETTERS : MIN_LETTERS)) return
    if (this.#lines.length >= MAX_LINES) return
    if (!isTracked && !letters.every(({ text }) => /^[\p{L}\p{M}\p{P}]+$/u.test(text))) return
    const gaps = letters
      .slice(1)
      .map(({ gap }) => gap)
      .sort((a, b) => a - b)
    const usual = gaps[Math.floor(gaps.length / 2)] ?? 0
    const lowerQuartile = gaps[Math.floor(gaps.length / 4)] ?? 0 // marks adjoin letters
    if (lowerQuartile < MIN_SPACED || usual > MAX_SPACED) return
    const wide = Math.max(usual * WORD_RATIO, usual + MIN_WORD_GAP)
    this.#lines.push(
      letters.map(({ text, gap }, index) => (index > 0 && gap > wide ? ` ${text}` : text)).join(''),
    )
  }

  join(items: readonly TextItem[]): readonly TextItem[] {
    if (this.#lines.length === 0) return items
    const text = new ItemText(items)
    for (const line of this.#lines) text.join(line)
    return text.listItems()
  }
}

class ItemText {
  readonly #items: (TextItem | undefined)[]
  readonly #places: readonly { readonly index: number; readonly offset: number }[]
  readonly #text: string
  #from = 0

  constructor(items: readonly TextItem[]) {
    this.#items = [...items]
    this.#places = items.flatMap(({ str }, index) =>
      [...str.matchAll(/\S/g)].map(match => ({ index, offset: match.index })),
    )
    this.#text = items.map(({ str }) => removeBlanks(str)).join('')
  }

  listItems(): readonly TextItem[] {
    return this.#items.filter(item => item !== undefined)
  }

  /** The joined letters take the place of the first of their items. */
  join(line: string): void {
    const letters = removeBlanks(line)
    let start = this.#text.indexOf(letters, this.#from)
    while (start >= 0 && !this.#isApart(start, start + letters.length))
      start = this.#text.indexOf(letters, start + 1)
    if (start < 0) return
    this.#from = start + letters.length
    const first = getItem(this.#places, start)
    const last = getItem(this.#places, this.#from - 1)
    const opening = this.#items[first.index]
    const closing = this.#items[last.index]
    if (!opening || !closing || !isLevel(opening, closing)) return
    this.#items.fill(undefined, first.index, last.index + 1)
    this.#items[first.index] = {
      ...opening,
      str: opening.str.slice(0, first.offset) + line + closing.str.slice(last.offset + 1),
      width: closing.transform[4] + closing.width - opening.transform[4],
      hasEOL: closing.hasEOL,
    }
  }

  /** No other letter adjoins them, and most do not adjoin each other. */
  #isApart(start: number, end: number): boolean {
    if (!this.#hasGap(start) || !this.#hasGap(end)) return false
    let gaps = 0
    for (let index = start + 1; index < end; index++) if (this.#hasGap(index)) gaps++
    return gaps * 2 >= end - start - 1
  }

  #hasGap(index: number): boolean {
    const before = this.#places[index - 1]
    const after = this.#places[index]
    return before?.index !== after?.index || before?.offset !== (after?.offset ?? 0) - 1
  }
}

function isLevel({ transform: [a, b, , , , y] }: TextItem, last: TextItem): boolean {
  return a > 0 && b === 0 && y === last.transform[5]
}

export function readWords(glyphs: readonly unknown[], state: TextState): string {
  const letters = measureGaps(glyphs, state)
  return letters.map(({ text, gap }) => (gap > MIN_BLANK ? ` ${text}` : text)).join('')
}

function measureGaps(glyphs: readonly unknown[], state: TextState): Letter[] {
  const size = Math.abs(state.size) || 1
  const letters: Letter[] = []
  let gap = 0
  for (const glyph of glyphs) {
    if (typeof glyph === 'number') gap -= glyph / 1000
    else {
      const text = readGlyph(glyph).trim()
      if (text === '') gap += readWidth(glyph) / 1000 + state.wordSpacing / size
      else {
        letters.push({ text, gap })
        gap = 0
      }
      gap += state.characterSpacing / size
    }
  }
  return letters
}

/** Returns thousandths of the size. */
function readWidth(glyph: unknown): number {
  return typeof glyph === 'object' && glyph !== null && 'width' in glyph ? Number(glyph.width) : 0
}

export function removeBlanks(text: string): string {
  return text.replace(/\s/g, '')
}
