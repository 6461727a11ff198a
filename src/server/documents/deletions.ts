import { z } from 'zod'
import { MAX_DELETED } from '../../app/documents/external-documents.ts'
import { localizable } from '../../errors/localizable.ts'
import { AppError } from '../../errors.ts'
import type { Deletion } from '../../ingest/store/catalog/deletions.ts'
import type {
  DeletedByIdJson,
  DeletionListJson,
  DeletionReportJson,
  RestoredJson,
} from '../../wire/deletion.ts'
import { writeTimes } from '../../wire/schema.ts'
import type { RequestContext } from '../http/context.ts'
import { createInvalid } from '../http/errors.ts'
import { readBody } from '../http/input.ts'
import { listSchema, selectPage } from '../http/pagination.ts'
import { readQuery } from '../http/query.ts'
import { showSource } from '../http/shown-source.ts'
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

const eraseSchema = z.strictObject({
  documents: z
    .array(z.string())
    .min(1)
    .max(MAX_DELETED)
    .optional()
    .describe('Ids of the documents to delete (1 to 1,000).'),
  collection: z.string().optional().describe('Id or name of a collection to delete.'),
  file: z.string().optional().describe('Id of a file to delete, with its documents.'),
  everything: z
    .literal(true)
    .optional()
    .describe('Delete all documents, files and conversations of the store.'),
})

const listDeletionsSchema = listSchema('deletions', 1_000)

export const deletionRoutes: Routes = {
  'GET /api/deletions': {
    summary: 'List deletions that can be restored',
    query: listDeletionsSchema,
    answer: 'DeletionList',
    reply: list,
  },
  'POST /api/deletions': {
    summary: 'Delete permanently, with a proof',
    description:
      'Takes exactly one of `documents`, `collection`, `file` and `everything`. Also deletes the conversations and responses that cite the documents, rewrites the catalog and the index, and then searches every file of the store for samples of what was deleted.',
    body: eraseSchema,
    example: { documents: ['doc_01a2290f3b195f14e230f4ac'] },
    answer: 'DeletionReport',
    reply: erase,
  },
  'POST /api/deletions/:id/restore': {
    summary: 'Restore a deletion',
    description:
      'Takes the id of the deletion or of the deleted object, or the name of a vector store. Documents are `in_progress` until they can be found again.',
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

async function list(c: RequestContext): Promise<Response> {
  const query = readQuery(c, listDeletionsSchema)
  const { page, end } = await selectPage(await c.var.passim.restoring.list(), query, deletion =>
    writeTimes(showSource(c, deletion)),
  )
  return streamJson<DeletionListJson>(c, { deletions: page, ...end })
}

async function erase(c: RequestContext): Promise<Response> {
  const target = await readBody(c, eraseSchema)
  if (Object.values(target).filter(value => value !== undefined).length !== 1)
    throw createInvalid('Give exactly one of documents, collection, file and everything.')
  return c.json<DeletionReportJson>(await eraseSelected(c, target))
}

async function eraseSelected(
  c: RequestContext,
  { documents, collection, file }: z.output<typeof eraseSchema>,
): Promise<DeletionReportJson> {
  const { erasure, scope, files, background, collections } = c.var.passim
  const options = { signal: c.var.signal }
  if (documents) {
    const found = []
    for (const id of documents) found.push(await scope.findDocumentById(id))
    return await erasure.eraseDocuments(found, options)
  }
  if (file !== undefined) return await erasure.eraseFile((await files.get(file)).id, options)
  const stopped =
    collection === undefined
      ? await collections.listVisible()
      : [await scope.findCollection(collection)]
  for (const stoppedCollection of stopped) await background.stop(stoppedCollection)
  const [firstStopped] = stopped
  return collection === undefined || !firstStopped
    ? await erasure.eraseStore(options)
    : await erasure.eraseCollection(firstStopped, options)
}

/** Leaves documents `in_progress` until they are found again. */
async function restore(c: RequestContext): Promise<Response> {
  const { restoring, background } = c.var.passim
  const deletion = await findDeletion(c)
  const { kind, name, source, documents, subjectId: restored } = deletion
  const { as } = await readBody(c, restoreSchema)
  if (as && kind !== 'collection')
    throw createInvalid('Only a restored vector store can have a new name: omit as.', 'as')
  for (const collection of await restoring.start(deletion, as ?? name)) background.start(collection)
  return c.json<RestoredJson>({ restored, kind, collection: as ?? name, source, documents })
}

async function forget(c: RequestContext): Promise<Response> {
  const deletion = await findDeletion(c)
  await c.var.passim.restoring.forget(deletion)
  return c.json<DeletedByIdJson>({ id: deletion.id, deleted: true })
}

async function findDeletion(c: RequestContext): Promise<Deletion> {
  const id = c.req.param('id')!
  const all = await c.var.passim.restoring.list()
  const found = all.find(deletion => deletion.id === id || deletion.subjectId === id)
  if (found) return found
  const [named, ...others] = all.filter(({ kind, name }) => kind === 'collection' && name === id)
  if (named && others.length === 0) return named
  if (named) {
    const ids = [named, ...others].map(deletion => deletion.id).join(', ')
    throw new AppError(
      'conflict',
      localizable`Several deleted vector stores have the name ${id}: send the id of one of ${ids}.`,
      { about: id },
    )
  }
  throw new AppError(
    'not_found',
    localizable`There is no deletion ${id} that can be restored. GET /api/deletions lists them.`,
    { about: id },
  )
}
