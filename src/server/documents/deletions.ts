import { z } from 'zod'
import { AppError } from '../../errors.ts'
import type { Deletion } from '../../ingest/store/catalog/deletions.ts'
import type { DeletedByIdJson, DeletionListJson, RestoredJson } from '../../wire/deletion.ts'
import type { RequestContext } from '../http/context.ts'
import { createInvalid } from '../http/errors.ts'
import { readBody } from '../http/input.ts'
import { showSources } from '../http/shown-source.ts'
import { streamJson } from '../http/sliced-json.ts'
import type { Routes } from '../route.ts'

const restoreSchema = z.strictObject({
  as: z
    .string()
    .min(1)
    .max(128)
    .nullish()
    .describe(
      'New name for a restored vector store, needed if its name is in use again (1 to 128 characters).',
    ),
})

export const deletionRoutes: Routes = {
  'GET /api/deletions': {
    summary: 'List deletions that can be restored',
    answer: 'DeletionList',
    reply: async c =>
      streamJson<DeletionListJson>(c, {
        deletions: showSources(c, await c.var.passim.restoring.list()),
      }),
  },
  'POST /api/deletions/:id/restore': {
    summary: 'Restore a deletion',
    description:
      'Takes the id of the deletion, or of the deleted object. Documents are `in_progress` until they can be found again.',
    body: restoreSchema,
    example: { as: 'travel-2025' },
    answer: 'Restored',
    reply: restore,
  },
  'DELETE /api/deletions/:id': {
    summary: 'Delete permanently, without a way to restore',
    answer: 'ForgottenDeletion',
    reply: forget,
  },
}

/** Leaves documents `in_progress` until they are found again. */
async function restore(c: RequestContext): Promise<Response> {
  const { restoring, background } = c.var.passim
  const deletion = await findDeletion(c)
  const { kind, name, source, documents, subjectId: restored } = deletion
  const { as } = await readBody(c, restoreSchema)
  if (as && kind !== 'collection')
    throw createInvalid('Only a restored vector store can have a new name: omit as.', 'as')
  for (const collection of await restoring.begin(deletion, as ?? name)) background.start(collection)
  return c.json<RestoredJson>({ restored, kind, collection: as ?? name, source, documents })
}

async function forget(c: RequestContext): Promise<Response> {
  const deletion = await findDeletion(c)
  await c.var.passim.restoring.forget(deletion)
  return c.json<DeletedByIdJson>({ id: deletion.id, deleted: true })
}

async function findDeletion(c: RequestContext): Promise<Deletion> {
  const id = c.req.param('id')!
  const found = (await c.var.passim.restoring.list()).find(
    one => one.id === id || one.subjectId === id,
  )
  if (found) return found
  throw new AppError(
    'not_found',
    `There is no deletion ${id} that can be restored. GET /api/deletions lists them.`,
    { about: id },
  )
}
