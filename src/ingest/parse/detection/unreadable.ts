import { localizable, withMessage } from '../../../errors/localizable.ts'
import type { ParserEvent } from '../parser.ts'

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const UNREADABLE = /[\u0000-\u0006\u000e-\u0019\u007f\ufffd]/g

export class UnreadableMeter {
  readonly #charset: string
  #count = 0
  #line = 1

  constructor(charset: string) {
    this.#charset = charset
  }

  add(text: string): string {
    const first = text.search(UNREADABLE)
    if (this.#count === 0) this.#line += countNewlines(first < 0 ? text : text.slice(0, first))
    if (first < 0) return text
    this.#count += text.match(UNREADABLE)?.length ?? 0
    return text.replace(UNREADABLE, '\ufffd')
  }

  *listWarnings(): Iterable<ParserEvent> {
    if (this.#count === 0) return
    const message =
      this.#count === 1
        ? localizable`${this.#count} place cannot be read as ${this.#charset} and stands as � in the text, the first in line ${this.#line}. The file is damaged there, or of another charset.`
        : localizable`${this.#count} places cannot be read as ${this.#charset} and stand as � in the text, the first in line ${this.#line}. The file is damaged there, or of another charset.`
    yield { type: 'warning', warning: withMessage({ code: 'undecodable' }, message) }
  }
}

function countNewlines(text: string): number {
  let count = 0
  for (let index = text.indexOf('\n'); index >= 0; index = text.indexOf('\n', index + 1)) count++
  return count
}
