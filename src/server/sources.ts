import type { SourceStatus } from '../app/sources/sources.ts'
import { writeTimes } from '../wire/schema.ts'
import type { SourceJson, SourceListJson } from '../wire/source.ts'
import type { RequestContext } from './http/context.ts'
import { toFailureJson } from './http/errors.ts'
import { listSchema, selectPage } from './http/pagination.ts'
import { readQuery } from './http/query.ts'
import { streamJson } from './http/sliced-json.ts'
import type { Routes } from './route.ts'

const listSourcesSchema = listSchema('sources', 100)

export const sourceRoutes: Routes = {
  'GET /api/sources': {
    summary: 'List the sources of the settings, with their last and next run',
    query: listSourcesSchema,
    answer: 'SourceList',
    reply: list,
  },
  'POST /api/sources/:name/run': {
    summary: 'Run a source now',
    description: 'The next free process with `server.ingest` runs it, within seconds.',
    answer: 'Source',
    reply: async c =>
      c.json(toSourceJson(await c.var.passim.sources.request(c.req.param('name') ?? ''), c)),
  },
}

async function list(c: RequestContext): Promise<Response> {
  const query = readQuery(c, listSourcesSchema)
  const sources = await c.var.passim.sources.list()
  const { page, end } = await selectPage(sources, query, source => toSourceJson(source, c))
  return streamJson<SourceListJson>(c, { sources: page, ...end })
}

function toSourceJson({ error, failures, ...status }: SourceStatus, c: RequestContext): SourceJson {
  return {
    ...writeTimes(status),
    failures: failures.map(failure => ({
      source: failure.source,
      error: toFailureJson(failure.error, c),
    })),
    ...(error && { error: toFailureJson(error, c) }),
  }
}
