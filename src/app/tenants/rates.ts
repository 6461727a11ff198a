import { CATALOG_NOW, type Statements, type Tables } from '../../ingest/store/catalog.ts'
import { RecentMap } from '../../system/recent-map.ts'

const MINUTE_MS = 60_000

/** Time to use requests taken in advance, so that most requests need no query. */
const RESERVE_MS = 1_000
const RESERVES_PER_MINUTE = MINUTE_MS / RESERVE_MS

type Grant = {
  readonly isGranted: boolean
  readonly remaining: number
  /** Until the bucket is full, and until the next request. */
  readonly fullInMs: number
  readonly nextInMs: number
}

/** Token bucket per owner (key or address), refilled evenly. */
export interface Rates {
  take(owner: string): Promise<Grant>
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

function toGrant(isGranted: boolean, tokens: number, { capacity, perMinute }: Filling): Grant {
  const toMilliseconds = (missing: number) =>
    Math.ceil((Math.max(0, missing) / perMinute) * MINUTE_MS)
  return {
    isGranted,
    remaining: Math.max(0, Math.floor(tokens)),
    fullInMs: toMilliseconds(capacity - tokens),
    nextInMs: toMilliseconds(1 - tokens),
  }
}

export class MemoryRates implements Rates {
  readonly #filling: Filling
  readonly #levels: RecentMap<string, Level>

  constructor(perMinute: number, maxOwners = Number.POSITIVE_INFINITY) {
    this.#filling = { capacity: perMinute, perMinute }
    this.#levels = new RecentMap(maxOwners)
  }

  async take(owner: string): Promise<Grant> {
    const now = Date.now()
    const bucket = this.#levels.get(owner)
    const tokens = bucket ? computeLevel(bucket, now, this.#filling) : this.#filling.capacity
    const isGranted = tokens >= 1
    const remaining = isGranted ? tokens - 1 : tokens
    this.#levels.set(owner, { tokens: remaining, at: now })
    return toGrant(isGranted, remaining, this.#filling)
  }
}

type Row = { now: number; tokens: number | null; at: number | null }

type Reserve = {
  /** Unused tokens taken in advance, and below the number used since. */
  count: number
  acquiredAt: number
  used: number
  remaining: number
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
  readonly #maxReserve: number
  readonly #reserves = new Map<string, Reserve>()

  constructor(catalog: Statements, perMinute: number) {
    this.#catalog = catalog
    this.#maxReserve = Math.max(1, Math.floor(perMinute / RESERVES_PER_MINUTE))
    const capacity =
      this.#maxReserve > 1 ? perMinute - Math.ceil(perMinute / RESERVES_PER_MINUTE) : perMinute
    this.#filling = { capacity, perMinute }
  }

  async take(owner: string): Promise<Grant> {
    const reserve = this.#getReserve(owner)
    for (let hasWaited = false; ; hasWaited = true) {
      const now = performance.now()
      const isUsable = hasWaited || now < reserve.acquiredAt + RESERVE_MS // granted to those who waited for it
      if (reserve.count > 0 && isUsable) {
        reserve.count--
        reserve.used++
        return toGrant(true, reserve.remaining + reserve.count, this.#filling)
      }
      if (now < reserve.emptyUntil)
        return {
          ...toGrant(false, reserve.remaining, this.#filling),
          nextInMs: reserve.emptyUntil - now,
        }
      reserve.taking ??= this.#takeMore(owner, reserve).finally(() => {
        reserve.taking = undefined
      })
      await reserve.taking
    }
  }

  #getReserve(owner: string): Reserve {
    const existing = this.#reserves.get(owner)
    if (existing) return existing
    const reserve = {
      count: 0,
      acquiredAt: 0,
      used: 0,
      remaining: 0,
      emptyUntil: 0,
      taking: undefined,
    }
    this.#reserves.set(owner, reserve)
    return reserve
  }

  /** Takes at the recent pace; twice as many if they were used up at once. */
  async #takeMore(owner: string, reserve: Reserve): Promise<void> {
    const now = performance.now()
    const pace = (reserve.used * RESERVE_MS) / Math.max(now - reserve.acquiredAt, RESERVE_MS / 2)
    const amount = Math.min(this.#maxReserve, Math.max(1, Math.ceil(pace)))
    const back = reserve.count
    reserve.count = 0
    const { granted, remaining } = await this.#move(owner, amount, back)
    Object.assign(reserve, { count: granted, acquiredAt: now, used: 0, remaining })
    if (granted === 0)
      reserve.emptyUntil = performance.now() + toGrant(false, remaining, this.#filling).nextInMs
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
      return { granted, remaining: level - granted }
    })
  }
}
