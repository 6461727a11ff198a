import { Hono } from 'hono'
import { z } from 'zod'
import type { RequestContext, Routes, ServerEnv } from './context.ts'
import { readBody } from './input.ts'
import { jobJson } from './jobs.ts'

export const reEmbedSchema = z.strictObject({
  embedder: z
    .string()
    .min(1)
    .describe('As `--embedder` names it: of settings `embedder` and `embedders`, the shipped one, or `none`.'),
})

/** `/api/collections`: what is done with a vector store that OpenAI's surface has no words for. */
export function collectionRoutes(): Routes {
  return new Hono<ServerEnv>().post('/:id/re-embed', reEmbed)
}

/** What `passim collections re-embed` does, begun: how far it is, the job tells; without one nothing is to be done. */
async function reEmbed(c: RequestContext): Promise<Response> {
  const { scope, reEmbed, background, jobs } = c.var.passim
  const { embedder } = await readBody(c, reEmbedSchema)
  const collection = scope.collection(c.req.param('id')!) // the route has one
  const wanted = await reEmbed.want(collection, embedder, c.var.signal)
  const job = wanted === undefined ? undefined : await jobs.find(wanted)
  background.kick(collection)
  const { name, id, embedderId: before } = collection
  return c.json({ collection: name, id, before, ...(job && { job: jobJson(job, c) }) })
}
