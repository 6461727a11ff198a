import { type Command, InvalidArgumentError } from 'commander'
import type { Passim } from '../app/passim.ts'
import { AppError } from '../errors.ts'
import type { Collection } from '../ingest/store/catalog/collections.ts'
import type { Document } from '../ingest/store/catalog/document.ts'
import type {
  ChunkJson,
  ChunkListJson,
  DocumentListJson,
  DocumentTextJson,
  PutDocumentJson,
  ReportedDocumentJson,
} from '../wire/document.ts'
import { writeTimes } from '../wire/schema.ts'
import { type AddCommand, formatExample, getAllOptions } from './command.ts'
import { EXIT, formatCount, type GlobalOptions, joinLines, Output, padToWidth } from './output.ts'
import { formatChunk } from './parse.ts'
import { IndexProgress } from './progress.ts'
import { getUserSentences } from './sentences/sentences.ts'
import { withExisting, withPassim } from './session.ts'

type Options = {
  readonly collection?: string
  readonly text?: boolean
  readonly chunks?: boolean
}

/** UTF-16 units printed at a time; protects memory. */
const PIECE = 1_000_000

const NAME_WIDTH = 14
const STATUS_WIDTH = 11

export const addList: AddCommand = program => {
  program
    .command('list')
    .description('list documents')
    .option('-c, --collection <name>', 'only this collection')
    .addHelpText('after', formatExample('passim list -c papers'))
    .action(async (_options, command: Command) => list(getAllOptions<Options>(command)))
}

export const addShow: AddCommand = program => {
  program
    .command('show')
    .description('show a document')
    .argument('<document>', 'document: id, path or base name')
    .option('-c, --collection <name>', 'only in this collection')
    .option('--text', 'print the parsed text')
    .option('--chunks', 'print the chunks that are indexed')
    .addHelpText('after', formatExample('passim show report.pdf --text'))
    .action(async (reference: string, _options, command: Command) =>
      show(reference, getAllOptions<Options>(command)),
    )
}

type EditOptions = Pick<Options, 'collection'> & {
  readonly off?: boolean
  readonly on?: boolean
  readonly note?: string
}

export const addEditChunk: AddCommand = program => {
  program
    .command('edit-chunk')
    .description('switch a chunk off, or add a note to it')
    .argument('<document>', 'document: id, path or base name')
    .argument('<chunk>', 'id of the chunk, as passim show DOCUMENT --chunks prints it')
    .option('-c, --collection <name>', 'only in this collection')
    .option('--off', 'leave the chunk out of searches and answers')
    .option('--on', 'use the chunk again')
    .option('--note <text>', 'note that is searched with the chunk and never quoted; empty: none')
    .addHelpText(
      'after',
      formatExample('passim edit-chunk lease.pdf chunk_01a2 --note "Valid until 2027"'),
    )
    .action(async (reference: string, chunkId: string, _options, command: Command) =>
      editChunk(reference, chunkId, getAllOptions<EditOptions>(command)),
    )
}

async function editChunk(
  reference: string,
  chunkId: string,
  options: EditOptions & GlobalOptions & { readonly wait?: boolean },
): Promise<void> {
  const { off, on, note, wait } = options
  if (!off && !on && note === undefined)
    throw new AppError('invalid_input', 'Say what to change: --off, --on or --note TEXT.')
  if (off && on) throw new AppError('invalid_input', '--off cannot be combined with --on.')
  const output = new Output(options)
  await withExisting(options, async (passim, signal) => {
    const document = await passim.scope.findDocument(reference, await findScope(passim, options))
    const change = { note, ...((off || on) && { isExcluded: off === true }) }
    const chunk = await passim.chunks.update(document, chunkId, change, signal)
    await passim.background.drainAll({ signal, noWait: wait === false })
    output.writeResult<ChunkJson>(chunk, () => formatChunk(chunk))
  })
}

