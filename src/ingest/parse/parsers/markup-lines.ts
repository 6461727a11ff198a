import type { Block } from '../../block.ts'
import type { ParserEvent, ParserInput } from '../parser.ts'
import { SkippedText } from '../skipped-text.ts'
import { toBlockEvents } from './block-events.ts'
import { DecodedText, readTextLines } from './decoded-text.ts'
import { IncludedFiles } from './included-files.ts'

/** A longer line becomes several. */
const MAX_LINE_CHARS = 8_000

export type Omissions = { readonly skipped: SkippedText; readonly included: IncludedFiles }

interface LineWriter {
  add(line: string): Iterable<Block>
  end(): Iterable<Block>
}

export async function* parseMarkupLines(
  input: ParserInput,
  createWriter: (omissions: Omissions) => LineWriter,
  signal?: AbortSignal,
): AsyncGenerator<ParserEvent> {
  signal?.throwIfAborted()
  const decoded = await DecodedText.open(input)
  yield { type: 'metadata', metadata: { charset: decoded.charset } }
  const skipped = new SkippedText()
  const included = new IncludedFiles()
  const lines = readTextLines(decoded.readPieces(signal), MAX_LINE_CHARS)
  const writer = createWriter({ skipped, included })
  yield* toBlockEvents(writeBlocks(lines, writer), input.name, signal)
  yield* included.listWarnings()
  yield* skipped.listWarnings()
  yield* decoded.listWarnings()
}

async function* writeBlocks(
  lines: AsyncIterable<string>,
  writer: LineWriter,
): AsyncGenerator<Block> {
  for await (const line of lines) yield* writer.add(line)
  yield* writer.end()
}
