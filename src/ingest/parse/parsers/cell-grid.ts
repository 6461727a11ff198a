import { getItem } from '../../../system/items.ts'
import { repeatCell } from '../../block.ts'

export type CellRegion = {
  readonly row: number
  readonly column: number
  readonly height: number
  readonly columns: number
  readonly text: string
}

export function fillRegion(grid: CellRegion[][], region: CellRegion): void {
  for (let y = region.row; y < region.row + region.height; y++) {
    for (let x = region.column; x < region.column + region.columns; x++)
      getItem(grid, y)[x] ??= region
  }
}

/** Omits columns in which no cell begins: spans may exceed the table. */
export function writeCells(
  grid: readonly (readonly CellRegion[])[],
  regions: readonly CellRegion[],
): string[][] {
  const columns = [...new Set(regions.map(({ column }) => column))].toSorted((a, b) => a - b)
  const repeated = chooseRepeated(regions, columns)
  return grid.map((line, row) =>
    columns
      .filter(column => column < line.length)
      .map(column => {
        const region = line[column]
        if (!region) return ''
        if (region.row === row && region.column === column) return region.text
        return repeated.has(region) ? repeatCell(region.text) : ''
      }),
  )
}

/** Bounds copies of spanning cells, so that nothing multiplies. */
const MAX_COPIES = 1

function chooseRepeated(
  regions: readonly CellRegion[],
  columns: readonly number[],
): ReadonlySet<CellRegion> {
  const own = regions.reduce((sum, { text }) => sum + text.length, 0)
  const covered = ({ column, columns: width }: CellRegion) =>
    columns.filter(index => index >= column && index < column + width).length
  const spanning = regions
    .filter(region => region.height * region.columns > 1)
    .map(region => ({ region, width: covered(region) }))
    .filter(
      ({ region, width }) =>
        region.height * width > 1 && (width < columns.length || region.height > 1),
    )
    .map(({ region, width }) => ({
      region,
      cost: repeatCell(region.text).length * (region.height * width - 1),
    }))
    .toSorted((a, b) => a.cost - b.cost)
  let remainingCopies = MAX_COPIES * own
  return new Set(
    spanning.flatMap(({ region, cost }) => {
      remainingCopies -= cost
      return remainingCopies >= 0 ? [region] : []
    }),
  )
}
