import { statSync } from 'node:fs'
import { AppError } from '../../../errors.ts'
import { decodeFile, detectFileCharset, roughFileCharset } from '../detection/charset.ts'
import { UnreadableMeter } from '../detection/unreadable.ts'
import type { ParserEvent, ParserInput } from '../parser.ts'

/** A text file in its charset, in bounded memory, and what of it could not be read. */
export class DecodedText {
  readonly charset: string
  readonly #path: string
  readonly #meter: UnreadableMeter

  private constructor(path: string, charset: string) {
    this.#path = path
    this.charset = charset
    this.#meter = new UnreadableMeter(charset)
  }

  /** Throws `empty` and, for what is text in no charset, `corrupt`. */
  static async open({ path, name }: ParserInput): Promise<DecodedText> {
    const { size } = statSync(path)
    if (size === 0) throw new AppError('empty', `${name} is empty: it has no bytes.`)
    const charset = (await detectFileCharset(path)) ?? (await roughFileCharset(path))
    if (charset) return new DecodedText(path, charset)
    throw new AppError('corrupt', `Cannot read ${name}: it is no text in any known charset.`)
  }

  async *pieces(signal?: AbortSignal): AsyncIterable<string> {
    for await (const piece of decodeFile(this.#path, this.charset, signal))
      yield this.#meter.add(piece)
  }

  /** Of the pieces that were read. */
  warnings(): Iterable<ParserEvent> {
    return this.#meter.warnings()
  }
}
