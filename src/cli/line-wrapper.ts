import { widthOf } from '../text/line-width.ts'

/** Columns of a line. */
export const WIDTH = 80

/** A word, a Han character with the punctuation that may not begin a line, white space, or a line's end. */
const PIECE =
  /[^\S\n]+|\n|[\p{Script=Han}\u3000-\u303f\uff00-\uff60][，。；：、！？”’」』）》]*|[^\s\p{Script=Han}\u3000-\u303f\uff00-\uff60]+/gu

/** Breaks text that comes in pieces into lines of at most 80 columns; Han characters take two. A longer word stays whole. */
export class LineWrapper {
  readonly #indent: string
  #held = ''
  #spaces = ''
  #width = 0

  constructor(indent = '') {
    this.#indent = indent
  }

  /** What can be written now: the last word may go on. */
  push(text: string): string {
    const pieces = (this.#held + text).match(PIECE) ?? []
    this.#held = pieces.at(-1) === '\n' ? '' : (pieces.at(-1) ?? '')
    return pieces
      .slice(0, this.#held === '' ? undefined : -1)
      .map(piece => this.#place(piece))
      .join('')
  }

  /** What was held back, when nothing more comes. */
  end(): string {
    const rest = (this.#held.match(PIECE) ?? []).map(piece => this.#place(piece)).join('')
    this.#held = ''
    this.#spaces = ''
    this.#width = 0
    return rest
  }

  #place(piece: string): string {
    if (piece === '\n') {
      this.#spaces = ''
      this.#width = 0
      return piece
    }
    if (piece.trim() === '') {
      this.#spaces = piece
      return ''
    }
    const isFirst = this.#width === 0
    const between = isFirst ? this.#indent + this.#spaces : this.#spaces
    this.#spaces = ''
    if (isFirst || this.#width + widthOf(between + piece) <= WIDTH) {
      this.#width += widthOf(between + piece)
      return between + piece
    }
    this.#width = widthOf(this.#indent + piece)
    return `\n${this.#indent}${piece}`
  }
}

/** Each line of a text broken, with the indent in front of every line. */
export function wrapped(text: string, indent = ''): string {
  const wrapper = new LineWrapper(indent)
  return wrapper.push(text) + wrapper.end()
}
