import { toFailure } from '../../../errors.ts'
import { prepareChild } from '../../../system/child.ts'
import { loadSqliteEngine } from './sqlite-engine.ts'

const BUSY_TIMEOUT_MS = 30_000

function rewriteFile(file: string) {
  try {
    const database = new (loadSqliteEngine())(file)
    database.pragma(`busy_timeout = ${BUSY_TIMEOUT_MS}`)
    database.exec('VACUUM')
    database.close()
    return {}
  } catch (error) {
    return { failure: toFailure(error) }
  }
}

prepareChild()
process.send?.(rewriteFile(process.argv[2] ?? ''), () => process.exit())
