import { connect } from '@lancedb/lancedb'
import { type Failure, toFailure } from '../../errors.ts'
import { prepareChild } from '../../system/child.ts'
import { compactTable, ERASE, eraseRemovedRows } from './table-upkeep.ts'
import { indexVectors } from './vector-index.ts'

export type UpkeepAnswer = { readonly failure?: Failure }

async function runUpkeep(
  uri: string,
  name: string,
  work: string | undefined,
): Promise<UpkeepAnswer> {
  try {
    const connection = await connect(uri)
    const table = await connection.openTable(name)
    if (work === undefined) await compactTable(table)
    else await (work === ERASE ? eraseRemovedRows(table) : indexVectors(table, Number(work)))
    return {}
  } catch (error) {
    return { failure: toFailure(error) }
  }
}

prepareChild()
const [uri = '', name = '', work] = process.argv.slice(2)
const answer = await runUpkeep(uri, name, work)
process.send?.(answer, () => process.exit())
