/** Keeps the entries set last, up to `maxSize` in all, and the newest in any case. */
export class RecentMap<Key, Value> {
  readonly #maxSize: number
  readonly #measure: (value: Value, key: Key) => number
  readonly #entries = new Map<Key, Value>()
  #size = 0

  constructor(maxSize: number, measure: (value: Value, key: Key) => number = () => 1) {
    this.#maxSize = maxSize
    this.#measure = measure
  }

  get(key: Key): Value | undefined {
    return this.#entries.get(key)
  }

  set(key: Key, value: Value): void {
    this.delete(key)
    this.#entries.set(key, value)
    this.#size += this.#measure(value, key)
    for (const oldest of this.#entries.keys()) {
      if (this.#size <= this.#maxSize || oldest === key) return
      this.delete(oldest)
    }
  }

  delete(key: Key): void {
    const value = this.#entries.get(key)
    if (value === undefined) return
    this.#entries.delete(key)
    this.#size -= this.#measure(value, key)
  }
}
