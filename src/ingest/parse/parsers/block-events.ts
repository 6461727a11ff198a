import { localizable } from '../../../errors/localizable.ts'
import { AppError } from '../../../errors.ts'
import type { Block } from '../../block.ts'
import { JunkMeter } from '../detection/garbled.ts'
import type { ParserEvent } from '../parser.ts'

type Blocks = AsyncIterable<Block> | Iterable<Block>

/** Throws `no_text`, and `corrupt` for blocks that are no text. */
export async function* toBlockEvents(
  blocks: Blocks,
  name: string,
  signal?: AbortSignal,
): AsyncGenerator<ParserEvent> {
  let isEmpty = true
  for await (const event of toAnyBlockEvents(blocks, name, signal)) {
    isEmpty = false
    yield event
  }
  if (isEmpty) throw new AppError('no_text', localizable`${name} holds no text.`)
}

/** Allows documents without blocks. */
export async function* toAnyBlockEvents(
  blocks: Blocks,
  name: string,
  signal?: AbortSignal,
): AsyncGenerator<ParserEvent> {
  const meter = new JunkMeter()
  for await (const block of blocks) {
    signal?.throwIfAborted()
    meter.add(block.text)
    yield { type: 'block', block }
  }
  meter.refuseMostlyJunk(name)
  yield* meter.listWarnings()
}
