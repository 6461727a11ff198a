import { existsSync } from 'node:fs'
import { createInterface } from 'node:readline/promises'
import type { Command } from 'commander'
import type { DeletedMany } from '../../app/documents/external-documents.ts'
import type { Passim } from '../../app/passim.ts'
import { localizable } from '../../errors/localizable.ts'
import { AppError } from '../../errors.ts'
import type { Collection } from '../../ingest/store/catalog/collections.ts'
import type { Deletion } from '../../ingest/store/catalog/deletions.ts'
import type { Document } from '../../ingest/store/catalog/document.ts'
import type { DeletedJson } from '../../wire/deletion.ts'
import type { DeletedDocumentsJson } from '../../wire/document.ts'
import { type AddCommand, formatExample, getAllOptions } from '../command.ts'
import {
  EXIT,
  formatCount,
  formatMinute,
  type GlobalOptions,
  joinLines,
  Output,
} from '../output.ts'
import { toPrintable } from '../printable.ts'
import { getUserSentences } from '../sentences/sentences.ts'
import { withExisting } from '../session.ts'

type DeleteCommandOptions = {
  readonly collection?: string
  readonly yes?: boolean
  readonly now?: boolean
  readonly prove?: boolean
  readonly all?: boolean
  readonly filter?: string
}
type Options = DeleteCommandOptions & GlobalOptions

export const addDelete: AddCommand = program => {
  program
    .command('delete')
    .description(
      'delete a document, or a collection and all its documents; passim restore undoes it for a week',
    )
    .argument('[documents...]', 'documents: id, path or base name')
    .option('--filter <expression>', 'delete the documents of the collection that match')
    .option('-c, --collection <name>', 'collection to delete, or the collection of the document')
    .option(
      '--yes',
      'do not ask for confirmation; required without a terminal for a collection or --now',
    )
    .option(
      '--now',
      'delete permanently, including earlier deletions of it; restore is not possible',
    )
    .option('--prove', 'with --now: also delete what cites it, search for remains and report them')
    .option('--all', 'with --now --prove: delete all documents, files and conversations')
    .addHelpText(
      'after',
      formatExample(
        'passim delete report.pdf',
        'passim delete -c papers',
        'passim delete -c papers --filter status=draft',
        'passim delete report.pdf --now --prove',
      ),
    )
    .action(async (references: readonly string[], _options, command: Command) => {
      const options = getAllOptions<DeleteCommandOptions>(command)
      const [reference] = references
      if (options.prove && !options.now)
        throw new AppError('invalid_input', 'Use --prove with --now.')
      if (options.all) return await removeEverything(reference, options)
      if (options.filter !== undefined)
        return await removeMatching(reference, { ...options, filter: options.filter })
      if (references.length > 1) return await removeSeveral(references, options)
      if (reference !== undefined) return await removeDocument(reference, options)
      if (!options.collection)
        throw new AppError('invalid_input', 'Provide a document, or a collection with -c.')
      await removeCollection(options.collection, options)
    })
}

type Terminal = Pick<NodeJS.Process, 'stdin' | 'stdout' | 'stderr'>

export async function removeCollection(
  name: string,
  options: Options,
  terminal: Terminal = process,
): Promise<void> {
  const output = new Output(options, terminal)
  await withExisting(options, async (passim, signal) => {
    const collection = (await passim.collections.list()).find(
      collection => collection.name === name || collection.id === name,
    )
    if (!collection) {
      const message = localizable`There is no collection ${name}. Run passim collections to list them.`
      return await forgetDeleted(
        passim,
        { collection: name },
        options,
        new AppError('not_found', message),
      )
    }
    const { documents, chunks, bytes } = collection
    const all = documents.completed + documents.failed + documents.in_progress + documents.cancelled
    const size = formatSize({ documents: all, chunks, bytes })
    const words = output.sentences.results
    const what = words.collectionSize(collection.name, size)
    await confirm(collection.name, what, options, { terminal, signal })
    const report = options.prove
      ? await passim.erasure.eraseCollection(collection, { signal })
      : undefined
    if (!report) await passim.collections.delete(collection, options)
    const value = {
      deleted: collection.id,
      collection: collection.name,
      documents: all,
      chunks,
      bytes,
      report,
    }
    writeDeleted(output, value, words.deletedCollection(collection.name))
    if (!options.now) output.writeMessage(formatWayBack(passim, `-c ${collection.name}`))
  })
}

