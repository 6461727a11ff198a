import { localizable, type Sentence } from '../../../../errors/localizable.ts'

/** Numbers keep their spelling, so that long ones stay exact. */
export type JsonToken =
  | { readonly type: '{' | '}' | '[' | ']' | ':' | ',' }
  | { readonly type: 'text' | 'literal'; readonly value: string }

const MARKS: ReadonlyMap<string, JsonToken> = new Map(
  (['{', '}', '[', ']', ':', ','] as const).map(type => [type, { type }]),
)
const LITERAL = /^(-?\d[\d.eE+-]*|-?Infinity|NaN|true|false|null)$/

/** Omits comments, which settings files have. */
export class JsonTokens {
  readonly #damaged: (reason: Sentence) => Error
  #rest = ''

  constructor(damaged: (reason: Sentence) => Error) {
    this.#damaged = damaged
  }

  add(piece: string): readonly JsonToken[] {
    const isInString = this.#rest.startsWith('"') && !piece.includes('"')
    if (!isInString) return this.#read(this.#rest + piece)
    this.#rest += piece
    return []
  }

  end(): readonly JsonToken[] {
    const tokens = this.#read(`${this.#rest}\n`)
    if (this.#rest !== '') throw this.#damaged('it ends in the middle of a text or comment')
    return tokens
  }

  #read(text: string): readonly JsonToken[] {
    const tokens: JsonToken[] = []
    let index = 0
    for (let end = findTokenEnd(text, index); end !== undefined; end = findTokenEnd(text, index)) {
      const token = this.#toToken(text.slice(index, end))
      if (token) tokens.push(token)
      index = end
    }
    this.#rest = text.slice(index)
    return tokens
  }

  #toToken(written: string): JsonToken | undefined {
    const mark = MARKS.get(written)
    if (mark) return mark
    if (written.startsWith('"')) return { type: 'text', value: this.#unescape(written) }
    if (/^(\s|\ufeff|\/[/*])/.test(written)) return undefined
    if (LITERAL.test(written)) return { type: 'literal', value: written }
    throw this.#damaged(localizable`it has “${written.slice(0, 40)}” where a value belongs`)
  }

  /** Allows line breaks and tabs, which the standard requires to be escaped. */
  #unescape(written: string): string {
    try {
      if (!/[\n\r\t\\]/.test(written)) return written.slice(1, -1)
      return JSON.parse(written.replace(/[\n\r\t]/g, mark => JSON.stringify(mark).slice(1, -1)))
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error
      throw this.#damaged(localizable`it has the text ${written.slice(0, 40)}, which is not sound`)
    }
  }
}

const SPACE = /[\s\ufeff]+/y
const WORD = /[^\s{}[\]:,"/]+/y

/** Returns undefined if the token may continue in the next piece. */
function findTokenEnd(text: string, start: number): number | undefined {
  const first = text[start]
  if (first === undefined) return undefined
  if (first === '"') return findStringEnd(text, start)
  if (first === '/') return findCommentEnd(text, start)
  if (MARKS.has(first)) return start + 1
  const space = matchEnd(SPACE, text, start)
  if (space !== undefined) return space
  const word = matchEnd(WORD, text, start)
  return word === text.length ? undefined : word
}

function matchEnd(pattern: RegExp, text: string, start: number): number | undefined {
  pattern.lastIndex = start
  return pattern.test(text) ? pattern.lastIndex : undefined
}

function findStringEnd(text: string, start: number): number | undefined {
  for (let quote = text.indexOf('"', start + 1); quote >= 0; quote = text.indexOf('"', quote + 1)) {
    let before = quote
    while (text[before - 1] === '\\') before--
    if ((quote - before) % 2 === 0) return quote + 1
  }
  return undefined
}

function findCommentEnd(text: string, start: number): number | undefined {
  const mark = text[start + 1]
  if (mark === undefined) return undefined
  const closing = mark === '*' ? '*/' : '\n'
  const end = text.indexOf(closing, start + 2)
  return end < 0 ? undefined : end + closing.length
}
