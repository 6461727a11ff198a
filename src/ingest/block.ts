/** `listing` is contents, an index, a menu or a dump of bytes; `list` is one item. */
type BlockKind = 'heading' | 'paragraph' | 'list' | 'table' | 'code' | 'caption' | 'listing'

/** Rectangle `[x0, y0, x1, y1]` in PDF points (1/72 inch) from the page's top left. */
export type Box = readonly [number, number, number, number]

/** `[start, end)` in UTF-16 units of the block's text. */
export type Line = { readonly start: number; readonly end: number; readonly box: Box }

export type Block = {
  readonly kind: BlockKind
  /** Never empty. A table has one row a line, cells joined by ` | `. */
  readonly text: string
  /** 1 (top) to 6. */
  readonly level?: number
  /** 1-based, in formats that have pages. */
  readonly page?: number
  readonly box?: Box
  readonly lines?: readonly Line[]
  /** Header first, merged cells repeated, padded to one length. */
  readonly rows?: readonly (readonly string[])[]
  /** Whether a table without a header continues the table on the page before. */
  readonly isContinued?: boolean
  /** `native`: typed values with a decimal point. `semicolons`: a comma may be a decimal sign. */
  readonly numbers?: 'native' | 'semicolons'
  /** Cells `[row, column]` of a `native` table that store numbers as text, in any notation. */
  readonly textNumbers?: readonly (readonly [row: number, column: number])[]
  /** Targets of its links that the text does not show: indexed, but no part of the text. */
  readonly links?: readonly string[]
  /** Share of its characters in links; not stored. */
  readonly linkShare?: number
}

/** `[charStart, charEnd)` in UTF-16 units of the parsed text. */
export type PlacedBlock = Block & { readonly charStart: number; readonly charEnd: number }

export const BLOCK_SEPARATOR = '\n\n'

export const CELL_SEPARATOR = ' | '

export function formatTableText(rows: readonly (readonly string[])[]): string {
  return rows
    .map(row => row.map(cell => cell.replace(/\s+/g, ' ').trim()).join(CELL_SEPARATOR))
    .join('\n')
}

/** Bounded, so that parts are mostly their own text. */
export const MAX_REPEATED_CHARS = 500

/** Never splits a surrogate pair. */
export function clipText(text: string, maxChars: number): string {
  return text.length <= maxChars ? text : text.slice(0, maxChars).replace(/[\ud800-\udbff]$/, '')
}

/** Protects against growth of the text. */
const MAX_COPY_CHARS = 200

export function repeatCell(text: string): string {
  return text.length <= MAX_COPY_CHARS ? text : `${clipText(text, MAX_COPY_CHARS)}…`
}

export function countColumns(rows: readonly (readonly string[])[]): number {
  return rows.reduce((widest, row) => Math.max(widest, row.length), 0)
}

/** Pads rows to one length, unless the padding would exceed their text. */
export function padRows(rows: readonly (readonly string[])[]): readonly (readonly string[])[] {
  const width = countColumns(rows)
  const cells = rows.reduce((sum, row) => sum + row.length, 0)
  const characters = rows.reduce(
    (sum, row) => sum + row.reduce((own, cell) => own + cell.length, 0),
    0,
  )
  const blanks = width * rows.length - cells
  if (blanks * CELL_SEPARATOR.length > cells + characters) return rows
  return rows.map(row =>
    row.length === width ? row : [...row, ...Array<string>(width - row.length).fill('')],
  )
}

/** Bounded, so that deep nesting does not fill lines with spaces. */
const MAX_NESTING = 8

export function indentNestedText(text: string, depth: number): string {
  const indent = '  '.repeat(Math.min(MAX_NESTING, Math.max(0, depth)))
  return indent + text
}

export type PlacedBox = {
  readonly page: number
  readonly charStart: number
  readonly charEnd: number
  readonly box: Box
}
