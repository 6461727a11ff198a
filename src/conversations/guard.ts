import type { AgentEvent } from '../agent/event.ts'
import { localizable } from '../errors/localizable.ts'
import { AppError } from '../errors.ts'
import { createId } from '../system/digest.ts'
import { raceAbort } from '../system/unless-aborted.ts'
import type { Charge, ConversationHooks, Owner } from './hooks.ts'
import { getItemPrefix, type Item, type NewItem, type StatusCode } from './items.ts'

/** A reason other than the user or a failure that ends a run; stored as an item. */
export class Interruption extends Error {
  readonly code: StatusCode
  readonly extra: Readonly<Record<string, unknown>>
  readonly items: readonly NewItem[]

  constructor(code: StatusCode, extra: Interruption['extra'], items: readonly NewItem[] = []) {
    super(REASONS[code])
    this.code = code
    this.extra = extra
    this.items = items
  }
}

const REASONS: Partial<Readonly<Record<StatusCode, string>>> = {
  credits: 'The credits are used up. Resume the answer when there are more.',
  expired: 'The key that started the answer is no longer valid. Resume it with a valid key.',
  revoked: 'A guardrail withdrew this.',
}

const WARNING = 'A guardrail flagged this.'

type GuardOptions = {
  readonly hooks: ConversationHooks
  readonly owner: Owner
  readonly turn: number
  /** Tests whether the user still has access. */
  readonly isAdmitted: () => Promise<boolean>
  /** Unpaid calls that run first. */
  readonly pending: readonly { readonly id: string; readonly name: string }[]
  readonly callersTools: ReadonlySet<string>
  readonly signal: AbortSignal
}

/** Runs the hooks before events are shown and tools are called. */
export class Guard {
  readonly #options: GuardOptions
  readonly #unpaid: Map<string, string>
  /** Paid calls whose payment is not written yet. */
  readonly #paid: string[] = []
  #lastCall: string | undefined

  constructor(options: GuardOptions) {
    this.#options = options
    this.#unpaid = new Map(options.pending.map(({ id, name }) => [id, name]))
  }

  /** Returns warnings about input; throws `Interruption`. */
  async checkInput(items: readonly Item[]): Promise<readonly NewItem[]> {
    const warnings: NewItem[] = []
    for (const item of items) {
      const verdict = await this.#check(item)
      if (verdict === 'revoke')
        throw new Interruption('revoked', { revoked_message_id: item.id }, warnings)
      if (verdict === 'warn') warnings.push(toWarning(item.id))
    }
    await this.#requestCredit({ kind: 'answer', id: this.#place })
    return warnings
  }

  /** Throws `Interruption` with the items. */
  async checkOutput(items: readonly NewItem[]): Promise<readonly NewItem[]> {
    const seen: NewItem[] = []
    for (const item of items) {
      const id = item.id ?? createId(getItemPrefix(item.kind))
      seen.push({ ...item, id })
      if (item.kind === 'call') this.#lastCall = id
      const verdict = item.kind === 'status' ? 'pass' : await this.#check(item)
      if (verdict === 'revoke') throw new Interruption('revoked', { revoked_message_id: id }, seen)
      if (verdict === 'warn') seen.push(toWarning(id))
    }
    return seen
  }

  /** Pays all calls of a turn before the first one. Throws `Interruption`. */
  async authorize(event: AgentEvent): Promise<AgentEvent> {
    if (event.type === 'retrieval' && !(await this.#options.isAdmitted()))
      throw this.#createInterruption('expired')
    if (event.type === 'approval' || event.type === 'tool-result')
      this.#unpaid.delete(event.call.id)
    if (event.type === 'tool-call' && !this.#options.callersTools.has(event.call.name))
      this.#unpaid.set(event.call.id, event.call.name)
    if (event.type !== 'tool-start' || this.#unpaid.size === 0) return event
    for (const [id, name] of this.#unpaid) await this.#payCalls(id, name)
    return { ...event, paid: [...this.#paid.splice(0)] }
  }

  async #payCalls(id: string, name: string): Promise<void> {
    if (!(await this.#options.isAdmitted())) throw this.#createInterruption('expired')
    await this.#requestCredit({ kind: 'tool', name, id: `${this.#place}/${id}` })
    this.#unpaid.delete(id)
    this.#paid.push(id)
  }

  /** Prefix of ids, the same for a resumed answer. */
  get #place(): string {
    return `${this.#options.owner.conversation}/${this.#options.turn}`
  }

  async #requestCredit(what: Charge): Promise<void> {
    const { hooks, owner, signal } = this.#options
    const credit = await this.#callHook(hooks.charge?.(owner, what, signal), 'ok')
    if (credit === 'exhausted') throw this.#createInterruption('credits')
    if (credit !== 'ok') throw createHookError('charge', credit, 'ok or exhausted')
  }

  async #check(item: NewItem) {
    const { hooks, owner, signal } = this.#options
    const verdict = await this.#callHook(hooks.check?.(item, owner, signal), 'pass')
    if (verdict === 'pass' || verdict === 'warn' || verdict === 'revoke') return verdict
    throw createHookError('check', verdict, 'pass, warn or revoke')
  }

  /** Lets a stop end a hanging hook. */
  async #callHook<Answer>(
    answer: Answer | Promise<Answer> | undefined,
    otherwise: NonNullable<Answer>,
  ) {
    return (await raceAbort(Promise.resolve(answer), this.#options.signal)) ?? otherwise
  }

  expire(): Interruption {
    return this.#createInterruption('expired')
  }

  #createInterruption(code: 'credits' | 'expired'): Interruption {
    const last = this.#lastCall === undefined ? {} : { last_tool_message_id: this.#lastCall }
    return new Interruption(code, { ...last, ...(this.#paid.length > 0 && { paid: this.#paid }) })
  }
}

/** Throws `invalid_input` if a guardrail refuses one. */
export async function checkItems(
  items: readonly NewItem[],
  options: Pick<GuardOptions, 'hooks' | 'owner' | 'isAdmitted'>,
): Promise<readonly NewItem[]> {
  const guard = new Guard({
    ...options,
    turn: 0,
    pending: [],
    callersTools: new Set(),
    signal: new AbortController().signal,
  })
  try {
    return await guard.checkOutput(items)
  } catch (error) {
    if (!(error instanceof Interruption)) throw error
    throw new AppError('invalid_input', 'A guardrail refused the items. None was stored.')
  }
}

function toWarning(id: string): NewItem {
  return { kind: 'status', code: 'warning', message: WARNING, extra: { message_id: id } }
}

function createHookError(name: string, result: unknown, expected: string): AppError {
  return new AppError(
    'internal',
    localizable`The hook ${name} answered ${JSON.stringify(result)}; it must return ${expected}.`,
  )
}
