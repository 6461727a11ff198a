import type { ItemContent } from './items.ts'

/** `key` is the id of the requesting key, if keys are used. */
export type Owner = {
  readonly conversation: string
  readonly tenant: string
  readonly key?: string | undefined
}

/**
 * Charge for an answer or a tool call, beforehand. Repeated with the same `id` after a crash,
 * so that nothing is charged twice.
 */
export type Charge = { readonly id: string } & (
  | { readonly kind: 'answer' }
  | { readonly kind: 'tool'; readonly name: string }
)

/** Guardrails and accounts of the operator. What a hook throws fails the answer. */
export type ConversationHooks = {
  /**
   * Checks input and output: `warn` adds a warning, `revoke` withdraws the item and ends the
   * answer.
   */
  check?(item: ItemContent, owner: Owner, signal?: AbortSignal): Verdict | Promise<Verdict>
  /** `exhausted` interrupts the answer, which can be resumed. */
  charge?(owner: Owner, what: Charge, signal?: AbortSignal): Credit | Promise<Credit>
}

type Verdict = 'pass' | 'warn' | 'revoke'
type Credit = 'ok' | 'exhausted'