async function removeDocument(reference: string, options: Options): Promise<void> {
  const output = new Output(options)
  await withExisting(options, async (passim, signal) => {
    const document = await findDocument(passim, reference, options)
    if (document instanceof AppError) {
      return await forgetDeleted(
        passim,
        { document: reference, collection: options.collection },
        options,
        document,
      )
    }
    const { named, results: words } = output.sentences
    const what = named(document.source, formatSize({ documents: 1, ...document }))
    if (options.now) await confirm(document.name, what, options, { signal })
    const report = options.prove
      ? await passim.erasure.eraseDocuments([document], { signal })
      : undefined
    if (!report) await passim.delete(document, options)
    const { name } = await passim.collections.get(document.collectionId)
    const value = { deleted: document.id, collection: name, source: document.source, report }
    writeDeleted(output, value, words.deletedDocument(document.source, name))
    if (existsSync(document.source)) output.writeMessage(words.fileExists)
    if (!options.now) output.writeMessage(formatWayBack(passim, document.id))
  })
}

async function removeMatching(
  reference: string | undefined,
  options: Options & { readonly filter: string },
): Promise<void> {
  const { collection, now } = options
  if (reference !== undefined || !collection || options.prove)
    throw new AppError('invalid_input', 'Use --filter with -c NAME, without a document or --prove.')
  const words = getUserSentences().results
  await withExisting(options, async (passim, signal) => {
    const selection = { collection, filter: options.filter, now, signal }
    const { matched, warnings } = await passim.documents.deleteMany({ ...selection, dryRun: true })
    const output = new Output(options)
    for (const warning of warnings) output.writeMessage(output.sentences.describe(warning))
    const size = formatCount(matched, 'document')
    if (matched > 0)
      await confirm(collection, words.collectionSize(collection, size), options, { signal })
    let deleted = 0
    for (let rest = matched; rest > 0; ) {
      const done = await passim.documents.deleteMany(selection)
      deleted += done.deleted
      rest = done.matched - done.deleted
    }
    writeDeletedMany(passim, { deleted, warnings }, options)
  })
}

/** Deletes none if one is missing. */
async function removeSeveral(references: readonly string[], options: Options): Promise<void> {
  if (options.prove) throw new AppError('invalid_input', 'Use --prove with one document.')
  await withExisting(options, async (passim, signal) => {
    const documents = new Map<string, Document>()
    for (const reference of references) {
      const document = await findDocument(passim, reference, options)
      if (document instanceof AppError) throw document
      documents.set(document.id, document)
    }
    const size = formatCount(documents.size, 'document')
    if (options.now) await confirm(size, size, options, { signal })
    for (const document of documents.values()) {
      signal.throwIfAborted()
      await ignoreMissing(() => passim.delete(document, options)) // an attachment goes with its mail
    }
    writeDeletedMany(passim, { deleted: documents.size, warnings: [] }, options)
  })
}

function writeDeletedMany(
  passim: Passim,
  { deleted, warnings }: Pick<DeletedMany, 'deleted' | 'warnings'>,
  options: Options,
): void {
  const output = new Output(options)
  const value = { matched: deleted, deleted, missing: [], warnings, hasMore: false }
  const text = output.sentences.results.deletedDocuments(formatCount(deleted, 'document'))
  output.writeDone<DeletedDocumentsJson>(value, () => text)
  if (!options.now && deleted > 0) output.writeMessage(formatWayBack(passim, ''))
}

async function forgetDeleted(
  passim: Passim,
  reference: { readonly document?: string; readonly collection?: string },
  options: Options,
  missing: AppError,
): Promise<void> {
  if (!options.now) throw missing
  const deletion = await passim.restoring.find(reference)
  await confirm(
    deletion.kind === 'document' ? getName(deletion) : deletion.name,
    formatLine(deletion),
    options,
  )
  const report = options.prove ? await passim.erasure.eraseDeleted(deletion) : undefined
  if (!report) await passim.restoring.forget(deletion)
  const { subjectId: deleted, name: collection, source } = deletion
  const value = { deleted, collection, source, report }
  const output = new Output(options)
  writeDeleted(output, value, output.sentences.results.deletedForGood(getName(deletion)))
}

