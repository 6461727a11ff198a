export type RtfToken =
  | { readonly type: 'open' }
  | { readonly type: 'close' }
  | { readonly type: 'word'; readonly name: string; readonly value: number | undefined }
  | { readonly type: 'bytes'; readonly bytes: string }

const OPEN: RtfToken = { type: 'open' }
const CLOSE: RtfToken = { type: 'close' }

/** A control word or symbol with the space that ends it, a brace, or other text. */
const TOKEN =
  /[{}]|\\([a-z]{1,32})(-?\d{1,10})? ?|\\'([0-9a-f]{2})|\\([^a-z])|[^{}\\\r\n\0]+|[\r\n\0]+/giy

/** Longest token, so that one cut at the end of a piece is read whole with the next. */
const MAX_TOKEN = 64

/** Bytes stay Latin-1 characters, since the font decides what they mean. */
export class RtfTokens {
  #rest = ''
  #binary = 0;

  *add(piece: string): Iterable<RtfToken> {
    const text = this.#rest + piece
    yield* this.#read(text, text.length - MAX_TOKEN)
  }

  *end(): Iterable<RtfToken> {
    yield* this.#read(this.#rest, this.#rest.length)
  }

  *#read(text: string, limit: number): Iterable<RtfToken> {
    let index = 0
    while (index < limit) {
      const binary = Math.min(this.#binary, text.length - index)
      this.#binary -= binary
      index += binary
      TOKEN.lastIndex = index
      const match = binary > 0 ? undefined : TOKEN.exec(text)
      if (match) {
        index = TOKEN.lastIndex
        const token = toToken(match)
        if (token?.type === 'word' && token.name === 'bin')
          this.#binary = Math.max(0, token.value ?? 0)
        else if (token) yield token
      } else if (binary === 0) index++
    }
    this.#rest = text.slice(index)
  }
}

function toToken([text, name, value, hex, symbol]: RegExpExecArray): RtfToken | undefined {
  if (text === '{') return OPEN
  if (text === '}') return CLOSE
  if (name) return { type: 'word', name, value: value === undefined ? undefined : Number(value) }
  if (hex) return { type: 'bytes', bytes: String.fromCharCode(Number.parseInt(hex, 16)) }
  if (symbol) return { type: 'word', name: symbol, value: undefined }
  return /^[\r\n\0]/.test(text) ? undefined : { type: 'bytes', bytes: text }
}
