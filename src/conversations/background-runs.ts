import { localizable } from '../errors/localizable.ts'
import { AppError } from '../errors.ts'
import { isLeased, type Leases } from '../ingest/store/catalog/lease.ts'
import type { Statements } from '../ingest/store/catalog.ts'

/** Concurrent answers; protects memory. */
const MAX_RUNS = 32

type Run = { readonly controller: AbortController; readonly ended: Promise<void> }

export type Claim = {
  /** Aborts when another process takes over. */
  readonly lost: AbortSignal | undefined
  release(): Promise<void>
}

type RunsDeps = { readonly catalog: Statements; readonly leases: Leases }

/** Work that continues after its request, cancellable by id. */
export class BackgroundRuns {
  readonly #runs = new Map<string, Run>()
  readonly #claimed = new Set<string>()
  readonly #catalog: Statements
  readonly #leases: Leases
  readonly #onError: (error: unknown) => void

  constructor({ catalog, leases }: RunsDeps, onError: (error: unknown) => void) {
    this.#catalog = catalog
    this.#leases = leases
    this.#onError = onError
  }

  get size(): number {
    return this.#runs.size
  }

  requireRoom(): void {
    if (this.#runs.size + this.#claimed.size < MAX_RUNS) return
    throw new AppError(
      'rate_limited',
      localizable`${MAX_RUNS} background answers are under way. Try again when one has ended.`,
    )
  }

  /** Claims an id before its row is written. Throws `rate_limited`. */
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

  /** Throws `rate_limited` without a claim or place. */
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

  /** Returns false if it ended, or its process died. */
  async isUnderWay(id: string): Promise<boolean> {
    return await isRunUnderWay(this.#catalog, id)
  }

  /** Resolves at its end; false if there is no such run. */
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

export async function isRunUnderWay(catalog: Statements, id: string): Promise<boolean> {
  return await isLeased(catalog, toLeaseName(id))
}

function toLeaseName(id: string): string {
  return `answer ${id}`
}