async function removeEverything(reference: string | undefined, options: Options): Promise<void> {
  if (reference !== undefined || options.collection || !options.prove)
    throw new AppError('invalid_input', 'Use --all alone, with --now --prove.')
  const output = new Output(options)
  const { everything, deletedForGood } = output.sentences.results
  await withExisting(options, async (passim, signal) => {
    await confirm(passim.settings.home, everything, options, { signal })
    const report = await passim.erasure.eraseStore({ signal })
    writeDeleted(output, { deleted: '', collection: '', report }, deletedForGood(everything))
  })
}

function writeDeleted(output: Output, value: DeletedJson, text: string): void {
  const { report } = value
  if (report && !report.proved) process.exitCode = EXIT.failed
  const lines = report ? [text, ...output.sentences.results.report(report)] : [text]
  output.writeDone<DeletedJson>(value, () => lines.join('\n'))
}

export async function findDocument(
  passim: Passim,
  reference: string,
  { collection }: { readonly collection?: string },
): Promise<Document | AppError> {
  return await ignoreMissing(async () => {
    const among: readonly Collection[] = collection
      ? [await passim.scope.findCollection(collection)]
      : await passim.collections.list()
    return await passim.scope.findDocument(reference, among)
  })
}

export async function ignoreMissing<Found>(find: () => Promise<Found>): Promise<Found | AppError> {
  try {
    return await find()
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found') return error
    throw error
  }
}

type Asking = { readonly terminal?: Terminal; readonly signal?: AbortSignal }

/** Requires the typed name on a terminal, or `--yes`. Throws otherwise. */
export async function confirm(
  name: string,
  what: string,
  { yes, now }: Pick<Options, 'yes' | 'now'>,
  { terminal: { stdin, stderr } = process, signal }: Asking = {},
): Promise<void> {
  if (yes) return
  const words = getUserSentences().results
  const heading = joinLines(now ? words.permanently(what) : words.heading(what))
  if (!stdin.isTTY || !stderr.isTTY) {
    throw new AppError(
      'invalid_input',
      localizable`${heading} Nothing was deleted. Add --yes to confirm without a terminal.`,
    )
  }
  const lines = createInterface({ input: stdin, output: stderr })
  try {
    const question = toPrintable(`${heading}\n${words.typeName(joinLines(name))}`)
    const answer = await lines.question(question, signal ? { signal } : {})
    if (answer.trim() === joinLines(name).trim()) return
    throw new AppError('invalid_input', 'Nothing was deleted: the name does not match.')
  } finally {
    lines.close()
  }
}

function formatWayBack(passim: Passim, reference: string): string {
  const days = passim.settings.deleting.keepDays
  return days === 0
    ? ''
    : joinLines(
        getUserSentences().results.wayBack(
          formatCount(days, 'day'),
          `passim restore ${reference}`.trimEnd(),
        ),
      )
}

export function getName({ kind, name, source }: Deletion): string {
  if (kind === 'document') return source ?? name
  return kind === 'collection' ? getUserSentences().results.collection(name) : name
}

export function formatLine(deletion: Deletion): string {
  const { id, kind, name, deletedAt, expiresAt } = deletion
  const words = getUserSentences().results
  const called = getName(deletion)
  const place = kind === 'document' ? words.ofCollection(called, name) : called
  const times = words.deletedAt(formatMinute(deletedAt), formatMinute(expiresAt))
  return joinLines(`${id}  ${place}  ${formatSize(deletion)}${times}`)
}

function formatSize({
  documents,
  chunks,
  bytes,
}: Pick<Deletion, 'documents' | 'chunks' | 'bytes'>): string {
  const counts = { document: documents, chunk: chunks, byte: bytes }
  return Object.entries(counts)
    .map(([thing, count]) => formatCount(count, thing))
    .join(getUserSentences().results.comma)
}
