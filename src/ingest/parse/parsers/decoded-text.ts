import { statSync } from 'node:fs'
import { localizable, withMessage } from '../../../errors/localizable.ts'
import { AppError } from '../../../errors.ts'
import { decodeFile, guessDamagedFileCharset, inspectFileCharset } from '../detection/charset.ts'
import type { CharsetGuess } from '../detection/charset-score.ts'
import { UnreadableMeter } from '../detection/unreadable.ts'
import type { ParserEvent, ParserInput } from '../parser.ts'
import { describeDoubt } from './declared-charsets.ts'

export class DecodedText {
  readonly charset: string
  readonly #path: string
  readonly #meter: UnreadableMeter

  readonly #isDoubtful: boolean

  private constructor(path: string, { charset, isDoubtful }: CharsetGuess) {
    this.#path = path
    this.charset = charset
    this.#isDoubtful = isDoubtful === true
    this.#meter = new UnreadableMeter(charset)
  }

  /** Throws `empty` or `corrupt`. */
  static async open({ path, name }: ParserInput): Promise<DecodedText> {
    const { size } = statSync(path)
    if (size === 0) throw new AppError('empty', localizable`${name} is empty: it has no bytes.`)
    const guess = await inspectFileCharset(path)
    if (guess) return new DecodedText(path, guess)
    const charset = await guessDamagedFileCharset(path)
    if (charset) return new DecodedText(path, { charset })
    throw new AppError(
      'corrupt',
      localizable`Cannot read ${name}: it is not text in any known charset.`,
    )
  }

  async *readPieces(signal?: AbortSignal): AsyncIterable<string> {
    for await (const piece of decodeFile(this.#path, this.charset, signal))
      yield this.#meter.add(piece)
  }

  *listWarnings(): Iterable<ParserEvent> {
    if (this.#isDoubtful) {
      const warning = withMessage({ code: 'charset' }, describeDoubt(this.charset))
      yield { type: 'warning', warning }
    }
    yield* this.#meter.listWarnings()
  }
}

export async function* readTextLines(
  pieces: AsyncIterable<string>,
  maxCharacters = Infinity,
): AsyncGenerator<string> {
  let rest = ''
  for await (const piece of pieces) {
    const parts = piece.split('\n')
    parts[0] = rest + parts[0]
    rest = parts.pop() ?? ''
    for (const part of parts) yield* cut(part.replace(/\r$/, ''), maxCharacters)
    while (rest.length > maxCharacters * 2) {
      const end = findSafeEnd(rest, maxCharacters)
      yield rest.slice(0, end)
      rest = rest.slice(end)
    }
  }
  if (rest) yield* cut(rest.replace(/\r$/, ''), maxCharacters)
}

function* cut(line: string, maxCharacters: number): Iterable<string> {
  let start = 0
  while (line.length - start > maxCharacters) {
    const end = start + findSafeEnd(line.slice(start, start + maxCharacters + 1), maxCharacters)
    yield line.slice(start, end)
    start = end
  }
  yield line.slice(start)
}

/** Never splits a surrogate pair. */
function findSafeEnd(text: string, end: number): number {
  return /[\ud800-\udbff]$/.test(text.slice(0, end)) ? end + 1 : end
}
