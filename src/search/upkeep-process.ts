import { connect, Session } from '@lancedb/lancedb'
import { type Failure, toFailure } from '../errors.ts'
import { becomeChild } from '../ingest/child.ts'
import { optimizeTable } from './table-upkeep.ts'

/** What it answers before it ends. */
export type UpkeepAnswer = { readonly failure?: Failure }

const CACHE_BYTES = 16n * 1024n * 1024n

async function upkeep(folder: string, name: string): Promise<UpkeepAnswer> {
  try {
    const connection = await connect(folder, {}, new Session(CACHE_BYTES, CACHE_BYTES))
    await optimizeTable(await connection.openTable(name))
    return {}
  } catch (error) {
    return { failure: toFailure(error) }
  }
}

becomeChild()
const [folder = '', name = ''] = process.argv.slice(2)
const answer = await upkeep(folder, name)
process.send?.(answer, () => process.exit())
