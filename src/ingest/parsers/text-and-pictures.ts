import { AppError } from '../../errors.ts'
import type { Block } from '../block.ts'
import type { ParserEvent, ParserInput } from '../parser.ts'
import { anyBlockEvents } from './block-events.ts'
import { countCharacters, EmbeddedPictures, type Picture } from './embedded-pictures.ts'

/**
 * The text of a document without pages, and after it what its pictures say, by OCR, where there is almost no text beside
 * them. `pictures` is asked once the blocks are at their end. Throws `no_text` where nothing is said at all.
 */
export async function* textAndPictures(
  blocks: AsyncIterable<Block> | Iterable<Block>,
  pictures: () => readonly Picture[],
  input: ParserInput,
  signal?: AbortSignal,
): AsyncGenerator<ParserEvent> {
  let [readable, characters] = [0, 0]
  for await (const event of anyBlockEvents(blocks, input.name, signal)) {
    if (event.type === 'block') [readable, characters] = [readable + 1, characters + countCharacters(event.block.text)]
    yield event
  }
  const group = { place: input.name, characters, pictures: pictures() }
  if (group.pictures.length === 0) {
    if (readable === 0) throw new AppError('no_text', `${input.name} holds no text.`)
    return
  }
  const reader = new EmbeddedPictures(input)
  try {
    for await (const event of reader.read(group, signal)) {
      if (event.type === 'block') readable++
      yield event
    }
    if (readable === 0) throw reader.nothingRead()
  } finally {
    await reader.close()
  }
}
