import { z } from 'zod'
import { localizable } from '../../errors/localizable.ts'
import { AppError } from '../../errors.ts'
import { hasEnded, type Job, watchJob } from '../../ingest/store/catalog/jobs.ts'
import type { JobJson, JobListJson } from '../../wire/job.ts'
import { writeTimes } from '../../wire/schema.ts'
import type { RequestContext } from '../http/context.ts'
import { reportError, toFailureJson } from '../http/errors.ts'
import { type SentEvent, streamEvents } from '../http/event-stream.ts'
import { createLostPlace, endPage, limitChars, listSchema } from '../http/pagination.ts'
import { readQuery } from '../http/query.ts'
import { showSource } from '../http/shown-source.ts'
import { streamJson } from '../http/sliced-json.ts'
import type { Routes } from '../route.ts'

const listJobsSchema = listSchema('jobs', 50).extend({
  collection: z
    .string()
    .optional()
    .describe('Name or id of the collection. Default: jobs of all collections.'),
})

export const jobRoutes: Routes = {
  'GET /api/jobs': {
    summary: 'List the jobs, newest first',
    query: listJobsSchema,
    answer: 'JobList',
    reply: list,
  },
  'GET /api/jobs/:id': {
    summary: 'Get a job and its progress',
    answer: 'Job',
    reply: async c => c.json(toJobJson(await findJob(c), c)),
  },
  'GET /api/jobs/:id/events': {
    summary: 'Stream the progress of a job',
    description:
      'Sends a `progress` event for every change, then an event named after the final state of the job.',
    events: 'Job',
    reply: watch,
  },
  'POST /api/jobs/:id/cancel': {
    summary: 'Cancel a job',
    answer: 'Job',
    reply: async c => c.json(toJobJson(await c.var.passim.jobs.cancel((await findJob(c)).id), c)),
  },
  'POST /api/jobs/:id/retry': {
    summary: 'Retry a failed job',
    answer: 'Job',
    reply: async c => c.json(toJobJson(await c.var.passim.retryJobLater((await findJob(c)).id), c)),
  },
}

async function list(c: RequestContext): Promise<Response> {
  const { collection, after, limit } = readQuery(c, listJobsSchema)
  const { jobs, scope } = c.var.passim
  const id = collection === undefined ? undefined : (await scope.findCollection(collection)).id
  if (after !== undefined && !(await jobs.find(after))) throw createLostPlace(after)
  const { total, unattended } = await jobs.count(id)
  const found = await jobs.list(id, limit + 1, after)
  const page = limitChars(found.slice(0, limit).map(job => toJobJson(job, c)))
  return streamJson<JobListJson>(c, {
    jobs: page,
    ...endPage(page, found.length),
    total,
    unattended,
  })
}

async function findJob(c: RequestContext): Promise<Job> {
  const id = c.req.param('id')!
  const { jobs, collections } = c.var.passim
  const job = await jobs.find(id)
  const isOfNewSource = job?.collectionId === ''
  if (job && (isOfNewSource || (await collections.find(job.collectionId)))) return job
  throw new AppError('not_found', localizable`There is no job ${id}. GET /api/jobs lists them.`, {
    about: id,
  })
}

/** Streams `progress` events and a final one; `error` on closing or timeout. */
async function watch(c: RequestContext): Promise<Response> {
  return await streamEvents(c, {
    events: watchChanges(c, await findJob(c)),
    failure: error => [{ event: 'error', data: reportError(error, c) }],
  })
}

async function* watchChanges(c: RequestContext, { id }: Job): AsyncGenerator<SentEvent> {
  let number = 0
  for await (const job of watchJob(c.var.passim.jobs, id, c.var.signal)) {
    const event = hasEnded(job) ? job.state : 'progress'
    yield { id: `${id}:${++number}`, event, data: toJobJson(job, c) }
  }
}

export function toJobJson({ error, ...job }: Job, c: RequestContext): JobJson {
  return { ...writeTimes(showSource(c, job)), ...(error && { error: toFailureJson(error, c) }) }
}
