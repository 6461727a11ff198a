import { type Command, Option } from 'commander'
import type { ReEmbedResult } from '../app/documents/re-embedding.ts'
import type { Passim } from '../app.ts'
import {
  type Collection,
  engineOf,
  INDEX_ENGINES,
  type IndexEngine,
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
  'the model of its vectors: of settings embedder and embedders, the shipped one, or none'

const engineOption = () =>
  new Option('--engine <engine>', 'what its index lies in').choices(INDEX_ENGINES)

export const addCollections: AddCommand = program => {
  const collections = program
    .command('collections')
    .description(
      'list collections, create or delete one, embed one with another model, or move it into another engine',
    )
    .addHelpText(
      'after',
      example('passim collections', 'passim collections create papers --chunk-tokens 300'),
    )
    .allowExcessArguments()
    .action(async (_options, command: Command) => {
      refuseArguments(command)
      await list(allOptions(command))
    })
  collections
    .command('create')
    .description('create an empty collection')
    .argument('<name>')
    .option('--chunk-tokens <number>', 'tokens per chunk', positiveInteger)
    .option('--overlap <share>', 'share of a chunk repeated in the next, 0 to 0.5', share)
    .option(EMBEDDER, EMBEDDER_IS)
    .addOption(engineOption())
    .addHelpText(
      'after',
      example('passim collections create papers --chunk-tokens 300 --overlap 0.1'),
    )
    .action(async (name: string, _options, command: Command) =>
      create(name, allOptions<CreateOptions>(command)),
    )
  collections
    .command('delete')
    .description('delete a collection with everything in it, as passim delete -c does')
    .argument('<name>')
    .option('--yes', 'do not ask; needed where there is no terminal')
    .option('--now', 'for good: it cannot be restored')
    .addHelpText('after', example('passim collections delete papers'))
    .action(async (name: string, _options, command: Command) =>
      removeCollection(name, allOptions(command)),
    )
  collections
    .command('re-embed')
    .description(
      'embed a collection with another model; what it has is found until the new vectors are whole',
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
  collections
    .command('move')
    .description(
      'move the index of a collection into another engine; it answers from where it was until all is there',
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

/** See a change of the whole collection through. */
async function change(
  name: string,
  options: GlobalOptions,
  { make, textOf }: Change,
): Promise<void> {
  await withExisting(options, async (passim, signal) => {
    const output = new Output(options)
    const progress = new IndexProgress(output)
    const result = await make(passim, await passim.scope.collection(name), {
      signal,
      noWait: !options.wait,
      onEvent: event => progress.show(event),
      onWait: holder => progress.waiting(holder),
    }).finally(() => progress.stop())
    output.done(result, () => textOf(result))
    if (result.job && result.job.state !== 'completed') process.exitCode = EXIT.failed
  })
}

/** Where its index lies, if not where those of most do. */
function placeOf({ tableId }: Pick<Collection, 'tableId'>): string {
  return engineOf(tableId) === 'lance' ? '' : `, in ${engineOf(tableId)}`
}

function textOfMove({
  collection,
  engine,
  job,
  documents,
  chunks,
  seconds,
}: ReEmbedResult): string {
  if (!job) return `The index of ${collection} lies in ${engine} already.`
  if (job.state !== 'completed') {
    return oneLine(
      `The index of ${collection} stays in ${engine}: job ${job.id} is ${job.state}. ${job.error?.message ?? ''}`,
    )
  }
  const size = `${counted(documents, 'document')}, ${counted(chunks, 'chunk')}`
  return `The index of ${collection} lies in ${engine} now: ${size}; ${seconds.toFixed(1)} s`
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
  if (!job) return `${collection} is embedded with ${embedder} already.`
  if (job.state !== 'completed') {
    return oneLine(
      `${collection} keeps ${embedder}: job ${job.id} is ${job.state}. ${job.error?.message ?? ''}`,
    )
  }
  const size = `${counted(documents, 'document')}, ${counted(chunks, 'chunk')}`
  return `${collection} is embedded with ${embedder}, before with ${before}: ${size}; ${seconds.toFixed(1)} s`
}
