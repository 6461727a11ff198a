import type { Adaptation } from './openai/adaptations.ts'

/** Form in which thoughts of earlier answers are returned to the server. */
export type ThoughtsForm =
  /** With the messages that contained them. */
  | { readonly type: 'returned' }
  /** With every message of the assistant, in this field, which is empty if the message has no thoughts. */
  | { readonly type: 'everywhere'; readonly field: string }
  | { readonly type: 'left-out' }

/** Form in which a request is sent. */
export type RequestForm = {
  readonly hasTools: boolean
  readonly thoughts: ThoughtsForm
  readonly adaptations: readonly Adaptation[]
}

/** Time after which a habit is tested again, so that a reconfigured server is noticed. */
const MEMORY_MS = 60 * 60 * 1000

type Remembered<Value> = { readonly value: Value; readonly until: number }

/** Observed behaviour of a server with one model. */
export class ModelHabits {
  #tools: Remembered<'taken' | 'refused'> | undefined
  #thoughts: Remembered<ThoughtsForm> | undefined
  #adaptations: Remembered<readonly Adaptation[]> | undefined
  /** Answers begin with thoughts that no `<think>` opens. */
  opensNoThoughts = false
  /** Fields of text in which it gave thoughts last. */
  thoughtFields: readonly string[] = []

  get form(): RequestForm {
    return {
      hasTools: getCurrent(this.#tools) !== 'refused',
      thoughts: getCurrent(this.#thoughts) ?? { type: 'returned' },
      adaptations: getCurrent(this.#adaptations) ?? [],
    }
  }

  /** Whether the server has answered a request with tools. */
  get takesTools(): boolean {
    return getCurrent(this.#tools) === 'taken'
  }

  /** Records that the server answered a request in this form after it had refused another form. */
  recordForm({ hasTools, thoughts, adaptations }: RequestForm): void {
    if (adaptations.length > this.form.adaptations.length)
      this.#adaptations = withExpiry(adaptations)
    if (hasTools !== this.form.hasTools) this.#tools = withExpiry(hasTools ? 'taken' : 'refused')
    if (thoughts.type !== this.form.thoughts.type) this.#thoughts = withExpiry(thoughts)
  }

  /** Records that the server answered a request with tools. */
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
