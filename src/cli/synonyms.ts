import { readFile, stat } from 'node:fs/promises'
import type { Command } from 'commander'
import { localizable } from '../errors/localizable.ts'
import { AppError } from '../errors.ts'
import { createUnreadableError } from '../ingest/sources/folders/walk.ts'
import { MAX_SYNONYM_CHARS } from '../search/synonyms/synonym-file.ts'
import type { SynonymsJson } from '../wire/synonyms.ts'
import { type AddCommand, formatExample, getAllOptions, refuseArguments } from './command.ts'
import { formatCount, type GlobalOptions, Output } from './output.ts'
import { getUserSentences } from './sentences/sentences.ts'
import { withExisting } from './session.ts'

type Options = GlobalOptions & { readonly collection?: string }

const COLLECTION = ['-c, --collection <name>', 'collection (default: default)'] as const

export const addSynonyms: AddCommand = program => {
  const synonyms = program
    .command('synonyms')
    .description('show, set or clear the synonyms that search adds to a query')
    .option(...COLLECTION)
    .addHelpText('after', getUserSentences().notes.synonyms)
    .addHelpText(
      'after',
      formatExample('passim synonyms -c policies', 'passim synonyms set terms.txt -c policies'),
    )
    .allowExcessArguments()
    .action(async (_options, command: Command) => {
      refuseArguments(command)
      await show(getAllOptions<Options>(command))
    })
  synonyms
    .command('set')
    .description('replace the synonyms by those of a file; the next search uses them')
    .argument('<file>')
    .option(...COLLECTION)
    .addHelpText('after', formatExample('passim synonyms set terms.txt'))
    .action(async (file: string, _options, command: Command) =>
      set(file, getAllOptions<Options>(command)),
    )
  synonyms
    .command('clear')
    .description('remove all synonyms of the collection')
    .option(...COLLECTION)
    .addHelpText('after', formatExample('passim synonyms clear -c policies'))
    .action(async (_options, command: Command) => clear(getAllOptions<Options>(command)))
}

async function show(options: Options): Promise<void> {
  await withExisting(options, async passim => {
    const synonyms = await passim.synonyms.get(options.collection)
    new Output(options).writeResult<SynonymsJson>(
      synonyms,
      () => synonyms.text.trimEnd() || getUserSentences().work.synonyms.none(synonyms.collection),
    )
  })
}

async function set(file: string, options: Options): Promise<void> {
  const text = await readList(file)
  await withExisting(options, async passim => {
    const synonyms = await passim.synonyms.set(text, options.collection)
    new Output(options).writeDone<SynonymsJson>(synonyms, () => formatChange(synonyms))
  })
}

async function clear(options: Options): Promise<void> {
  await withExisting(options, async passim => {
    const synonyms = await passim.synonyms.clear(options.collection)
    new Output(options).writeDone<SynonymsJson>(synonyms, () => formatChange(synonyms))
  })
}

function formatChange({ collection, groups }: SynonymsJson): string {
  const words = getUserSentences().work.synonyms
  return groups === 0
    ? words.cleared(collection)
    : words.set(collection, formatCount(groups, 'group'))
}

/** Allows four bytes per character, as UTF-8 does. */
const MAX_BYTES = 4 * MAX_SYNONYM_CHARS

async function readList(file: string): Promise<string> {
  try {
    const { size } = await stat(file)
    if (size <= MAX_BYTES)
      return new TextDecoder('utf-8', { fatal: true }).decode(await readFile(file))
  } catch (error) {
    if (error instanceof TypeError)
      throw new AppError('invalid_input', localizable`${file} is not UTF-8. Save it as UTF-8.`, {
        cause: error,
      })
    throw createUnreadableError(file, error)
  }
  throw new AppError(
    'too_large',
    localizable`${file} has more than ${MAX_BYTES} bytes. Remove some lines.`,
  )
}
