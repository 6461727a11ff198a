import type { Block } from '../../block.ts'
import { portions } from '../text.ts'
import type { JsonValue } from './values.ts'

/** A block is closed at the end of an item or object when it has so many characters, and anywhere at the second size. */
const FULL = 800
const OVERFULL = 4_000

/** Longer values are prose: blocks of their own. */
const LONG = 500

/** Makes readable lines of JSON, `path: value`, and blocks of the lines that belong together. */
export class JsonBlocks {
  #lines: string[] = []
  #characters = 0;

  *add(value: JsonValue): Iterable<Block> {
    if (value.type === 'end') {
      const isRecord = value.depth === 0 || (value.isItem && value.depth === 1)
      if (isRecord || this.#characters >= FULL) yield* this.end()
      return
    }
    const text = value.text.trim()
    if (text.length > LONG) yield* this.#prose(value.path, text)
    else this.#push(value.path, text.replace(/\s+/g, ' '))
    if (this.#characters >= OVERFULL) yield* this.end()
  }

  *end(): Iterable<Block> {
    const lines = this.#lines
    this.#lines = []
    this.#characters = 0
    if (lines.length > 0) yield { kind: 'paragraph', text: lines.join('\n') }
  }

  #push(path: string, text: string): void {
    if (text === '') return
    const line = path ? `${path}: ${text}` : text
    this.#lines.push(line)
    this.#characters += line.length
  }

  *#prose(path: string, text: string): Iterable<Block> {
    yield* this.end()
    const prefix = path ? `${path}: ` : ''
    for (const paragraph of (prefix + text).split(/\n\s*\n/)) {
      for (const portion of portions(paragraph)) yield { kind: 'paragraph', text: portion }
    }
  }
}
