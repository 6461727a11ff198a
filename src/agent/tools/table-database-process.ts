import { prepareChild } from '../../system/child.ts'
import { answerSql, type SqlRequest } from './table-query.ts'

prepareChild()
process.on('message', (request: SqlRequest) => process.send?.(answerSql(request)))
