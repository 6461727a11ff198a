import type { ConversationHooks } from '../src/index.ts' // 'passim' in a program of yours

/** So many answers and tool calls for each tenant, until there are more. */
export class Credits implements ConversationHooks {
  readonly #left = new Map<string, number>()
  /** What was paid for; an account that outlives the process keeps this with the credits. */
  readonly #paid = new Set<string>()

  give(tenant: string, credits: number): void {
    this.#left.set(tenant, (this.#left.get(tenant) ?? 0) + credits)
  }

  charge: NonNullable<ConversationHooks['charge']> = ({ tenant }, { id }) => {
    if (this.#paid.has(id)) return 'ok'
    const left = this.#left.get(tenant) ?? 0
    if (left === 0) return 'exhausted'
    this.#left.set(tenant, left - 1)
    this.#paid.add(id)
    return 'ok'
  }
}
