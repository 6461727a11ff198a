import { connect } from '@lancedb/lancedb'
import { type Failure, toFailure } from '../../errors.ts'
import { prepareChild } from '../../system/child.ts'
import { compactTable } from './table-upkeep.ts'
import { indexVectors } from './vector-index.ts'

export type UpkeepAnswer = { readonly failure?: Failure }

/** Indexes the vectors if `partitions` is set, else optimizes the table. */
async function runUpkeep(
  uri: string,
  name: string,
  partitions: string | undefined,
): Promise<UpkeepAnswer> {
  try {
    const connection = await connect(uri)
    const table = await connection.openTable(name)
    await (partitions === undefined ? compactTable(table) : indexVectors(table, Number(partitions)))
    return {}
  } catch (error) {
    return { failure: toFailure(error) }
  }
}

prepareChild()
const [uri = '', name = '', partitions] = process.argv.slice(2)
const answer = await runUpkeep(uri, name, partitions)
process.send?.(answer, () => process.exit())
