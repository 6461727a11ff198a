import { existsSync } from 'node:fs'
import type { Command } from 'commander'
import { localizable } from '../../errors/localizable.ts'
import { AppError } from '../../errors.ts'
import type { FindJson } from '../../wire/find.ts'
import {
  type AddCommand,
  collectValues,
  formatExample,
  getAllOptions,
  parsePositiveInteger,
} from '../command.ts'
import { type GlobalOptions, joinLines, Output } from '../output.ts'
import type { Sentences } from '../sentences/en.ts'
import { withExisting } from '../session.ts'

type Options = { readonly collection?: readonly string[]; readonly places: number }

/** Names that mean a picture, so that a mistyped name is not taken for a quotation. */
const PICTURE = /^\S+\.(?:png|jpe?g|webp|gif|bmp|tiff?|heic|pdf)$/i

/** UTF-16 units of a place that are shown. */
const SHOWN = 300

export const addFind: AddCommand = program => {
  program
    .command('find')
    .description('find where a quotation or a picture of a page comes from')
    .argument('<text-or-file>', 'quotation, or a file such as a photo of a page')
    .option('-c, --collection <name>', 'collection to search (may be repeated)', collectValues)
    .option('-n, --places <number>', 'maximum number of places', parsePositiveInteger, 5)
    .addHelpText(
      'after',
      formatExample('passim find "paid within 30 days of receipt"', 'passim find photo.jpg'),
    )
    .action(async (textOrPath: string, _options, command: Command) =>
      find(textOrPath, getAllOptions<Options>(command)),
    )
}

async function find(textOrPath: string, options: Options & GlobalOptions): Promise<void> {
  const isFile = existsSync(textOrPath)
  if (!isFile && PICTURE.test(textOrPath))
    throw new AppError('not_found', localizable`There is no file ${textOrPath}.`)
  await withExisting(options, async (passim, signal) => {
    const found = await passim.find({
      ...(isFile ? { file: textOrPath } : { text: textOrPath }),
      collections: options.collection,
      limit: options.places,
      signal,
    })
    const output = new Output(options)
    const words = output.sentences.find
    output.writeResult<FindJson>(
      found,
      () => found.places.map(place => formatPlace(place, words)).join('\n\n') || words.nothing,
    )
  })
}

function formatPlace(
  { source, page, text, similarity }: FindJson['places'][number],
  sentences: Sentences['find'],
): string {
  const place = page === undefined ? source : sentences.place(source, page)
  const words = joinLines(text)
  const excerpt = words.length > SHOWN ? `${words.slice(0, SHOWN)}…` : words
  return `${joinLines(place)}${sentences.similarity(Math.round(similarity * 100))}\n  ${excerpt}`
}