async function list(options: Options & GlobalOptions): Promise<void> {
  await withExisting(options, async passim => {
    const documents = (
      await Promise.all(
        (
          await findScope(passim, options)
        ).map(async collection =>
          (
            await passim.list(collection)
          ).map(document => ({ collection: collection.name, ...document })),
        ),
      )
    ).flat()
    new Output(options).writeResult<DocumentListJson>(
      { documents: documents.map(toJson) },
      () => documents.map(formatLine).join('\n') || getUserSentences().none.documents,
    )
  })
}

function toJson<Item extends Document>({ earlierFacts: _, ...document }: Item) {
  return writeTimes(document)
}

function formatLine({
  collection,
  source,
  status,
  searchable,
  chunks,
  pages,
  error,
}: Document & { readonly collection: string }): string {
  const words = getUserSentences().results
  const size = `${formatCount(chunks, 'chunk')}${pages ? `${words.comma}${formatCount(pages, 'page')}` : ''}`
  const summary =
    status === 'completed'
      ? size
      : ((error && getUserSentences().withoutAdvice(error)) ??
        (searchable ? words.searchableBy(words.matching(searchable)) : ''))
  return joinLines(
    `${padToWidth(words.status(status), STATUS_WIDTH)} ${collection}  ${source}  ${summary}`,
  )
}

async function show(reference: string, options: Options & GlobalOptions): Promise<void> {
  const output = new Output(options)
  await withExisting(options, async passim => {
    const document = await passim.scope.findDocument(reference, await findScope(passim, options))
    if (options.text) return await printText(passim, document, output)
    if (options.chunks) return await printChunks(passim, document, output)
    const report = document.searchable ? await passim.library.report(document.id) : undefined
    const { name } = await passim.collections.get(document.collectionId)
    const chunkEdits = report && (await passim.chunks.countEdits(document.id))
    output.writeResult<ReportedDocumentJson>(
      {
        collection: name,
        ...toJson(document),
        ...(report && { characters: report.characters, report: report.pages }),
        ...(chunkEdits && { chunkEdits }),
      },
      () => formatDocument(document, name),
    )
  })
}

async function printText(passim: Passim, document: Document, output: Output): Promise<void> {
  const { characters } = await passim.library.report(document.id)
  if (output.isJson) {
    output.writeJsonLine<DocumentTextJson>({
      id: document.id,
      source: document.source,
      text: await passim.library.read(document.id, 0, characters),
    })
    return
  }
  for (let index = 0; index < characters; index += PIECE)
    output.writeDocumentText(await passim.library.read(document.id, index, index + PIECE))
  output.writeDocumentText('\n')
}

async function printChunks(passim: Passim, { id }: Document, output: Output): Promise<void> {
  const chunks: ChunkListJson['chunks'][number][] = []
  for await (const { ordinal: _, links: __, ...chunk } of passim.library.readChunks(id)) {
    if (output.isJson) chunks.push(chunk)
    else output.writeDocumentText(`${formatChunk(chunk)}\n\n`)
  }
  if (output.isJson) output.writeJsonLine<ChunkListJson>({ chunks })
}

async function findScope(passim: Passim, { collection }: Options): Promise<readonly Collection[]> {
  return collection
    ? [await passim.scope.findCollection(collection)]
    : await passim.collections.list()
}

function formatDocument(document: Document, collection: string): string {
  const { metadata, attributes, warnings, error } = document
  const { failure, describe, named, results: words } = getUserSentences()
  const status = words.status(document.status)
  const { title: _, pages: __, ...shown } = metadata // shown elsewhere
  const facts = Object.entries({ ...shown, ...attributes }).map(([name, value]) =>
    formatFact(Object.hasOwn(attributes, name) ? name : words.field(name), `${value ?? ''}`),
  )
  const lines = [
    formatFact(words.field('id'), document.id),
    formatFact(words.field('source'), document.source),
    formatFact(words.field('collection'), collection),
    formatFact(words.field('status'), error ? named(status, failure(error)) : status),
    formatFact(
      words.field('searchable by'),
      document.searchable ? words.matching(document.searchable) : '',
    ),
    formatFact(words.field('title'), document.title),
    formatFact(words.field('type'), document.mediaType),
    formatFact(words.field('size'), formatSize(document)),
    formatFact(
      words.field('indexed'),
      document.indexedAt === undefined ? '' : formatTime(document.indexedAt),
    ),
    ...facts,
    ...warnings.map(warning =>
      formatFact(
        words.field('warning'),
        warning.page ? words.page(warning.page, describe(warning)) : describe(warning),
      ),
    ),
  ]
  return lines.filter(line => line !== '').join('\n')
}

