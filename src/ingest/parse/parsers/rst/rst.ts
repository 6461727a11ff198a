import type { Block } from '../../../block.ts'
import type { Parser, ParserEvent, ParserInput } from '../../parser.ts'
import { SkippedText } from '../../skipped-text.ts'
import { toBlockEvents } from '../block-events.ts'
import { DecodedText, readTextLines } from '../decoded-text.ts'
import { IncludedFiles } from '../included-files.ts'
import { RstWriter } from './writer.ts'

/** A longer line becomes several. */
const MAX_CHARS = 8_000

/** reStructuredText: headings, text, lists, tables and code; directives show what a reader sees. */
export const rstParser: Parser = { id: 'rst@1', mediaTypes: ['text/x-rst'], parse: parseRst }

async function* parseRst(input: ParserInput, signal?: AbortSignal): AsyncGenerator<ParserEvent> {
  signal?.throwIfAborted()
  const decoded = await DecodedText.open(input)
  yield { type: 'metadata', metadata: { charset: decoded.charset } }
  const skipped = new SkippedText()
  const included = new IncludedFiles()
  const lines = readTextLines(decoded.readPieces(signal), MAX_CHARS)
  const writer = new RstWriter({ skipped, included })
  yield* toBlockEvents(readBlocks(lines, writer), input.name, signal)
  yield* included.listWarnings()
  yield* skipped.listWarnings()
  yield* decoded.listWarnings()
}

async function* readBlocks(lines: AsyncIterable<string>, writer: RstWriter): AsyncGenerator<Block> {
  for await (const line of lines) yield* writer.add(line.replaceAll('\t', '        '))
  yield* writer.end()
}
