import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { localizable } from '../../../../errors/localizable.ts'
import { AppError } from '../../../../errors.ts'
import type { Block } from '../../../block.ts'
import type { Parser, ParserEvent, ParserInput } from '../../parser.ts'
import { SkippedText } from '../../skipped-text.ts'
import { toBlockEvents } from '../block-events.ts'
import { RtfReader } from './reader.ts'
import { RtfTokens } from './tokens.ts'

/** Read in pieces, since pictures make it large. */
export const rtfParser: Parser = {
  id: 'rtf@11',
  mediaTypes: ['application/rtf', 'text/rtf'],
  parse: parseRtf,
}

async function* parseRtf(input: ParserInput, signal?: AbortSignal): AsyncGenerator<ParserEvent> {
  signal?.throwIfAborted()
  const { size } = await stat(input.path)
  if (size === 0) throw new AppError('empty', localizable`${input.name} is empty: it has no bytes.`)
  const skipped = new SkippedText()
  const reader = new RtfReader(input.name, skipped)
  yield* toBlockEvents(readBlocks(input.path, reader, signal), input.name, signal)
  yield { type: 'metadata', metadata: reader.metadata }
  yield* skipped.listWarnings()
}

async function* readBlocks(
  path: string,
  reader: RtfReader,
  signal?: AbortSignal,
): AsyncGenerator<Block> {
  const tokens = new RtfTokens()
  const stream: AsyncIterable<string> = createReadStream(path, { encoding: 'latin1', signal })
  for await (const piece of stream) {
    for (const token of tokens.add(piece)) reader.read(token)
    yield* reader.takeBlocks()
  }
  for (const token of tokens.end()) reader.read(token)
  yield* reader.end()
}
