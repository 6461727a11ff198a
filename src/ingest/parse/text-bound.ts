import { statSync } from 'node:fs'
import { AppError } from '../../errors.ts'
import { BLOCK_SEPARATOR, type Block } from '../block.ts'
import { divideBlock } from './bounded-blocks.ts'
import type { ParserInput } from './parser.ts'

/**
 * Maximum characters of text per byte read, so that nothing multiplies. The densest true
 * content is a table of empty cells, with three characters per separator.
 */
const MAX_CHARS_PER_BYTE = 4
/** Characters that any document may have, so that a small one may repeat a cell or a heading. */
const FREE_CHARS = 64 * 1024

/**
 * Bounds the output of a parser for one document of any format: each block by its size, and all text by the bytes read, after
 * decompression.
 */
export class TextBound {
  readonly #name: string
  #bytes: number
  #chars = 0

  constructor({ name, path }: Pick<ParserInput, 'name' | 'path'>) {
    this.#name = name
    this.#bytes = statSync(path, { throwIfNoEntry: false })?.size ?? 0 // the parser reports a missing file
  }

  /** Counts bytes that the parser has inflated, beside those of the file. */
  readonly countBytes = (bytes: number): void => {
    this.#bytes += bytes
  };

  /** Divides a large block and counts its text. Throws `too_large` if the document has too much text for its bytes. */
  *take(block: Block): Iterable<Block> {
    for (const part of divideBlock(block)) {
      this.#chars += measureSize(part) + BLOCK_SEPARATOR.length
      if (this.#chars > FREE_CHARS + MAX_CHARS_PER_BYTE * this.#bytes) throw this.#createError()
      yield part
    }
  }

  #createError(): AppError {
    const message =
      `Refused ${this.#name}: it would have more than ${MAX_CHARS_PER_BYTE} characters of text for each of the ${this.#bytes} bytes read. ` +
      'It repeats a text, a number format or a sheet many times. Remove the repetitions, or save it in another format.'
    return new AppError('too_large', message)
  }
}

/** Measures a block in characters: its text or its cells, whichever is longer. Blanks make cells longer than the text. */
function measureSize({ text, rows = [] }: Block): number {
  const cells = rows.reduce((sum, row) => sum + row.reduce((own, cell) => own + cell.length, 0), 0)
  return Math.max(text.length, cells)
}
