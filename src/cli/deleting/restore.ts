import type { Command } from 'commander'
import type { Passim } from '../../app/passim.ts'
import { AppError } from '../../errors.ts'
import type { Collection } from '../../ingest/store/catalog/collections.ts'
import type { Deletion } from '../../ingest/store/catalog/deletions.ts'
import type { DeletionListJson, RestoredJson } from '../../wire/deletion.ts'
import { writeTimes } from '../../wire/schema.ts'
import { type AddCommand, formatExample, getAllOptions } from '../command.ts'
import { type GlobalOptions, Output } from '../output.ts'
import { IndexProgress } from '../progress.ts'
import { getUserSentences } from '../sentences/sentences.ts'
import { withExisting } from '../session.ts'
import { findDocument, formatLine, getName, ignoreMissing } from './delete.ts'

type RestoreCommandOptions = { readonly collection?: string; readonly as?: string }
type RestoreOptions = RestoreCommandOptions & GlobalOptions

export const addRestore: AddCommand = program => {
  program
    .command('restore')
    .description('restore a deleted document or collection, or list what can be restored')
    .argument('[document]', 'document: id, path or base name')
    .option('-c, --collection <name>', 'collection to restore, or the collection of the document')
    .option('--as <name>', 'name for the restored collection')
    .addHelpText(
      'after',
      formatExample('passim restore', 'passim restore report.pdf', 'passim restore -c papers'),
    )
    .action(async (reference: string | undefined, _options, command: Command) => {
      const options = getAllOptions<RestoreCommandOptions>(command)
      if (options.as !== undefined && (reference !== undefined || !options.collection)) {
        throw new AppError(
          'invalid_input',
          'Use -c NAME without a document; --as sets its new name.',
        )
      }
      if (reference === undefined && !options.collection) return await listDeleted(options)
      await restore(reference, options)
    })
}

async function listDeleted(options: GlobalOptions): Promise<void> {
  await withExisting(options, async passim => {
    const deletions = await passim.restoring.list()
    const formatText = () =>
      deletions.map(formatLine).join('\n') || getUserSentences().results.nothingToRestore
    new Output(options).writeResult<DeletionListJson>(
      { deletions: deletions.map(writeTimes), hasMore: false },
      formatText,
    )
  })
}

/** Continues an interrupted restore. */
export async function restore(
  reference: string | undefined,
  options: RestoreOptions,
): Promise<void> {
  const output = new Output(options)
  await withExisting(options, async (passim, signal) => {
    const { collections, value, name } = await restoreOrResume(passim, reference, options)
    const progress = new IndexProgress(output)
    try {
      for (const collection of collections) {
        await passim.restoring.finish(collection, {
          signal,
          noWait: !options.wait,
          onEvent: event => progress.show(event),
          onWait: holder => progress.showWaiting(holder),
        })
      }
    } finally {
      progress.stop()
    }
    output.writeResult<RestoredJson>(value, () => output.sentences.results.restored(name))
  })
}

type Restoration = {
  readonly collections: readonly Collection[]
  readonly value: RestoredJson
  readonly name: string
}

async function restoreOrResume(
  passim: Passim,
  reference: string | undefined,
  options: RestoreOptions,
): Promise<Restoration> {
  const deletion = await findDeletion(passim, reference, options)
  if (deletion instanceof AppError) {
    const restoration = await findStarted(passim, reference, options)
    if (restoration) return restoration
    throw deletion
  }
  const { subjectId: restored, kind, name, source, documents } = deletion
  const value = { restored, kind, collection: options.as ?? name, source, documents }
  return {
    collections: await passim.restoring.start(deletion, options.as),
    value,
    name: getName(deletion),
  }
}

async function findDeletion(
  passim: Passim,
  document: string | undefined,
  { collection }: RestoreOptions,
): Promise<Deletion | AppError> {
  return await ignoreMissing(() => passim.restoring.find({ document, collection }))
}

async function findStarted(
  passim: Passim,
  reference: string | undefined,
  options: RestoreOptions,
): Promise<Restoration | undefined> {
  const { collections, restoring } = passim
  if (reference === undefined) {
    const called = options.as ?? options.collection
    const collection = (await collections.list()).find(
      ({ name, id }) => name === called || id === called,
    )
    if (!collection || !(await restoring.isUnfinished(collection))) return undefined
    const { id: restored, name } = collection
    const value: RestoredJson = {
      restored,
      kind: 'collection',
      collection: name,
      documents: collection.documents.in_progress,
    }
    return { collections: [collection], value, name: getUserSentences().results.collection(name) }
  }
  const document = await findDocument(passim, reference, options)
  if (document instanceof AppError || document.status !== 'in_progress') return undefined
  const collection = await collections.get(document.collectionId)
  const { id: restored, source } = document
  const value: RestoredJson = {
    restored,
    kind: 'document',
    collection: collection.name,
    source,
    documents: 1,
  }
  return { collections: [collection], value, name: source }
}
