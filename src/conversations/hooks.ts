import type { ItemContent } from './items.ts'

/** Whose conversation it is: `key` is the id of the service's key that asked, where one is needed. */
export type Owner = {
  readonly conversation: string
  readonly tenant: string
  readonly key?: string | undefined
}

/**
 * What is to be paid for: an answer as it begins, or the call of a tool before it is made. Where a process dies between the two, or an
 * answer is gone on with, it is asked again under the same `id`: whoever keeps account of ids takes nothing twice.
 */
export type Charge = { readonly id: string } & (
  | { readonly kind: 'answer' }
  | { readonly kind: 'tool'; readonly name: string }
)

/** Guardrails and accounts of whoever runs the service. Each may take its time; what it throws fails the answer. */
export type ConversationHooks = {
  /** Of what comes in and what goes out: `warn` says so in the conversation, `revoke` withdraws it and ends the answer. */
  check?(item: ItemContent, owner: Owner, signal?: AbortSignal): Verdict | Promise<Verdict>
  /** `exhausted` interrupts the answer before that; it can be resumed. */
  charge?(owner: Owner, what: Charge, signal?: AbortSignal): Credit | Promise<Credit>
}

type Verdict = 'pass' | 'warn' | 'revoke'
type Credit = 'ok' | 'exhausted'
