import { AppError } from '../../errors.ts'
import type { Block } from '../block.ts'
import { JunkMeter } from '../garbled.ts'
import type { ParserEvent } from '../parser.ts'

/** Blocks as events. Throws `no_text` when there are none and `corrupt` when they are no text; some junk is a warning. */
export async function* blockEvents(
  blocks: AsyncIterable<Block> | Iterable<Block>,
  name: string,
  signal?: AbortSignal,
): AsyncGenerator<ParserEvent> {
  const meter = new JunkMeter()
  let isEmpty = true
  for await (const block of blocks) {
    signal?.throwIfAborted()
    meter.add(block.text)
    isEmpty = false
    yield { type: 'block', block }
  }
  if (isEmpty) throw new AppError('no_text', `${name} holds no text.`)
  meter.refuseMostlyJunk(name)
  yield* meter.warnings()
}
