import type { Span } from './sentences.ts'

/** Beginning of an object, or of a list of texts, objects or lists. A list of numbers does not count, because it may be markers. */
const OPENING = /[{[]\s*["']|\[\s*\{|\{\s*\}|\[\s*\[[^[\]\n]*\]\s*,/g
/** Maximum number of spans. Keeps the work linear if a text opens many objects and closes none. */
const MAX_OPEN = 100

/** Finds JSON in a text, including incomplete and loosely written JSON (`{'a': 1}`). */
export function findJson(text: string): readonly Span[] {
  const spans: Span[] = []
  let end = 0
  for (const { index } of text.matchAll(OPENING)) {
    if (index < end) continue
    end = findJsonEnd(text, index)
    spans.push({ start: index, end })
    if (spans.length === MAX_OPEN) break
  }
  return spans
}

/** Finds the offset after the bracket that closes the first one; the end of the text if none does. */
function findJsonEnd(text: string, start: number): number {
  const brackets = new OpenBrackets('[{')
  for (let index = start; index < text.length; index++) {
    brackets.push(text[index]!)
    if (!brackets.isOpen) return index + 1
  }
  return text.length
}

const CLOSERS: Readonly<Record<string, string>> = { '[': ']', '{': '}' }

/** Tracks open brackets in a text, letter by letter. Brackets in quoted strings do not count. */
export class OpenBrackets {
  readonly #openers: string
  readonly #closers: string
  #depth = 0
  #isQuoted = false
  #isEscaped = false

  constructor(openers: string) {
    this.#openers = openers
    this.#closers = [...openers].map(opener => CLOSERS[opener]).join('')
  }

  get isOpen(): boolean {
    return this.#depth > 0
  }

  push(letter: string): void {
    if (this.#isEscaped) this.#isEscaped = false
    else if (this.#isQuoted && letter === '\\') this.#isEscaped = true
    else if (letter === '"' && this.isOpen) this.#isQuoted = !this.#isQuoted
    else if (this.#isQuoted) return
    else if (this.#openers.includes(letter)) this.#depth++
    else if (this.#closers.includes(letter) && this.isOpen) this.#depth--
  }
}