function formatFact(name: string, value: string): string {
  if (value === '') return ''
  return `${padToWidth(name, NAME_WIDTH)}${joinLines(value)}`
}

function formatSize({ bytes, pages, chunks, tokens }: Document): string {
  const parts = [formatCount(bytes, 'byte'), pages ? formatCount(pages, 'page') : '']
  if (chunks > 0) parts.push(formatCount(chunks, 'chunk'), formatCount(tokens, 'token'))
  return parts.filter(Boolean).join(getUserSentences().results.comma)
}

/** Formats as `2026-11-21 20:05:48Z`. */
function formatTime(milliseconds: number): string {
  return new Date(milliseconds)
    .toISOString()
    .replace('T', ' ')
    .replace(/\.\d+Z$/, 'Z')
}

type PutCommandOptions = {
  readonly collection: string
  readonly title?: string
  readonly url?: string
  readonly language?: string
  readonly attribute?: Readonly<Record<string, string>>
  readonly password?: string
}

type PutOptionValues = ReturnType<typeof getAllOptions<PutCommandOptions>>

export const addPut: AddCommand = program => {
  program
    .command('put')
    .description('index a file under an id of yours; the same id again replaces the document')
    .argument('<id>', 'id of the document, unique in its collection')
    .argument('<file>', 'file to index')
    .option('-c, --collection <name>', 'collection; it is created if it does not exist', 'default')
    .option('--title <title>', 'title of the document')
    .option('--url <url>', 'address where people read it')
    .option('--language <tag>', 'language of the document, such as en')
    .option(
      '--attribute <key=value>',
      'attribute to filter by (may be repeated)',
      collectAttributes,
    )
    .option('--password <password>', 'password of an encrypted file; it is not stored')
    .addHelpText(
      'after',
      formatExample('passim put contract-7 lease.pdf -c contracts --attribute year=2026'),
    )
    .action(async (id: string, file: string, _options, command: Command) => {
      const options = getAllOptions<PutCommandOptions>(command)
      await withPassim(options, (passim, signal) => put(passim, { id, file }, options, signal))
    })
}

function collectAttributes(
  value: string,
  before: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> {
  const [, key, text] = /^([^=]+)=(.*)$/s.exec(value) ?? []
  if (key === undefined || text === undefined)
    throw new InvalidArgumentError(getUserSentences().usage.attribute)
  return { ...before, [key]: text }
}

async function put(
  passim: Passim,
  named: { readonly id: string; readonly file: string },
  options: PutOptionValues,
  signal: AbortSignal,
): Promise<void> {
  const { collection, title, url, language, attribute: attributes, password, wait } = options
  const output = new Output(options)
  const progress = new IndexProgress(output)
  const facts = { title, url, language, attributes, password }
  const { document, result } = await passim.documents
    .put({
      ...named,
      ...facts,
      collection,
      signal,
      noWait: !wait,
      onEvent: event => progress.show(event),
      onWait: holder => progress.showWaiting(holder),
    })
    .finally(() => progress.stop())
  const { error, chunks } = document
  if (error && !output.isJson)
    output.writeFailure(output.sentences.index.outcome('failed', output.sentences.describe(error)))
  if (!error || output.isJson)
    output.writeDone<PutDocumentJson>({ ...toJson(document), collection, result }, () =>
      output.sentences.work.put(result, named.id, formatCount(chunks, 'chunk')),
    )
  process.exitCode = error ? EXIT.failed : EXIT.done
}
