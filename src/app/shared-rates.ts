import { CATALOG_NOW, type Schema, type Statements } from '../ingest/catalog.ts'
import { type Filling, levelAt, type Rates, type Taken, takenOf } from './rates.ts'

export const rateSchema: Schema = [
  'CREATE TABLE key_rates (owner TEXT PRIMARY KEY, tokens REAL NOT NULL, at INTEGER NOT NULL) WITHOUT ROWID',
]

/** How long a node may use what it took in advance. */
const HELD_MS = 1_000
const HELD_A_MINUTE = 60_000 / HELD_MS

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
      if (now < held.emptyUntil) return { ...takenOf(false, held.left, this.#filling), nextInMs: held.emptyUntil - now }
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
    if (granted === 0) held.emptyUntil = performance.now() + takenOf(false, left, this.#filling).nextInMs
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
