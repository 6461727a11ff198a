/** How a cell is merged with its neighbours. */
type CellShape = { readonly right: number; readonly isUnderAbove: boolean; readonly isWithLeft: boolean }

/** Edges nearer than this, in twips, are the same column's. */
const SAME_EDGE = 30

/** Gathers the cells of a table as they come, and puts them on a grid when it ends. */
export class RtfTable {
  #shapes: CellShape[] = []
  #merges = { isUnderAbove: false, isWithLeft: false }
  #cells: string[] = []
  readonly #rows: { readonly cells: readonly string[]; readonly shapes: readonly CellShape[] }[] = []

  /** A control word that says how the cells of this row and those to come are laid out. */
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

  /** The rows, merged cells repeated; the table is empty after that. Layout of rows to come stays. */
  takeRows(): readonly (readonly string[])[] {
    this.endRow()
    const edges = edgesOf(this.#rows.flatMap(row => row.shapes.map(shape => shape.right)))
    const grid: string[][] = []
    for (const { cells, shapes } of this.#rows) {
      const line: string[] = []
      for (const [index, text] of cells.entries()) {
        const shape = shapes[index]
        const end = shape ? Math.max(line.length + 1, columnAt(edges, shape.right) + 1) : line.length + 1
        const shown = shownText(text, shape, { left: line.at(-1), above: grid.at(-1)?.[line.length] })
        while (line.length < end) line.push(shown)
      }
      grid.push(line)
    }
    this.#rows.length = 0
    const width = Math.max(0, ...grid.map(line => line.length))
    return grid
      .map(line => [...line, ...Array<string>(width - line.length).fill('')])
      .filter(line => line.some(Boolean))
  }
}

type Neighbours = { readonly left: string | undefined; readonly above: string | undefined }

function shownText(text: string, shape: CellShape | undefined, { left, above }: Neighbours): string {
  if (text || !shape) return text
  return (shape.isWithLeft ? left : shape.isUnderAbove ? above : text) ?? ''
}

/** The right edges of all cells, each once, from left to right. */
function edgesOf(all: readonly number[]): readonly number[] {
  const edges: number[] = []
  for (const edge of all.toSorted((a, b) => a - b)) {
    if (edge - (edges.at(-1) ?? -Infinity) > SAME_EDGE) edges.push(edge)
  }
  return edges
}

function columnAt(edges: readonly number[], right: number): number {
  return edges.findLastIndex(edge => edge <= right)
}
