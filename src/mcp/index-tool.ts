import { z } from 'zod'
import type { IndexEvent } from '../app/indexing/index-documents.ts'
import { toStoreMessage } from '../errors.ts'
import { redact } from '../system/redact.ts'
import { type AddToServer, answer, explainFaults } from './offer.ts'
import { Progress } from './progress.ts'

const inputSchema = z.object({
  paths: z
    .array(z.string().min(1))
    .min(1)
    .max(100)
    .describe(
      'Paths of files or folders to index (1 to 100). They must lie under one of the folders in the setting `agent.roots`.',
    ),
})

const outputSchema = z.object({
  documents: z.array(
    z.object({ name: z.string(), status: z.string(), error: z.string().optional() }),
  ),
  chunks: z.number(),
})

/** `index`: only below `agent.roots`. */
export const addIndex: AddToServer = (server, passim, scope) => {
  const { collections, isReadOnly, isGuest } = scope
  const isOffered = !isReadOnly && !isGuest // local folders belong to no tenant
  if (!isOffered || passim.settings.agent.roots.length === 0) return
  const about = {
    title: 'Index files',
    description:
      'Index files or folders so that they can be searched. Files that have not changed are skipped.',
    annotations: {
      readOnlyHint: false,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: false,
    },
  }
  server.registerTool(
    'index',
    { ...about, inputSchema: explainFaults(inputSchema), outputSchema },
    ({ paths }, context) =>
      answer(scope, async () => {
        const collection = collections?.[0]
        const { documents, totals } = await passim.indexAllowed(paths, {
          signal: context.mcpReq.signal,
          onEvent: createProgressListener(new Progress(context)),
          keep: true,
          ...(collection && { collection }),
        })
        return {
          documents: documents.map(({ source, status, error }) => ({
            name: redact(source),
            status,
            ...(error && { error: toStoreMessage(error) ?? redact(error.message) }),
          })),
          chunks: totals.chunks,
        }
      }),
  )
}

/** Outcomes that need work. */
const QUEUED: ReadonlySet<string> = new Set(['new', 'changed', 'waiting'])

const STAGES = ['parse', 'chunk', 'embed', 'write'] as const

function createProgressListener(progress: Progress): (event: IndexEvent) => void {
  let total = 0
  let done = 0
  const shares = new Map<string, number>()
  return event => {
    if (event.type === 'found' && QUEUED.has(event.kind)) total += 1
    if (event.type === 'done') done += 1
    if (event.type === 'done') shares.delete(event.documentId)
    if (event.type === 'progress') shares.set(event.documentId, computeShare(event))
    if (event.type !== 'done' && event.type !== 'progress') return
    const partialShare = [...shares.values()].reduce((sum, share) => sum + share, 0)
    const reached = Math.floor((done + partialShare) * STEPS) / STEPS
    const name = redact(event.source)
    progress.reach(
      reached,
      Math.max(total, Math.ceil(reached)),
      `${done} of ${Math.max(total, done)}: ${name}`,
    )
  }
}

/** Progress steps per document, so that clients are not flooded. */
const STEPS = 20

function computeShare({ stage, done, total }: Extract<IndexEvent, { type: 'progress' }>): number {
  const within = total ? Math.min(1, done / total) : 0
  return (STAGES.indexOf(stage) + within) / (STAGES.length + 1)
}
