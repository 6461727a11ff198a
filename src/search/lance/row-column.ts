import type { Table } from '@lancedb/lancedb'
import type { RecordBatch } from 'apache-arrow'
import type { RecentRows } from '../recent-rows.ts'

/**
 * Single reads before a small table's column is read whole, so that one-off searches stay
 * cheap.
 */
const SINGLE_READS = 3

type RowVisitor = (row: bigint, value: unknown) => void

/** Reads rows in table order; leaves out missing ones. */
export async function readColumn(
  table: Table,
  rows: readonly bigint[],
  column: string,
  visit: RowVisitor,
): Promise<void> {
  const ascending = BigUint64Array.from(rows).sort() // a fifth cheaper than in another order
  const query = table.takeRowIds([...ascending])
  for await (const batch of query.select([column]).withRowId()) visitAll(batch, column, visit)
}

function visitAll(batch: RecordBatch, column: string, visit: RowVisitor): void {
  const names = batch.getChild('_rowid')
  const values = batch.getChild(column)
  for (let index = 0; index < batch.numRows; index++) visit(names?.get(index), values?.get(index))
}

type RowColumnOptions<Value> = {
  readonly table: Table
  readonly column: string
  readonly recent: RecentRows<Value>
  readonly reader: number
  readonly read: (value: unknown) => Value
}

/** Caches one column of a pinned table, soon all of a small one. */
export class RowColumn<Value> {
  readonly #options: RowColumnOptions<Value>
  #reads = 0
  #largest = 0

  constructor(options: RowColumnOptions<Value>) {
    this.#options = options
  }

  async readValues(rows: readonly bigint[]): Promise<readonly (Value | undefined)[]> {
    const { table, column, recent, reader, read } = this.#options
    const cached = rows.map(row => recent.get(reader, row))
    const missing = rows.filter((_, index) => cached[index] === undefined)
    if (missing.length === 0) return cached
    const values = new Map<bigint, Value>()
    const keep: RowVisitor = (row, value) => {
      const own = read(value)
      values.set(row, own)
      recent.add(reader, row, own)
      this.#largest = Math.max(this.#largest, recent.sizeOf(own))
    }
    if (await this.#shouldReadAll()) {
      for await (const batch of table.query().select([column]).withRowId())
        visitAll(batch, column, keep)
    } else await readColumn(table, missing, column, keep)
    return rows.map((row, index) => cached[index] ?? values.get(row))
  }

  async #shouldReadAll(): Promise<boolean> {
    const { table, recent } = this.#options
    return (
      ++this.#reads === SINGLE_READS + 1 &&
      (await table.countRows()) * this.#largest <= recent.limit
    )
  }
}
