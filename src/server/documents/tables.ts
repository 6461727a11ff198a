import { z } from 'zod'
import { toTablesJson, writeTableCsv } from '../../app/documents/table-json.ts'
import { localizable } from '../../errors/localizable.ts'
import { findDocument, type RequestContext } from '../http/context.ts'
import { createInvalid } from '../http/errors.ts'
import { readQuery } from '../http/query.ts'
import { streamJson, streamPieces } from '../http/sliced-json.ts'
import type { Routes } from '../route.ts'

const tablesSchema = z.object({
  format: z
    .enum(['json', 'csv'])
    .optional()
    .describe(
      'Format of the response. Default: CSV if the `Accept` header names `text/csv`, else JSON.',
    ),
  table: z
    .int()
    .min(1)
    .optional()
    .describe(
      'Number of a single table to return, from 1. Default: all tables in JSON, the first in CSV.',
    ),
})

export const tableRoutes: Routes = {
  'GET /api/documents/:id/tables': {
    summary: 'Get the tables of a document',
    query: tablesSchema,
    answer: 'Tables',
    media: ['text/csv'],
    reply: showTables,
  },
}

async function showTables(c: RequestContext): Promise<Response> {
  const { id, name } = await findDocument(c)
  const { format, table } = readQuery(c, tablesSchema)
  const tables = await c.var.passim.library.readTables(id, c.var.signal)
  if (table !== undefined && table > tables.length)
    throw createInvalid(
      localizable`${name} has no table ${table}: it has ${tables.length}.`,
      'table',
    )
  const isCsv = format ? format === 'csv' : (c.req.header('accept') ?? '').includes('text/csv')
  c.header('vary', 'Accept')
  if (!isCsv) {
    const all = toTablesJson(name, tables)
    return streamJson(c, { tables: table === undefined ? all : all.slice(table - 1, table) })
  }
  const selected = tables[(table ?? 1) - 1]
  if (!selected) throw createInvalid(localizable`${name} has no tables.`, 'table')
  return c.body(streamPieces(writeTableCsv(selected)), 200, {
    'content-type': 'text/csv; charset=utf-8',
    'x-content-type-options': 'nosniff',
  })
}
