import type { Adaptation } from './openai/adaptations.ts'

type ThoughtsForm =
  | { readonly type: 'returned' }
  /** With every message, in this field, empty without thoughts. */
  | { readonly type: 'everywhere'; readonly field: string }
  | { readonly type: 'left-out' }

export type RequestForm = {
  readonly hasTools: boolean
  readonly thoughts: ThoughtsForm
  readonly adaptations: readonly Adaptation[]
}

/** Time after which a habit is tested again, so that a reconfigured server is noticed. */
const MEMORY_MS = 60 * 60 * 1000

type Expiring<Value> = { readonly value: Value; readonly until: number }

export class ModelHabits {
  #tools: Expiring<'taken' | 'refused'> | undefined
  #thoughts: Expiring<ThoughtsForm> | undefined
  #adaptations: Expiring<readonly Adaptation[]> | undefined
  opensNoThoughts = false
  thoughtFields: readonly string[] = []

  get form(): RequestForm {
    return {
      hasTools: getCurrent(this.#tools) !== 'refused',
      thoughts: getCurrent(this.#thoughts) ?? { type: 'returned' },
      adaptations: getCurrent(this.#adaptations) ?? [],
    }
  }

  get acceptsTools(): boolean {
    return getCurrent(this.#tools) === 'taken'
  }

  recordForm({ hasTools, thoughts, adaptations }: RequestForm): void {
    if (adaptations.length > this.form.adaptations.length)
      this.#adaptations = withExpiry(adaptations)
    if (hasTools !== this.form.hasTools) this.#tools = withExpiry(hasTools ? 'taken' : 'refused')
    if (thoughts.type !== this.form.thoughts.type) this.#thoughts = withExpiry(thoughts)
  }

  recordTools(): void {
    this.#tools = withExpiry('taken')
  }
}

function withExpiry<Value>(value: Value): Expiring<Value> {
  return { value, until: performance.now() + MEMORY_MS }
}

function getCurrent<Value>(entry: Expiring<Value> | undefined): Value | undefined {
  return entry && performance.now() < entry.until ? entry.value : undefined
}
