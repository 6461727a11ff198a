import { measureWidth } from '../../text/line-width.ts'

/** Closing punctuation, which begins no line. */
const CLOSING = '，。；：、！？”’」』）》】〉…,.;:!?)\\]}%'

/** Opening punctuation, which ends no line. */
const OPENING = '（“‘「『《【〈'

const WIDE = '\\p{Script=Han}\\u3000-\\u303f\\uff00-\\uff60'

/** Word or Han character with the punctuation around it, white space, or line end. */
const PIECE = new RegExp(
  `[^\\S\\n]+|\\n|[${OPENING}]*(?:[${WIDE}]|[^\\s${WIDE}]+)[${CLOSING}]*`,
  'gu',
)

/** Wraps streamed text; Han characters take two columns. Longer words stay complete. */
export class LineWrapper {
  readonly #columns: number
  readonly #indent: string
  #pending = ''
  #spaces = ''
  #width = 0

  constructor(columns: number, indent = '') {
    this.#columns = columns
    this.#indent = indent
  }

  /** Returns what can be printed; the last word may continue. */
  push(text: string): string {
    const pieces = (this.#pending + text).match(PIECE) ?? []
    this.#pending = pieces.at(-1) === '\n' ? '' : (pieces.at(-1) ?? '')
    return pieces
      .slice(0, this.#pending === '' ? undefined : -1)
      .map(piece => this.#place(piece))
      .join('')
  }

  end(): string {
    const rest = (this.#pending.match(PIECE) ?? []).map(piece => this.#place(piece)).join('')
    this.#pending = ''
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
    if (isFirst || this.#width + measureWidth(between + piece) <= this.#columns) {
      this.#width += measureWidth(between + piece)
      return between + piece
    }
    this.#width = measureWidth(this.#indent + piece)
    return `\n${this.#indent}${piece}`
  }
}

export function wrapText(text: string, columns: number, indent = ''): string {
  const wrapper = new LineWrapper(columns, indent)
  return wrapper.push(text) + wrapper.end()
}
