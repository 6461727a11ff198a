const MINUTE_MS = 60_000

/** What became of asking for a request. */
export type Taken = {
  readonly isGranted: boolean
  /** How many more there are at the moment. */
  readonly left: number
  /** When all are there again, and when the next one is, in milliseconds. */
  readonly fullInMs: number
  readonly nextInMs: number
}

/** How many requests each owner, a key or an address, has: as many as fill a bucket, which is filled again evenly. */
export interface Rates {
  take(owner: string): Promise<Taken>
}

/** What a bucket had at some time, in unix milliseconds. */
type Level = { readonly tokens: number; readonly at: number }

/** Of requests, how many there are at most, and how many come in a minute. */
export type Filling = { readonly capacity: number; readonly perMinute: number }

/** What has come since counts, up to what the bucket holds. */
export function levelAt({ tokens, at }: Level, now: number, { capacity, perMinute }: Filling): number {
  return Math.min(capacity, tokens + (Math.max(0, now - at) / MINUTE_MS) * perMinute)
}

/** What an owner is told whose bucket has so many. */
export function takenOf(isGranted: boolean, tokens: number, { capacity, perMinute }: Filling): Taken {
  const msOf = (missing: number) => Math.ceil((Math.max(0, missing) / perMinute) * MINUTE_MS)
  return {
    isGranted,
    left: Math.max(0, Math.floor(tokens)),
    fullInMs: msOf(capacity - tokens),
    nextInMs: msOf(1 - tokens),
  }
}

/** The buckets of this process. */
export class MemoryRates implements Rates {
  readonly #filling: Filling
  readonly #maxOwners: number
  /** The one who asked least recently first. */
  readonly #levels = new Map<string, Level>()

  constructor(perMinute: number, maxOwners = Number.POSITIVE_INFINITY) {
    this.#filling = { capacity: perMinute, perMinute }
    this.#maxOwners = maxOwners
  }

  async take(owner: string): Promise<Taken> {
    const now = Date.now()
    const known = this.#levels.get(owner)
    const tokens = known ? levelAt(known, now, this.#filling) : this.#filling.capacity
    const isGranted = tokens >= 1
    const left = isGranted ? tokens - 1 : tokens
    this.#levels.delete(owner)
    this.#levels.set(owner, { tokens: left, at: now })
    if (this.#levels.size > this.#maxOwners) this.#levels.delete(this.#levels.keys().next().value!) // there is one
    return takenOf(isGranted, left, this.#filling)
  }
}
