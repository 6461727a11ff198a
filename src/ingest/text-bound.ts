import { statSync } from 'node:fs'
import { AppError } from '../errors.ts'
import { BLOCK_SEPARATOR, type Block } from './block.ts'
import { boundedBlocks } from './bounded-blocks.ts'
import type { ParserInput } from './parser.ts'

/**
 * Characters of text that a document may give for each byte read of it. The densest honest kind is a table of empty cells, with three
 * characters for each separator.
 */
const MAX_CHARS_PER_BYTE = 4
/** Characters that any document may give, so that a small one may repeat a cell or a heading. */
const FREE_CHARS = 64 * 1024

/**
 * Bounds what a parser gives of one document, whatever its format: each block in size, and the text of all by the bytes that were read,
 * after decompression.
 */
export class TextBound {
  readonly #name: string
  #bytes: number
  #chars = 0

  constructor({ name, path }: Pick<ParserInput, 'name' | 'path'>) {
    this.#name = name
    this.#bytes = statSync(path, { throwIfNoEntry: false })?.size ?? 0 // that it is not there its parser tells
  }

  /** Counts bytes that the parser has inflated, beside those of the file. */
  readonly countBytes = (bytes: number): void => {
    this.#bytes += bytes
  };

  /** Divides a large block, and counts it. Throws `too_large` if the document has more text than its bytes can hold. */
  *take(block: Block): Iterable<Block> {
    for (const part of boundedBlocks(block)) {
      this.#chars += measureSize(part) + BLOCK_SEPARATOR.length
      if (this.#chars > FREE_CHARS + MAX_CHARS_PER_BYTE * this.#bytes) throw this.#createError()
      yield part
    }
  }

  #createError(): AppError {
    const message =
      `Refused ${this.#name}: it gives more than ${MAX_CHARS_PER_BYTE} characters of text for each of the ${this.#bytes} bytes read of it. ` +
      'A text, a number format or a sheet is repeated over and over in it. Remove the repetitions, or save it in another format.'
    return new AppError('too_large', message)
  }
}

/** Of a table the text and its cells are stored; blanks in a row make its cells longer than its text. */
function measureSize({ text, rows = [] }: Block): number {
  const cells = rows.reduce((sum, row) => sum + row.reduce((own, cell) => own + cell.length, 0), 0)
  return Math.max(text.length, cells)
}
