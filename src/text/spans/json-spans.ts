import type { Span } from '../sentences.ts'

/** Object, or list of texts, objects or lists; a list of numbers may be markers. */
const OPENING = /[{[]\s*["']|\[\s*\{|\{\s*\}|\[\s*\[[^[\]\n]*\]\s*,/g
/** Spans, so that unclosed objects cost linear time. */
const MAX_OPEN = 100

/** Finds incomplete and loose JSON (`{'a': 1}`), too. */
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

/** Returns the offset after the closing bracket, or the end of the text. */
function findJsonEnd(text: string, start: number): number {
  const brackets = new OpenBrackets('[{')
  for (let index = start; index < text.length; index++) {
    brackets.push(text.charAt(index))
    if (!brackets.isOpen) return index + 1
  }
  return text.length
}

const CLOSERS: Readonly<Record<string, string>> = { '[': ']', '{': '}' }

/** Tracks open brackets letter by letter, except in quoted strings. */
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
