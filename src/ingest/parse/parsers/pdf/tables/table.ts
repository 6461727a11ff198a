import { getItem } from '../../../../../system/items.ts'
import type { Box } from '../../../../block.ts'
import type { Placed } from '../columns.ts'
import { findBoundingBox, isIdeograph, type Segment } from '../lines.ts'
import type { PrintedWords } from '../printed-words.ts'

export type Span = readonly [number, number]

export type GridRow = {
  readonly cells: readonly string[]
  readonly box: Box
  readonly isBold: boolean
}

type Columns = { readonly columns: readonly Span[]; readonly isDrawn: boolean }

export type PdfTable = Placed &
  Columns & {
    readonly text: string
    readonly rows: readonly GridRow[]
  }

/** Omits empty rows. Returns undefined if too little is left. */
export function makeTable(
  grid: readonly GridRow[],
  { columns: places, isDrawn }: Columns,
): PdfTable | undefined {
  const filled = grid.filter(({ cells }) => cells.some(cell => cell !== ''))
  const columns = (filled[0]?.cells ?? [])
    .map((_, column) => column)
    .filter(column => filled.some(row => row.cells[column]))
  if (filled.length < 2 || columns.length < 2) return undefined
  const rows = filled.map(row => ({
    ...row,
    cells: columns.map(column => row.cells[column] ?? ''),
  }))
  const [x0, top, x1, bottom] = findBoundingBox(
    rows.map(({ box: [left, above, right, below] }) => ({
      x0: left,
      top: above,
      x1: right,
      bottom: below,
    })),
  )
  const text = rows.flatMap(({ cells }) => cells).join(' ')
  return {
    x0,
    top,
    x1,
    bottom,
    text,
    columns: columns.map(column => getItem(places, column)),
    isDrawn,
    rows,
  }
}

/** Growth by repeated merged cells, as a share: a document grows by no more than 1.2 times. */
export const MAX_REPEATED = 0.2

/** Usual length of a word, so that single letters and figures count as words. */
const WORD_CHARACTERS = 5

export function measureWords(text: string): number {
  return text
    .split(/\s+/)
    .reduce((sum, word) => sum + (word ? Math.max(WORD_CHARACTERS, word.length) : 0), 0)
}

/** Chooses the texts to repeat in all cells they cover: the shortest, up to the maximum growth. */
export function chooseRepeated<Label extends { readonly added: number }>(
  labels: readonly Label[],
  maxAdded: number,
): ReadonlySet<Label> {
  let remainingChars = maxAdded
  const repeated = new Set<Label>()
  for (const label of labels.toSorted((a, b) => a.added - b.added)) {
    if (label.added > remainingChars) break
    remainingChars -= label.added
    repeated.add(label)
  }
  return repeated
}

export function isBold(lines: readonly Pick<Segment, 'isBold'>[]): boolean {
  return lines.length > 0 && lines.every(line => line.isBold)
}

export function joinCellLines(
  lines: readonly Pick<Segment, 'text'>[],
  words: PrintedWords,
): string {
  return lines
    .map(line => line.text)
    .reduce((before, after) => joinLines(before, after, words), '')
    .replace(/\u00ad$/, '-')
    .replace(/\s+/g, ' ')
    .trim()
}

/** The middle of a compound, as in `state-of-the-`: its hyphens stay. */
const COMPOUND = /[-\u2010](a|and|at|by|for|in|of|on|or|the|to|up)[-\u2010]$/i

/**
 * Joins a divided word as the document writes it elsewhere, or if its letters are small; adds
 * no space between ideographs.
 */
export function joinLines(before: string, after: string, words: PrintedWords): string {
  if (before === '') return after
  if (before.endsWith('\u00ad')) return before.slice(0, -1) + after
  const kind = words.classifyWord(before, after)
  if (kind === 'word') return before.slice(0, -1) + after
  if (kind === 'compound' || COMPOUND.test(before)) return before + after
  if (/\p{Ll}[-\u2010]$/u.test(before) && /^\p{Ll}/u.test(after)) return before.slice(0, -1) + after
  if (/[\p{L}\p{N}][-\u2010\u2011/]$/u.test(before)) return before + after
  if (isIdeograph(before.at(-1)) && isIdeograph(after[0])) return before + after
  return `${before} ${after}`
}
