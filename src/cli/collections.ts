import { type Command, Option } from 'commander'
import type { ReEmbedResult } from '../app/documents/re-embedding.ts'
import type { Passim } from '../app.ts'
import {
  type Collection,
  INDEX_ENGINES,
  type IndexEngine,
  parseEngine,
} from '../ingest/store/catalog/collections.ts'
import type { DrainOptions } from '../ingest/work/ingest.ts'
import {
  type AddCommand,
  allOptions,
  example,
  positiveInteger,
  refuseArguments,
  share,
} from './command.ts'
import { removeCollection } from './deleting.ts'
import { counted, EXIT, type GlobalOptions, Output, oneLine } from './output.ts'
import { IndexProgress } from './progress.ts'
import { withExisting, withPassim } from './session.ts'

type CreateOptions = {
  readonly chunkTokens?: number
  readonly overlap?: number
  readonly embedder?: string
  readonly engine?: IndexEngine
}
type ReEmbedOptions = { readonly embedder: string }
type MoveOptions = { readonly engine: IndexEngine }

const EMBEDDER = '--embedder <id>'
const EMBEDDER_IS =
  'embedding model: one from the settings embedder and embedders, the built-in one, or none'

const engineOption = () =>
  new Option('--engine <engine>', 'engine of its index').choices(INDEX_ENGINES)

export const addCollections: AddCommand = program => {
  const collections = program
    .command('collections')
    .description('list, create or delete collections, change their embedding model or index engine')
    .addHelpText(
      'after',
      example('passim collections', 'passim collections create papers --chunk-tokens 300'),
    )
    .allowExcessArguments()
    .action(async (_options, command: Command) => {
      refuseArguments(command)
      await list(allOptions(command))
    })
  addCreate(collections)
  addDelete(collections)
  addReEmbed(collections)
  addMove(collections)
}

function addCreate(collections: Command): void {
  collections
    .command('create')
    .description('create an empty collection')
    .argument('<name>')
    .option('--chunk-tokens <number>', 'tokens per chunk', positiveInteger)
    .option('--overlap <share>', 'share of each chunk that the next one repeats, 0 to 0.5', share)
    .option(EMBEDDER, EMBEDDER_IS)
    .addOption(engineOption())
    .addHelpText(
      'after',
      example('passim collections create papers --chunk-tokens 300 --overlap 0.1'),
    )
    .action(async (name: string, _options, command: Command) =>
      create(name, allOptions<CreateOptions>(command)),
    )
}

function addDelete(collections: Command): void {
  collections
    .command('delete')
    .description('delete a collection and all its documents; same as passim delete -c')
    .argument('<name>')
    .option('--yes', 'do not ask for confirmation; required without a terminal')
    .option('--now', 'delete permanently; restore is not possible')
    .addHelpText('after', example('passim collections delete papers'))
    .action(async (name: string, _options, command: Command) =>
      removeCollection(name, allOptions(command)),
    )
}

function addReEmbed(collections: Command): void {
  collections
    .command('re-embed')
    .description(
      'embed a collection with another model; search uses the old vectors until the new ones are complete',
    )
    .argument('<name>')
    .requiredOption(EMBEDDER, EMBEDDER_IS)
    .addHelpText(
      'after',
      example('passim collections re-embed papers --embedder multilingual-e5-small-enzh'),
    )
    .action(async (name: string, _options, command: Command) =>
      reEmbed(name, allOptions<ReEmbedOptions>(command)),
    )
}

function addMove(collections: Command): void {
  collections
    .command('move')
    .description(
      'move the index of a collection to another engine; search uses the old index until the move is complete',
    )
    .argument('<name>')
    .addOption(engineOption().makeOptionMandatory())
    .addHelpText('after', example('passim collections move papers --engine weaviate'))
    .action(async (name: string, _options, command: Command) =>
      move(name, allOptions<MoveOptions>(command)),
    )
}

