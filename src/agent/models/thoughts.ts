import type { ChatModel, ModelEvent, ModelRequest } from '../model.ts'
import { findMarker, safeLength } from './marker-scan.ts'

const OPEN = '<think>'
const CLOSE = '</think>'

/** Tells thoughts apart that a model writes in `<think>` at the beginning of its answer; later ones are its text. */
export class ThoughtModel implements ChatModel {
  readonly id: string
  readonly #inner: ChatModel

  constructor(inner: ChatModel) {
    this.id = inner.id
    this.#inner = inner
  }

  async *stream(request: ModelRequest, signal?: AbortSignal): AsyncIterable<ModelEvent> {
    if (request.config?.thoughtInContent) return yield* this.#inner.stream(request, signal)
    const reader = new ThoughtReader()
    for await (const event of this.#inner.stream(request, signal)) {
      if (event.type === 'text-delta') yield* reader.push(event.text)
      else {
        if (event.type !== 'usage' && event.type !== 'reasoning-delta') yield* reader.end()
        yield event
      }
    }
  }
}

class ThoughtReader {
  #buffer = ''
  #state: 'start' | 'thought' | 'text' = 'start';

  *push(text: string): Iterable<ModelEvent> {
    if (this.#state === 'text' && this.#buffer === '') return yield { type: 'text-delta', text }
    this.#buffer += text
    if (this.#state === 'start') this.#begin()
    if (this.#state === 'thought') yield* this.#think()
    if (this.#state === 'text') yield* this.end()
  }

  /** What was held back. */
  *end(): Iterable<ModelEvent> {
    const text = this.#buffer
    this.#buffer = ''
    if (text !== '') yield { type: this.#state === 'thought' ? 'reasoning-delta' : 'text-delta', text }
  }

  #begin(): void {
    const text = this.#buffer.trimStart()
    if (text.startsWith(OPEN)) {
      this.#buffer = text.slice(OPEN.length)
      this.#state = 'thought'
    } else if (!OPEN.startsWith(text)) this.#state = 'text'
  }

  *#think(): Iterable<ModelEvent> {
    const found = findMarker(this.#buffer, [CLOSE])
    const safe = found ? found.before.length : safeLength(this.#buffer, [CLOSE])
    if (safe > 0) yield { type: 'reasoning-delta', text: this.#buffer.slice(0, safe) }
    this.#buffer = found ? found.after.trimStart() : this.#buffer.slice(safe)
    if (found) this.#state = 'text'
  }
}
