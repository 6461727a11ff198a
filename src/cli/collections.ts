import type { Command } from 'commander'
import { type AddCommand, allOptions, example, positiveInteger, share } from './command.ts'
import { type GlobalOptions, Output } from './output.ts'
import { withExisting, withPassim } from './session.ts'

type CreateOptions = { readonly chunkTokens?: number; readonly overlap?: number }

export const addCollections: AddCommand = program => {
  const collections = program
    .command('collections')
    .description('list collections, or create one')
    .addHelpText('after', example('passim collections', 'passim collections create papers --chunk-tokens 300'))
    .action(async (_options, command: Command) => list(allOptions(command)))
  collections
    .command('create')
    .description('create an empty collection')
    .argument('<name>')
    .option('--chunk-tokens <number>', 'tokens per chunk', positiveInteger)
    .option('--overlap <share>', 'share of a chunk repeated in the next, 0 to 0.5', share)
    .addHelpText('after', example('passim collections create papers --chunk-tokens 300 --overlap 0.1'))
    .action(async (name: string, _options, command: Command) => create(name, allOptions<CreateOptions>(command)))
}

async function list(options: GlobalOptions): Promise<void> {
  await withExisting(options, async passim => {
    const collections = passim.collections.list()
    new Output(options).result({ collections }, () => {
      const lines = collections.map(
        ({ name, id, documents, chunks }) => `${name}  ${id}  ${documents.completed} documents, ${chunks} chunks`,
      )
      return lines.join('\n') || 'No collections.'
    })
  })
}

async function create(name: string, options: CreateOptions & GlobalOptions): Promise<void> {
  await withPassim(options, async passim => {
    const { tokens, overlap } = passim.settings.chunking
    const chunking = { tokens: options.chunkTokens ?? tokens, overlap: options.overlap ?? overlap }
    const collection = await passim.collections.create({ name, chunking })
    new Output(options).result(collection, () => `Created ${collection.name} (${collection.id}).`)
  })
}