async function list(options: GlobalOptions): Promise<void> {
  await withExisting(options, async passim => {
    const collections = await passim.collections.list()
    new Output(options).result({ collections }, () => {
      const lines = collections.map(({ name, id, documents, chunks, embedderId, tableId }) =>
        [
          `${name}  ${id}  ${counted(documents.completed, 'document')}`,
          `${counted(chunks, 'chunk')}, ${embedderId}${placeOf({ tableId })}`,
        ].join(', '),
      )
      return lines.join('\n') || 'No collections.'
    })
  })
}

async function create(name: string, options: CreateOptions & GlobalOptions): Promise<void> {
  await withPassim(options, async passim => {
    const { tokens, overlap } = passim.settings.chunking
    const chunking = { tokens: options.chunkTokens ?? tokens, overlap: options.overlap ?? overlap }
    const { embedder, engine } = options
    const collection = await passim.collections.create({ name, chunking, embedder, engine })
    new Output(options).done(
      collection,
      () =>
        `Created ${collection.name} (${collection.id}), ${collection.embedderId}${placeOf(collection)}.`,
    )
  })
}

async function reEmbed(name: string, options: ReEmbedOptions & GlobalOptions): Promise<void> {
  await change(name, options, {
    make: (passim, collection, drain) => passim.reEmbed.run(collection, options.embedder, drain),
    textOf,
  })
}

async function move(name: string, options: MoveOptions & GlobalOptions): Promise<void> {
  await change(name, options, {
    make: (passim, collection, drain) => passim.reEmbed.move(collection, options.engine, drain),
    textOf: textOfMove,
  })
}

type Change = {
  readonly make: (
    passim: Passim,
    collection: Collection,
    options: DrainOptions,
  ) => Promise<ReEmbedResult>
  readonly textOf: (result: ReEmbedResult) => string
}

/** Runs a change of a complete collection. */
async function change(
  name: string,
  options: GlobalOptions,
  { make, textOf }: Change,
): Promise<void> {
  await withExisting(options, async (passim, signal) => {
    const output = new Output(options)
    const progress = new IndexProgress(output)
    const result = await make(passim, await passim.scope.findCollection(name), {
      signal,
      noWait: !options.wait,
      onEvent: event => progress.show(event),
      onWait: holder => progress.waiting(holder),
    }).finally(() => progress.stop())
    output.done(result, () => textOf(result))
    if (result.job && result.job.state !== 'completed') process.exitCode = EXIT.failed
  })
}

/** Returns the engine, if it is not the default. */
function placeOf({ tableId }: Pick<Collection, 'tableId'>): string {
  return parseEngine(tableId) === 'lance' ? '' : `, in ${parseEngine(tableId)}`
}

function textOfMove({
  collection,
  engine,
  job,
  documents,
  chunks,
  seconds,
}: ReEmbedResult): string {
  if (!job) return `The index of ${collection} is already in ${engine}.`
  if (job.state !== 'completed') {
    return oneLine(
      `The index of ${collection} remains in ${engine}: job ${job.id} is ${job.state}. ${job.error?.message ?? ''}`,
    )
  }
  const size = `${counted(documents, 'document')}, ${counted(chunks, 'chunk')}`
  return `The index of ${collection} is now in ${engine}: ${size}; ${seconds.toFixed(1)} s`
}

function textOf({
  collection,
  embedder,
  before,
  job,
  documents,
  chunks,
  seconds,
}: ReEmbedResult): string {
  if (!job) return `${collection} already uses ${embedder}.`
  if (job.state !== 'completed') {
    return oneLine(
      `${collection} still uses ${embedder}: job ${job.id} is ${job.state}. ${job.error?.message ?? ''}`,
    )
  }
  const size = `${counted(documents, 'document')}, ${counted(chunks, 'chunk')}`
  return `${collection} now uses ${embedder} instead of ${before}: ${size}; ${seconds.toFixed(1)} s`
}
