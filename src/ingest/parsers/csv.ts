import type { Block } from '../block.ts'
import { decodeFile } from '../detection/charset.ts'
import type { Parser, ParserEvent, ParserInput } from '../parser.ts'
import { blockEvents } from './block-events.ts'
import { CsvRecords, detectSeparator } from './csv-records.ts'
import { TableBlocks } from './table-blocks.ts'
import { requireCharset } from './text.ts'

const TAB_SEPARATED = 'text/tab-separated-values'

/** Separated values of any size; the separator and the charset are found out. */
export const csvParser: Parser = { id: 'csv@1', mediaTypes: ['text/csv'], parse: parseCsv }

/** Another parser: the same bytes may be read otherwise under a name that says so, and what is made of them is kept by it. */
export const tsvParser: Parser = { id: 'tsv@1', mediaTypes: [TAB_SEPARATED], parse: parseCsv }

async function* parseCsv(input: ParserInput, signal?: AbortSignal): AsyncGenerator<ParserEvent> {
  signal?.throwIfAborted()
  const charset = await requireCharset(input)
  yield { type: 'metadata', metadata: { charset } }
  const usual = input.mediaType === TAB_SEPARATED ? '\t' : ','
  yield* blockEvents(separatedBlocks(decodeFile(input.path, charset, signal), usual), input.name, signal)
}

/** The tables of separated text that comes in pieces; the first piece decides on the separator. */
export async function* separatedBlocks(pieces: AsyncIterable<string>, usual?: string): AsyncGenerator<Block> {
  const tables = new TableBlocks()
  let records: CsvRecords | undefined
  for await (const piece of pieces) {
    const { separator, text } = records ? { separator: '', text: piece } : readStart(piece, usual)
    records ??= new CsvRecords(separator)
    for (const record of records.add(text)) yield* tables.add(record)
  }
  for (const record of records?.end() ?? []) yield* tables.add(record)
  yield* tables.end()
}

/** Excel writes `sep=;` on a first line of its own. */
function readStart(piece: string, usual: string | undefined): { separator: string; text: string } {
  const stated = /^sep=(.)\r?\n/i.exec(piece)
  if (stated) return { separator: stated[1]!, text: piece.slice(stated[0].length) }
  return { separator: detectSeparator(piece, usual), text: piece }
}
