import { AppError } from '../../../errors.ts'

/** Statements that change rows, also where they give some. */
export const WRITES = /^\s*(INSERT|UPDATE|DELETE)\b/i

/** Work that is done one piece at a time, first come, first served. */
export class Line {
  readonly #patienceMs: number
  /** Ends with the piece that stands last. */
  #last: Promise<void> | undefined

  constructor(patienceMs: number) {
    this.#patienceMs = patienceMs
  }

  get isEmpty(): boolean {
    return this.#last === undefined
  }

  /** Do this when everything before it is over. Throws `store_unavailable` where that lasts longer than the patience. */
  async next<Result>(work: () => Promise<Result>): Promise<Result> {
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

  /** Until all that stands in the line now is over. Throws as `next`. */
  async over(): Promise<void> {
    if (this.#last) await this.#wait(this.#last)
  }

  /** All wait in the same way, so that whoever came first goes on first. */
  async #wait(before: Promise<void>): Promise<void> {
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<never>((_, reject) => {
      const message = `The catalog was busy with another transaction of this process for ${this.#patienceMs / 1000} s. Try again.`
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
