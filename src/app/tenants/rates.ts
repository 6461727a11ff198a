import { CATALOG_NOW, type Statements, type Tables } from '../../ingest/store/catalog.ts'

const MINUTE_MS = 60_000

/** How long a node may use what it took in advance. */
const HELD_MS = 1_000
const HELD_A_MINUTE = MINUTE_MS / HELD_MS

/** What became of asking for a request. */
type Taken = {
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
type Filling = { readonly capacity: number; readonly perMinute: number }

/** What has come since counts, up to what the bucket holds. */
function levelAt({ tokens, at }: Level, now: number, { capacity, perMinute }: Filling): number {
  return Math.min(capacity, tokens + (Math.max(0, now - at) / MINUTE_MS) * perMinute)
}

/** What an owner is told whose bucket has so many. */
function takenOf(isGranted: boolean, tokens: number, { capacity, perMinute }: Filling): Taken {
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

type Row = { now: number; tokens: number | null; at: number | null }

/** What this node knows of an owner's bucket; times are its own. */
type Held = {
  /** Taken and not used yet, of those that it took at this time; and how many it has used since. */
  count: number
  takenAt: number
  used: number
  /** In the bucket, when it looked last. */
  left: number
  /** There is nothing before then. */
  emptyUntil: number
  taking: Promise<void> | undefined
}

/**
 * The buckets of all nodes, in the catalog and by its clock. A node takes a few requests at a time, about as many as it will need in
 * the second for which it may use them, and puts back what is left with the next ones: so most requests ask nobody. What it holds may
 * be used later than it was taken, while the bucket fills; therefore a bucket holds less than a minute's requests by those of a
 * second. All nodes together let through no more than one would alone, whatever becomes of any of them.
 */
export class SharedRates implements Rates {
  static readonly tables: Tables = {
    3: [
      'CREATE TABLE key_rates (owner TEXT PRIMARY KEY, tokens REAL NOT NULL, at INTEGER NOT NULL) WITHOUT ROWID',
    ],
  }

  readonly #catalog: Statements
  readonly #filling: Filling
  /** Most that are taken at a time. */
  readonly #most: number
  /** As many as there are keys. */
  readonly #held = new Map<string, Held>()

  constructor(catalog: Statements, perMinute: number) {
    this.#catalog = catalog
    this.#most = Math.max(1, Math.floor(perMinute / HELD_A_MINUTE))
    const capacity = this.#most > 1 ? perMinute - Math.ceil(perMinute / HELD_A_MINUTE) : perMinute
    this.#filling = { capacity, perMinute }
  }

  async take(owner: string): Promise<Taken> {
    const held = this.#of(owner)
    for (let hasWaited = false; ; hasWaited = true) {
      const now = performance.now()
      const isUsable = hasWaited || now < held.takenAt + HELD_MS // it was granted to those who waited for it
      if (held.count > 0 && isUsable) {
        held.count--
        held.used++
        return takenOf(true, held.left + held.count, this.#filling)
      }
      if (now < held.emptyUntil)
        return { ...takenOf(false, held.left, this.#filling), nextInMs: held.emptyUntil - now }
      held.taking ??= this.#takeMore(owner, held).finally(() => {
        held.taking = undefined
      })
      await held.taking
    }
  }

  #of(owner: string): Held {
    const known = this.#held.get(owner)
    if (known) return known
    const held = { count: 0, takenAt: 0, used: 0, left: 0, emptyUntil: 0, taking: undefined }
    this.#held.set(owner, held)
    return held
  }

  /** At the pace of the last ones; where these were used up at once, twice as many. */
  async #takeMore(owner: string, held: Held): Promise<void> {
    const now = performance.now()
    const pace = (held.used * HELD_MS) / Math.max(now - held.takenAt, HELD_MS / 2)
    const wanted = Math.min(this.#most, Math.max(1, Math.ceil(pace)))
    const back = held.count
    held.count = 0
    const { granted, left } = await this.#move(owner, wanted, back)
    Object.assign(held, { count: granted, takenAt: now, used: 0, left })
    if (granted === 0)
      held.emptyUntil = performance.now() + takenOf(false, left, this.#filling).nextInMs
  }

  /** Take some out of the bucket and put others back. */
  async #move(owner: string, wanted: number, back: number) {
    const found = `SELECT ${CATALOG_NOW} AS now, tokens, at FROM (SELECT 1 AS one) AS one LEFT JOIN key_rates ON owner = ?`
    const write = `INSERT INTO key_rates VALUES (?, ?, ?)
      ON CONFLICT (owner) DO UPDATE SET tokens = excluded.tokens, at = excluded.at`
    return await this.#catalog.transaction(async inside => {
      const { now, tokens, at } = (await inside.get<Row>(found, owner))! // there is one row
      const before = { tokens: (tokens ?? this.#filling.capacity) + back, at: at ?? now }
      const level = levelAt(before, now, this.#filling)
      const granted = Math.min(wanted, Math.floor(level))
      await inside.run(write, owner, level - granted, now)
      return { granted, left: level - granted }
    })
  }
}
