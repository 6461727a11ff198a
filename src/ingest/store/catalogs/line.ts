import { localizable } from '../../../errors/localizable.ts'
import { AppError } from '../../../errors.ts'

/** Statements that change rows, even if they return some. */
export const WRITES = /^\s*(INSERT|UPDATE|DELETE)\b/i

export class Line {
  readonly #patienceMs: number
  #last: Promise<void> | undefined

  constructor(patienceMs: number) {
    this.#patienceMs = patienceMs
  }

  get isEmpty(): boolean {
    return this.#last === undefined
  }

  /** Throws `store_unavailable` after `patienceMs`. */
  async enqueue<Result>(work: () => Promise<Result>): Promise<Result> {
    const before = this.#last
    let end = () => {}
    const own = new Promise<void>(resolve => {
      end = resolve
    })
    const last = before ? before.then(() => own) : own
    this.#last = last
    try {
      if (before) await this.#wait(before)
      return await work()
    } finally {
      end()
      if (this.#last === last) this.#last = undefined
    }
  }

  /** Throws as `enqueue`. */
  async waitUntilEmpty(): Promise<void> {
    if (this.#last) await this.#wait(this.#last)
  }

  /** All callers wait in the same way, so that they keep their order. */
  async #wait(before: Promise<void>): Promise<void> {
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<never>((_, reject) => {
      const message = localizable`The catalog was busy with another transaction of this process for ${this.#patienceMs / 1000} s. Try again.`
      timer = setTimeout(
        () => reject(new AppError('store_unavailable', message, { subject: 'store' })),
        this.#patienceMs,
      )
    })
    try {
      await Promise.race([before, late])
    } finally {
      clearTimeout(timer)
    }
  }
}
