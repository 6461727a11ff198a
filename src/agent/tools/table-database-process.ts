import { becomeChild } from '../../system/child.ts'
import { answerSql, type SqlRequest } from './table-query.ts'

becomeChild()
process.on('message', (request: SqlRequest) => process.send?.(answerSql(request)))
