import type { JsonToken } from './tokens.ts'

/** A scalar and the way to it, or the end of a value that holds others. Depth 0 is the whole. */
export type JsonValue =
  | { readonly type: 'scalar'; readonly path: string; readonly text: string; readonly depth: number }
  | { readonly type: 'end'; readonly isItem: boolean; readonly depth: number }

/** An open object or array, and where in it we are. */
type Place = { readonly isArray: boolean; key: string; index: number }

/** More steps than this say nothing to a reader; the first ones are left out. */
const MAX_STEPS = 12

/** Follows tokens through objects and arrays of any depth, without recursion, and tells the scalars they hold. */
export class JsonValues {
  readonly #damaged: (reason: string) => Error
  readonly #open: Place[] = []
  #expected: 'value' | 'key' | 'colon' | 'comma' = 'value'

  /** `damaged` makes the error that is thrown for what is no JSON. */
  constructor(damaged: (reason: string) => Error) {
    this.#damaged = damaged
  }

  add(token: JsonToken): JsonValue | undefined {
    switch (token.type) {
      case '{':
      case '[':
        return this.#begin(token.type === '[')
      case '}':
      case ']':
        return this.#end(token.type === ']')
      case ':':
        return this.#pass('colon', 'value')
      case ',':
        return this.#comma()
      default:
        return this.#scalar(token)
    }
  }

  /** Throws when something is still open: the text was cut off. */
  end(): void {
    if (this.#open.length > 0) throw this.#damaged('it ends before all that it opened is closed')
  }

  #begin(isArray: boolean): undefined {
    this.#expect('value')
    this.#open.push({ isArray, key: '', index: 0 })
    this.#expected = isArray ? 'value' : 'key'
  }

  /** A comma before the end is let pass. */
  #end(isArray: boolean): JsonValue {
    const place = this.#open.pop()
    if (!place || place.isArray !== isArray)
      throw this.#damaged(`it closes with ${isArray ? ']' : '}'} what is not open`)
    this.#expected = this.#open.length > 0 ? 'comma' : 'value'
    return { type: 'end', isItem: this.#open.at(-1)?.isArray ?? false, depth: this.#open.length }
  }

  #comma(): undefined {
    this.#expect('comma')
    const place = this.#open.at(-1)
    if (place) place.index++
    this.#expected = place?.isArray === false ? 'key' : 'value'
  }

  #pass(expected: 'colon', next: 'value'): undefined {
    this.#expect(expected)
    this.#expected = next
  }

  #scalar({ type, value }: Extract<JsonToken, { value: string }>): JsonValue | undefined {
    const place = this.#open.at(-1)
    if (this.#expected === 'key' && place && type === 'text') {
      place.key = value
      this.#expected = 'colon'
      return undefined
    }
    this.#expect('value')
    this.#expected = place ? 'comma' : 'value'
    return { type: 'scalar', path: this.#path(), text: value, depth: this.#open.length }
  }

  #expect(expected: string): void {
    if (this.#expected !== expected) throw this.#damaged(`a ${this.#expected} is missing after “${this.#path()}”`)
  }

  #path(): string {
    const steps = this.#open.slice(-MAX_STEPS).map(({ isArray, key, index }) => (isArray ? `[${index}]` : `.${key}`))
    return (this.#open.length > MAX_STEPS ? '…' : '') + steps.join('').replace(/^\./, '')
  }
}
