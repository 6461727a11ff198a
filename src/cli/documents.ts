import { existsSync } from 'node:fs'
import type { Command } from 'commander'
import type { Passim } from '../app.ts'
import { AppError } from '../errors.ts'
import type { Collection } from '../ingest/catalog/collections.ts'
import type { Document } from '../ingest/catalog/document.ts'
import { type AddCommand, allOptions, example } from './command.ts'
import { documentText } from './document-text.ts'
import { counted, type GlobalOptions, Output, oneLine } from './output.ts'
import { withExisting } from './session.ts'

type Options = { readonly collection?: string; readonly text?: boolean }

/** Text is printed in pieces of this many UTF-16 units. */
const PIECE = 1_000_000

export const addList: AddCommand = program => {
  program
    .command('list')
    .description('list documents')
    .option('-c, --collection <name>', 'only this collection')
    .addHelpText('after', example('passim list -c papers'))
    .action(async (_options, command: Command) => list(allOptions<Options>(command)))
}

export const addShow: AddCommand = program => {
  program
    .command('show')
    .description('show a document')
    .argument('<document>', 'id, path or base name')
    .option('-c, --collection <name>', 'only in this collection')
    .option('--text', 'print the parsed text')
    .addHelpText('after', example('passim show report.pdf --text'))
    .action(async (reference: string, _options, command: Command) => show(reference, allOptions<Options>(command)))
}

export const addDelete: AddCommand = program => {
  program
    .command('delete')
    .description('delete a document, or a collection with everything in it')
    .argument('[document]', 'id, path or base name')
    .option('-c, --collection <name>', 'the collection to delete, or to delete the document from')
    .addHelpText('after', example('passim delete report.pdf', 'passim delete -c papers'))
    .action(async (reference: string | undefined, _options, command: Command) =>
      remove(reference, allOptions<Options>(command)),
    )
}

async function list(options: Options & GlobalOptions): Promise<void> {
  await withExisting(options, async passim => {
    const documents = scope(passim, options).flatMap(collection =>
      passim.list(collection).map(document => ({ collection: collection.name, ...document })),
    )
    new Output(options).result({ documents }, () => documents.map(line).join('\n') || 'No documents.')
  })
}

function line({
  collection,
  source,
  status,
  chunks,
  pages,
  error,
}: Document & { readonly collection: string }): string {
  const size = `${counted(chunks, 'chunk')}${pages ? `, ${counted(pages, 'page')}` : ''}`
  return oneLine(
    `${status.padEnd(11)} ${collection}  ${source}  ${status === 'completed' ? size : (error?.message ?? '')}`,
  )
}

async function show(reference: string, options: Options & GlobalOptions): Promise<void> {
  const output = new Output(options)
  await withExisting(options, async passim => {
    const document = passim.scope.document(reference, scope(passim, options))
    if (options.text) return await printText(passim, document, output)
    const report = document.status === 'completed' ? await passim.library.report(document.id) : undefined
    const value = { ...document, report: report?.pages }
    output.result(value, () => documentText(document, passim.collections.get(document.collectionId).name))
  })
}

async function printText(passim: Passim, document: Document, output: Output): Promise<void> {
  const { characters } = await passim.library.report(document.id)
  if (output.isJson) {
    output.jsonLine({
      id: document.id,
      source: document.source,
      text: await passim.library.read(document.id, 0, characters),
    })
    return
  }
  for (let at = 0; at < characters; at += PIECE) output.text(await passim.library.read(document.id, at, at + PIECE))
  output.text('\n')
}

async function remove(reference: string | undefined, options: Options & GlobalOptions): Promise<void> {
  const output = new Output(options)
  await withExisting(options, async passim => {
    if (reference !== undefined) {
      const document = passim.scope.document(reference, scope(passim, options))
      await passim.deleteDocument(document)
      const { name } = passim.collections.get(document.collectionId)
      output.result(
        { deleted: document.id, collection: name, source: document.source },
        () => `Deleted ${document.source} from ${name}.`,
      )
      if (existsSync(document.source)) output.message('Its file is still there: indexing its folder again adds it.')
      return
    }
    if (!options.collection) throw new AppError('invalid_input', 'Name a document, or a collection with -c.')
    const collection = named(passim, options.collection)
    await passim.collections.delete(collection)
    output.result(
      { deleted: collection.id, collection: collection.name },
      () => `Deleted collection ${collection.name}.`,
    )
  })
}

/** What `delete` names is its document, also when it is a collection. */
function named(passim: Passim, name: string): Collection {
  const found = passim.collections.list().find(collection => collection.name === name || collection.id === name)
  if (found) return found
  throw new AppError('not_found', `There is no collection ${name}. See passim collections.`)
}

/** The named collection, or all of them. */
function scope(passim: Passim, { collection }: Options): readonly Collection[] {
  return collection ? [passim.scope.collection(collection)] : passim.collections.list()
}
