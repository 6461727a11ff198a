import { connect } from '@lancedb/lancedb'
import { type Failure, toFailure } from '../../errors.ts'
import { becomeChild } from '../../ingest/isolation/child.ts'
import { optimizeTable } from './table-upkeep.ts'

/** What it answers before it ends. */
export type UpkeepAnswer = { readonly failure?: Failure }

async function upkeep(uri: string, name: string): Promise<UpkeepAnswer> {
  try {
    const connection = await connect(uri)
    await optimizeTable(await connection.openTable(name))
    return {}
  } catch (error) {
    return { failure: toFailure(error) }
  }
}

becomeChild()
const [uri = '', name = ''] = process.argv.slice(2)
const answer = await upkeep(uri, name)
process.send?.(answer, () => process.exit())
