import { CATALOG_NOW, type Statements, type Tables } from '../../ingest/store/catalog.ts'

const MINUTE_MS = 60_000

/** Time to use requests taken in advance, so that most requests need no query. */
const HELD_MS = 1_000
const HELD_A_MINUTE = MINUTE_MS / HELD_MS

type Taken = {
  readonly isGranted: boolean
  readonly left: number
  /** Until the bucket is full, and until the next request. */
  readonly fullInMs: number
  readonly nextInMs: number
}

/** Token bucket per owner (key or address), refilled evenly. */
export interface Rates {
  take(owner: string): Promise<Taken>
}

/** At a Unix time in milliseconds. */
type Level = { readonly tokens: number; readonly at: number }

type Filling = { readonly capacity: number; readonly perMinute: number }

function computeLevel(
  { tokens, at }: Level,
  now: number,
  { capacity, perMinute }: Filling,
): number {
  return Math.min(capacity, tokens + (Math.max(0, now - at) / MINUTE_MS) * perMinute)
}

function toTaken(isGranted: boolean, tokens: number, { capacity, perMinute }: Filling): Taken {
  const toMilliseconds = (missing: number) =>
    Math.ceil((Math.max(0, missing) / perMinute) * MINUTE_MS)
  return {
    isGranted,
    left: Math.max(0, Math.floor(tokens)),
    fullInMs: toMilliseconds(capacity - tokens),
    nextInMs: toMilliseconds(1 - tokens),
  }
}

export class MemoryRates implements Rates {
  readonly #filling: Filling
  readonly #maxOwners: number
  readonly #levels = new Map<string, Level>()

  constructor(perMinute: number, maxOwners = Number.POSITIVE_INFINITY) {
    this.#filling = { capacity: perMinute, perMinute }
    this.#maxOwners = maxOwners
  }

  async take(owner: string): Promise<Taken> {
    const now = Date.now()
    const bucket = this.#levels.get(owner)
    const tokens = bucket ? computeLevel(bucket, now, this.#filling) : this.#filling.capacity
    const isGranted = tokens >= 1
    const left = isGranted ? tokens - 1 : tokens
    this.#levels.delete(owner)
    this.#levels.set(owner, { tokens: left, at: now })
    const [oldest] = this.#levels.keys()
    if (oldest !== undefined && this.#levels.size > this.#maxOwners) this.#levels.delete(oldest)
    return toTaken(isGranted, left, this.#filling)
  }
}

type Row = { now: number; tokens: number | null; at: number | null }

type Held = {
  /** Unused tokens taken in advance, and below the number used since. */
  count: number
  takenAt: number
  used: number
  left: number
  emptyUntil: number
  taking: Promise<void> | undefined
}

/**
 * Buckets of all nodes. A node takes about a second's requests in advance and returns the rest;
 * buckets are that much smaller.
 */
export class SharedRates implements Rates {
  static readonly tables: Tables = {
    3: [
      'CREATE TABLE key_rates (owner TEXT PRIMARY KEY, tokens REAL NOT NULL, at INTEGER NOT NULL) WITHOUT ROWID',
    ],
  }

  readonly #catalog: Statements
  readonly #filling: Filling
  readonly #most: number
  readonly #held = new Map<string, Held>()

  constructor(catalog: Statements, perMinute: number) {
    this.#catalog = catalog
    this.#most = Math.max(1, Math.floor(perMinute / HELD_A_MINUTE))
    const capacity = this.#most > 1 ? perMinute - Math.ceil(perMinute / HELD_A_MINUTE) : perMinute
    this.#filling = { capacity, perMinute }
  }

  async take(owner: string): Promise<Taken> {
    const held = this.#getHeld(owner)
    for (let hasWaited = false; ; hasWaited = true) {
      const now = performance.now()
      const isUsable = hasWaited || now < held.takenAt + HELD_MS // granted to those who waited for it
      if (held.count > 0 && isUsable) {
        held.count--
        held.used++
        return toTaken(true, held.left + held.count, this.#filling)
      }
      if (now < held.emptyUntil)
        return { ...toTaken(false, held.left, this.#filling), nextInMs: held.emptyUntil - now }
      held.taking ??= this.#takeMore(owner, held).finally(() => {
        held.taking = undefined
      })
      await held.taking
    }
  }

  #getHeld(owner: string): Held {
    const existing = this.#held.get(owner)
    if (existing) return existing
    const held = { count: 0, takenAt: 0, used: 0, left: 0, emptyUntil: 0, taking: undefined }
    this.#held.set(owner, held)
    return held
  }

  /** Takes at the recent pace; twice as many if they were used up at once. */
  async #takeMore(owner: string, held: Held): Promise<void> {
    const now = performance.now()
    const pace = (held.used * HELD_MS) / Math.max(now - held.takenAt, HELD_MS / 2)
    const amount = Math.min(this.#most, Math.max(1, Math.ceil(pace)))
    const back = held.count
    held.count = 0
    const { granted, left } = await this.#move(owner, amount, back)
    Object.assign(held, { count: granted, takenAt: now, used: 0, left })
    if (granted === 0)
      held.emptyUntil = performance.now() + toTaken(false, left, this.#filling).nextInMs
  }

  async #move(owner: string, amount: number, back: number) {
    const found = `SELECT ${CATALOG_NOW} AS now, tokens, at FROM (SELECT 1 AS one) AS one LEFT JOIN key_rates ON owner = ?`
    const write = `INSERT INTO key_rates VALUES (?, ?, ?)
      ON CONFLICT (owner) DO UPDATE SET tokens = excluded.tokens, at = excluded.at`
    return await this.#catalog.transaction(async inside => {
      const { now, tokens, at } = (await inside.get<Row>(found, owner))!
      const before = { tokens: (tokens ?? this.#filling.capacity) + back, at: at ?? now }
      const level = computeLevel(before, now, this.#filling)
      const granted = Math.min(amount, Math.floor(level))
      await inside.run(write, owner, level - granted, now)
      return { granted, left: level - granted }
    })
  }
}
