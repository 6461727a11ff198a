/** How thoughts of earlier answers are sent back. */
export type ThoughtsForm =
  /** With the messages that they came with. */
  | { readonly type: 'returned' }
  /** In this field of every message of the assistant, empty if it has none. */
  | { readonly type: 'everywhere'; readonly field: string }
  | { readonly type: 'left-out' }

/** The form in which a request is sent. */
export type RequestForm = { readonly hasTools: boolean; readonly thoughts: ThoughtsForm }

/** What is remembered of a server is asked anew after this time, for servers are set up anew. */
const MEMORY_MS = 60 * 60 * 1000

type Remembered<Value> = { readonly value: Value; readonly until: number }

/** What a server was found to take, and to do, with one model. */
export class ModelHabits {
  #tools: Remembered<'taken' | 'refused'> | undefined
  #thoughts: Remembered<ThoughtsForm> | undefined
  /** Its answers begin with thoughts that no `<think>` opens. */
  opensNoThoughts = false

  get form(): RequestForm {
    return {
      hasTools: getCurrent(this.#tools) !== 'refused',
      thoughts: getCurrent(this.#thoughts) ?? { type: 'returned' },
    }
  }

  /** Whether the server has answered a request with tools. */
  get takesTools(): boolean {
    return getCurrent(this.#tools) === 'taken'
  }

  /** Remembers that the server answers requests in this form, after it refused another one. */
  recordForm({ hasTools, thoughts }: RequestForm): void {
    if (hasTools !== this.form.hasTools) this.#tools = withExpiry(hasTools ? 'taken' : 'refused')
    if (thoughts.type !== this.form.thoughts.type) this.#thoughts = withExpiry(thoughts)
  }

  recordTools(): void {
    this.#tools = withExpiry('taken')
  }
}

function withExpiry<Value>(value: Value): Remembered<Value> {
  return { value, until: performance.now() + MEMORY_MS }
}

function getCurrent<Value>(remembered: Remembered<Value> | undefined): Value | undefined {
  return remembered && performance.now() < remembered.until ? remembered.value : undefined
}
