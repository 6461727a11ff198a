/** What a document costs besides its bytes, as so many more of them: to start a parser, write and publish. */
const BYTES_PER_DOCUMENT = 16 * 1024

/** Speed is that of about so much work before now: a slow file counts, and is forgotten again. */
const SMOOTHING_MS = 120_000

/** Nothing is said before this: the first files wait for the processes that read them. */
const SETTLING_MS = 3_000

/** How long work on documents will go on, by its bytes: files differ by more than their number says. */
export class TimeLeft {
  readonly #now: () => number
  readonly #sizes = new Map<string, number>()
  readonly #partly = new Map<string, number>()
  #left = 0
  #counted = 0
  #startedAt: number
  #at: number
  #units = 0
  #ms = 0

  constructor(now: () => number = () => performance.now()) {
    this.#now = now
    this.#startedAt = this.#at = now()
  }

  /** A document is to be indexed. */
  found(id: string, bytes: number): void {
    if (this.#sizes.size === 0) this.#startedAt = this.#at = this.#now()
    this.#left += bytes + BYTES_PER_DOCUMENT - (this.#sizes.get(id) ?? 0)
    this.#sizes.set(id, bytes + BYTES_PER_DOCUMENT)
  }

  /** This share of a document is done, from 0 to 1. */
  worked(id: string, share: number): void {
    const partly = (this.#sizes.get(id) ?? 0) * Math.min(1, share)
    const before = this.#partly.get(id) ?? 0
    if (partly <= before) return
    this.#partly.set(id, partly)
    this.#count(partly - before)
  }

  done(id: string): void {
    this.worked(id, 1)
    this.#sizes.delete(id)
    this.#partly.delete(id)
  }

  /** Undefined while it cannot be known. */
  seconds(): number | undefined {
    const now = this.#now()
    if (this.#counted === 0 || now - this.#startedAt < SETTLING_MS) return undefined
    const { units, ms } = this.#speedAt(now)
    return (this.#left * ms) / units / 1000
  }

  #count(units: number): void {
    const now = this.#now()
    const speed = this.#speedAt(now)
    this.#units = speed.units + units
    this.#ms = speed.ms
    this.#at = now
    this.#counted += units
    this.#left -= units
  }

  /** Work and time, both fading alike. */
  #speedAt(now: number): { readonly units: number; readonly ms: number } {
    const passed = now - this.#at
    const kept = Math.exp(-passed / SMOOTHING_MS)
    return { units: this.#units * kept, ms: this.#ms * kept + passed }
  }
}
