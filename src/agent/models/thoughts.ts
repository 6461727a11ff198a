import type { ChatModel, FinishReason, ModelEvent, ModelRequest } from '../model.ts'
import { ModelHabits } from './model-habits.ts'
import { findMarker, measureSafeLength } from './text-calls/marker-scan.ts'

const OPEN = '<think>'
const CLOSE = '</think>'

/**
 * Separates thoughts in `<think>` at the beginning. If the prompt opened them, only `</think>`
 * arrives: the text so far is reasoning.
 */
export class ThoughtModel implements ChatModel {
  readonly id: string
  readonly #inner: ChatModel
  readonly #habits: ModelHabits

  constructor(inner: ChatModel, habits: ModelHabits = new ModelHabits()) {
    this.id = inner.id
    this.#inner = inner
    this.#habits = habits
  }

  async *stream(request: ModelRequest, signal?: AbortSignal): AsyncIterable<ModelEvent> {
    if (request.config?.thoughtInContent) return yield* this.#inner.stream(request, signal)
    const reader = new ThoughtReader(this.#habits)
    for await (const event of this.#inner.stream(request, signal)) {
      if (event.type === 'text-delta') yield* reader.push(event.text)
      else if (event.type === 'reasoning-delta') reader.treatAsText()
      else if (event.type === 'tool-call' || event.type === 'tool-call-delta')
        yield* reader.endBeforeCall()
      else if (event.type === 'finish') yield* reader.end(event.reason)
      if (event.type !== 'text-delta') yield event
    }
  }
}

/**
 * `unopened` is thoughts by habit, `text` may turn out to be thoughts, `closing` waits for text
 * after `</think>`, `settled` is text until the end.
 */
type State = 'start' | 'thought' | 'unopened' | 'text' | 'closing' | 'settled'

class ThoughtReader {
  readonly #habits: ModelHabits
  #state: State = 'start'
  #buffer = ''
  #emitted = ''
  #isPlainText = false

  constructor(habits: ModelHabits) {
    this.#habits = habits
  }

  *push(text: string): Iterable<ModelEvent> {
    this.#buffer += text
    if (this.#state === 'start') this.#classify()
    if (this.#state === 'thought' || this.#state === 'unopened') yield* this.#think()
    if (this.#state === 'text') yield* this.#emitText()
    if (this.#state === 'closing') yield* this.#close()
    if (this.#state === 'settled') yield* this.#flush('text-delta')
  }

  treatAsText(): void {
    this.#isPlainText = true
    if (this.#state === 'text') this.#state = 'settled'
  }

  *endBeforeCall(): Iterable<ModelEvent> {
    if (this.#state === 'closing') yield* this.#takeBack()
    yield* this.#flush(
      this.#state === 'thought' || this.#state === 'unopened' ? 'reasoning-delta' : 'text-delta',
    )
    if (this.#state === 'unopened') this.#state = 'settled'
  }

  *end(reason: FinishReason): Iterable<ModelEvent> {
    if (this.#state === 'closing') yield* this.#takeBack()
    if (this.#state === 'unopened') {
      this.#habits.opensNoThoughts = reason !== 'stop'
      this.#buffer = this.#emitted + this.#buffer
    }
    yield* this.#flush(this.#state === 'thought' ? 'reasoning-delta' : 'text-delta')
  }

  *#flush(type: 'text-delta' | 'reasoning-delta'): Iterable<ModelEvent> {
    const text = this.#buffer
    this.#buffer = ''
    if (text !== '') yield { type, text }
  }

  #classify(): void {
    const text = this.#buffer.trimStart()
    if (text.startsWith(OPEN)) {
      this.#buffer = text.slice(OPEN.length)
      this.#state = 'thought'
    } else if (!OPEN.startsWith(text)) this.#state = this.#getTextState()
  }

  #getTextState(): State {
    if (this.#isPlainText) return 'settled'
    return this.#habits.opensNoThoughts ? 'unopened' : 'text'
  }

  *#think(): Iterable<ModelEvent> {
    const found = findMarker(this.#buffer, [CLOSE])
    const safe = found ? found.before.length : measureSafeLength(this.#buffer, [CLOSE])
    const text = this.#buffer.slice(0, safe)
    if (this.#state === 'unopened') this.#emitted += text
    if (text !== '') yield { type: 'reasoning-delta', text }
    this.#buffer = found ? found.after.trimStart() : this.#buffer.slice(safe)
    if (found) this.#state = 'settled'
  }

  *#emitText(): Iterable<ModelEvent> {
    const found = findMarker(this.#buffer, [CLOSE])
    const safe = found ? found.before.length : measureSafeLength(this.#buffer, [CLOSE])
    const text = this.#buffer.slice(0, safe)
    const isClosing = found !== undefined && !isOpenOrCode(this.#emitted + text)
    if (found) this.#state = isClosing ? 'closing' : 'settled'
    if (isClosing && this.#emitted === '') return // nothing was emitted
    this.#emitted += text
    if (text !== '') yield { type: 'text-delta', text }
    this.#buffer = this.#buffer.slice(safe)
  }

  *#close(): Iterable<ModelEvent> {
    const [thought, answer] = this.#splitBuffer()
    if (answer.trim() === '') return
    const isQuoted = /[`'"“‘「]$/.test(this.#emitted + thought) && /^[`'"”’」]/.test(answer)
    if (isQuoted) this.#state = 'settled'
    else yield* this.#takeBack()
  }

  *#takeBack(): Iterable<ModelEvent> {
    const [thought, answer] = this.#splitBuffer()
    this.#habits.opensNoThoughts = true
    this.#state = 'settled'
    this.#buffer = answer.trimStart()
    if (this.#emitted !== '') yield { type: 'text-as-reasoning', text: this.#emitted }
    if (thought !== '') yield { type: 'reasoning-delta', text: thought }
  }

  #splitBuffer(): readonly [thought: string, answer: string] {
    const [thought = '', ...after] = this.#buffer.split(CLOSE)
    return [thought, after.join(CLOSE)]
  }
}

function isOpenOrCode(before: string): boolean {
  const fences = before.match(/^```/gm)?.length ?? 0
  return fences % 2 === 1 || before.includes(OPEN)
}
