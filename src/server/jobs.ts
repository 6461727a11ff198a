import { Hono } from 'hono'
import { streamSSE } from 'hono/streaming'
import { AppError } from '../errors.ts'
import { hasEnded, type Job, watchJob } from '../ingest/jobs.ts'
import type { RequestContext, Routes, ServerEnv } from './context.ts'
import { publicMessage, tellError } from './errors.ts'

/** `/api/jobs`: how far the indexing of a document is, whichever process does it. */
export function jobRoutes(): Routes {
  return new Hono<ServerEnv>().get('/:id', c => c.json(jobJson(jobOf(c)))).get('/:id/events', watch)
}

function jobOf(c: RequestContext): Job {
  const id = c.req.param('id')! // both routes have one
  const job = c.var.passim.jobs.find(id)
  if (job) return job
  throw new AppError('not_found', `There is no job ${id}. See passim jobs.`)
}

/** A `progress` event for every change, then one named after how it ended. A server that closes, and a time that is over, say so by `error`. */
function watch(c: RequestContext): Response {
  const { id } = jobOf(c)
  const { passim, signal } = c.var
  return streamSSE(c, async sse => {
    try {
      for await (const job of watchJob(passim.jobs, id, signal)) {
        await sse.writeSSE({ event: hasEnded(job) ? job.state : 'progress', data: JSON.stringify(jobJson(job)) })
      }
    } catch (error) {
      if (c.req.raw.signal.aborted) return // nobody listens any more
      await sse.writeSSE({ event: 'error', data: JSON.stringify(tellError(error, c)) })
    }
  })
}

function jobJson({ error, ...job }: Job) {
  return { ...job, ...(error && { error: { code: error.code, message: publicMessage(error) } }) }
}
