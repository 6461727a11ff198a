import { statSync } from 'node:fs'
import { localizable } from '../../errors/localizable.ts'
import { AppError } from '../../errors.ts'
import { BLOCK_SEPARATOR, type Block } from '../block.ts'
import { divideBlock } from './bounded-blocks.ts'
import type { ParserInput } from './parser.ts'

/**
 * Text per byte read, so that nothing multiplies. Empty table cells, the densest true content,
 * take three.
 */
const MAX_CHARS_PER_BYTE = 4
/** Any document may have these, so that a small one may repeat a cell or a heading. */
const FREE_CHARS = 64 * 1024

/** Bounds each block by its size, and all text by the bytes read, after decompression. */
export class TextBound {
  readonly #name: string
  #bytes: number
  #chars = 0

  constructor({ name, path }: Pick<ParserInput, 'name' | 'path'>) {
    this.#name = name
    this.#bytes = statSync(path, { throwIfNoEntry: false })?.size ?? 0
  }

  /** Counts inflated bytes, beside those of the file. */
  readonly countBytes = (bytes: number): void => {
    this.#bytes += bytes
  };

  *take(block: Block): Iterable<Block> {
    for (const part of divideBlock(block)) {
      this.#chars += measureSize(part) + BLOCK_SEPARATOR.length
      if (this.#chars > FREE_CHARS + MAX_CHARS_PER_BYTE * this.#bytes) throw this.#createError()
      yield part
    }
  }

  #createError(): AppError {
    const message = localizable`Refused ${this.#name}: it would have more than ${MAX_CHARS_PER_BYTE} characters of text for each of the ${this.#bytes} bytes read. It repeats a text, a number format or a sheet many times. Remove the repetitions, or save it in another format.`
    return new AppError('too_large', message)
  }
}

/** Counts text or cells, whichever is longer: blanks make cells longer. */
function measureSize({ text, rows = [] }: Block): number {
  const cells = rows.reduce((sum, row) => sum + row.reduce((own, cell) => own + cell.length, 0), 0)
  return Math.max(text.length, cells)
}
