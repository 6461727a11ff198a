import type { ConversationHooks } from '../src/index.ts' // 'passim' in a program of yours

/** So many answers and tool calls for each tenant, until there are more. */
export class Credits implements ConversationHooks {
  readonly #left = new Map<string, number>()

  give(tenant: string, credits: number): void {
    this.#left.set(tenant, (this.#left.get(tenant) ?? 0) + credits)
  }

  charge: NonNullable<ConversationHooks['charge']> = ({ tenant }) => {
    const left = this.#left.get(tenant) ?? 0
    if (left === 0) return 'exhausted'
    this.#left.set(tenant, left - 1)
    return 'ok'
  }
}
