import { type Block, indentNestedText } from '../../../block.ts'
import { buildTableBlock } from '../table-blocks.ts'

type Paragraph = {
  readonly style?: number
  readonly outlineLevel?: number
  readonly listLevel?: number
  readonly isInTable: boolean
}

const PLAIN: Paragraph = { isInTable: false }

/** Twips, so that edges that differ by rounding are the same column's. */
const SAME_EDGE = 30

export class RtfFlow {
  readonly #levelOf: (style: number | undefined) => number | undefined
  readonly #table = new RtfTable()
  #blocks: Block[] = []
  /** They follow the paragraph that anchors them. */
  #asides: Block[] = []
  #text = ''
  #marker: string | undefined
  #paragraph = PLAIN

  constructor(levelOf: (style: number | undefined) => number | undefined) {
    this.#levelOf = levelOf
  }

  write(text: string): void {
    this.#text += text
  }

  /** Sets the number before an item; omits a bullet. */
  mark(marker: string): void {
    this.#marker = /[\p{L}\p{N}]/u.test(marker) ? `${marker.trim()} ` : ''
  }

  addAside(blocks: readonly Block[]): void {
    for (const block of blocks) this.#asides.push(block)
  }

  applyControl(word: string, value: number | undefined): void {
    switch (word) {
      case 'pard':
        this.#paragraph = PLAIN
        break
      case 's':
        this.#paragraph = { ...this.#paragraph, style: value ?? 0 }
        break
      case 'outlinelevel':
        this.#paragraph = { ...this.#paragraph, outlineLevel: value ?? 0 }
        break
      case 'ilvl':
        this.#paragraph = { ...this.#paragraph, listLevel: value ?? 0 }
        break
      case 'intbl':
        this.#paragraph = { ...this.#paragraph, isInTable: true }
        break
      case 'par':
      case 'sect':
        this.#endParagraph()
        break
      case 'cell':
        this.#table.endCell(this.#takeText())
        break
      case 'row':
        this.#table.endRow()
        break
      case 'nestcell':
      case 'nestrow':
        this.#text += ' '
        break
      default:
        this.#table.define(word, value)
    }
  }

  takeBlocks(): readonly Block[] {
    const blocks = this.#blocks
    this.#blocks = []
    return blocks
  }

  end(): readonly Block[] {
    this.#paragraph = PLAIN
    this.#endParagraph()
    return this.takeBlocks()
  }

  #endParagraph(): void {
    if (this.#paragraph.isInTable) {
      this.#text += '\n'
      return
    }
    this.#endTable()
    const marker = this.#marker
    const text = this.#takeText()
      .replace(/[^\S\n]*\n[^\S\n]*/g, '\n')
      .trim()
    if (text) this.#blocks.push(this.#toBlock(text, marker))
    for (const block of this.#asides) this.#blocks.push(block)
    this.#asides = []
  }

  #toBlock(text: string, marker: string | undefined): Block {
    const { style, outlineLevel = 9, listLevel = 0 } = this.#paragraph
    const level = outlineLevel < 9 ? Math.min(6, outlineLevel + 1) : this.#levelOf(style)
    if (level !== undefined)
      return { kind: 'heading', level, text: `${marker ?? ''}${text}`.replace(/\s+/g, ' ') }
    return marker === undefined
      ? { kind: 'paragraph', text }
      : { kind: 'list', text: indentNestedText(marker + text, listLevel) }
  }

  /** A table of one column only arranges its content. */
  #endTable(): void {
    if (this.#table.isEmpty) return
    const rows = this.#table.takeRows()
    if (rows.some(row => row.length > 1)) this.#blocks.push(buildTableBlock(rows))
    else for (const row of rows) this.#blocks.push({ kind: 'paragraph', text: row.join() })
  }

  #takeText(): string {
    const text = (this.#paragraph.isInTable ? (this.#marker ?? '') : '') + this.#text
    this.#text = ''
    this.#marker = undefined
    return text
  }
}

type CellShape = {
  readonly right: number
  readonly isUnderAbove: boolean
  readonly isWithLeft: boolean
}

class RtfTable {
  #shapes: CellShape[] = []
  #merges = { isUnderAbove: false, isWithLeft: false }
  #cells: string[] = []
  readonly #rows: { readonly cells: readonly string[]; readonly shapes: readonly CellShape[] }[] =
    []

  /** Applies to later rows, too. */
  define(word: string, value: number | undefined): void {
    if (word === 'trowd') this.#shapes = []
    if (word === 'clvmrg') this.#merges.isUnderAbove = true
    if (word === 'clmrg') this.#merges.isWithLeft = true
    if (word !== 'cellx') return
    this.#shapes.push({ right: value ?? 0, ...this.#merges })
    this.#merges = { isUnderAbove: false, isWithLeft: false }
  }

  endCell(text: string): void {
    this.#cells.push(text.replace(/\s+/g, ' ').trim())
  }

  endRow(): void {
    if (this.#cells.length > 0) this.#rows.push({ cells: this.#cells, shapes: this.#shapes })
    this.#cells = []
  }

  get isEmpty(): boolean {
    return this.#rows.length === 0 && this.#cells.length === 0
  }

  /** Repeats merged cells, and empties the table. The layout stays. */
  takeRows(): readonly (readonly string[])[] {
    this.endRow()
    const edges = listEdges(this.#rows.flatMap(row => row.shapes.map(shape => shape.right)))
    const grid: string[][] = []
    for (const { cells, shapes } of this.#rows) {
      const line: string[] = []
      for (const [index, text] of cells.entries()) {
        const shape = shapes[index]
        const end = shape
          ? Math.max(line.length + 1, edges.findLastIndex(edge => edge <= shape.right) + 1)
          : line.length + 1
        const cellText = getCellText(text, shape, {
          left: line.at(-1),
          above: grid.at(-1)?.[line.length],
        })
        while (line.length < end) line.push(cellText)
      }
      grid.push(line)
    }
    this.#rows.length = 0
    return grid.filter(line => line.some(Boolean))
  }
}

type AdjacentCells = { readonly left: string | undefined; readonly above: string | undefined }

function getCellText(
  text: string,
  shape: CellShape | undefined,
  { left, above }: AdjacentCells,
): string {
  if (text || !shape) return text
  return (shape.isWithLeft ? left : shape.isUnderAbove ? above : text) ?? ''
}

function listEdges(all: readonly number[]): readonly number[] {
  const edges: number[] = []
  for (const edge of all.toSorted((a, b) => a - b)) {
    if (edge - (edges.at(-1) ?? -Infinity) > SAME_EDGE) edges.push(edge)
  }
  return edges
}
