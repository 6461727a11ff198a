import { z } from 'zod'
import { redact } from '../agent/redact.ts'
import { type AddToServer, answer } from './offer.ts'

const inputSchema = z.object({
  paths: z.array(z.string().min(1)).min(1).max(100).describe('Files or folders, under those that may be read.'),
})

const outputSchema = z.object({
  documents: z.array(z.object({ name: z.string(), status: z.string(), error: z.string().optional() })),
  chunks: z.number(),
})

/** `index`: only where folders are allowed (`agent.roots`), and only files under them. */
export const addIndex: AddToServer = (server, passim, scope) => {
  const { collections, isReadOnly } = scope
  if (isReadOnly || passim.settings.agent.roots.length === 0) return
  const about = {
    title: 'Index files',
    description: 'Read files or folders, so that they can be searched. What did not change is not read again.',
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  }
  server.registerTool('index', { ...about, inputSchema, outputSchema }, ({ paths }, { mcpReq: { signal } }) =>
    answer(scope, async () => {
      const collection = collections?.[0]
      const { documents, totals } = await passim.indexAllowed(paths, {
        signal,
        keep: true,
        ...(collection && { collection }),
      })
      return {
        documents: documents.map(({ source, status, error }) => ({
          ...{ name: redact(source), status },
          ...(error && { error: redact(error.message) }),
        })),
        chunks: totals.chunks,
      }
    }),
  )
}
