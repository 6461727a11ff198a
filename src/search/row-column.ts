import type { Table } from '@lancedb/lancedb'

/** Reads one column of rows that are named, and tells each row's value; rows that are gone are left out. */
export async function readColumn(
  table: Table,
  rows: readonly bigint[],
  column: string,
  tell: (row: bigint, value: unknown) => void,
): Promise<void> {
  for await (const batch of table
    .takeRowIds([...rows])
    .select([column])
    .withRowId()) {
    const [names, values] = [batch.getChild('_rowid'), batch.getChild(column)]
    for (let at = 0; at < batch.numRows; at++) tell(names?.get(at), values?.get(at))
  }
}
