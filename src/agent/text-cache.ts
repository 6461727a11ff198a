import { requireKnownNames } from './known-names.ts'

/** Remembers texts under keys for a while. */
export interface TextCache {
  get(key: string): Promise<string | undefined>
  set(key: string, text: string): Promise<void>
}

type MemoryCacheOptions = {
  /** A text is forgotten this long after it was kept. */
  readonly ttlMs: number
  /** In UTF-16 units, keys not counted; the oldest leave first. */
  readonly maxChars?: number
  /** Unix milliseconds. */
  readonly now?: () => number
}

const OPTIONS: Readonly<Record<keyof MemoryCacheOptions, true>> = {
  ttlMs: true,
  maxChars: true,
  now: true,
}

type Entry = { readonly text: string; readonly expires: number }

/** A cache of this process. */
export class MemoryCache implements TextCache {
  readonly #entries = new Map<string, Entry>()
  readonly #options: Required<MemoryCacheOptions>
  #chars = 0

  constructor(options: MemoryCacheOptions) {
    requireKnownNames('new MemoryCache()', options, OPTIONS)
    this.#options = { maxChars: 10_000_000, now: Date.now, ...options }
  }

  async get(key: string): Promise<string | undefined> {
    const entry = this.#entries.get(key)
    if (entry && entry.expires <= this.#options.now()) this.#forget(key)
    else return entry?.text
  }

  async set(key: string, text: string): Promise<void> {
    const { ttlMs, maxChars, now } = this.#options
    this.#forget(key)
    if (text.length > maxChars) return
    this.#entries.set(key, { text, expires: now() + ttlMs })
    this.#chars += text.length
    for (const oldest of this.#entries.keys()) {
      if (this.#chars <= maxChars) return
      this.#forget(oldest)
    }
  }

  #forget(key: string): void {
    this.#chars -= this.#entries.get(key)?.text.length ?? 0
    this.#entries.delete(key)
  }
}
