import { type Command, Option } from 'commander'
import type { Passim } from '../app/passim.ts'
import {
  type Collection,
  INDEX_ENGINES,
  type IndexEngine,
  parseEngine,
} from '../ingest/store/catalog/collections.ts'
import type { DrainOptions } from '../ingest/work/ingest.ts'
import type {
  CollectionJson,
  CollectionListJson,
  StoredCollectionJson,
} from '../wire/collection.ts'
import type { ReEmbedResultJson } from '../wire/job.ts'
import { writeTimes } from '../wire/schema.ts'
import {
  type AddCommand,
  formatExample,
  getAllOptions,
  parsePositiveInteger,
  refuseArguments,
  share,
} from './command.ts'
import { removeCollection } from './deleting/delete.ts'
import { EXIT, formatCount, type GlobalOptions, joinLines, Output } from './output.ts'
import { IndexProgress } from './progress.ts'
import type { Sentences } from './sentences/en.ts'
import { getUserSentences } from './sentences/sentences.ts'
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

const createEngineOption = () =>
  new Option('--engine <engine>', 'engine of its index').choices(INDEX_ENGINES)

export const addCollections: AddCommand = program => {
  const collections = program
    .command('collections')
    .description('list, create or delete collections, change their embedding model or index engine')
    .addHelpText(
      'after',
      formatExample('passim collections', 'passim collections create papers --chunk-tokens 300'),
    )
    .allowExcessArguments()
    .action(async (_options, command: Command) => {
      refuseArguments(command)
      await list(getAllOptions(command))
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
    .option('--chunk-tokens <number>', 'tokens per chunk', parsePositiveInteger)
    .option('--overlap <share>', 'share of each chunk that the next one repeats, 0 to 0.5', share)
    .option(EMBEDDER, EMBEDDER_IS)
    .addOption(createEngineOption())
    .addHelpText(
      'after',
      formatExample('passim collections create papers --chunk-tokens 300 --overlap 0.1'),
    )
    .action(async (name: string, _options, command: Command) =>
      create(name, getAllOptions<CreateOptions>(command)),
    )
}

function addDelete(collections: Command): void {
  collections
    .command('delete')
    .description('delete a collection and all its documents; same as passim delete -c')
    .argument('<name>')
    .option('--yes', 'do not ask for confirmation; required without a terminal')
    .option('--now', 'delete permanently; restore is not possible')
    .addHelpText('after', formatExample('passim collections delete papers'))
    .action(async (name: string, _options, command: Command) =>
      removeCollection(name, getAllOptions(command)),
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
      formatExample('passim collections re-embed papers --embedder multilingual-e5-small-enzh'),
    )
    .action(async (name: string, _options, command: Command) =>
      startReEmbedding(name, getAllOptions<ReEmbedOptions>(command)),
    )
}

function addMove(collections: Command): void {
  collections
    .command('move')
    .description(
      'move the index of a collection to another engine; search uses the old index until the move is complete',
    )
    .argument('<name>')
    .addOption(createEngineOption().makeOptionMandatory())
    .addHelpText('after', formatExample('passim collections move papers --engine weaviate'))
    .action(async (name: string, _options, command: Command) =>
      move(name, getAllOptions<MoveOptions>(command)),
    )
}

async function list(options: GlobalOptions): Promise<void> {
  await withExisting(options, async passim => {
    const collections = await passim.collections.list()
    const words = getUserSentences().results
    new Output(options).writeResult<CollectionListJson>(
      { collections: collections.map(writeTimes) },
      () => {
        const lines = collections.map(({ name, id, documents, chunks, embedderId, tableId }) =>
          [
            `${name}  ${id}  ${formatDocuments(documents)}`,
            [formatCount(chunks, 'chunk'), embedderId, ...listPlace({ tableId })].join(words.comma),
          ].join(words.comma),
        )
        return lines.join('\n') || getUserSentences().none.collections
      },
    )
  })
}

function formatDocuments(counts: CollectionJson['documents']): string {
  const words = getUserSentences().results
  const { completed, failed, in_progress: unfinished, cancelled } = counts
  const others = [
    ...(failed > 0 ? [words.inStatus(failed, 'failed')] : []),
    ...(unfinished > 0 ? [words.inStatus(unfinished, 'in_progress')] : []),
    ...(cancelled > 0 ? [words.inStatus(cancelled, 'cancelled')] : []),
  ]
  const all = formatCount(completed + failed + unfinished + cancelled, 'document')
  return words.documents(all, others)
}

async function create(name: string, options: CreateOptions & GlobalOptions): Promise<void> {
  await withPassim(options, async passim => {
    const { tokens, overlap } = passim.settings.chunking
    const chunking = { tokens: options.chunkTokens ?? tokens, overlap: options.overlap ?? overlap }
    const { embedder, engine } = options
    const collection = await passim.collections.create({ name, chunking, embedder, engine })
    new Output(options).writeDone<StoredCollectionJson>(writeTimes(collection), () =>
      getUserSentences().results.createdCollection(collection.name, collection.id, [
        collection.embedderId,
        ...listPlace(collection),
      ]),
    )
  })
}

async function startReEmbedding(
  name: string,
  options: ReEmbedOptions & GlobalOptions,
): Promise<void> {
  await runChange(name, options, {
    make: (passim, collection, drain) => passim.reEmbed.run(collection, options.embedder, drain),
    words: getUserSentences().work.reEmbed,
  })
}

async function move(name: string, options: MoveOptions & GlobalOptions): Promise<void> {
  await runChange(name, options, {
    make: (passim, collection, drain) => passim.reEmbed.move(collection, options.engine, drain),
    words: getUserSentences().work.move,
  })
}

type Change = {
  readonly make: (
    passim: Passim,
    collection: Collection,
    options: DrainOptions,
  ) => Promise<ReEmbedResultJson>
  readonly words: Sentences['work']['reEmbed']
}

async function runChange(
  name: string,
  options: GlobalOptions,
  { make, words }: Change,
): Promise<void> {
  await withExisting(options, async (passim, signal) => {
    const output = new Output(options)
    const progress = new IndexProgress(output)
    const result = await make(passim, await passim.scope.findCollection(name), {
      signal,
      noWait: !options.wait,
      onEvent: event => progress.show(event),
      onWait: holder => progress.showWaiting(holder),
    }).finally(() => progress.stop())
    output.writeDone<ReEmbedResultJson>(result, () => formatChange(result, words))
    if (result.job && result.job.state !== 'completed') process.exitCode = EXIT.failed
  })
}

function listPlace({ tableId }: Pick<Collection, 'tableId'>): readonly string[] {
  const engine = parseEngine(tableId)
  return engine === 'lance' ? [] : [getUserSentences().results.engine(engine)]
}

function formatChange(
  result: ReEmbedResultJson,
  { unchanged, unfinished, done }: Sentences['work']['reEmbed'],
): string {
  const { documents, chunks, seconds, job } = result
  const { describe, index } = getUserSentences()
  if (!job) return unchanged(result)
  if (job.state !== 'completed') {
    const reason = job.error ? describe(job.error) : ''
    return joinLines(unfinished(result, { id: job.id, state: job.state, reason })).trimEnd()
  }
  const size = [formatCount(documents, 'document'), formatCount(chunks, 'chunk')].join(index.comma)
  return done(result, size + index.semicolon + index.seconds(seconds.toFixed(1)))
}
