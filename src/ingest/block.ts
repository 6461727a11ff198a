/** What a block is; `list` is one list item, a `listing` only says what stands elsewhere: contents, an index, a menu, a dump of bytes. */
type BlockKind = 'heading' | 'paragraph' | 'list' | 'table' | 'code' | 'caption' | 'listing'

/** A rectangle on a page, `[x0, y0, x1, y1]` in PDF points (1/72 inch), origin at the page's top left, y downwards. */
export type Box = readonly [number, number, number, number]

/** Where one printed line of a block stands: `[start, end)` in UTF-16 units of the block's own text. */
export type Line = { readonly start: number; readonly end: number; readonly box: Box }

/** A structural piece of a parsed document. */
export type Block = {
  readonly kind: BlockKind
  /** Never empty; a table's text is its rows, one a line, cells joined by ` | `. */
  readonly text: string
  /** Of a heading: 1 (top) to 6. */
  readonly level?: number
  /** 1-based, in formats that have pages. */
  readonly page?: number
  readonly box?: Box
  readonly lines?: readonly Line[]
  /** Of a table: every row with the same number of cells, merged cells repeated, header first. */
  readonly rows?: readonly (readonly string[])[]
  /** Of a table: its rows go on from the table before it, on the page before, and have no header of their own. */
  readonly isContinued?: boolean
  /**
   * Of a table: its numbers are values of the format, written here with a decimal point; or semicolons separate its cells, which
   * leaves the comma to decimals.
   */
  readonly numbers?: 'native' | 'semicolons'
  /** Share of its characters that are in links, in formats that have them, where any is; not stored. */
  readonly linkShare?: number
}

/** A block with its place, `[charStart, charEnd)` in UTF-16 units of the parsed text. */
export type PlacedBlock = Block & { readonly charStart: number; readonly charEnd: number }

/** What stands between two blocks in the parsed text. */
export const BLOCK_SEPARATOR = '\n\n'

/** Stands between two cells in the text of a table's row. */
export const CELL_SEPARATOR = ' | '

/** A table's rows as the text of its block. */
export function tableText(rows: readonly (readonly string[])[]): string {
  return rows.map(row => row.map(cell => cell.replace(/\s+/g, ' ').trim()).join(CELL_SEPARATOR)).join('\n')
}

/** What is nested deeper is set in no further. */
const MAX_NESTING = 8

/** What stands in a list as the text of its block: set in by two spaces for each item that it stands under. */
export function nestedText(text: string, depth: number): string {
  const indent = '  '.repeat(Math.min(MAX_NESTING, Math.max(0, depth)))
  return indent + text
}

/** Where words stand on a page, `[charStart, charEnd)` of the parsed text: a printed line, or a whole block. */
export type PlacedBox = {
  readonly page: number
  readonly charStart: number
  readonly charEnd: number
  /** In PDF points from the page's top left. */
  readonly box: Box
}
