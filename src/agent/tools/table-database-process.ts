import { becomeChild } from '../../ingest/isolation/child.ts'
import type { SqlRequest } from './table-database.ts'
import { answerSql } from './table-query.ts'

becomeChild()
process.on('message', (request: SqlRequest) => process.send?.(answerSql(request)))
