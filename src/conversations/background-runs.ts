import { AppError } from '../errors.ts'
import { isHeld, type Leases } from '../ingest/store/catalog/lease.ts'
import type { Statements } from '../ingest/store/catalog.ts'

/** As many answers at a time; each may hold a model and its sources. */
const MAX_RUNS = 32

type Run = { readonly controller: AbortController; readonly ended: Promise<void> }

/** Room for a run, and the right to work under its id. */
export type Claim = {
  /** Aborts when another process has taken it over. */
  readonly lost: AbortSignal | undefined
  release(): Promise<void>
}

type RunsDeps = { readonly catalog: Statements; readonly leases: Leases }

/** Work that goes on after the request that asked for it has been answered, under an id to cancel it by. */
export class BackgroundRuns {
  readonly #runs = new Map<string, Run>()
  /** Ids of runs that are about to start. */
  readonly #claimed = new Set<string>()
  readonly #catalog: Statements
  readonly #leases: Leases
  readonly #onError: (error: unknown) => void

  /** Told of what went wrong where nobody waits for it. */
  constructor({ catalog, leases }: RunsDeps, onError: (error: unknown) => void) {
    this.#catalog = catalog
    this.#leases = leases
    this.#onError = onError
  }

  get size(): number {
    return this.#runs.size
  }

  /** Throws `rate_limited` when so much is under way that nothing can be started. */
  requireRoom(): void {
    if (this.#runs.size + this.#claimed.size < MAX_RUNS) return
    throw new AppError(
      'rate_limited',
      `${MAX_RUNS} background answers are under way. Try again when one has ended.`,
    )
  }

  /**
   * For who writes down that somebody works under this id before it is started; an id is used once. Throws `rate_limited`
   * when there is no room.
   */
  async claim(id: string): Promise<Claim> {
    this.requireRoom()
    this.#claimed.add(id)
    try {
      const lease = await this.#leases.tryAcquire(toLeaseName(id))
      const release = async () => {
        this.#claimed.delete(id)
        await lease?.release()
      }
      return { lost: lease?.lost, release }
    } catch (error) {
      this.#claimed.delete(id)
      throw error
    }
  }

  /** Throws `rate_limited` when there is no room, unless it was claimed. */
  start(id: string, work: (signal: AbortSignal) => Promise<void>, claim?: Claim): void {
    this.#claimed.delete(id)
    if (!claim) this.requireRoom()
    const controller = new AbortController()
    const ended = work(
      claim?.lost ? AbortSignal.any([controller.signal, claim.lost]) : controller.signal,
    )
      .catch(this.#onError)
      .finally(async () => {
        await claim?.release()
        this.#runs.delete(id)
      })
    this.#runs.set(id, { controller, ended })
  }

  /** Some process works on it; false when it has ended, or ended with its process. */
  async isUnderWay(id: string): Promise<boolean> {
    return await isRunUnderWay(this.#catalog, id)
  }

  /** Resolves once it has ended; false when there is no such run. */
  async cancel(id: string): Promise<boolean> {
    const run = this.#runs.get(id)
    run?.controller.abort(new AppError('cancelled', 'It was cancelled.'))
    await run?.ended
    return run !== undefined
  }

  async close(): Promise<void> {
    const reason = new AppError('cancelled', 'The server is shutting down. Ask again in a moment.')
    for (const { controller } of this.#runs.values()) controller.abort(reason)
    await Promise.all([...this.#runs.values()].map(run => run.ended))
  }
}

/** Some process works on it: for who looks within a transaction, too. */
export async function isRunUnderWay(catalog: Statements, id: string): Promise<boolean> {
  return await isHeld(catalog, toLeaseName(id))
}

function toLeaseName(id: string): string {
  return `answer ${id}`
}
